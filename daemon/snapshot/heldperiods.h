/* heldperiods.h - distribution of the periods of one function, over its buffered calls.
 *
 * What a function's row says about its periods is of all calls there were. Their histogram is counted when
 * somebody asks for it: to keep one for each function would cost each call 22 instructions, which is 8 % of a
 * replay, and each function 512 bytes and more. */
#ifndef SNAPSHOT_HELDPERIODS_H
#define SNAPSHOT_HELDPERIODS_H

#include "snapshot/snapshot.h"

/* A call that began a period, and the length of the period. */
struct heldperiod {
    uint64_t start_ticks, duration_ticks, period_ticks;
    uint16_t context, depth;
};

struct heldperiods {
    uint64_t n;
    uint64_t min_ticks, p50_ticks, p90_ticks, p99_ticks, max_ticks; /* undefined when n is 0 */
    double mean_ticks, jitter_ticks;                                /* undefined when n is 0 */
    struct snapshot_histogram histogram;                            /* same buckets as for durations */
    struct heldperiod *examples; /* one for each bucket: its newest period */
};

/* Counts the periods of `function` whose start and end lie in [from_ticks, to_ticks], as found by
 * begun_walk(). The caller frees *out with heldperiods_fini(). Returns false when memory is used up; then
 * nothing needs to be freed. Reads all buffered calls twice. */
bool heldperiods_find(const struct snapshot *snapshot, uint32_t function, uint64_t from_ticks,
                      uint64_t to_ticks, struct heldperiods *out);
void heldperiods_fini(struct heldperiods *periods);

#endif
