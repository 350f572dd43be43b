/* lookups.h - estimates how many calls of mode tree had a callee that the target had to look up.
 *
 * A hook expects the callee that was called last, or the one that followed that last time. Any other callee is
 * looked up. In which order a function calls is not on the wire, only how often. The estimate takes it to call
 * the same callees in the same order each time, with two exceptions:
 * - Of n calls of the caller, only some contain the callee: a branch. Where it goes another way than the time
 *   before, what follows is looked up, and once more when it goes back. With a share f of the calls, and a
 *   choice at random, these are 2 f (1 - f) n.
 * - Callees that are called equally often, at least twice in each call of the caller, form a loop. Its last
 *   callee is followed by the first, or by what comes after the loop: two lookups for each call.
 *
 * Where the caller's calls are not counted, they are taken to be as many as those of its rarest callee. Of two
 * callees each follows the other, so none is looked up once that is known. Of n calls, m of them to one callee, at
 * most 2 (n - m) are looked up, whatever the order. A callee's first call is not included.
 *
 * A callee that follows another as expected needs no lookup, but a few instructions more than one that is called
 * again (`changes`). */
#ifndef SNAPSHOT_LOOKUPS_H
#define SNAPSHOT_LOOKUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All calls of one caller to one callee. */
struct lookups_callee {
    uint32_t caller;
    uint64_t calls; /* at least 1 */
};

struct lookups_caller {
    uint64_t calls;           /* of the caller; 0 when not counted */
    double estimate, most;    /* filled in: lookups in all; `most` is their limit in any order of calls */
    double changes;           /* filled in: other calls of another callee than the one before, estimated */
    double made;              /* filled in: calls to all callees */
    uint64_t greatest, least; /* filled in: calls to one callee */
    uint32_t callees;         /* filled in */
};

/* Fills in the callers, whose other members must be 0. Each callee's `caller` is an index of `callers`. Sorts
 * `callees`. */
void lookups_estimate(struct lookups_callee *callees, size_t n, struct lookups_caller *callers);

#endif
