/* timeline_view.h - what a frozen timeline is made of; for the files that make and read it. */
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

/* A call that had begun and not ended. */
struct timeline_open {
    uint64_t start_ticks, newest_ticks; /* of its context */
    uint32_t function;
    uint16_t context, depth;
};

struct snapshot_timeline {
    uint64_t gone_ticks;        /* latest end of the calls that are held no more; 0: all are */
    bool abandoned;             /* the callers of calls that have none yet will not come */
    struct timeline_open *open; /* callers before what runs inside them */
    uint32_t open_count;
    uint32_t count;
    struct timeline_view views[]; /* oldest first */
};

#endif
