/* begun.h - the calls of one function that the timeline holds, each with the one that began before it. */
#ifndef SNAPSHOT_BEGUN_H
#define SNAPSHOT_BEGUN_H

#include "snapshot/timeline.h"

/* `before` is the call from whose start the period is measured that ends where `call` begins; NULL where none
 * is. Both are the snapshot's. */
typedef void (*begun_fn)(void *user, const struct timeline_call *call, const struct timeline_call *before);

/* Calls `each` with every call of `function` that is held and began in [from_ticks, to_ticks], in the order
 * in which the timeline has them. Periods are those that struct period measures: from start to start in one
 * context, both inside, across nothing that may be missing, and none of a function that may call itself.
 * False when memory is used up, before the first. It takes a look at each call that is held. */
bool begun_walk(const struct snapshot *snapshot, uint32_t function, uint64_t from_ticks, uint64_t to_ticks,
                begun_fn each, void *user);

#endif
