/* mpt_clock.c - from the counter's ticks to the microseconds of the wire. */
#include "mpt_clock.h"

void mpt_clock_advance(struct mpt_clock *clock, uint32_t ticks)
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

uint32_t mpt_clock_us_since(const struct mpt_clock *clock, uint32_t ticks)
{
    mpt_units passed = (mpt_units)(clock->ticks - ticks) * MPT_UNITS_PER_TICK;

    if (passed <= clock->remainder)
        return 0;
    return (uint32_t)((passed - clock->remainder - 1u) / MPT_UNITS_PER_US + 1u);
}
