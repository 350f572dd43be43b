/* livestacks_reshape.c - stacks of which a part is not known, since events were lost or the target was
 * already at work.
 *
 * What runs there stands under "[depth N running]" until the target says which functions these calls are of;
 * what they ran themselves until then is that of "[not known]" below it. What ran inside them before stays
 * where it was counted, and so does the time of a call that is not known to run any more, up to where it was.
 */
#include "profile/livestack.h"

/* Of the outermost `depth` calls. */
static uint32_t count_unknown(const struct livestack *stack, uint32_t depth)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < depth; i++)
        n += stack->calls[i].is_unknown;
    return n;
}

/* Calls end from the innermost on, so those that still run are found by counting. */
void livestacks_reshape(struct livestacks *stacks, uint32_t context, uint32_t low, uint32_t unknown,
                        uint32_t high, uint64_t ticks, bool ends_now)
{
    struct livestack *stack = livestacks_stack_of(stacks, context);
    if (!stack)
        return;
    uint32_t unknown_now = count_unknown(stack, stack->depth), known_now = stack->depth - unknown_now;
    uint64_t until_ticks = livestack_newest(stacks, stack);
    stack->newest_ticks = ticks;
    if (ends_now)
        livestack_hear(stacks, stack, ticks);
    stack->has_turns = true; /* who tells that tells when it runs, too */
    while (stack->depth > 0 && (known_now > low + high || unknown_now > unknown)) {
        bool is_unknown = stack->calls[stack->depth - 1].is_unknown;
        unknown_now -= is_unknown;
        known_now -= !is_unknown;
        if (is_unknown && ends_now) /* and what it ran inside of ran as long, at least */
            until_ticks = ticks;
        livestack_drop(stacks, stack, until_ticks);
    }
    for (; unknown_now < unknown; unknown_now++) {
        uint32_t function = functions_placeholder(stacks->functions, KIND_RUNNING, stack->depth);
        if (!livestack_push(stacks, stack, function, ticks, true))
            break;
    }
    stack->too_deep = low + unknown + high - stack->depth;
    if (stack->depth == 0) /* events may be missing since the newest one */
        livestack_emptied(stacks, stack, until_ticks);
}

void livestacks_name(struct livestacks *stacks, uint32_t context, uint32_t depth, uint32_t function,
                     uint64_t ticks)
{
    struct livestack *stack = livestacks_stack_of(stacks, context);
    if (!stack || depth >= stack->depth || !stack->calls[depth].is_unknown)
        return;
    uint32_t inside = stack->depth - depth - 1, unknown_outside = count_unknown(stack, depth);
    livestack_hear(stacks, stack, ticks);
    uint64_t until_ticks = livestack_newest(stacks, stack);
    while (stack->depth > depth)
        livestack_drop(stacks, stack, until_ticks);
    livestack_push(stacks, stack, function, ticks, false);
    stack->calls[depth].is_late = true;
    livestacks_reshape(stacks, context, depth + 1 - unknown_outside, unknown_outside + inside, 0, ticks,
                       false);
}
