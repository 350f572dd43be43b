/* ticks.h - widens a wrapping counter to 64 bits.
 *
 * Serial-number arithmetic (SPEC.md section 7): a reading stands for the time nearest to a reference, before
 * or after it. It is wrong to assume a wrap whenever a reading is smaller than the previous one: records
 * arrive in the order in which calls end, so their times go back and forth. */
#ifndef PROTOCOL_TICKS_H
#define PROTOCOL_TICKS_H

#include <stdint.h>

/* Returns the distance from the reading `from` to the reading `to` of an up-counter of `bits` bits (1 to 64),
 * the short way round: -2^(bits-1) to 2^(bits-1) - 1. Bits above `bits` are ignored. */
static inline int64_t mp_ticks_distance(uint64_t from, uint64_t to, unsigned bits)
{
    unsigned unused = 64 - bits;
    return (int64_t)((to - from) << unused) >> unused;
}

/* Returns the 64-bit time nearest to `reference` whose low `bits` bits are the reading `raw` of an
 * up-counter. It wraps below 0, so start the reference at 2^(bits-1) or more. */
static inline uint64_t mp_ticks_widen(uint64_t reference, uint64_t raw, unsigned bits)
{
    return reference + (uint64_t)mp_ticks_distance(reference, raw, bits);
}

/* Returns how many ticks passed from one reading of a down-counter to the next, less than a whole period
 * apart. The period need not be a power of two (it is the reload value + 1); both readings are below it. */
static inline uint64_t mp_ticks_elapsed_down(uint64_t previous, uint64_t current, uint64_t period)
{
    return previous >= current ? previous - current : previous + period - current;
}

#endif
