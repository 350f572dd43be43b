/* batch.h - collects events, to hand on many at a time. */
#ifndef DIALECT_BATCH_H
#define DIALECT_BATCH_H

#include "event.h"

enum { BATCH_EVENTS = 64 };

/* A batch lives for one call of decode(): it is opened before the first event and flushed after the last.
 * What the events point to must live as long. */
struct batch {
    const struct event_out *out;
    size_t n;
    struct event events[BATCH_EVENTS];
};

/* Begins an empty batch for `out`, which is borrowed. */
static inline void batch_open(struct batch *batch, const struct event_out *out)
{
    batch->out = out;
    batch->n = 0;
}

/* Hands on the collected events. */
static inline void batch_flush(struct batch *batch)
{
    if (batch->n)
        batch->out->batch(batch->out->user, batch->events, batch->n);
    batch->n = 0;
}

/* Adds a copy of the event; hands on the collected events first when the batch is full. */
static inline void batch_add(struct batch *batch, const struct event *event)
{
    if (batch->n == BATCH_EVENTS)
        batch_flush(batch);
    batch->events[batch->n++] = *event;
}

#endif
