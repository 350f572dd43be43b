/* search.h - finds a row in a table that is sorted by a number. */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/* Returns how many of n rows have a number of at most `key`; these are the rows before that index. A row has
 * `size` bytes, its number is at `offset`, and the numbers never decrease. `rows` may be NULL if n is 0. */
static inline size_t search_at_most(const void *rows, size_t n, size_t size, size_t offset, uint64_t key)
{
    const char *bytes = rows;
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (*(const uint64_t *)(bytes + (low + half) * size + offset) <= key) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

#endif
