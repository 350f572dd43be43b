/* recount.h - counts again what of a profile ran inside a stretch of time. */
#ifndef SNAPSHOT_RECOUNT_H
#define SNAPSHOT_RECOUNT_H

#include "snapshot/histogram.h"
#include "snapshot/period.h"
#include "snapshot/snapshot.h"

/* What a recount fills: the rows of a whole profile, whose counts are zero (minima UINT64_MAX), and an empty
 * histogram for each function. */
struct recount_rows {
    struct snapshot_function *functions;
    struct snapshot_node *nodes;
    const struct snapshot_context *contexts; /* how long they ran in the window, where that is known */
    struct histogram *histograms;
    struct period *period; /* one per function, zero */
    struct periods periods;
    uint32_t node_count, context_count;
    struct histogram_budget budget;
};

/* Adds to `rows` what of the timeline's calls lies in [from_ticks, to_ticks]; the caller finds the
 * percentiles. False when memory is used up. */
bool recount_timeline(const struct snapshot_timeline *timeline, uint64_t from_ticks, uint64_t to_ticks,
                      struct recount_rows *rows);

#endif
