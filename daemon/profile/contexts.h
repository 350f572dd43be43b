/* contexts.h - the names of the target's contexts (tasks and interrupts). */
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

/* Reads an EVENT_TEXT, which names its context after the message's origin and unit; the first name stays. */
void contexts_hear(struct contexts *contexts, const struct event *event);

/* Reads an EVENT_CONTEXT: the kind and, where one is reported, the name; the newest stay, but a number is no
 * name in the place of one that was reported. Another name is that of another context, to which the number
 * was given: it gets a stack of its own in `stacks`. Where `is_counted`, by the target, sums go on in the
 * same nodes, so those that had the number are called "(several tasks)" together; so are those beyond a
 * ceiling. */
void contexts_learn(struct contexts *contexts, const struct event *event, struct livestacks *stacks,
                    bool is_counted);

/* The times so far are forgotten: from here on those of a context are of the task that has its number now. */
void contexts_clear(struct contexts *contexts);

/* A STACK event says that nothing runs in that context: one that was renamed just before, while calls ran,
 * was another one. */
void contexts_empty(struct contexts *contexts, struct livestacks *stacks, uint32_t context);

/* Makes the n context rows of a snapshot, which the caller frees; NULL when memory is used up. CALL events
 * come from one stack, ENTER and EXIT from one each; what lies between checkpoints stands in a lane per
 * calibration index. An interrupt that has but a number is called after its handler, where exactly one
 * function was ever outermost in it. */
struct snapshot_context *contexts_freeze(const struct contexts *contexts, const struct livestacks *stacks,
                                         const struct marks *marks, uint64_t sequence, uint32_t *n);

#endif
