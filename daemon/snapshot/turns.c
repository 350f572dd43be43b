/* turns.c - how long contexts ran, and did not, inside a stretch of time. */
#include "snapshot/turns.h"

static void add_turn(struct snapshot_context *row, uint32_t kind, uint64_t ticks)
{
    switch (kind) {
    case TURN_RUNNING: row->running_ticks += ticks; break;
    case TURN_PREEMPTED: row->preempted_ticks += ticks; break;
    case TURN_BLOCKED: row->blocked_ticks += ticks; break;
    default: break;
    }
}

static uint64_t overlap(uint64_t start, uint64_t end, uint64_t from, uint64_t to)
{
    start = start < from ? from : start;
    end = end > to ? to : end;
    return end > start ? end - start : 0;
}

void turns_count(const struct snapshot_timeline *turns, uint64_t from_ticks, uint64_t to_ticks,
                 struct snapshot_context *contexts, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct snapshot_context *row = &contexts[i];
        row->running_ticks = row->preempted_ticks = row->blocked_ticks = 0;
        row->has_times = row->has_waits = row->has_waits && turns && turns->gone_ticks <= from_ticks;
    }
    for (uint32_t v = 0; turns && v < turns->count; v++) {
        const struct timeline_view *view = &turns->views[v];
        if (view->to_ticks < from_ticks || view->from_ticks > to_ticks)
            continue;
        for (uint32_t i = 0; i < view->count; i++) {
            const struct timeline_call *turn = &view->calls[i];
            if (turn->context < n)
                add_turn(&contexts[turn->context], turn->function,
                         overlap(turn->start_ticks, turn->start_ticks + turn->duration_ticks, from_ticks,
                                 to_ticks));
        }
    }
    for (uint32_t i = 0; turns && i < turns->open_count; i++) {
        const struct timeline_open *turn = &turns->open[i];
        if (turn->context < n)
            add_turn(&contexts[turn->context], turn->function,
                     overlap(turn->start_ticks, turn->newest_ticks, from_ticks, to_ticks));
    }
}
