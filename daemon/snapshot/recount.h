/* recount.h - computes a profile's rows for a time range. */
#ifndef SNAPSHOT_RECOUNT_H
#define SNAPSHOT_RECOUNT_H

#include "snapshot/histogram.h"
#include "snapshot/period.h"
#include "snapshot/snapshot.h"

/* The rows to fill in: those of a whole profile with all counts zero (minima UINT64_MAX), and an empty
 * histogram for each function. */
struct recount_rows {
    struct snapshot_function *functions;
    struct snapshot_node *nodes;
    const struct snapshot_context *contexts; /* how long each ran in the range, if known */
    struct histogram *histograms;
    struct period *period; /* one per function, all zero */
    struct periods periods;
    uint32_t node_count, context_count;
    struct histogram_budget budget;
};

/* Adds to `rows` the parts of the timeline's calls in [from_ticks, to_ticks]. The caller computes the
 * percentiles. Returns false when memory is used up. */
bool recount_timeline(const struct snapshot_timeline *timeline, uint64_t from_ticks, uint64_t to_ticks,
                      struct recount_rows *rows);

#endif
