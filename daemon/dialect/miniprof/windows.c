/* windows.c - turns windows around slow calls, which are sent beside the tree, into events.
 *
 * A window is read like the stream (compact.h), but each on its own, on the tree's time line, and with events
 * whose calls are already counted elsewhere. */
#include "dialect/miniprof/windows.h"

static void emit_of_window(const struct windows *windows, const struct event_out *out, struct event event)
{
    event.ticks = windows->compact.newest;
    out->batch(out->user, &event, 1);
}

/* Ends the open window as incomplete. */
static void break_off(struct windows *windows, const struct event_out *out)
{
    if (windows->is_open)
        emit_of_window(windows, out, (struct event){.kind = EVENT_WINDOW, .window.stage = WINDOW_ENDS});
    windows->is_open = false;
}

/* Counts the last window as incomplete, once. */
static void count_lost(struct windows *windows, struct dialect_health *health)
{
    health->windows_lost += !windows->is_counted;
    windows->is_counted = true;
}

/* Returns how many windows are missing between the last one and that of the packet. A lower number belongs to
 * a late packet. */
static uint32_t lost_between(const struct windows *windows, const struct mp_compact_reader *reader)
{
    enum { NUMBERS = 16 };
    uint32_t steps = (reader->run - windows->run) % NUMBERS;
    if (!windows->has_one || steps > NUMBERS / 2)
        return 0;
    return steps ? steps - 1 : NUMBERS - 1;
}

/* True when the packet begins a new window. Windows are numbered modulo 16, and all between two with the same
 * number may be lost; then the first packet begins at another time. */
static bool is_next(const struct windows *windows, const struct mp_compact_reader *reader)
{
    return !windows->has_one || reader->run != windows->run ||
           (reader->number == 0 && reader->state.time != windows->time);
}

static void begin_window(struct windows *windows, const struct mp_compact_reader *reader,
                         const struct tree *tree, struct dialect_health *health, const struct event_out *out)
{
    struct compact *compact = &windows->compact;
    if (windows->is_open)
        count_lost(windows, health);
    break_off(windows, out);
    health->windows_lost += lost_between(windows, reader);
    windows->has_one = windows->is_open = true;
    windows->is_counted = false;
    windows->run = reader->run;
    windows->time = reader->state.time;
    windows->base = tree->base;
    compact_reset(compact);
    /* The follower's next time is the first one, from its last on, with the target's low bits. */
    uint64_t next = compact->follower.time + (uint32_t)(reader->state.time - compact->follower.time);
    compact->newest = tree_place(tree, reader->state.time);
    compact->moved = compact->newest - next;
    compact->is_based = true;
    compact->has_begin = reader->number == 0;
    compact->is_over = false;
    emit_of_window(windows, out, (struct event){.kind = EVENT_WINDOW, .window.stage = WINDOW_BEGINS});
    if (!compact->has_begin)
        count_lost(windows, health);
    if (!compact->has_begin)
        emit_of_window(windows, out,
                       (struct event){.kind = EVENT_LOST,
                                      .flags = EVENT_KEPT,
                                      .context = reader->state.context,
                                      .lost = {.records = (reader->number + UINT64_C(1)) / 2,
                                               .to_ticks = compact->newest,
                                               .stacks_told = true}});
}

/* True when packets before this one are missing. */
static bool lacks_events(const struct windows *windows, const struct mp_compact_reader *reader)
{
    uint32_t missing = (reader->number - windows->compact.follower.number) & MP_COMPACT_EVENTS;
    return windows->is_open && missing > 0 && missing <= MP_COMPACT_EVENTS / 2;
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
        begin_window(windows, &reader, tree, health, out);
    else if (lacks_events(windows, &reader))
        count_lost(windows, health);
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

void windows_follow(struct windows *windows, const struct tree *tree, struct dialect_health *health,
                    const struct event_out *out)
{
    if (!windows->has_one || windows->base == tree->base)
        return;
    if (windows->is_open)
        count_lost(windows, health);
    break_off(windows, out);
    windows->has_one = false;
}

void windows_reset(struct windows *windows, struct dialect_health *health)
{
    if (windows->is_open)
        count_lost(windows, health);
    compact_reset(&windows->compact);
    windows->has_one = windows->is_open = false;
}
