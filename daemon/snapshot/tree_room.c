/* tree_room.c - advises what to do when the target's call tree is too small. */
#include "snapshot/tree_room.h"

#include <stdio.h>

enum {
    AGENT_MOST = 60000, /* limit of nodes in an agent */
    ROUGH_PERCENT = 5,  /* if more time than this may be missing from a chain, the chains are not reliable */
};

/* Rounds up to two digits, as the estimate is not more precise. */
static uint32_t round_up(uint32_t value)
{
    uint64_t unit = 1;
    while (value / unit >= 100)
        unit *= 10;
    return (uint32_t)((value + unit - 1) / unit * unit);
}

/* Adds a comma before the last three digits. */
static const char *with_comma(uint32_t value, char out[static 16])
{
    if (value < 1000)
        snprintf(out, 16, "%u", value);
    else
        snprintf(out, 16, "%u,%03u", value / 1000, value % 1000);
    return out;
}

bool snapshot_tree_room(const struct snapshot_tree_room *room, char out[static TREE_ROOM_SIZE])
{
    char nodes[16], kilobytes[16], memory[32] = "";
    uint32_t needed = round_up(room->needed);
    *out = '\0';
    if (room->needed <= room->nodes || room->needed > AGENT_MOST)
        return false;
    if (needed > AGENT_MOST)
        needed = AGENT_MOST;
    if (room->node_bytes > 0)
        snprintf(memory, sizeof memory, ", %s KB",
                 with_comma((uint32_t)(((uint64_t)needed * room->node_bytes + 1023) / 1024), kilobytes));
    snprintf(out, TREE_ROOM_SIZE,
             "The call tree needs %s %s nodes%s: build the agent with -DMPT_TREE_NODES=%u.",
             room->is_least ? "more than" : "about", with_comma(needed, nodes), memory, needed);
    return true;
}

/* Rounds up to two digits. */
static double round_up_percent(double percent)
{
    double unit = 1e-6;
    while (percent / unit >= 100)
        unit *= 10;
    double digits = (double)(uint64_t)(percent / unit);
    return (digits * unit < percent ? digits + 1 : digits) * unit;
}

bool snapshot_tree_doubt(const struct snapshot_tree_room *room, char out[static TREE_DOUBT_SIZE])
{
    char needed[TREE_ROOM_SIZE];
    double percent =
        room->ticks > 0 ? round_up_percent(100.0 * (double)room->lacking_ticks / (double)room->ticks) : 100;
    *out = '\0';
    if (room->evictions == 0)
        return false;
    bool has_remedy = snapshot_tree_room(room, needed);
    snprintf(out, TREE_DOUBT_SIZE, "%s %.3g %% of the time. Calls and own times of functions are exact%s. %s",
             percent > ROUGH_PERCENT
                 ? "The target's call tree is too small to show chains of callers: one may lack"
                 : "Chains of callers are approximate: each lacks at most",
             percent < 100 ? percent : 100, room->has_others ? ", except for those at \"(other)\"" : "",
             has_remedy ? needed : "A larger MPT_TREE_NODES shows more of them.");
    return true;
}
