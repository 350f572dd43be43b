/* turns.c - adds up how long contexts ran, were preempted and were blocked in a time range. */
#include "snapshot/turns.h"

#include "base/scarcity.h"
#include "snapshot/overtime.h"

#include <stdlib.h>

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

static void add_to_columns(void *user, const struct turn *turn)
{
    struct turns_columns *columns = user;
    columns->has_some |= turn->kind != TURN_NONE;
    if (turn->kind != TURN_RUNNING || turn->context >= columns->contexts)
        return;
    uint64_t step = columns->step_ticks, from = turn->from_ticks - columns->from_ticks;
    uint64_t to = turn->to_ticks - columns->from_ticks;
    uint64_t *ran = &columns->ran_ticks[(size_t)columns->columns * turn->context];
    for (uint64_t column = from / step; column < columns->columns && column * step < to; column++) {
        uint64_t begin = column * step > from ? column * step : from;
        uint64_t end = to - column * step > step ? (column + 1) * step : to;
        ran[column] += end - begin;
    }
}

struct turns_columns *turns_over_time(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                                      uint32_t columns)
{
    const struct snapshot_timeline *turns = snapshot->turns;
    if (turns && turns->gone_ticks > from_ticks)
        from_ticks = turns->gone_ticks < to_ticks ? turns->gone_ticks : to_ticks;
    struct turns_columns *found = scarcity_note(
        calloc(1, sizeof *found + sizeof *found->ran_ticks * columns * snapshot->context_count));
    if (!found)
        return NULL;
    found->from_ticks = from_ticks;
    found->step_ticks = overtime_step(from_ticks, to_ticks, columns);
    found->columns = columns;
    found->contexts = snapshot->context_count;
    turns_each(turns, from_ticks, to_ticks, add_to_columns, found);
    return found;
}
