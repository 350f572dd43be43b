/* placement.h - finds the callers of finished calls, which are reported in the order in which they
 * returned. */
#ifndef PROFILE_PLACEMENT_H
#define PROFILE_PLACEMENT_H

#include "event.h"
#include "profile/calltree.h"
#include "profile/awaiting.h"
#include "profile/bounds.h"
#include "profile/timeline_ring.h"

/* Deeper calls are counted, but at "(other)". */
enum { PLACEMENT_DEPTH_MAX = 1024 };

/* Additional data of a call whose caller is unknown. */
struct lone {
    struct pending *call;
    const struct pending *caller; /* its caller if nothing was lost; NULL when unknown */
    uint32_t node;                /* its node in that case */
    bool below;                   /* the call leads, or is below a call that does: doubts.h */
};

/* More than arrive while a call is buffered. */
enum { PLACEMENT_VERDICTS = 8 };

/* A verdict about calls up to some point, to apply once these are placed. */
struct placement_verdict {
    uint32_t upto; /* number of pending calls before it */
    bool complete;
    bool is_break; /* placement_break() instead */
};

/* The calls that wait to be placed, and the state for placing them. */
struct placement {
    struct calltree *tree; /* borrowed, like the next two */
    struct functions *functions;
    struct timeline *timeline;
    struct bounds *bounds;   /* likewise; NULL: none */
    struct pending *pending; /* finished calls not placed yet, in the order of arrival */
    struct lone *lone; /* `capacity` elements: of the calls that are being placed, the last ones first */
    uint32_t lone_count;
    uint32_t count, capacity;
    uint32_t complete;   /* calls from the first that probably have all their callers among them */
    uint16_t shallowest; /* depth of the last of these */
    uint16_t outermost;  /* the least depth of all calls so far */
    uint64_t newest_end;
    uint16_t newest_depth;                                 /* depth of the call that ended then */
    struct placement_verdict verdicts[PLACEMENT_VERDICTS]; /* in the order of arrival */
    uint32_t verdict_count;
    struct pending *
        *callers;    /* [d]: the call of depth d - 1 that the backward walk is inside of; NULL: unknown */
    uint64_t *since; /* per depth; scratch memory */
    struct awaiting awaiting; /* calls whose callers have not returned */
    uint64_t over_limit;      /* calls deeper than PLACEMENT_DEPTH_MAX */
    uint64_t out_of_order;    /* how often a call ended before one that was reported earlier */
    uint64_t overlaps;        /* calls that began while the call before ran, and are not its callers: they are
                               * from two stacks that the target reports as one */
};

/* Allocates room for `pending_calls` finished calls. Returns false when memory is used up. */
bool placement_init(struct placement *placement, struct calltree *tree, struct functions *functions,
                    struct timeline *timeline, uint32_t pending_calls);
void placement_fini(struct placement *placement);
void placement_clear(struct placement *placement);

/* Takes the CALL events at the start of `events`, and returns how many. *latest_end becomes the latest tick
 * at which one of them ended; 0 when there are none. A call that ended before one that was reported earlier
 * belongs to another run, is repeated or late. Calls from before it are neither its callers nor its
 * callees. */
size_t placement_add(struct placement *placement, const struct event *events, size_t n, uint64_t *latest_end);

/* True when calls arrived since the last clear. */
static inline bool placement_has_some(const struct placement *placement)
{
    return placement->outermost != UINT16_MAX;
}

/* Places calls if there are many. */
void placement_end_batch(struct placement *placement);

/* Places the calls whose callers are not expected soon: up to the last that is no deeper than what already
 * waits for a caller. `impatient`: as if the callers of the shallowest pending calls never returned. Returns
 * true if there were any. */
bool placement_settle(struct placement *placement, bool impatient);

/* Places all calls, also those whose callers have not returned. */
void placement_flush(struct placement *placement);

/* Since the last judgement no record is missing (`complete`), or one may be. Pending calls stay so; the
 * verdict is applied when they are placed. */
void placement_judge(struct placement *placement, bool complete);

/* No period is measured from a call before this to a later one: records may be missing, or the target stood
 * still. */
void placement_break(struct placement *placement);

/* Nothing that was running can still return: places all calls. Those without a caller will never get one. */
void placement_abandon(struct placement *placement);

#endif
