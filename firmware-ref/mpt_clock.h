/* mpt_clock.h - converts the counter's ticks to the microseconds of the wire.
 *
 * The clock stands at the end of the newest record sent and only moves forward; other times are sent by their
 * distance before it. All are rounded down from the same origin, so that intervals which nest in ticks nest
 * in microseconds. It is a header because every call needs it. */
#ifndef MPT_CLOCK_H
#define MPT_CLOCK_H

#include "mpt_port.h"

/* A microsecond and a tick as whole numbers of a common unit, so that rounding loses nothing. */
#if MPT_TICK_HZ % 1000000 == 0
typedef uint32_t mpt_units;
#define MPT_UNITS_PER_US   (MPT_TICK_HZ / 1000000u)
#define MPT_UNITS_PER_TICK 1u
#else
typedef uint64_t mpt_units;
#define MPT_UNITS_PER_US   MPT_TICK_HZ
#define MPT_UNITS_PER_TICK 1000000u
#endif

/* Zero is the start state: tick 0 is microsecond 0. */
struct mpt_clock {
    uint32_t ticks;
    uint32_t us;
    uint32_t remainder; /* units past `us` */
};

/* Moves to the tick `ticks`, which must not be 2^32 ticks or more ahead. */
static inline void mpt_clock_advance(struct mpt_clock *clock, uint32_t ticks)
{
    mpt_units passed = (mpt_units)(ticks - clock->ticks) * MPT_UNITS_PER_TICK;

    clock->us += (uint32_t)(passed / MPT_UNITS_PER_US);
    clock->remainder += (uint32_t)(passed % MPT_UNITS_PER_US);
    if (clock->remainder >= MPT_UNITS_PER_US) {
        clock->remainder -= MPT_UNITS_PER_US;
        clock->us++;
    }
    clock->ticks = ticks;
}

/* Returns the microseconds from the tick `ticks`, less than 2^32 ticks ago, to where the clock stands. */
static inline uint32_t mpt_clock_us_since(const struct mpt_clock *clock, uint32_t ticks)
{
    mpt_units passed = (mpt_units)(clock->ticks - ticks) * MPT_UNITS_PER_TICK;

    if (passed <= clock->remainder)
        return 0;
    return (uint32_t)((passed - clock->remainder - 1u) / MPT_UNITS_PER_US + 1u);
}

#endif
