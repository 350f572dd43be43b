/* timeline_view.h - what a frozen timeline is made of; for the two files that make and read it. */
#ifndef PROFILE_TIMELINE_VIEW_H
#define PROFILE_TIMELINE_VIEW_H

#include "profile/timeline.h"

/* The calls of one chunk that were there when it was frozen. */
struct timeline_view {
    struct timeline_chunk *chunk; /* holds a reference */
    const struct timeline_call *calls;
    uint32_t count;
    uint64_t from_ticks, to_ticks; /* earliest start, latest end */
};

struct snapshot_timeline {
    uint32_t count;
    struct timeline_view views[]; /* oldest first */
};

#endif
