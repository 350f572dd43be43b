/* split.c - splits a time range of a context by the buffered turns.
 *
 * Sums per context that are kept up to date would cost time for each call, and would not show which context
 * preempted it. Since only a few calls are ever examined, their turns are searched instead. */
#include "snapshot/split.h"

#include "base/scarcity.h"
#include "snapshot/timeline.h"
#include "snapshot/turns.h"

#include <stdlib.h>

struct stretch {
    uint64_t from, to;
};

struct splitting {
    uint32_t context, context_count;
    struct split *split;
    uint64_t *by;
    struct stretch *preempted; /* in order of time */
    size_t n, room;
    bool failed;
    uint64_t last_from; /* start of the newest turn of another context during the longest wait */
};

static void remember_preemption(struct splitting *splitting, const struct turn *turn)
{
    if (splitting->n == splitting->room) {
        size_t room = splitting->room ? 2 * splitting->room : 16;
        struct stretch *more =
            scarcity_note(realloc(splitting->preempted, room * sizeof *splitting->preempted));
        if (!more) {
            splitting->failed = true;
            return;
        }
        splitting->preempted = more;
        splitting->room = room;
    }
    splitting->preempted[splitting->n++] = (struct stretch){turn->from_ticks, turn->to_ticks};
}

static void add_own(void *user, const struct turn *turn)
{
    struct splitting *splitting = user;
    struct split *split = splitting->split;
    uint64_t ticks = turn->to_ticks - turn->from_ticks;
    if (turn->context != splitting->context)
        return;
    if (turn->kind == TURN_RUNNING)
        split->ran += ticks;
    if (turn->kind == TURN_BLOCKED) {
        split->blocked += ticks;
        if (ticks > split->wait_ticks) {
            split->wait_start = turn->from_ticks;
            split->wait_ticks = ticks;
        }
    }
    if (turn->kind == TURN_PREEMPTED) {
        split->preempted += ticks;
        remember_preemption(splitting, turn);
    }
}

/* Returns the index of the first preempted stretch that ends after `ticks`. */
static size_t first_after(const struct splitting *splitting, uint64_t ticks)
{
    size_t low = 0, high = splitting->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (splitting->preempted[middle].to <= ticks)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_other(void *user, const struct turn *turn)
{
    struct splitting *splitting = user;
    struct split *split = splitting->split;
    if (turn->context == splitting->context || turn->kind != TURN_RUNNING ||
        turn->context >= splitting->context_count)
        return;
    for (size_t i = first_after(splitting, turn->from_ticks);
         i < splitting->n && splitting->preempted[i].from < turn->to_ticks; i++) {
        const struct stretch *gone = &splitting->preempted[i];
        uint64_t from = turn->from_ticks > gone->from ? turn->from_ticks : gone->from;
        uint64_t to = turn->to_ticks < gone->to ? turn->to_ticks : gone->to;
        splitting->by[turn->context] += to - from;
    }
    uint64_t wait_end = split->wait_start + split->wait_ticks;
    bool is_before = turn->from_ticks >= split->wait_start && turn->from_ticks < wait_end;
    if (split->wait_ticks > 0 && is_before &&
        (!split->has_last || turn->from_ticks >= splitting->last_from)) {
        split->has_last = true;
        split->ran_last = turn->context;
        splitting->last_from = turn->from_ticks;
    }
}

bool split_find(const struct snapshot *snapshot, uint32_t context, uint64_t from_ticks, uint64_t to_ticks,
                struct split *split, uint64_t *by)
{
    const struct snapshot_timeline *turns = snapshot->turns;
    *split = (struct split){0};
    for (uint32_t i = 0; i < snapshot->context_count; i++)
        by[i] = 0;
    if (!turns || turns->gone_ticks > from_ticks || to_ticks < from_ticks ||
        snapshot_damage_in(&snapshot->link.damage, from_ticks, to_ticks))
        return true;
    struct splitting splitting = {
        .context = context, .context_count = snapshot->context_count, .split = split, .by = by};
    turns_each(turns, from_ticks, to_ticks, add_own, &splitting);
    /* If there is a difference, turns were lost or not reported. */
    split->is_known = split->ran + split->preempted + split->blocked == to_ticks - from_ticks;
    if (split->is_known && !splitting.failed)
        turns_each(turns, from_ticks, to_ticks, add_other, &splitting);
    free(splitting.preempted);
    return !splitting.failed;
}

bool split_innermost(const struct snapshot *snapshot, uint32_t context, uint64_t from_ticks,
                     uint64_t to_ticks, uint32_t *function)
{
    const struct snapshot_timeline *timeline = snapshot->timeline;
    int deepest = -1;
    for (uint32_t v = 0; timeline && v < timeline->count; v++) {
        const struct timeline_view *view = &timeline->views[v];
        if (view->to_ticks < to_ticks || view->from_ticks > from_ticks)
            continue;
        for (uint32_t i = 0; i < view->count; i++) {
            const struct timeline_call *call = &view->calls[i];
            uint32_t tie = call->place & TIMELINE_TIES;
            if (call->context != context || call->start_ticks > from_ticks || tie == TIMELINE_AWAY ||
                tie == TIMELINE_VERDICT || call->start_ticks + call->duration_ticks < to_ticks ||
                timeline_depth(call) <= deepest)
                continue;
            deepest = timeline_depth(call);
            *function = call->function;
        }
    }
    return deepest >= 0;
}
