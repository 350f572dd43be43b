/* turns.c - adds up how long contexts ran, were preempted and were blocked in a time range. */
#include "snapshot/turns.h"

static void report_turn(uint64_t from_ticks, uint64_t to_ticks, struct turn turn, turn_fn each, void *user)
{
    turn.from_ticks = turn.from_ticks < from_ticks ? from_ticks : turn.from_ticks;
    turn.to_ticks = turn.to_ticks > to_ticks ? to_ticks : turn.to_ticks;
    if (turn.to_ticks > turn.from_ticks)
        each(user, &turn);
}

void turns_each(const struct snapshot_timeline *turns, uint64_t from_ticks, uint64_t to_ticks, turn_fn each,
                void *user)
{
    for (uint32_t v = 0; turns && v < turns->count; v++) {
        const struct timeline_view *view = &turns->views[v];
        if (view->to_ticks < from_ticks || view->from_ticks > to_ticks)
            continue;
        for (uint32_t i = 0; i < view->count; i++) {
            const struct timeline_call *turn = &view->calls[i];
            report_turn(from_ticks, to_ticks,
                        (struct turn){turn->start_ticks, turn->start_ticks + turn->duration_ticks,
                                      turn->function, turn->context, timeline_depth(turn)},
                        each, user);
        }
    }
    for (uint32_t i = 0; turns && i < turns->open_count; i++) {
        const struct timeline_open *turn = &turns->open[i];
        report_turn(
            from_ticks, to_ticks,
            (struct turn){turn->start_ticks, turn->newest_ticks, turn->function, turn->context, turn->depth},
            each, user);
    }
}

struct count {
    struct snapshot_context *contexts;
    uint32_t n;
};

static void add_turn(void *user, const struct turn *turn)
{
    const struct count *count = user;
    if (turn->context >= count->n)
        return;
    struct snapshot_context *row = &count->contexts[turn->context];
    uint64_t ticks = turn->to_ticks - turn->from_ticks;
    switch (turn->kind) {
    case TURN_RUNNING: row->running_ticks += ticks; break;
    case TURN_PREEMPTED: row->preempted_ticks += ticks; break;
    case TURN_BLOCKED: row->blocked_ticks += ticks; break;
    default: break;
    }
}

void turns_count(const struct snapshot_timeline *turns, uint64_t from_ticks, uint64_t to_ticks,
                 struct snapshot_context *contexts, uint32_t n)
{
    struct count count = {contexts, n};
    for (uint32_t i = 0; i < n; i++) {
        struct snapshot_context *row = &contexts[i];
        row->running_ticks = row->preempted_ticks = row->blocked_ticks = 0;
        row->has_times = row->has_waits = row->has_waits && turns && turns->gone_ticks <= from_ticks;
    }
    turns_each(turns, from_ticks, to_ticks, add_turn, &count);
}
