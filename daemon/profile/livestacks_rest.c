/* livestacks_rest.c - the time of contexts that is no function's: what they ran besides, and what nobody
 * told.
 *
 * How long a context ran is measured by its turns, or told by the target; what its calls ran themselves is
 * added up where they end. What is left of the former is "[outside]". So own time adds up to the time that
 * contexts ran, over the functions as over the tree, while calls run as well. */
#include "profile/livestack.h"

/* What the calls of a context that have not ended ran themselves. Makes "[not known]" of placeholders. */
static uint64_t own_so_far(struct livestacks *stacks, const struct livestack *stack)
{
    uint64_t newest_ticks = livestack_newest(stacks, stack), own_ticks = 0;
    struct livestack_inner inner = {0};
    for (uint32_t level = stack->depth; level-- > 0;) {
        const struct open_call *call = &stack->calls[level];
        uint64_t self_ticks = livestack_so_far(call, newest_ticks, &inner).self_ticks;
        own_ticks += self_ticks;
        if (call->is_unknown && self_ticks > 0)
            livestack_make_unknown(stacks, stack, call->node);
    }
    return own_ticks;
}

/* The node of that kind below `parent`, whose function's times mean something from now on. */
static uint32_t node_of_kind(struct livestacks *stacks, const struct livestack *stack, uint32_t parent,
                             enum snapshot_kind kind)
{
    uint32_t function = functions_placeholder(stacks->functions, kind, 0);
    uint32_t node =
        calltree_child(stacks->tree, stacks->functions, parent, function, (uint16_t)(stack - stacks->stacks));
    function = (uint32_t)stacks->tree->nodes[node].function; /* a ceiling may have chosen another */
    stacks->functions->rows[function].known |= FUNCTION_TIMES;
    return node;
}

uint32_t livestack_make_unknown(struct livestacks *stacks, const struct livestack *stack, uint32_t node)
{
    return node_of_kind(stacks, stack, node, KIND_UNKNOWN);
}

bool livestack_unknown_below(const struct livestacks *stacks, uint32_t node, uint32_t *below)
{
    uint32_t function = functions_placeholder(stacks->functions, KIND_UNKNOWN, 0);
    *below = calltree_find(stacks->tree, node, function, 0);
    if (*below == CALLTREE_NONE)
        *below = stacks->tree->other;
    return *below != CALLTREE_NONE;
}

void livestack_add_rest(struct livestacks *stacks, uint32_t id, uint64_t ticks)
{
    struct snapshot_node *node = &stacks->tree->nodes[id];
    struct snapshot_function *row = &stacks->functions->rows[node->function];
    node->total_ticks += ticks;
    node->self_ticks += ticks;
    row->total_ticks += ticks;
    row->self_ticks += ticks;
    node->changed = row->changed = stacks->functions->sequence;
}

/* It only grows: time that ran is not taken back. */
static void tell_outside(struct livestacks *stacks, struct livestack *stack, uint64_t ticks)
{
    uint32_t id = node_of_kind(stacks, stack, CALLTREE_ROOT, KIND_OUTSIDE);
    livestack_add_rest(stacks, id, ticks - stack->outside_ticks);
    stack->outside_ticks = ticks;
}

void livestacks_tell_rest(struct livestacks *stacks)
{
    for (uint32_t i = 0; i < stacks->count; i++) {
        struct livestack *stack = &stacks->stacks[i];
        uint64_t own_ticks = stack->own_ticks + (stacks->shows_only ? 0 : own_so_far(stacks, stack));
        const struct livestacks_times times = livestacks_times(stacks, i);
        uint64_t ran_ticks = times.is_known ? times.running_ticks : 0;
        if (ran_ticks > own_ticks + stack->outside_ticks)
            tell_outside(stacks, stack, ran_ticks - own_ticks);
    }
}

void livestacks_retell_rest(struct livestacks *stacks)
{
    for (uint32_t i = 0; i < stacks->count; i++) {
        struct livestack *stack = &stacks->stacks[i];
        if (stack->outside_ticks == 0)
            continue;
        struct snapshot_function *row =
            &stacks->functions->rows[functions_placeholder(stacks->functions, KIND_OUTSIDE, 0)];
        row->total_ticks -= stack->outside_ticks;
        row->self_ticks -= stack->outside_ticks;
        stack->outside_ticks = 0;
    }
}
