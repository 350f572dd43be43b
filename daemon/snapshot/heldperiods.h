/* heldperiods.h - how the times from start to start of one function are spread, of the calls that are held.
 *
 * What a function's row tells of its periods is of all calls there were. Their histogram is counted when
 * somebody asks for it: to keep one for each function would cost each call 22 instructions, which is 8 % of a
 * replay, and each function 512 bytes and more. */
#ifndef SNAPSHOT_HELDPERIODS_H
#define SNAPSHOT_HELDPERIODS_H

#include "snapshot/snapshot.h"

/* A call that began a period, and how long that was. */
struct heldperiod {
    uint64_t start_ticks, duration_ticks, period_ticks;
    uint16_t context, depth;
};

struct heldperiods {
    uint64_t n;
    uint64_t min_ticks, p50_ticks, p90_ticks, p99_ticks, max_ticks; /* where n > 0 */
    double mean_ticks, jitter_ticks;                                /* likewise */
    struct snapshot_histogram histogram; /* in the buckets that durations are counted in */
    struct heldperiod *examples;         /* one for each bucket: the newest of it */
};

/* Counts the periods of `function` whose both ends lie in [from_ticks, to_ticks], as begun_walk() finds them,
 * into *out, which heldperiods_fini() frees. False when memory is used up; then nothing is to be freed. It
 * looks at each call that is held, twice. */
bool heldperiods_find(const struct snapshot *snapshot, uint32_t function, uint64_t from_ticks,
                      uint64_t to_ticks, struct heldperiods *out);
void heldperiods_fini(struct heldperiods *periods);

#endif
