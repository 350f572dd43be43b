/* windows.c - what happened around a slow call, sent beside the tree, as events.
 *
 * A window is read as the stream is (compact.h), but each on its own, on the tree's line of time, and as
 * events that are counted elsewhere already. */
#include "dialect/miniprof/windows.h"

static void emit(const struct windows *windows, const struct event_out *out, struct event event)
{
    event.ticks = windows->compact.newest;
    out->batch(out->user, &event, 1);
}

/* The one that is open is what has come of it. */
static void break_off(struct windows *windows, const struct event_out *out)
{
    if (windows->is_open)
        emit(windows, out, (struct event){.kind = EVENT_WINDOW, .window.stage = WINDOW_ENDS});
    windows->is_open = false;
}

/* They are numbered modulo 16, and all between two of one number may be lost: the first packet of another
 * begins at another time. */
static bool is_next(const struct windows *windows, const struct mp_compact_reader *reader)
{
    return !windows->has_one || reader->run != windows->run ||
           (reader->number == 0 && reader->state.time != windows->time);
}

static void begin(struct windows *windows, const struct mp_compact_reader *reader, const struct tree *tree,
                  const struct event_out *out)
{
    struct compact *compact = &windows->compact;
    break_off(windows, out);
    windows->has_one = windows->is_open = true;
    windows->run = reader->run;
    windows->time = reader->state.time;
    windows->base = tree->base;
    compact_reset(compact);
    /* The follower's next time is its last one with the target's low bits, or later. */
    uint64_t next = compact->follower.time + (uint32_t)(reader->state.time - compact->follower.time);
    compact->newest = tree_place(tree, reader->state.time);
    compact->moved = compact->newest - next;
    compact->is_based = true;
    compact->has_begin = reader->number == 0;
    compact->is_over = false;
    emit(windows, out, (struct event){.kind = EVENT_WINDOW, .window.stage = WINDOW_BEGINS});
    if (!compact->has_begin)
        emit(windows, out,
             (struct event){.kind = EVENT_LOST,
                            .flags = EVENT_KEPT,
                            .context = reader->state.context,
                            .lost = {.records = (reader->number + UINT64_C(1)) / 2,
                                     .to_ticks = compact->newest,
                                     .stacks_told = true}});
}

void windows_decode(struct windows *windows, const uint8_t *payload, size_t n, const struct tree *tree,
                    struct dialect_health *health, const struct event_out *out)
{
    struct mp_compact_reader reader;
    struct dialect_health heard = {0};
    if (!mp_compact_open_packet(&reader, payload, n)) {
        health->malformed++;
        return;
    }
    if (!tree->is_begun)
        return;
    if (is_next(windows, &reader))
        begin(windows, &reader, tree, out);
    if (!windows->is_open) {
        health->duplicates++;
        return;
    }
    windows->compact.tree = tree;
    compact_decode(&windows->compact, payload, n, 0, &heard, out);
    windows->is_open = !windows->compact.is_over;
    health->malformed += heard.malformed;
    health->duplicates += heard.duplicates;
}

void windows_follow(struct windows *windows, const struct tree *tree, const struct event_out *out)
{
    if (!windows->has_one || windows->base == tree->base)
        return;
    break_off(windows, out);
    windows->has_one = false;
}

void windows_reset(struct windows *windows)
{
    compact_reset(&windows->compact);
    windows->has_one = windows->is_open = false;
}
