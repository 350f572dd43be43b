/* livestack.h - the stack of one context, as its calls begin and end. For the files of the live stacks only.
 */
#ifndef PROFILE_LIVESTACK_H
#define PROFILE_LIVESTACK_H

#include "profile/livestacks.h"
#include "snapshot/turns.h"

/* A call that has not ended. */
struct open_call {
    uint32_t node, function;
    bool is_unknown;         /* of a function that nobody told: a placeholder stands for it */
    bool is_late;            /* it was told while it ran, so a part of it is not known */
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
    bool has_turns;              /* it is told when it runs, or for how long */
    uint64_t own_ticks;          /* self time of all calls that ended or were dropped */
    uint64_t outside_ticks;      /* in no call, as the row "[outside]" has it */
    uint32_t interrupted;        /* LIVESTACKS_NONE, or the stack that an interrupt took the processor from */
};

/* Finds or makes the stack of a context; NULL when there are too many, or memory is used up. */
struct livestack *livestacks_stack_of(struct livestacks *stacks, uint32_t context);

/* Puts a call on the stack, below which it counts from now on; of an unknown function when `is_unknown`.
 * False when the stack is as high as it may be, or memory is used up. */
bool livestack_push(struct livestacks *stacks, struct livestack *stack, uint32_t function, uint64_t ticks,
                    bool is_unknown);

/* Takes in that something was told of the context at `ticks`. */
void livestack_hear(struct livestacks *stacks, struct livestack *stack, uint64_t ticks);

/* Takes the innermost call off the stack, of which the end was not told, or not the begin: what was seen of
 * it, which is that it ran until then, stays counted as time, and it is no call. */
void livestack_drop(struct livestacks *stacks, struct livestack *stack, uint64_t until_ticks);

/* livestacks_turns.c: an interrupt that had given the processor back takes it again with its next outermost
 * call, of which no switch need be told: nothing else was heard of meanwhile. Comes before the call is on its
 * stack. */
void livestack_begins(struct livestacks *stacks, struct livestack *stack, uint64_t ticks);

/* livestacks_turns.c: an interrupt whose outermost call has ended gives the processor back. */
void livestack_emptied(struct livestacks *stacks, struct livestack *stack, uint64_t ticks);

/* livestacks_turns.c: from the newest tick on `to` does what `from` did, which is over. */
void livestack_hand_over(struct livestacks *stacks, struct livestack *from, struct livestack *to);

/* livestacks_turns.c: the newest tick at which it is known what the context did. */
uint64_t livestack_newest(const struct livestacks *stacks, const struct livestack *stack);

/* How long a call has run so far, and how much of that in no callee. `inner`: what the walk from the
 * innermost call outwards knows of those inside of it; zeros to begin with. */
struct livestack_inner {
    uint64_t ticks, away_ticks;
};
struct call_times livestack_so_far(const struct open_call *call, uint64_t newest_ticks,
                                   struct livestack_inner *inner);

/* livestacks_rest.c: the node and the function that have what a placeholder at `node` ran itself. False where
 * there is none; livestack_make_unknown() makes it. */
bool livestack_unknown_below(const struct livestacks *stacks, uint32_t node, uint32_t *below);
uint32_t livestack_make_unknown(struct livestacks *stacks, const struct livestack *stack, uint32_t node);

/* livestacks_rest.c: adds time to the node of one of these rows, and to its function. */
void livestack_add_rest(struct livestacks *stacks, uint32_t id, uint64_t ticks);

#endif
