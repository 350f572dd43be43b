/* begun.c - walks the calls of one function and finds the predecessor of each. */
#include "snapshot/begun.h"

#include "snapshot/start.h"

#include <stdlib.h>

struct walk {
    uint32_t function;
    uint64_t from_ticks, to_ticks;
    bool may_recur;
    begun_fn each;
    void *user;
    uint64_t run; /* 1 more than the number of breaks so far */
    struct {
        struct start start;
        const struct timeline_call *call;
    } last[SNAPSHOT_CONTEXTS_MAX];
};

static bool is_wanted(const struct walk *walk, const struct timeline_call *call)
{
    uint32_t tie = call->place & TIMELINE_TIES;
    return call->function == walk->function && tie != TIMELINE_VERDICT && tie != TIMELINE_AWAY &&
           call->start_ticks >= walk->from_ticks && call->start_ticks <= walk->to_ticks;
}

static void visit_call(struct walk *walk, const struct timeline_call *call)
{
    if (timeline_breaks_periods(call)) {
        walk->run++;
        return;
    }
    if (!is_wanted(walk, call))
        return;
    uint32_t context = call->context % SNAPSHOT_CONTEXTS_MAX;
    uint64_t since;
    bool follows = start_follows(&walk->last[context].start, walk->run, call->start_ticks, &since);
    walk->each(walk->user, call, follows && !walk->may_recur ? walk->last[context].call : NULL);
    walk->last[context].call = call;
}

bool begun_walk(const struct snapshot *snapshot, uint32_t function, uint64_t from_ticks, uint64_t to_ticks,
                begun_fn each, void *user)
{
    const struct snapshot_timeline *timeline = snapshot->timeline;
    struct walk *walk = calloc(1, sizeof *walk);
    if (!walk)
        return false;
    walk->function = function;
    walk->from_ticks = from_ticks;
    walk->to_ticks = to_ticks;
    walk->may_recur = snapshot->functions[function].may_recur;
    walk->each = each;
    walk->user = user;
    walk->run = 1;
    for (uint32_t v = 0; timeline && v < timeline->count; v++)
        for (uint32_t i = 0; i < timeline->views[v].count; i++)
            visit_call(walk, &timeline->views[v].calls[i]);
    free(walk);
    return true;
}
