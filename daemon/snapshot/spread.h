/* spread.h - how the durations of one function were spread when a snapshot was made.
 *
 * A spread never changes, and snapshots share it for as long as no call of its function comes. */
#ifndef SNAPSHOT_SPREAD_H
#define SNAPSHOT_SPREAD_H

#include "snapshot/histogram.h"

/* Copies what `histogram` counts. The copy has one reference, the caller's; NULL when memory is used up. */
struct spread *spread_new(const struct histogram *histogram);

/* Does the same in the memory of `spare`, of which the caller gives up its reference, where nobody else has
 * one and the copy has room there. */
struct spread *spread_renew(struct spread *spare, const struct histogram *histogram);

struct spread *spread_ref(struct spread *spread); /* NULL is fine, here and below */
void spread_unref(struct spread *spread);

/* Calls `each` with every bucket, as histogram_walk() does. */
void spread_walk(const struct spread *spread, histogram_bucket_fn each, void *user);

#endif
