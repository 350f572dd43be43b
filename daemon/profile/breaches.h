/* breaches.h - the times that limits were not kept: the newest, and of those before the worst, of each limit
 * as many as of the others where it can be. */
#ifndef PROFILE_BREACHES_H
#define PROFILE_BREACHES_H

#include "snapshot/bound_rows.h"

/* The newest are a ring, and the worst stay when they leave it. Zero is the empty list. */
struct breaches {
    struct snapshot_breach newest[BREACHES_NEWEST_MAX];
    uint32_t first, count;
    struct snapshot_breach worst[BREACHES_WORST_MAX]; /* in no order */
    uint32_t worst_count;
    uint64_t told;
    struct snapshot_breach
        news[BOUNDS_MAX]; /* of each limit the worst that breaches_news() has not reported */
    uint32_t news_count;
};

/* Lists it under the next number, which is filled in. */
void breaches_add(struct breaches *breaches, struct snapshot_breach *breach);

/* Tells the worst one of a limit since that one's was reported last; false when there is no more to tell. */
bool breaches_news(struct breaches *breaches, struct snapshot_breach *worst);

/* Makes the list that a snapshot holds, by number, which the caller frees; NULL when memory is used up. */
struct snapshot_breach *breaches_freeze(const struct breaches *breaches, uint32_t *n);

#endif
