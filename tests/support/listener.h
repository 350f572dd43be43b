/* listener.h - one RAW dialect that decodes bytes, and the events it reported. */
#ifndef SUPPORT_LISTENER_H
#define SUPPORT_LISTENER_H

#include <criterion/criterion.h>

#include "dialect/dialect.h"
#include "support/events.h"
#include "support/stream.h"

struct listener {
    const struct dialect *dialect;
    void *state;
    struct events events;
};

static inline struct listener listener_open(const char *id, const struct dialect_settings *settings)
{
    struct listener listener = {.dialect = dialect_find(id)};
    cr_assert_not_null(listener.dialect);
    listener.state = calloc(1, listener.dialect->state_size);
    struct error err = {""};
    cr_assert(listener.dialect->start(listener.state, settings, &err), "%s", err.text);
    return listener;
}

static inline void listener_hear(struct listener *listener, const void *bytes, size_t n)
{
    struct event_out out = events_out(&listener->events);
    listener->dialect->decode(listener->state, bytes, n, &out);
}

static inline void listener_end(struct listener *listener)
{
    struct event_out out = events_out(&listener->events);
    listener->dialect->finish(listener->state, &out);
}

static inline const struct dialect_health *listener_health(const struct listener *listener)
{
    return listener->dialect->health(listener->state);
}

static inline size_t listener_count(const struct listener *listener, enum event_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < listener->events.n; i++)
        n += listener->events.event[i].kind == kind;
    return n;
}

/* The number'th event of that kind, from 0. */
static inline const struct event *listener_event(const struct listener *listener, enum event_kind kind,
                                                 size_t number)
{
    for (size_t i = 0; i < listener->events.n; i++)
        if (listener->events.event[i].kind == kind && number-- == 0)
            return &listener->events.event[i];
    cr_assert_fail("no such event");
    return NULL;
}

static inline void listener_close(struct listener *listener)
{
    events_fini(&listener->events);
    free(listener->state);
}

/* Decodes a whole stream, including its end. */
static inline struct listener listener_of(const char *id, const struct dialect_settings *settings,
                                          const struct stream *stream)
{
    struct listener listener = listener_open(id, settings);
    listener_hear(&listener, stream->bytes, stream->n);
    listener_end(&listener);
    return listener;
}

#endif
