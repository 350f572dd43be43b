/* breaches.h - the times that a limit was not kept: the newest, and of those before the worst. */
#ifndef PROFILE_BREACHES_H
#define PROFILE_BREACHES_H

#include "snapshot/bounds.h"

/* The newest are a ring, and the worst stay when they leave it. Zero is the empty list. */
struct breaches {
    struct snapshot_breach newest[BREACHES_NEWEST_MAX];
    uint32_t first, count;
    struct snapshot_breach worst[BREACHES_WORST_MAX]; /* in no order */
    uint32_t worst_count;
    uint64_t told;
    bool has_news;               /* since breaches_news() was asked last: */
    struct snapshot_breach news; /* the worst */
};

/* Lists it under the next number, which is filled in. */
void breaches_add(struct breaches *breaches, struct snapshot_breach *breach);

/* Tells the worst one since it was asked last; false when there was none. */
bool breaches_news(struct breaches *breaches, struct snapshot_breach *worst);

/* Makes the list that a snapshot holds, by number, which the caller frees; NULL when memory is used up. */
struct snapshot_breach *breaches_freeze(const struct breaches *breaches, uint32_t *n);

#endif
