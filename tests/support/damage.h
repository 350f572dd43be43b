/* damage.h - damages one byte of a stream (changed, lost or inserted) and counts the lost events. */
#ifndef SUPPORT_DAMAGE_H
#define SUPPORT_DAMAGE_H

#include "support/listener.h"

enum damage { DAMAGE_CHANGED, DAMAGE_LOST, DAMAGE_INSERTED, DAMAGE_KINDS };

static inline struct stream damage_do(const struct stream *whole, enum damage damage, size_t at, uint8_t byte)
{
    struct stream stream = {0};
    stream_bytes(&stream, whole->bytes, at);
    if (damage != DAMAGE_LOST)
        stream_byte(&stream, byte);
    size_t rest = at + (damage != DAMAGE_INSERTED);
    stream_bytes(&stream, whole->bytes + rest, whole->n - rest);
    return stream;
}

/* The number of events of `whole` missing in `spoilt`, and of events only in `spoilt`, after the longest equal
 * beginnings and ends are removed. `same` compares two events; EVENT_LOST is not counted.
 */
struct damage_cost {
    size_t missing, invented;
};

typedef bool damage_same_fn(const struct event *a, const struct event *b);

static inline struct events damage_without_lost(const struct events *events)
{
    struct events rest = {0};
    for (size_t i = 0; i < events->n; i++)
        if (events->event[i].kind != EVENT_LOST)
            events_take(&rest, &events->event[i], 1);
    return rest;
}

static inline struct damage_cost damage_cost(const struct events *whole, const struct events *spoilt,
                                             damage_same_fn *same)
{
    struct events a = damage_without_lost(whole), b = damage_without_lost(spoilt);
    size_t least = a.n < b.n ? a.n : b.n, head = 0, tail = 0;
    while (head < least && same(&a.event[head], &b.event[head]))
        head++;
    while (tail < least - head && same(&a.event[a.n - 1 - tail], &b.event[b.n - 1 - tail]))
        tail++;
    struct damage_cost cost = {a.n - head - tail, b.n - head - tail};
    events_fini(&a);
    events_fini(&b);
    return cost;
}

#endif
