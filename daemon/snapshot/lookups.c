/* lookups.c - estimates how many calls of mode tree had a callee that the target had to look up. */
#include "snapshot/lookups.h"

#include "base/smaller.h"

#include <stdlib.h>

static void sum_callees(const struct lookups_callee *callees, size_t n, struct lookups_caller *callers)
{
    for (size_t i = 0; i < n; i++) {
        struct lookups_caller *caller = &callers[callees[i].caller];
        caller->made += (double)callees[i].calls;
        if (callees[i].calls > caller->greatest)
            caller->greatest = callees[i].calls;
        if (caller->callees++ == 0 || callees[i].calls < caller->least)
            caller->least = callees[i].calls;
    }
}

static int by_caller_and_calls(const void *left, const void *right)
{
    const struct lookups_callee *a = left, *b = right;
    if (a->caller != b->caller)
        return a->caller < b->caller ? -1 : 1;
    return a->calls < b->calls ? -1 : a->calls > b->calls;
}

static uint64_t turns_of(const struct lookups_caller *caller)
{
    return caller->calls > 0 ? caller->calls : caller->least;
}

/* Of a callee in a loop of several, every call is of another callee than the one before; of any other, one call in
 * each turn. */
static void add_changes(const struct lookups_callee *callee, uint64_t turns, uint64_t whole, uint64_t in_loop,
                        struct lookups_caller *caller)
{
    bool is_in_loop = whole >= 2 && in_loop >= 2;
    caller->changes += (double)(is_in_loop ? callee->calls : smaller_u64(callee->calls, turns));
    if (is_in_loop && in_loop == 2)
        caller->changes += (double)(callee[-1].calls - turns);
}

/* `callees` are sorted, so those of one loop are neighbours. */
static void add_branches_and_loops(const struct lookups_callee *callees, size_t n,
                                   struct lookups_caller *callers)
{
    uint64_t in_loop = 0; /* callees so far with the whole number of calls of the latest one */
    for (size_t i = 0; i < n; i++) {
        struct lookups_caller *caller = &callers[callees[i].caller];
        uint64_t turns = turns_of(caller), whole = callees[i].calls / turns;
        double part = (double)(callees[i].calls % turns) / (double)turns;
        bool is_same =
            i > 0 && callees[i - 1].caller == callees[i].caller && callees[i - 1].calls / turns == whole;
        in_loop = is_same ? in_loop + 1 : 1;
        caller->estimate += 2 * part * (1 - part) * (double)turns;
        add_changes(&callees[i], turns, whole, in_loop, caller);
        if (whole >= 2 && in_loop == 2)
            caller->estimate += 2 * (double)turns;
    }
}

static void limit_estimate(struct lookups_caller *caller)
{
    double others = caller->made - (double)caller->greatest, again = caller->made - caller->callees;
    caller->most = 2 * others < again ? 2 * others : again;
    if (caller->callees == 2 && caller->most > 1)
        caller->most = 1;
    if (caller->callees == 2)
        caller->estimate = 0;
    if (caller->estimate > caller->most)
        caller->estimate = caller->most;
    caller->changes -= caller->estimate + caller->callees;
    if (caller->callees == 1 || caller->changes < 0)
        caller->changes = 0;
}

void lookups_estimate(struct lookups_callee *callees, size_t n, struct lookups_caller *callers)
{
    if (n > 0)
        qsort(callees, n, sizeof *callees, by_caller_and_calls);
    sum_callees(callees, n, callers);
    add_branches_and_loops(callees, n, callers);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || callees[i - 1].caller != callees[i].caller)
            limit_estimate(&callers[callees[i].caller]);
}
