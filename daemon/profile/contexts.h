/* contexts.h - what the target's stacks are called. */
#ifndef PROFILE_CONTEXTS_H
#define PROFILE_CONTEXTS_H

#include "base/map.h"
#include "profile/livestacks.h"
#include "profile/marks.h"

/* Names by context. Zero is the empty one. */
struct contexts {
    struct map by_context; /* the dialect's number to a place in `known` */
    struct known_context *known;
    uint32_t count, capacity;
};

void contexts_fini(struct contexts *contexts);

/* Hears an EVENT_TEXT, which names its context after the message's origin and unit; the first name stays. */
void contexts_hear(struct contexts *contexts, const struct event *event);

/* Hears an EVENT_CONTEXT: the kind and, where one is told, the name; the newest stay. */
void contexts_learn(struct contexts *contexts, const struct event *event);

/* Makes the n context rows of a snapshot, which the caller frees; NULL when memory is used up. CALL events
 * come from one stack, ENTER and EXIT from one each; what lies between checkpoints stands in a lane per
 * calibration index. An interrupt that has but a number is called after its handler, where exactly one
 * function was ever outermost in it. */
struct snapshot_context *contexts_freeze(const struct contexts *contexts, const struct livestacks *stacks,
                                         const struct marks *marks, uint64_t sequence, uint32_t *n);

#endif
