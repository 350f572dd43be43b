/* doubts.h - calls that may have another caller than order says.
 *
 * A call of no length at the very tick at which the next call of one level less begins was called by that
 * one, or by another that ended in that tick and was lost. It is counted below "[depth N not seen]" until it
 * is known that nothing was lost; and it is remembered, by number, at the node at which it then counts.
 *
 * Calls that wait for a caller that is still running are of that sort if that caller turns out to have begun
 * when the first of them did: those lead. They count below "[depth N running]" until then. */
#ifndef PROFILE_DOUBTS_H
#define PROFILE_DOUBTS_H

#include "base/map.h"

#include <stddef.h>

/* What may change at a node. */
struct doubt {
    uint32_t node, depth; /* of its calls */
    uint64_t asked;       /* calls that count here if nothing was lost */
    uint64_t asked_below; /* the same, below a call that leads */
    uint64_t leading;     /* calls that count here, and will only if nothing was lost, if it comes to that */
    uint64_t broken;      /* the same, but something was lost, or may be */
};

static inline bool doubt_is_left(const struct doubt *doubt)
{
    return doubt->asked || doubt->asked_below || doubt->leading || doubt->broken;
}

/* Zero is the empty set. */
struct doubts {
    struct map by_node; /* to a row */
    struct doubt *rows;
    uint32_t count, capacity;
};

void doubts_fini(struct doubts *doubts);
void doubts_clear(struct doubts *doubts);

/* The row of a node, NULL when nothing is in doubt there. Valid until the next doubts_at(). */
struct doubt *doubts_find(const struct doubts *doubts, uint32_t node);

/* The same, but it is made; NULL when memory is used up. */
struct doubt *doubts_at(struct doubts *doubts, uint32_t node, uint32_t depth);

/* Forgets nodes at which nothing is in doubt any more. */
void doubts_sweep(struct doubts *doubts);

#endif
