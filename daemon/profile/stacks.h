/* stacks.h - puts finished calls, told in the order in which they returned, under their callers. */
#ifndef PROFILE_STACKS_H
#define PROFILE_STACKS_H

#include "event.h"
#include "profile/calltree.h"
#include "profile/segments.h"
#include "profile/timeline.h"

/* Deeper calls are counted, but placed under "(other)". */
enum { STACKS_DEPTH_MAX = 1024 };

struct stacks {
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
    struct segments segments; /* what runs under callers that have not returned */
    uint64_t over_limit;      /* calls deeper than STACKS_DEPTH_MAX */
};

/* Room for `pending_calls` finished calls. False when memory is used up. */
bool stacks_init(struct stacks *stacks, struct calltree *tree, struct functions *functions,
                 struct timeline *timeline, uint32_t pending_calls);
void stacks_fini(struct stacks *stacks);
void stacks_clear(struct stacks *stacks);

/* Takes the CALL events that the n at `events` begin with, and answers how many these are; *latest_end is the
 * latest tick at which one of them ended, 0 when there are none. Calls between two stacks_end_batch() came
 * without a gap. */
size_t stacks_add(struct stacks *stacks, const struct event *events, size_t n, uint64_t *latest_end);
void stacks_end_batch(struct stacks *stacks);

/* Places all calls, callers that have not returned or not. */
void stacks_flush(struct stacks *stacks);

/* Nothing that was running before can still return: places all calls, and whatever has no caller by now never
 * will. */
void stacks_abandon(struct stacks *stacks);

#endif
