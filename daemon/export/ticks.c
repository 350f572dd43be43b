/* ticks.c - converts target ticks to nanoseconds by long division, one decimal place at a time: the product
 * does not fit into 64 bits, and 32-bit hosts have no wider type. */
#include "export/ticks.h"

#include <assert.h>

uint64_t ticks_nanoseconds(uint64_t ticks, uint64_t ticks_per_second)
{
    assert(ticks_per_second > 0);
    while (ticks_per_second > UINT64_MAX / 10) { /* unrealistic clocks: only avoids overflow */
        ticks_per_second /= 2;
        ticks /= 2;
    }
    uint64_t whole = ticks / ticks_per_second, rest = ticks % ticks_per_second;
    for (int place = 0; place < 9; place++) {
        rest *= 10;
        uint64_t digit = rest / ticks_per_second;
        rest %= ticks_per_second;
        if (whole > (UINT64_MAX - digit) / 10)
            return UINT64_MAX;
        whole = whole * 10 + digit;
    }
    return whole;
}
