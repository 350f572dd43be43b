/* split.c - splits a stretch of a context by the turns that are held.
 *
 * Sums kept for each context while calls come in would cost each call, and would not say who preempted it.
 * Only a few calls are ever looked at, so their turns are looked through instead. */
#include "snapshot/split.h"

#include "base/scarcity.h"
#include "snapshot/timeline.h"
#include "snapshot/turns.h"

#include <stdlib.h>

struct stretch {
    uint64_t from, to;
};

struct splitting {
    struct stretch whole;
    uint32_t context, context_count;
    struct split *split;
    uint64_t *by;
    struct stretch *preempted; /* in order of time */
    size_t n, room;
    bool failed;
    uint64_t last_from; /* when the turn began that may have ended the longest wait */
};

typedef void (*turn_fn)(struct splitting *splitting, struct stretch turn, uint32_t kind, uint32_t context);

/* Passes on what of a turn lies inside the stretch. */
static void inside(struct splitting *splitting, struct stretch turn, uint32_t kind, uint32_t context,
                   turn_fn each)
{
    const struct stretch whole = splitting->whole;
    turn.from = turn.from < whole.from ? whole.from : turn.from;
    turn.to = turn.to > whole.to ? whole.to : turn.to;
    if (turn.to > turn.from)
        each(splitting, turn, kind, context);
}

static void each_turn(const struct snapshot_timeline *turns, struct splitting *splitting, turn_fn each)
{
    for (uint32_t v = 0; v < turns->count; v++) {
        const struct timeline_view *view = &turns->views[v];
        if (view->to_ticks < splitting->whole.from || view->from_ticks > splitting->whole.to)
            continue;
        for (uint32_t i = 0; i < view->count; i++) {
            const struct timeline_call *turn = &view->calls[i];
            inside(splitting, (struct stretch){turn->start_ticks, turn->start_ticks + turn->duration_ticks},
                   turn->function, turn->context, each);
        }
    }
    for (uint32_t i = 0; i < turns->open_count; i++) {
        const struct timeline_open *turn = &turns->open[i];
        inside(splitting, (struct stretch){turn->start_ticks, turn->newest_ticks}, turn->function,
               turn->context, each);
    }
}

static void remember(struct splitting *splitting, struct stretch turn)
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
    splitting->preempted[splitting->n++] = turn;
}

static void add_own(struct splitting *splitting, struct stretch turn, uint32_t kind, uint32_t context)
{
    struct split *split = splitting->split;
    uint64_t ticks = turn.to - turn.from;
    if (context != splitting->context)
        return;
    if (kind == TURN_RUNNING)
        split->ran += ticks;
    if (kind == TURN_BLOCKED) {
        split->blocked += ticks;
        if (ticks > split->wait_ticks) {
            split->wait_start = turn.from;
            split->wait_ticks = ticks;
        }
    }
    if (kind == TURN_PREEMPTED) {
        split->preempted += ticks;
        remember(splitting, turn);
    }
}

/* Index of the first preempted stretch that ends after `ticks`. */
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

static void add_other(struct splitting *splitting, struct stretch turn, uint32_t kind, uint32_t context)
{
    struct split *split = splitting->split;
    if (context == splitting->context || kind != TURN_RUNNING || context >= splitting->context_count)
        return;
    for (size_t i = first_after(splitting, turn.from);
         i < splitting->n && splitting->preempted[i].from < turn.to; i++) {
        const struct stretch *gone = &splitting->preempted[i];
        uint64_t from = turn.from > gone->from ? turn.from : gone->from;
        uint64_t to = turn.to < gone->to ? turn.to : gone->to;
        splitting->by[context] += to - from;
    }
    uint64_t wait_end = split->wait_start + split->wait_ticks;
    bool is_before = turn.from >= split->wait_start && turn.from < wait_end;
    if (split->wait_ticks > 0 && is_before && (!split->has_last || turn.from >= splitting->last_from)) {
        split->has_last = true;
        split->ran_last = context;
        splitting->last_from = turn.from;
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
    struct splitting splitting = {.whole = {from_ticks, to_ticks},
                                  .context = context,
                                  .context_count = snapshot->context_count,
                                  .split = split,
                                  .by = by};
    each_turn(turns, &splitting, add_own);
    /* What is missing was lost, or nobody reported turns then. */
    split->is_known = split->ran + split->preempted + split->blocked == to_ticks - from_ticks;
    if (split->is_known && !splitting.failed)
        each_turn(turns, &splitting, add_other);
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
