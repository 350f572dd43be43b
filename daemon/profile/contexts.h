/* contexts.h - the names of the target's contexts (tasks and interrupts). */
#ifndef PROFILE_CONTEXTS_H
#define PROFILE_CONTEXTS_H

#include "base/map.h"
#include "profile/livestacks.h"
#include "profile/marks.h"

/* Names by context. All zero: empty. */
struct contexts {
    struct map by_context; /* key: the dialect's number; value: index in `known` */
    struct known_context *known;
    uint32_t count, capacity;
};

void contexts_fini(struct contexts *contexts);

/* Reads an EVENT_TEXT: names its context after the message's origin and unit. The first name stays. */
void contexts_hear(struct contexts *contexts, const struct event *event);

/* Reads an EVENT_CONTEXT: the context's kind and, if there is one, its name. The newest name stays, but a
 * default with a number does not replace a reported name. A different name means that the number was given to
 * another context, which gets its own stack in `stacks`. If `is_counted` (by the target), the same nodes
 * continue to be used, so all contexts that had the number are named "(several tasks)". The same happens
 * above a ceiling. */
void contexts_learn(struct contexts *contexts, const struct event *event, struct livestacks *stacks,
                    bool is_counted);

/* Call this when times were cleared: from now on those of a context are only of the task that now has its
 * number. */
void contexts_clear(struct contexts *contexts);

/* A STACK event reported that nothing runs in the context. If it was renamed just before, while calls were
 * running, it was a different context. */
void contexts_empty(struct contexts *contexts, struct livestacks *stacks, uint32_t context);

/* Makes the n context rows of a snapshot, which the caller frees; NULL when memory is used up. CALL events
 * are all from one stack, ENTER and EXIT from one per context. Pairs of checkpoints have a lane per
 * calibration index. A numbered interrupt is named after its handler, if only one function was ever outermost
 * in it. */
struct snapshot_context *contexts_freeze(const struct contexts *contexts, const struct livestacks *stacks,
                                         const struct marks *marks, uint64_t sequence, uint32_t *n);

#endif
