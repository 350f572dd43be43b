/* outliers.h - calls of one function that are kept when the timeline has moved on: its longest, and the first
 * in each bucket of its histogram.
 *
 * A list never changes; snapshots share it until a call is added. */
#ifndef SNAPSHOT_OUTLIERS_H
#define SNAPSHOT_OUTLIERS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* The number of longest calls that are kept. */
enum { OUTLIERS_LONGEST = 8 };

#define OUTLIER_NO_CALLER UINT32_MAX

/* A call as it was when it was counted. If its caller had not returned by then, the caller is a placeholder. */
struct outlier {
    uint64_t start_ticks, duration_ticks;
    uint32_t caller; /* function; OUTLIER_NO_CALLER when it was outermost */
    uint16_t context, depth;
};

/* A list of outliers; it is empty when both counts are 0. */
struct outliers {
    atomic_uint references;
    uint32_t longest_count;
    struct outlier longest[OUTLIERS_LONGEST]; /* the longest first; of equal ones, the one received first */
    uint32_t first_count;
    struct outlier firsts[]; /* in the order of arrival */
};

/* Makes a list with room for `first_count` firsts, which the caller fills in. The caller has its one
 * reference. Returns NULL when memory is used up. */
struct outliers *outliers_new(uint32_t first_count);
struct outliers *outliers_ref(struct outliers *outliers); /* NULL is allowed, here and below */
void outliers_unref(struct outliers *outliers);

#endif
