/* mpt_state.h - what the hooks and the sending side of the agent share; not for applications.
 *
 * The hooks write, locked, and mpt_poll() reads. `head` and `tail` only ever grow and wrap at 2^32, so that
 * `head - tail` is the fill of the ring and `head` minus its value at the last reset is the count of captured
 * records. */
#ifndef MPT_STATE_H
#define MPT_STATE_H

#include "mpt_config.h"
#include "mpt_port.h"

#include <stdbool.h>
#include <stdint.h>

/* One finished call. Ticks are the 32-bit ones of mpt_now(). */
struct mpt_record {
    uint32_t function;
    uint32_t start_ticks;
    uint32_t end_ticks;
    uint16_t depth;
};

struct mpt_state {
    uint16_t depth;       /* frames on the stack, reported or not; in balance from power-up on */
    uint16_t floor;       /* frames below it began before START, or too long ago: they are not reported */
    uint16_t depth_limit; /* frames from it on are not reported; 0 while profiling is off */
    uint8_t dropping; /* a call was dropped since a record was sent: the next drop belongs to the same run */
    uint32_t ticks;   /* the newest time seen, 32 bits wide whatever the counter's width */
    uint32_t min_ticks; /* shorter calls are not reported */
    uint32_t head;
    uint32_t tail;
    uint32_t overflows; /* runs of dropped calls */
    uint32_t start_ticks[MPT_STACK_DEPTH];
    struct mpt_record ring[MPT_RING_RECORDS];
};

extern struct mpt_state mpt_state;

/* The time in 32-bit ticks. Call it locked. The low bits of the newest time seen are the counter's value
 * then, so the masked difference is the time that has passed since, as long as that is less than one period.
 */
MPT_NOT_INSTRUMENTED static inline uint32_t mpt_now(void)
{
#if MPT_TICK_BITS == 32
    return mpt_port_ticks();
#else
    const uint32_t mask = (1u << MPT_TICK_BITS) - 1u;

    mpt_state.ticks += (mpt_port_ticks() - mpt_state.ticks) & mask;
    return mpt_state.ticks;
#endif
}

#endif
