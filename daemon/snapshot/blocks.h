/* blocks.h - copies of rows that tell, block by block, when something in them last changed. */
#ifndef SNAPSHOT_BLOCKS_H
#define SNAPSHOT_BLOCKS_H

#include "snapshot/snapshot.h"

#include <stddef.h>

/* A copy of n rows of `size` bytes, each with its sequence number of 64 bits `changed_at` bytes from its
 * start; *newest becomes the highest number of each SNAPSHOT_BLOCK of rows. Both are the caller's to free();
 * either is NULL when memory is used up. */
void *blocks_copy(const void *rows, size_t n, size_t size, size_t changed_at, uint64_t **newest);

#endif
