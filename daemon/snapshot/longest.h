/* longest.h - which calls of a function were its longest, and which stand for a bucket of its histogram. */
#ifndef SNAPSHOT_LONGEST_H
#define SNAPSHOT_LONGEST_H

#include "snapshot/snapshot.h"

/* A call that is worth a look. */
struct longest_call {
    uint64_t start_ticks, duration_ticks;
    uint32_t caller; /* function, where `has_caller` */
    uint16_t context, depth;
    bool has_caller; /* it is known, and there was one */
    bool is_there;   /* false: no such call is known, and the rest means nothing */
    bool is_held; /* the timeline has it; else it was kept when it was counted, and what ran around it is gone
                   */
};

/* Finds calls of `function`, among those that the timeline holds and those that were kept for good
 * (snapshot/outliers.h); of a snapshot_window() among the former only, with what of them lies inside. Writes
 * the longest to `longest` (room for `max`), the longest first, and for each bucket of `histogram` a call in
 * it to `examples` (room for histogram->n): the newest that is held, else the first of all. Returns how many
 * of the longest there are. It takes a look at each call that is held, and no memory. */
size_t snapshot_longest(const struct snapshot *snapshot, uint32_t function,
                        const struct snapshot_histogram *histogram, struct longest_call *longest, size_t max,
                        struct longest_call *examples);

#endif
