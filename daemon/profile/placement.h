/* placement.h - puts finished calls, reported in the order in which they returned, under their callers. */
#ifndef PROFILE_PLACEMENT_H
#define PROFILE_PLACEMENT_H

#include "event.h"
#include "profile/calltree.h"
#include "profile/awaiting.h"
#include "profile/bounds.h"
#include "profile/timeline_ring.h"

/* Deeper calls are counted, but placed under "(other)". */
enum { PLACEMENT_DEPTH_MAX = 1024 };

/* What is known about a call whose caller is not. */
struct lone {
    struct pending *call;
    const struct pending *caller; /* if nothing was lost; NULL: none is known */
    uint32_t node;                /* where it counts then */
    bool below;                   /* it leads, or is below a call that does: doubts.h */
};

/* More than come while a call is held. */
enum { PLACEMENT_VERDICTS = 8 };

/* What was said of the calls up to some point, to be heeded once these are placed. */
struct placement_verdict {
    uint32_t upto; /* of the calls that are pending */
    bool complete;
    bool is_break; /* placement_break() instead */
};

/* The calls that wait to be placed, and what placing them needs. */
struct placement {
    struct calltree *tree; /* borrowed, like the next two */
    struct functions *functions;
    struct timeline *timeline;
    struct bounds *bounds;   /* likewise; NULL: none */
    struct pending *pending; /* finished calls not placed yet, in the order of arrival */
    struct lone *lone;       /* as many: those of the calls that are being placed, last ones first */
    uint32_t lone_count;
    uint32_t count, capacity;
    uint32_t
        complete; /* calls from the start that have all their callers among them, as far as one can tell */
    uint16_t shallowest; /* depth of the last of these */
    uint16_t outermost;  /* the least depth that any call had */
    uint64_t newest_end;
    uint16_t newest_depth;                                 /* of that call */
    struct placement_verdict verdicts[PLACEMENT_VERDICTS]; /* in the order in which they were given */
    uint32_t verdict_count;
    struct pending **callers; /* per depth: the call that the backward walk is inside of; NULL: unknown; at
                                 [d] the one of depth d - 1 */
    uint64_t *since;          /* per depth, for a moment */
    struct awaiting awaiting; /* what runs under callers that have not returned */
    uint64_t over_limit;      /* calls deeper than PLACEMENT_DEPTH_MAX */
    uint64_t out_of_order;    /* times that a call ended before one that was reported earlier */
    uint64_t overlaps;        /* calls that began while the call before them ran, and are not its callers: of
                                 two stacks, which the target tells as one */
};

/* Makes room for `pending_calls` finished calls. False when memory is used up. */
bool placement_init(struct placement *placement, struct calltree *tree, struct functions *functions,
                    struct timeline *timeline, uint32_t pending_calls);
void placement_fini(struct placement *placement);
void placement_clear(struct placement *placement);

/* Takes the CALL events that the n at `events` begin with, and answers how many these are; *latest_end is the
 * latest tick at which one of them ended, 0 when there are none. One that ended before another that was
 * reported earlier is of another run, or came twice, or too late: nothing from before is its caller or
 * callee. */
size_t placement_add(struct placement *placement, const struct event *events, size_t n, uint64_t *latest_end);

/* True when calls came since it was cleared. */
static inline bool placement_has_some(const struct placement *placement)
{
    return placement->outermost != UINT16_MAX;
}

/* Places calls if there are many. */
void placement_end_batch(struct placement *placement);

/* Places the calls of which no caller may be expected soon: up to the last that is no deeper than what waits
 * for a caller already. `impatient`: as if whatever calls the shallowest of those pending never returned.
 * True when there were any. */
bool placement_settle(struct placement *placement, bool impatient);

/* Places all calls, also those whose callers have not returned. */
void placement_flush(struct placement *placement);

/* It is known that no record is missing since this was said last, or else one may be. Calls that are pending
 * stay so, and heed it later. */
void placement_judge(struct placement *placement, bool complete);

/* No time is measured from a call so far to one to come: some may be missing, or the target stood still. */
void placement_break(struct placement *placement);

/* Nothing that was running before can still return: places all calls, and whatever has no caller by now never
 * will. */
void placement_abandon(struct placement *placement);

#endif
