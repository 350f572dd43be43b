/* longest.h - finds the longest calls of a function, and an example for each bucket of its histogram. */
#ifndef SNAPSHOT_LONGEST_H
#define SNAPSHOT_LONGEST_H

#include "snapshot/snapshot.h"

/* A call that the user may want to look at. */
struct longest_call {
    uint64_t start_ticks, duration_ticks;
    uint32_t caller; /* function, where `has_caller` */
    uint16_t context, depth;
    bool has_caller; /* the caller is known, and there is one */
    bool is_there;   /* false: no such call is known, and the other members are undefined */
    bool is_held;    /* on the timeline; if false, what ran around it was not kept */
};

/* Finds calls of `function` among the timeline's calls and the outliers (snapshot/outliers.h). For a
 * snapshot_window() it uses only the timeline, with the parts of calls that lie inside. Writes the longest
 * calls to `longest` (`max` elements), longest first. Writes an example for each bucket of `histogram` to
 * `examples` (histogram->n elements): the bucket's newest call on the timeline, or else its first of all.
 * Returns how many were written to `longest`. Reads all buffered calls, and allocates no memory. */
size_t snapshot_longest(const struct snapshot *snapshot, uint32_t function,
                        const struct snapshot_histogram *histogram, struct longest_call *longest, size_t max,
                        struct longest_call *examples);

#endif
