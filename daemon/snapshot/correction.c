/* correction.c - times without what measuring added to them.
 *
 * Counted in hooks, each of which is half of a pair: a function's own time has one for each call of it and
 * one for each call that it made; its total has one for each outermost call and two for each call below. */
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

/* Leaves in the corrected times the numbers of hooks. */
static void count_hooks(const struct snapshot_node *nodes, uint32_t node_count, uint64_t *below,
                        struct snapshot_function *functions)
{
    for (uint32_t i = node_count; i-- > 1;) {
        const struct snapshot_node *node = &nodes[i];
        struct snapshot_function *function = &functions[node->function];
        int32_t caller = nodes[node->parent].function;
        function->corrected_self_ticks += node->calls;
        function->corrected_total_ticks += node->recursive ? 0 : node->calls + 2 * below[i];
        below[node->parent] += node->calls + below[i];
        if (caller >= 0)
            functions[caller].corrected_self_ticks += node->calls;
    }
}

static uint64_t ticks_without_hooks(uint64_t ticks, uint64_t hooks, double hook_ticks)
{
    double cost = (double)hooks * hook_ticks + 0.5;
    return cost < (double)ticks ? ticks - (uint64_t)cost : 0;
}

static void forget_corrections(struct snapshot_function *functions, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        functions[i].corrected_self_ticks = functions[i].corrected_total_ticks = functions[i].hook_ticks = 0;
        functions[i].known &= ~(uint32_t)FUNCTION_CORRECTED;
    }
}

/* The stretch between two checkpoints has no hooks. */
static bool is_told_one_by_one(const struct snapshot_function *function)
{
    return function->kind != KIND_PAIR && function->known & (FUNCTION_EACH | FUNCTION_RUNNING);
}

static void correct_function(struct snapshot_function *function, double hook_ticks)
{
    uint64_t in_total = function->corrected_total_ticks, in_self = function->corrected_self_ticks;
    function->corrected_total_ticks = function->corrected_self_ticks = 0;
    if (!is_told_one_by_one(function))
        return;
    function->known |= FUNCTION_CORRECTED;
    function->hook_ticks = (uint64_t)((double)function->calls * 2 * hook_ticks + 0.5);
    function->corrected_total_ticks = ticks_without_hooks(function->total_ticks, in_total, hook_ticks);
    function->corrected_self_ticks = ticks_without_hooks(function->self_ticks, in_self, hook_ticks);
}

bool correction_fill(const struct snapshot_target *target, const struct snapshot_node *nodes,
                     uint32_t node_count, struct snapshot_function *functions, uint32_t function_count)
{
    double hook_ticks = correction_ticks(target) / 2;
    forget_corrections(functions, function_count);
    if (hook_ticks <= 0)
        return true;
    uint64_t *below = calloc(node_count, sizeof *below);
    if (!below)
        return false;
    count_hooks(nodes, node_count, below, functions);
    free(below);
    for (uint32_t i = 0; i < function_count; i++)
        correct_function(&functions[i], hook_ticks);
    return true;
}
