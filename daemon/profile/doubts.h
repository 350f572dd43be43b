/* doubts.h - calls whose caller is in doubt.
 *
 * A call of length 0, at the tick at which the next call of one level less begins, was called by that one, or
 * by another that ended at that tick and was lost. It is counted below "[depth N not seen]" until it is known
 * that nothing was lost. The node at which it then counts has the number of such calls.
 *
 * Calls that wait for a running caller are in the same doubt if that caller turns out to have begun together
 * with the first of them. Those calls *lead*. They count below "[depth N running]" until then. */
#ifndef PROFILE_DOUBTS_H
#define PROFILE_DOUBTS_H

#include "base/map.h"

#include <stddef.h>

/* Doubts about the calls of a node. */
struct doubt {
    uint32_t node, depth; /* of its calls */
    uint64_t asked;       /* calls that count here if nothing was lost */
    uint64_t asked_below; /* the same, below a call that leads */
    uint64_t leading;     /* calls that lead and count here, for now */
    uint64_t broken;      /* the same, but something was lost since, or may have been */
};

static inline bool doubt_is_left(const struct doubt *doubt)
{
    return doubt->asked || doubt->asked_below || doubt->leading || doubt->broken;
}

/* A set of doubts. All zero: empty. */
struct doubts {
    struct map by_node; /* key: node; value: row */
    struct doubt *rows;
    uint32_t count, capacity;
};

void doubts_fini(struct doubts *doubts);
void doubts_clear(struct doubts *doubts);

/* Returns the row of a node; NULL when nothing is in doubt there. Valid until the next doubts_at(). */
struct doubt *doubts_find(const struct doubts *doubts, uint32_t node);

/* Returns the row of a node, which is made if needed; NULL when memory is used up. */
struct doubt *doubts_at(struct doubts *doubts, uint32_t node, uint32_t depth);

/* Removes the nodes without doubts. */
void doubts_sweep(struct doubts *doubts);

#endif
