/* call_stack.c - follows entries and exits, some of which are missing. */
#include "protocol/call_stack.h"

uint32_t mp_call_power(uint32_t base, uint32_t exponent)
{
    uint32_t power = 1;

    for (; exponent; exponent >>= 1, base *= base)
        power *= exponent & 1u ? base : 1u;
    return power;
}

static uint32_t weigh_function(uint32_t function, uint32_t depth)
{
    return function * mp_call_power(MP_CALL_WEIGHT, depth);
}

int32_t mp_call_stack_tell(struct mp_call_stack *stack, uint32_t depth, uint32_t function)
{
    if (!stack->unknown || depth != stack->low || stack->n != depth || stack->n == stack->room)
        return MP_NO_CALL;
    stack->function[stack->n] = function;
    stack->check -= weigh_function(function, depth);
    stack->low = --stack->unknown ? stack->low + 1u : 0;
    return stack->n++;
}

void mp_call_stack_reset(struct mp_call_stack *stack, uint32_t depth)
{
    stack->n = stack->low = 0;
    stack->check = 0;
    stack->unknown = (uint16_t)depth;
    stack->is_guessed = true;
}

void mp_call_stack_forget(struct mp_call_stack *stack)
{
    mp_call_stack_reset(stack, mp_call_stack_depth(stack));
}

/* Adds the innermost known calls to the unknown ones, since there is only one layer of these. */
static void bury_known_calls(struct mp_call_stack *stack)
{
    uint32_t unknown = stack->unknown;

    while (stack->n > stack->low) {
        uint32_t depth = --stack->n + unknown;

        stack->check += weigh_function(stack->function[stack->n], depth);
        stack->unknown++;
    }
}

int32_t mp_call_stack_enter_full(struct mp_call_stack *stack, uint32_t function)
{
    if (!stack->unknown) {
        stack->low = stack->n;
        stack->check = 0;
        stack->is_guessed = false;
    }
    bury_known_calls(stack);
    if (stack->n < stack->room) {
        stack->function[stack->n] = function;
        return stack->n++;
    }
    stack->check += weigh_function(function, mp_call_stack_depth(stack));
    stack->unknown++;
    return MP_NO_CALL;
}

/* One of the unknown calls has ended. While some of them were never seen, it may also have been a known call
 * of the same function, to which a longjmp returned. */
static void end_unknown(struct mp_call_stack *stack, uint32_t function)
{
    bool is_wrong = false;

    for (uint32_t i = 0; i < stack->n && stack->is_guessed; i++)
        is_wrong |= stack->function[i] == function;
    stack->unknown--;
    stack->check -= weigh_function(function, mp_call_stack_depth(stack));
    if (is_wrong || (!stack->unknown && stack->check))
        mp_call_stack_forget(stack);
    if (!stack->unknown)
        stack->low = 0;
}

int32_t mp_call_stack_exit_other(struct mp_call_stack *stack, uint32_t function)
{
    while (stack->n > stack->low) {
        if (stack->function[--stack->n] == function)
            return stack->n;
    }
    if (stack->unknown)
        end_unknown(stack, function);
    return MP_NO_CALL;
}

void mp_call_stack_gap(struct mp_call_stack *stack, int32_t net, int32_t lowest, uint32_t sum)
{
    int32_t begun = net - lowest;
    uint32_t depth = mp_call_stack_depth(stack);

    if (!stack->unknown)
        stack->check = 0; /* calls that were named may have left a rest in it */
    sum = weigh_function(sum, depth);
    while (lowest < 0 && depth) {
        uint32_t ended = 1;

        if (stack->n > stack->low) {
            sum += weigh_function(stack->function[--stack->n], depth - 1u);
        } else { /* all unknown calls at once, since there may be 65,535 */
            ended = (uint32_t)-lowest < stack->unknown ? (uint32_t)-lowest : stack->unknown;
            stack->unknown = (uint16_t)(stack->unknown - ended);
            if (!stack->unknown)
                stack->low = 0;
        }
        lowest += (int32_t)ended;
        depth -= ended;
    }
    /* Now the sum of all unknown calls, including known ones above them that have become unknown. */
    if (stack->unknown)
        bury_known_calls(stack);
    else
        stack->low = stack->n;
    stack->check += sum;
    stack->unknown = (uint16_t)(stack->unknown + begun);
    stack->is_guessed = true;
    /* The remaining calls are not the expected ones if nothing is unknown but the sum is not 0, or if more
     * calls ended than had begun. */
    if (!stack->unknown) {
        stack->low = 0;
        if (stack->check || lowest < 0)
            mp_call_stack_forget(stack);
        stack->check = 0;
    } else if (lowest < 0) {
        mp_call_stack_forget(stack);
    }
}
