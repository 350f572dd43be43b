/* slowest.h - the slowest calls over all functions, each beside what is usual for its function. */
#ifndef SNAPSHOT_SLOWEST_H
#define SNAPSHOT_SLOWEST_H

#include "snapshot/snapshot.h"

struct slow_call {
    uint64_t start_ticks, duration_ticks;
    uint64_t usual_ticks; /* the p99 of its function, where `has_p99`; of one with few calls twice its p50 */
    bool has_p99;
    uint32_t function;
    uint16_t context, depth;
};

/* Writes the slowest calls that the timeline holds and that began in [from_ticks, to_ticks] to `calls` (room
 * for `max`), by the time that they took beyond what is usual, and their number to *n. Each function has one
 * at most, and only one that took more than 1.2 times its p99. A slow call inside a slow call
 * of another function is left out: it is the reason of that one, which is listed, or is not the slowest of
 * its function. p99 and not p50 is what they are compared with: else functions with two speeds would lead,
 * and each level of a recursion. Functions with fewer than 10 calls are left out. False when memory is used
 * up. It looks at each call that is held. */
bool slowest_find(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                  struct slow_call *calls, size_t max, size_t *n);

#endif
