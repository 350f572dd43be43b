/* blocks.h - copies rows, finds for each block of them when one last changed, and counts the rows that did. */
#ifndef SNAPSHOT_BLOCKS_H
#define SNAPSHOT_BLOCKS_H

#include "snapshot/snapshot.h"

#include <stddef.h>

/* Copies n rows of `size` bytes. Each row has a 64-bit sequence number `changed_at` bytes from its start.
 * Sets *newest to an array with the highest number in each block of SNAPSHOT_BLOCK rows. The caller frees
 * both arrays; both are NULL when memory is used up. */
void *blocks_copy(const void *rows, size_t n, size_t size, size_t changed_at, uint64_t **newest);

/* Returns the first of n rows from `row` on that may have changed after the sequence number `since`; n if there
 * is none. Skips blocks without changes; `newest` is from blocks_copy(), or NULL if that is unknown. */
static inline size_t blocks_next(const uint64_t *newest, size_t row, size_t n, uint64_t since)
{
    while (newest && row < n && row % SNAPSHOT_BLOCK == 0 && newest[row / SNAPSHOT_BLOCK] <= since)
        row += SNAPSHOT_BLOCK;
    return row < n ? row : n;
}

/* Numbers of rows that changed. */
struct blocks_changes {
    uint32_t functions, nodes;
};

/* Counts the rows of a snapshot that changed after the sequence number `since`. */
struct blocks_changes blocks_changes(const struct snapshot *snapshot, uint64_t since);

#endif
