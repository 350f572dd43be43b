/* slowest.h - finds the slowest calls of all functions, compared with the usual time of each function. */
#ifndef SNAPSHOT_SLOWEST_H
#define SNAPSHOT_SLOWEST_H

#include "snapshot/snapshot.h"

struct slow_call {
    uint64_t start_ticks, duration_ticks;
    uint64_t usual_ticks; /* p99 of its function if `has_p99`; otherwise twice its p50 */
    bool has_p99;
    uint32_t function;
    uint16_t context, depth;
};

/* Writes the slowest calls of the timeline that began in [from_ticks, to_ticks] to `calls` (`max` elements),
 * and their number to *n. They are sorted by how much longer than usual they took. Each function has at most
 * one, if it took more than 1.2 times its p99. A slow call inside a slow call of another function is left
 * out, since it is the cause of the outer one. The comparison is with p99, not p50; otherwise functions with
 * two speeds and each level of a recursion would come first. Functions with fewer than 10 calls are left out.
 * Returns false when memory is used up. Reads all buffered calls. */
bool slowest_find(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                  struct slow_call *calls, size_t max, size_t *n);

#endif
