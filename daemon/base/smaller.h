/* smaller.h - the smaller or larger of two numbers. */
#ifndef BASE_SMALLER_H
#define BASE_SMALLER_H

#include <stdint.h>

static inline uint32_t smaller_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint64_t smaller_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t larger_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
