/* mpt_calls.h - turns events into calls with function, start, end and depth; not for applications.
 *
 * All of it belongs to the context of mpt_poll(). Events are read whether profiling is on or off, so that the
 * names of calls that run at START are known, and depths are true from power-up on. */
#ifndef MPT_CALLS_H
#define MPT_CALLS_H

#include "mpt_ring.h"
#include "protocol/call_stack.h"

struct mpt_task {
    struct mp_call_stack calls;
    uint16_t floor; /* calls of a lower index began before START, or too long ago: they are not reported */
    uint32_t function[MPT_STACK_DEPTH];
    uint32_t start[MPT_STACK_DEPTH]; /* ticks */
};

#define MPT_ANY_DEPTH UINT16_MAX

struct mpt_calls {
    uint16_t wanted_depth; /* calls from this depth on are not reported, from the next mark on, as the
                              application asked */
    uint8_t wanted_mark;
    uint8_t mark; /* in force for the events that are read now */
    bool is_on;
    uint8_t version; /* of PROFILE_DATA */
    uint16_t max_depth;
    uint8_t task;
    bool is_dropping;   /* a call was dropped since one was reported: the next dropped one belongs to the same
                           run */
    uint32_t min_ticks; /* shorter calls are not reported */
    uint32_t captured;  /* calls reported since the last reset */
    uint32_t overflows; /* runs of dropped calls since the last reset */
    struct mpt_task tasks[MPT_TASKS];
};

extern struct mpt_calls mpt_calls;

/* A finished call; ticks are 32 bits wide whatever the counter's width. */
struct mpt_call {
    uint32_t function;
    uint32_t start;
    uint32_t end;
    uint16_t depth;
};

void mpt_calls_init(void);

/* Calls taken at once, which saves calls of functions: 16 bytes of stack each. */
enum { MPT_CALLS_AT_ONCE = 4 };

/* Takes events off the ring until `most` of them have ended a call to be reported. Returns how many have:
 * fewer when the ring is empty. */
uint32_t mpt_calls_take(struct mpt_call *calls, uint32_t most);

/* Applies the wanted_... settings to events from now on. */
void mpt_calls_mark(void);

void mpt_calls_take_mark(uint32_t mark);

/* All calls of a task are over: returns the sum of their functions, as a gap reports it. */
uint32_t mpt_calls_end(struct mpt_task *task);

/* Discards what has happened up to now. */
void mpt_calls_reset(void);

/* Ends profiling in version 1 at once, and discards what waits. */
void mpt_calls_abandon(void);

/* Follows which calls run while profiling is off and nothing can be sent, since the next START must know
 * them. A call that had to be sent, because START and STOP both wait in the ring, is lost and counted. */
void mpt_calls_follow(void);

/* Adds to `captured` and `overflows` what the events waiting in the ring will add, as far as that is known
 * without pairing them. */
void mpt_calls_foresee(uint32_t *captured, uint32_t *overflows);

/* Once the ring is empty: gives up calls whose age is about to exceed the counter. */
void mpt_calls_age(uint32_t now);

#endif
