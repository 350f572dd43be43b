/* outliers.h - calls of one function that are kept for good: its longest, and the first in each bucket of its
 * histogram.
 *
 * A list never changes, and snapshots share it for as long as no call is added. */
#ifndef SNAPSHOT_OUTLIERS_H
#define SNAPSHOT_OUTLIERS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* How many of the longest are kept. */
enum { OUTLIERS_LONGEST = 8 };

#define OUTLIER_NO_CALLER UINT32_MAX

/* One call, as it was when it was counted: one whose caller had not returned by then has a placeholder for a
 * caller. */
struct outlier {
    uint64_t start_ticks, duration_ticks;
    uint32_t caller; /* function; OUTLIER_NO_CALLER: it was outermost */
    uint16_t context, depth;
};

/* A list; zero counts are the empty one. */
struct outliers {
    atomic_uint references;
    uint32_t longest_count;
    struct outlier longest[OUTLIERS_LONGEST]; /* the longest first, of equals the one received earlier */
    uint32_t first_count;
    struct outlier firsts[]; /* in the order in which they were reported */
};

/* Makes a list with room for `firsts` firsts, which the caller fills in, and one reference, the caller's;
 * NULL when memory is used up. */
struct outliers *outliers_new(uint32_t first_count);
struct outliers *outliers_ref(struct outliers *outliers); /* NULL is fine, here and below */
void outliers_unref(struct outliers *outliers);

#endif
