/* pending.h - a finished call that has not been placed in the call tree yet. */
#ifndef PROFILE_PENDING_H
#define PROFILE_PENDING_H

#include "profile/timeline_ring.h"

/* One call, between its arrival and its placement. */
struct pending {
    struct timeline_call told; /* its timeline entry; the tie is set when it is placed */
    uint64_t self_ticks;       /* duration minus callees placed so far */
    uint32_t node;             /* its node, once placed */
    uint32_t rare : 31;        /* index of its struct lone, unless its tie is CALLED */
    uint32_t refuses : 1;      /* it is certainly not a caller, if that was checked */
};

/* The tick at which the call ended. */
static inline uint64_t pending_end(const struct pending *call)
{
    return call->told.start_ticks + call->told.duration_ticks;
}

/* Its depth: 0 is the outermost. */
static inline uint16_t pending_depth(const struct pending *call)
{
    return timeline_depth(&call->told);
}

static inline uint32_t pending_tie(const struct pending *call)
{
    return call->told.place & TIMELINE_TIES;
}

#endif
