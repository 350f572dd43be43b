/* split.h - splits a time range of one context into running, preempted and blocked time. */
#ifndef SNAPSHOT_SPLIT_H
#define SNAPSHOT_SPLIT_H

#include "snapshot/snapshot.h"

/* All in ticks. */
struct split {
    bool is_known; /* false: turns were not reported or are no longer buffered, or something was lost or
                    * damaged in the range; the other members are then undefined */
    uint64_t ran;  /* including interrupts without hooks */
    uint64_t preempted, blocked;
    uint64_t wait_start, wait_ticks; /* the longest wait, if `wait_ticks` > 0 */
    uint32_t ran_last;               /* if `has_last`: the context that ran last before that wait ended */
    bool has_last;
};

/* Splits [from_ticks, to_ticks) of `context`. Writes to `by` (context_count elements) how long each context
 * ran while this one was preempted. These add up to `preempted`, unless it is unknown what ran. Returns false
 * when memory is used up. Reads all turns of the range, twice. */
bool split_find(const struct snapshot *snapshot, uint32_t context, uint64_t from_ticks, uint64_t to_ticks,
                struct split *split, uint64_t *by);

/* Finds the innermost buffered call of `context` that lasted from `from_ticks` to `to_ticks`, and writes its
 * function. Returns false when there is none. */
bool split_innermost(const struct snapshot *snapshot, uint32_t context, uint64_t from_ticks,
                     uint64_t to_ticks, uint32_t *function);

#endif
