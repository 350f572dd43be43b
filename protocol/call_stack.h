/* call_stack.h - finds which calls run on one stack, from entries and exits, some of which are missing.
 *
 * The agent pairs entries with exits through it, and so does a host that reads the compact stream, so both
 * treat a loss alike. It keeps functions only: callers keep times in their own arrays, by the index that a
 * call has here.
 *
 * From the outermost call inwards, a stack has at most three layers: known calls, calls of which only the
 * number is known, and known calls again. The middle layer is left by a gap, or consists of calls too deep
 * for the array. `check` is the sum of its functions, each weighted by its depth. Once all of them have
 * ended, it shows whether the calls below are the expected ones: a longjmp in the gap would have led exits to
 * other depths than their entries. If that is uncertain, all are forgotten: a call is left out rather than
 * paired with the exit of another. */
#ifndef PROTOCOL_CALL_STACK_H
#define PROTOCOL_CALL_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MP_NO_CALL = -1 };

/* A function's weight at a depth is this to the power of the depth, modulo 2^32; and the inverse. */
#define MP_CALL_WEIGHT      0x9E3779B1u
#define MP_CALL_LESS_WEIGHT 0xE8B2F51u

/* Returns `base` to that power, modulo 2^32, in at most 32 steps: three bytes on the wire may claim a depth
 * of 65,535, and each later record is weighted there. */
uint32_t mp_call_power(uint32_t base, uint32_t exponent);

/* Empty when `function` and `room` are set and all else is zero. */
struct mp_call_stack {
    uint32_t *function; /* of the known calls, outermost first; the caller's memory */
    uint16_t room;
    uint16_t n;   /* known calls */
    uint16_t low; /* how many of these lie below the unknown ones; 0 when there are no unknown ones */
    uint16_t unknown;
    uint32_t check;  /* weighted sum of the unknown calls' functions */
    bool is_guessed; /* for some of the unknown calls not even the entry was seen */
};

static inline uint32_t mp_call_stack_depth(const struct mp_call_stack *stack)
{
    return (uint32_t)stack->n + stack->unknown;
}

/* Returns how many calls lie below the known call `index`. */
static inline uint32_t mp_call_stack_depth_of(const struct mp_call_stack *stack, uint32_t index)
{
    return index >= stack->low ? index + stack->unknown : index;
}

/* The unusual cases of mp_call_stack_enter() and mp_call_stack_exit(). */
int32_t mp_call_stack_enter_full(struct mp_call_stack *stack, uint32_t function);
int32_t mp_call_stack_exit_other(struct mp_call_stack *stack, uint32_t function);

/* A call begins. Returns its index, or MP_NO_CALL when there is no room for it and it is only counted. */
static inline int32_t mp_call_stack_enter(struct mp_call_stack *stack, uint32_t function)
{
    uint32_t n = stack->n;

    if (n == stack->room)
        return mp_call_stack_enter_full(stack, function);
    stack->function[n] = function;
    stack->n = (uint16_t)(n + 1);
    return (int32_t)n;
}

/* A call ends. Returns its index, which is the number of known calls from then on, or MP_NO_CALL when it is
 * not a known one. Known calls above it have ended without an exit (longjmp) and are removed as well. */
static inline int32_t mp_call_stack_exit(struct mp_call_stack *stack, uint32_t function)
{
    uint32_t top = stack->n - 1u;

    if (stack->n == stack->low || stack->function[top] != function)
        return mp_call_stack_exit_other(stack, function);
    stack->n = (uint16_t)top;
    return (int32_t)top;
}

/* Applies what happened while nothing was recorded: entries minus exits at the end, the lowest value of this
 * (0 or less), and the sum of the functions entered minus that of the functions left, each weighted by
 * entries minus exits before its entry or after its exit, modulo 2^32. */
void mp_call_stack_gap(struct mp_call_stack *stack, int32_t net, int32_t lowest, uint32_t sum);

/* Makes known calls unknown. */
void mp_call_stack_forget(struct mp_call_stack *stack);

/* Discards the stack: `depth` calls run, all of them unknown. */
void mp_call_stack_reset(struct mp_call_stack *stack, uint32_t depth);

/* Names the call at `depth`, from a reliable source. Returns its index when it was unknown and all below it
 * is known, otherwise MP_NO_CALL. */
int32_t mp_call_stack_tell(struct mp_call_stack *stack, uint32_t depth, uint32_t function);

#endif
