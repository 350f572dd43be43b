/* longest.h - which calls of a function were its longest, and which stand for a bucket of its histogram. */
#ifndef SNAPSHOT_LONGEST_H
#define SNAPSHOT_LONGEST_H

#include "snapshot/snapshot.h"

/* Finds calls of `function` among those that the timeline holds; of a snapshot_window() with what of them
 * lies inside. Writes the longest to `longest` (room for `max`), the longest first, and for each bucket of
 * `histogram` the newest call in it to `examples` (room for histogram->n), with calls 0 where none is held.
 * Returns how many of the longest there are. It takes a look at each call that is held, and no memory. */
size_t snapshot_longest(const struct snapshot *snapshot, uint32_t function,
                        const struct snapshot_histogram *histogram, struct snapshot_span *longest, size_t max,
                        struct snapshot_span *examples);

#endif
