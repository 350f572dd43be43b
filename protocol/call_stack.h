/* call_stack.h - which calls are running on one stack, told from entries and exits, some of which are
 * missing.
 *
 * The agent pairs entries with exits through it, and a host that reads the compact stream does the same, so
 * both judge a loss alike. It keeps functions only: callers keep times in arrays of their own, by the index
 * that a call has here.
 *
 * From the outermost call inwards, a stack is at most three layers: calls that are known, calls of which only
 * the number is known, and known ones again. The middle layer is what a gap leaves behind, or calls too deep
 * for the array. `check` is the sum of its functions, each weighed by its depth, so that it shows, once all
 * of them have ended, whether the calls below are what they were taken for: a longjmp in the gap would have
 * led exits to other depths than their entries. When that is not known, all are forgotten: a call is left
 * out rather than paired with another one's exit. */
#ifndef PROTOCOL_CALL_STACK_H
#define PROTOCOL_CALL_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MP_NO_CALL = -1 };

/* A function's weight at a depth is this to the power of the depth, modulo 2^32; and its inverse. */
#define MP_CALL_WEIGHT      0x9E3779B1u
#define MP_CALL_LESS_WEIGHT 0xE8B2F51u

/* `base` to that power, modulo 2^32, in 32 steps at most: three bytes on the wire may claim a depth of
 * 65,535, and each record after them is weighed there. */
uint32_t mp_call_power(uint32_t base, uint32_t exponent);

/* With `function` and `room` set, and all else zero, it is empty. */
struct mp_call_stack {
    uint32_t *function; /* of the known calls, outermost first; the caller's memory */
    uint16_t room;
    uint16_t n;   /* known calls */
    uint16_t low; /* of these, how many lie below the unknown ones; 0 when there are none of those */
    uint16_t unknown;
    uint32_t check;  /* weighed sum of the unknown calls' functions */
    bool is_guessed; /* some of the unknown calls were never seen, not even their entries */
};

static inline uint32_t mp_call_stack_depth(const struct mp_call_stack *stack)
{
    return (uint32_t)stack->n + stack->unknown;
}

/* How many calls lie below the known call `index`. */
static inline uint32_t mp_call_stack_depth_of(const struct mp_call_stack *stack, uint32_t index)
{
    return index >= stack->low ? index + stack->unknown : index;
}

/* mp_call_stack_enter and mp_call_stack_exit where they are not as simple as usual. */
int32_t mp_call_stack_enter_full(struct mp_call_stack *stack, uint32_t function);
int32_t mp_call_stack_exit_other(struct mp_call_stack *stack, uint32_t function);

/* A call begins: its index, or MP_NO_CALL when there is no room for it and it is only counted. */
static inline int32_t mp_call_stack_enter(struct mp_call_stack *stack, uint32_t function)
{
    uint32_t n = stack->n;

    if (n == stack->room)
        return mp_call_stack_enter_full(stack, function);
    stack->function[n] = function;
    stack->n = (uint16_t)(n + 1);
    return (int32_t)n;
}

/* A call ends: its index, which is the number of calls known from then on, or MP_NO_CALL when it is not a
 * known one. Known calls above it have ended without an exit (longjmp) and are gone as well. */
static inline int32_t mp_call_stack_exit(struct mp_call_stack *stack, uint32_t function)
{
    uint32_t top = stack->n - 1u;

    if (stack->n == stack->low || stack->function[top] != function)
        return mp_call_stack_exit_other(stack, function);
    stack->n = (uint16_t)top;
    return (int32_t)top;
}

/* What happened while nothing was recorded: entries minus exits at the end, the lowest that this ever was (0
 * or less), and the sum of the functions entered minus that of the functions left, each weighed by entries
 * minus exits before its entry or after its exit, modulo 2^32. */
void mp_call_stack_gap(struct mp_call_stack *stack, int32_t net, int32_t lowest, uint32_t sum);

/* Known calls become unknown ones. */
void mp_call_stack_forget(struct mp_call_stack *stack);

/* Whatever was there, `depth` calls run, all of them unknown. */
void mp_call_stack_reset(struct mp_call_stack *stack, uint32_t depth);

/* Somebody who knows says that the call at `depth` is one of `function`: its index when that was unknown and
 * all below it is known, else MP_NO_CALL. */
int32_t mp_call_stack_tell(struct mp_call_stack *stack, uint32_t depth, uint32_t function);

#endif
