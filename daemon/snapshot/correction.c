/* correction.c - times without what measuring added to them.
 *
 * Counted in hooks, each of which is half of a pair: a node's own time has one for each call of it and one
 * for each call that it made. What these take more than the own time is a debt: less than half of a pair lies
 * inside the call then, so more of it lies in the caller, which takes the debt over. So no figure is below 0,
 * and a total is always the sum of the own times below it. */
#include "snapshot/correction.h"

#include <stdlib.h>

double correction_ticks(const struct snapshot_target *target)
{
    const struct snapshot_description *description = &target->description;
    if (!description->is_known || description->tick_hz == 0)
        return 0;
    /* Modes differ in what a tick is. */
    return description->hook_sixteenths / 16.0 / description->tick_hz * (double)target->ticks_per_second;
}

/* What a node gets from those that it called. */
struct node_sums {
    uint64_t calls; /* that it made */
    uint64_t total; /* ticks of their corrected totals */
    double debt;    /* ticks of hooks that they had no room for */
};

/* Whole ticks. A target may tell more calls than fit. */
static uint64_t whole_ticks(double ticks)
{
    return ticks < 0x1p63 ? (uint64_t)(ticks + 0.5) : UINT64_MAX;
}

static void forget_corrections(struct snapshot_function *functions, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        functions[i].corrected_self_ticks = functions[i].corrected_total_ticks = 0;
        functions[i].corrected_error_ticks = functions[i].hook_ticks = 0;
        functions[i].known &= ~(uint32_t)FUNCTION_CORRECTED;
    }
}

/* The stretch between two checkpoints has no hooks. */
static bool is_told_one_by_one(const struct snapshot_function *function)
{
    return function->kind != KIND_PAIR && function->known & (FUNCTION_EACH | FUNCTION_RUNNING);
}

/* Adds a node's corrected times to those of its function, callees first. What is not reported one by one
 * (callers that nobody saw) stays as it is, and takes a debt over that it is unknown the place of. */
static void correct_node(const struct snapshot_node *node, double hook_ticks, const struct node_sums *sums,
                         struct node_sums *caller, struct snapshot_function *function)
{
    uint64_t own = node->self_ticks;
    double rest = 0;
    if (is_told_one_by_one(function)) {
        double cost = sums->debt + (double)whole_ticks((double)(node->calls + sums->calls) * hook_ticks);
        rest = cost > (double)own ? cost - (double)own : 0;
        own = rest > 0 ? 0 : own - whole_ticks(cost);
    }
    function->corrected_self_ticks += own;
    function->corrected_total_ticks += node->recursive ? 0 : own + sums->total;
    caller->calls += node->calls;
    caller->total += own + sums->total;
    caller->debt += rest;
}

static void mark_function(struct snapshot_function *function, double hook_ticks)
{
    if (!is_told_one_by_one(function)) {
        function->corrected_total_ticks = function->corrected_self_ticks = 0;
        return;
    }
    function->known |= FUNCTION_CORRECTED;
    function->corrected_error_ticks = whole_ticks((double)function->calls * hook_ticks);
    function->hook_ticks = whole_ticks((double)function->calls * 2 * hook_ticks);
}

bool correction_is_rough(const struct snapshot_function *function)
{
    return function->known & FUNCTION_CORRECTED && function->self_ticks / 2 > function->corrected_self_ticks;
}

bool correction_fill(const struct snapshot_target *target, const struct snapshot_node *nodes,
                     uint32_t node_count, struct snapshot_function *functions, uint32_t function_count)
{
    double hook_ticks = correction_ticks(target) / 2;
    forget_corrections(functions, function_count);
    if (hook_ticks <= 0)
        return true;
    struct node_sums *sums = calloc(node_count, sizeof *sums);
    if (!sums)
        return false;
    for (uint32_t i = node_count; i-- > 1;)
        correct_node(&nodes[i], hook_ticks, &sums[i], &sums[nodes[i].parent], &functions[nodes[i].function]);
    free(sums);
    for (uint32_t i = 0; i < function_count; i++)
        mark_function(&functions[i], hook_ticks);
    return true;
}
