/* dialect_instance.h - an instance of a dialect, with its state and the data from its files. */
#ifndef SESSION_DIALECT_INSTANCE_H
#define SESSION_DIALECT_INSTANCE_H

#include "dialect/dialect.h"
#include "snapshot/snapshot.h"

/* All zero is no dialect; it may be closed, finished and reset. */
struct dialect_instance {
    const struct dialect *dialect;
    void *companion, *state;
};

/* Loads the dialect's files and starts it. Returns false with an error (err may be NULL) if a setting is
 * invalid or memory is used up; then it is all zero. All that the settings point to must outlive it. */
bool dialect_instance_open(struct dialect_instance *instance, const struct dialect *dialect,
                           const struct dialect_settings *settings, struct error *err);

/* Frees it and makes it all zero. */
void dialect_instance_close(struct dialect_instance *instance);

void dialect_instance_finish(struct dialect_instance *instance, const struct event_out *out);
void dialect_instance_idle(struct dialect_instance *instance,
                           const struct event_out *out);        /* the line is quiet */
void dialect_instance_reset(struct dialect_instance *instance); /* the target has restarted */

/* Reports that bytes are missing before the next ones, unless the dialect itself detects that, and more
 * precisely. */
void dialect_instance_tell_gap(const struct dialect_instance *instance, bool line_was_away,
                               const struct event_out *out);

/* See struct dialect. */
void dialect_instance_retell(struct dialect_instance *instance, const struct event_out *out);

/* Sets figures that only the link's own dialect has, not one that it carries. */
void dialect_instance_tell(const struct dialect_instance *instance, struct snapshot_link *link);

/* For an open instance. */
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
