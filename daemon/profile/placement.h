/* placement.h - puts finished calls, told in the order in which they returned, under their callers. */
#ifndef PROFILE_PLACEMENT_H
#define PROFILE_PLACEMENT_H

#include "event.h"
#include "profile/calltree.h"
#include "profile/awaiting.h"
#include "profile/timeline.h"

/* Deeper calls are counted, but placed under "(other)". */
enum { PLACEMENT_DEPTH_MAX = 1024 };

/* The calls that wait to be placed, and what placing them needs. */
struct placement {
    struct calltree *tree; /* borrowed, like the next two */
    struct functions *functions;
    struct timeline *timeline;
    struct pending *pending; /* finished calls not placed yet, in the order of arrival */
    struct pending *scratch; /* for sorting, as large */
    uint32_t count, capacity;
    uint32_t batch; /* number of the batch that is being added */
    uint32_t batch_start;
    uint32_t
        complete; /* calls from the start that have all their callers among them, as far as one can tell */
    uint16_t shallowest; /* depth of the last of these */
    uint16_t outermost;  /* the least depth that any call had */
    uint64_t newest_end;
    bool unsorted;            /* some call ended before one that arrived earlier */
    struct pending **callers; /* per depth: the call that the backward walk is inside of; NULL: unknown; at
                                 [d] the one of depth d - 1 */
    struct awaiting awaiting; /* what runs under callers that have not returned */
    uint64_t over_limit;      /* calls deeper than PLACEMENT_DEPTH_MAX */
};

/* Makes room for `pending_calls` finished calls. False when memory is used up. */
bool placement_init(struct placement *placement, struct calltree *tree, struct functions *functions,
                    struct timeline *timeline, uint32_t pending_calls);
void placement_fini(struct placement *placement);
void placement_clear(struct placement *placement);

/* Takes the CALL events that the n at `events` begin with, and returns how many these are; *latest_end
 * becomes the latest tick at which one of them ended, 0 when there are none. Calls between two
 * placement_end_batch() came without a gap. */
size_t placement_add(struct placement *placement, const struct event *events, size_t n, uint64_t *latest_end);
void placement_end_batch(struct placement *placement);

/* Places all calls, also those whose callers have not returned. */
void placement_flush(struct placement *placement);

/* Places all calls, and gives up what has no caller by now: nothing that was running before can still return.
 */
void placement_abandon(struct placement *placement);

#endif
