/* dialect_instance.h - one dialect at work, with its state and what it made of its files. */
#ifndef SESSION_DIALECT_INSTANCE_H
#define SESSION_DIALECT_INSTANCE_H

#include "dialect/dialect.h"
#include "snapshot/snapshot.h"

/* All zero: none, which may be closed, finished and reset. */
struct dialect_instance {
    const struct dialect *dialect;
    void *companion, *state;
};

/* Loads and starts. False with a sentence (err may be NULL) when a setting cannot be or memory is used up;
 * then it is all zero. What the settings point to must outlive it. */
bool dialect_instance_open(struct dialect_instance *instance, const struct dialect *dialect,
                           const struct dialect_settings *settings, struct error *err);

/* Back to all zero. */
void dialect_instance_close(struct dialect_instance *instance);

void dialect_instance_finish(struct dialect_instance *instance, const struct event_out *out);
void dialect_instance_idle(struct dialect_instance *instance,
                           const struct event_out *out);        /* nothing comes at present */
void dialect_instance_reset(struct dialect_instance *instance); /* the target started again */

/* Tells that bytes are missing before what comes next, where the dialect will not tell it itself, and more
 * exactly. */
void dialect_instance_tell_gap(const struct dialect_instance *instance, bool line_was_away,
                               const struct event_out *out);

/* See struct dialect. */
void dialect_instance_retell(struct dialect_instance *instance, const struct event_out *out);

/* Writes what only the dialect of the link has, and no dialect that it carries. */
void dialect_instance_tell(const struct dialect_instance *instance, struct snapshot_link *link);

/* These are of one that is open. */
static inline void dialect_instance_decode(struct dialect_instance *instance, const uint8_t *bytes, size_t n,
                                           const struct event_out *out)
{
    instance->dialect->decode(instance->state, bytes, n, out);
}

static inline const struct dialect_health *dialect_instance_health(const struct dialect_instance *instance)
{
    return instance->dialect->health(instance->state);
}

#endif
