/* blocks.h - copies of rows that tell, block by block, when something in them last changed. */
#ifndef SNAPSHOT_BLOCKS_H
#define SNAPSHOT_BLOCKS_H

#include "snapshot/snapshot.h"

#include <stddef.h>

/* Copies n rows of `size` bytes, each of which has its sequence number of 64 bits `changed_at` bytes from its
 * start; *newest becomes an array with the highest number of each SNAPSHOT_BLOCK of rows. The caller frees
 * both; both are NULL when memory is used up. */
void *blocks_copy(const void *rows, size_t n, size_t size, size_t changed_at, uint64_t **newest);

#endif
