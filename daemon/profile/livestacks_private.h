/* livestacks_private.h - the stack of one context. Only for livestacks.c and livestacks_turns.c. */
#ifndef PROFILE_LIVESTACKS_PRIVATE_H
#define PROFILE_LIVESTACKS_PRIVATE_H

#include "profile/livestacks.h"
#include "snapshot/turns.h"

/* A call that has not ended. */
struct open_call {
    uint32_t node, function;
    bool is_unknown;         /* its function is unknown: a placeholder stands for it */
    bool is_late;            /* its begin was not reported, so a part of it is unknown */
    uint64_t start_ticks;    /* its start, or since when it is known to run */
    uint64_t children_ticks; /* time in which ended callees ran */
    uint64_t away_ticks; /* time in which it, or an ended callee, was innermost but its context did not run */
};

struct livestack {
    uint32_t context; /* the dialect's number */
    struct open_call *calls;
    uint32_t depth, capacity;
    uint32_t too_deep; /* running calls above the depth limit */
    uint64_t newest_ticks;
    struct {
        uint32_t depth; /* of the stack when the context was renamed; 0: it was not, or nothing ran */
        uint64_t children_ticks;
    } renamed; /* children_ticks of the innermost call at that time */

    /* Its turns of the processor. */
    bool is_interrupt;
    enum turn_kind turn;
    uint64_t turn_ticks;         /* start of the turn */
    uint64_t turn_totals[TURNS]; /* of ended turns */
    bool has_turns;              /* it is reported when or how long it runs */
    uint64_t own_ticks;          /* self time of all calls that ended or were dropped */
    uint64_t outside_ticks;      /* time in no call that is in the row "[outside]" so far */
    uint32_t interrupted;        /* the stack that an interrupt took the processor from; or LIVESTACKS_NONE */
};

/* Finds or makes the stack of a context; NULL when there are too many, or memory is used up. */
struct livestack *livestacks_stack_of(struct livestacks *stacks, uint32_t context);

/* livestacks_turns.c: an interrupt that returned the processor takes it again with its next outermost call.
 * No switch needs to be reported if nothing else happened in between. Call this before the call is on its
 * stack. */
void livestack_begins(struct livestacks *stacks, struct livestack *stack, uint64_t ticks);

/* livestacks_turns.c: an interrupt whose outermost call has ended returns the processor. */
void livestack_emptied(struct livestacks *stacks, struct livestack *stack, uint64_t ticks);

/* livestacks_turns.c: from the newest tick on, `to` continues the turn of `from`, which has ended. */
void livestack_hand_over(struct livestacks *stacks, struct livestack *from, struct livestack *to);

/* livestacks_turns.c: the latest tick up to which the context's activity is known. */
uint64_t livestack_newest(const struct livestacks *stacks, const struct livestack *stack);

#endif
