/* batch.h - events gathered, to be handed on many at a time. */
#ifndef DIALECT_BATCH_H
#define DIALECT_BATCH_H

#include "event.h"

enum { BATCH_EVENTS = 64 };

/* A batch lives as long as one call of decode(): it is opened before the first event and flushed after the
 * last. What the events point to must live until then, too. */
struct batch {
    const struct event_out *out;
    size_t n;
    struct event events[BATCH_EVENTS];
};

/* Begins an empty batch, whose events go to `out`, which is borrowed. */
static inline void batch_open(struct batch *batch, const struct event_out *out)
{
    batch->out = out;
    batch->n = 0;
}

/* Hands on what was gathered. */
static inline void batch_flush(struct batch *batch)
{
    if (batch->n)
        batch->out->batch(batch->out->user, batch->events, batch->n);
    batch->n = 0;
}

/* Adds a copy of the event, and hands on what was gathered when there is no room for it. */
static inline void batch_add(struct batch *batch, const struct event *event)
{
    if (batch->n == BATCH_EVENTS)
        batch_flush(batch);
    batch->events[batch->n++] = *event;
}

#endif
