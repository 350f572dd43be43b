/* livestacks_private.h - the stack of one context, as its calls begin and end. For livestacks.c and
 * livestacks_turns.c only. */
#ifndef PROFILE_LIVESTACKS_PRIVATE_H
#define PROFILE_LIVESTACKS_PRIVATE_H

#include "profile/livestacks.h"
#include "snapshot/turns.h"

/* A call that has not ended. */
struct open_call {
    uint32_t node, function;
    bool is_unknown;         /* of an unknown function: a placeholder stands for it */
    bool is_late;            /* it was reported while it ran, so a part of it is not known */
    uint64_t start_ticks;    /* or since when it is known */
    uint64_t children_ticks; /* in which callees that have ended ran */
    uint64_t
        away_ticks; /* in which its context did not run: while it was innermost, or a callee that ended */
};

struct livestack {
    uint32_t context; /* the dialect's number */
    struct open_call *calls;
    uint32_t depth, capacity;
    uint32_t too_deep; /* functions above the limit that have not ended */
    uint64_t newest_ticks;
    struct {
        uint32_t depth; /* of the stack when its context was renamed; 0: it was not, or nothing ran */
        uint64_t children_ticks;
    } renamed; /* and what its innermost call had by then */

    /* What the processor does with it. */
    bool is_interrupt;
    enum turn_kind turn;
    uint64_t turn_ticks;         /* when that began */
    uint64_t turn_totals[TURNS]; /* of turns that are over */
    bool has_turns;              /* it is reported when it runs, or for how long */
    uint64_t own_ticks;          /* self time of all calls that ended or were dropped */
    uint64_t outside_ticks;      /* in no call, as the row "[outside]" has it */
    uint32_t interrupted;        /* LIVESTACKS_NONE, or the stack that an interrupt took the processor from */
};

/* Finds or makes the stack of a context; NULL when there are too many, or memory is used up. */
struct livestack *livestacks_stack_of(struct livestacks *stacks, uint32_t context);

/* livestacks_turns.c: an interrupt that had given the processor back takes it again with its next outermost
 * call, of which no switch need be reported: nothing else came in between. Comes before the call is on its
 * stack. */
void livestack_begins(struct livestacks *stacks, struct livestack *stack, uint64_t ticks);

/* livestacks_turns.c: an interrupt whose outermost call has ended gives the processor back. */
void livestack_emptied(struct livestacks *stacks, struct livestack *stack, uint64_t ticks);

/* livestacks_turns.c: from the newest tick on `to` does what `from` did, which is over. */
void livestack_hand_over(struct livestacks *stacks, struct livestack *from, struct livestack *to);

/* livestacks_turns.c: the newest tick at which it is known what the context did. */
uint64_t livestack_newest(const struct livestacks *stacks, const struct livestack *stack);

#endif
