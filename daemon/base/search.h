/* search.h - finding a row in a table that is sorted by a number. */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/* How many of n numbers are at most `key`: those before that index. The numbers never fall, and lie `stride`
 * bytes apart: `first` is a member of a table's first row, `stride` the size of a row. */
static inline size_t search_at_most(const uint64_t *first, size_t stride, size_t n, uint64_t key)
{
    const char *numbers = (const char *)first;
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (*(const uint64_t *)(numbers + (low + half) * stride) <= key) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

#endif
