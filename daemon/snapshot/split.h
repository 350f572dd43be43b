/* split.h - where the time of a stretch of one context went: it ran, others ran in its place,
 * or it waited. */
#ifndef SNAPSHOT_SPLIT_H
#define SNAPSHOT_SPLIT_H

#include "snapshot/snapshot.h"

/* All in ticks. */
struct split {
    bool is_known; /* false: the target did not report turns, some are not held any more, or records are
                      missing, or bytes came damaged, in the stretch; the rest means nothing then */
    uint64_t ran;  /* with interrupts that have no hooks */
    uint64_t preempted, blocked;
    uint64_t wait_start, wait_ticks; /* the longest wait, where `wait_ticks` > 0 */
    uint32_t ran_last;               /* context that ran last before that wait ended, where `has_last` */
    bool has_last;
};

/* Splits [from_ticks, to_ticks) of `context`, and writes to `by` (room for context_count) how long each
 * context ran while this one was preempted; these add up to `preempted`, unless what ran is not known. False
 * when memory is used up. It looks at each turn of that time, twice. */
bool split_find(const struct snapshot *snapshot, uint32_t context, uint64_t from_ticks, uint64_t to_ticks,
                struct split *split, uint64_t *by);

/* Finds the innermost call of `context` that lasted from `from_ticks` to `to_ticks` and is held; writes its
 * function. False when there is none. */
bool split_innermost(const struct snapshot *snapshot, uint32_t context, uint64_t from_ticks,
                     uint64_t to_ticks, uint32_t *function);

#endif
