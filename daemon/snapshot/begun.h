/* begun.h - the buffered calls of one function, each with the call that began before it. */
#ifndef SNAPSHOT_BEGUN_H
#define SNAPSHOT_BEGUN_H

#include "snapshot/timeline.h"

/* The period that ends at the start of `call` began at the start of `before`; NULL when there is no such
 * period. Both calls belong to the snapshot. */
typedef void (*begun_fn)(void *user, const struct timeline_call *call, const struct timeline_call *before);

/* Calls `each` for every buffered call of `function` that is not cut (timeline_is_cut()) and began in
 * [from_ticks, to_ticks], in timeline order.
 * Periods are those of struct period: from start to start in one context, with both starts inside the range
 * and no possible loss between them. A function that may call itself has none. Returns false, before the
 * first call of `each`, when memory is used up. Takes time proportional to the number of buffered calls. */
bool begun_walk(const struct snapshot *snapshot, uint32_t function, uint64_t from_ticks, uint64_t to_ticks,
                begun_fn each, void *user);

#endif
