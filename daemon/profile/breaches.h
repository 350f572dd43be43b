/* breaches.h - breaches of limits: the newest, and the worst of the older ones, evenly shared among limits if
 * possible. */
#ifndef PROFILE_BREACHES_H
#define PROFILE_BREACHES_H

#include "snapshot/bound_rows.h"

/* The newest are in a ring; the worst of those that leave it are kept. All zero: empty. */
struct breaches {
    struct snapshot_breach newest[BREACHES_NEWEST_MAX];
    uint32_t first, count;
    struct snapshot_breach worst[BREACHES_WORST_MAX]; /* in no order */
    uint32_t worst_count;
    uint64_t told;
    struct snapshot_breach news[BOUNDS_MAX]; /* per limit: the worst that breaches_news() has not returned */
    uint32_t news_count;
};

/* Adds the breach, and fills in its number. */
void breaches_add(struct breaches *breaches, struct snapshot_breach *breach);

/* Returns, for any limit, its worst breach that was not returned yet; false when there are no more. */
bool breaches_news(struct breaches *breaches, struct snapshot_breach *worst);

/* Makes the list for a snapshot, sorted by number, which the caller frees; NULL when memory is used up. */
struct snapshot_breach *breaches_freeze(const struct breaches *breaches, uint32_t *n);

#endif
