/* spread.h - the distribution of one function's durations when a snapshot was made.
 *
 * A spread never changes. Snapshots share it until the function is called again. */
#ifndef SNAPSHOT_SPREAD_H
#define SNAPSHOT_SPREAD_H

#include "snapshot/histogram.h"

/* Copies the counts of `histogram`. The copy has one reference, the caller's; NULL when memory is used up. */
struct spread *spread_new(const struct histogram *histogram);

/* Does the same, and reuses the memory of `spare` if the caller has its only reference and the copy fits. The
 * caller's reference to `spare` is consumed. */
struct spread *spread_renew(struct spread *spare, const struct histogram *histogram);

struct spread *spread_ref(struct spread *spread); /* NULL is allowed, here and below */
void spread_unref(struct spread *spread);

/* Calls `each` for every bucket, as histogram_walk() does. */
void spread_walk(const struct spread *spread, histogram_bucket_fn each, void *user);

#endif
