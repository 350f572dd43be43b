/* blocks.h - copies rows, finds for each block of them when one last changed, and counts the rows that did. */
#ifndef SNAPSHOT_BLOCKS_H
#define SNAPSHOT_BLOCKS_H

#include "snapshot/snapshot.h"

#include <stddef.h>

/* Copies n rows of `size` bytes. Each row has a 64-bit sequence number `changed_at` bytes from its start.
 * Sets *newest to an array with the highest number in each block of SNAPSHOT_BLOCK rows. The caller frees
 * both arrays; both are NULL when memory is used up. */
void *blocks_copy(const void *rows, size_t n, size_t size, size_t changed_at, uint64_t **newest);

/* Numbers of rows that changed. */
struct blocks_changes {
    uint32_t functions, nodes;
};

/* Counts the rows of a snapshot that changed after the sequence number `since`. */
struct blocks_changes blocks_changes(const struct snapshot *snapshot, uint64_t since);

#endif
