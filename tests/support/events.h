/* events.h - records the events of a dialect, so that two sequences can be compared. */
#ifndef SUPPORT_EVENTS_H
#define SUPPORT_EVENTS_H

#include <stdlib.h>
#include <string.h>

#include "event.h"

/* Events in order, with copies of the strings that they point to. All zero is empty; events_fini() frees it.
 */
struct events {
    struct event *event;
    size_t n, room;
    size_t batches;
};

static inline const char *events_copy(const char *text, size_t n)
{
    char *copy = malloc(n + 1);
    if (!copy)
        abort();
    memcpy(copy, text, n);
    return copy;
}

static inline const char *events_copy_word(const char *word)
{
    return word ? events_copy(word, strlen(word) + 1) : NULL;
}

static inline void events_free(const void *copy)
{
    free((void *)(uintptr_t)copy);
}

static inline const struct event_message *events_copy_message(const struct event_message *message)
{
    struct event_message *copy = malloc(sizeof *copy);
    if (!copy)
        abort();
    *copy = *message;
    copy->status = events_copy_word(message->status);
    copy->type = events_copy_word(message->type);
    copy->origin = events_copy_word(message->origin);
    copy->location = events_copy_word(message->location);
    copy->collateral = events_copy_word(message->collateral);
    return copy;
}

static inline void events_free_message(const struct event_message *message)
{
    if (!message)
        return;
    events_free(message->status);
    events_free(message->type);
    events_free(message->origin);
    events_free(message->location);
    events_free(message->collateral);
    events_free(message);
}

/* An event_batch_fn; user is a struct events. Plans are not copied: valid only while the batch is. */
static inline void events_take(void *user, const struct event *batch, size_t n)
{
    struct events *events = user;
    events->batches++;
    if (events->n + n > events->room) {
        events->room = 2 * (events->n + n);
        events->event = realloc(events->event, events->room * sizeof *events->event);
        if (!events->event)
            abort();
    }
    for (size_t i = 0; i < n; i++) {
        struct event *event = &events->event[events->n++];
        *event = batch[i];
        if (event->kind == EVENT_TEXT) {
            event->text.text = events_copy(event->text.text, event->text.n);
            if (event->text.message)
                event->text.message = events_copy_message(event->text.message);
        } else if (event->kind == EVENT_AVERAGE)
            event->average.name = events_copy(event->average.name, event->average.n);
        else if (event->kind == EVENT_CONTEXT && event->context_is.name)
            event->context_is.name = events_copy(event->context_is.name, event->context_is.n);
        else if (event->flags & EVENT_BY_NAME)
            event->named.name = events_copy(event->named.name, event->named.n);
    }
}

static inline struct event_out events_out(struct events *events)
{
    return (struct event_out){.batch = events_take, .user = events};
}

static inline bool events_same_words(const char *a, size_t n_a, const char *b, size_t n_b)
{
    return n_a == n_b && !memcmp(a, b, n_a);
}

static inline bool events_same_word(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static inline bool events_same_message(const struct event_message *a, const struct event_message *b)
{
    if (!a || !b)
        return a == b;
    return events_same_word(a->status, b->status) && events_same_word(a->type, b->type) &&
           events_same_word(a->origin, b->origin) && events_same_word(a->location, b->location) &&
           events_same_word(a->collateral, b->collateral) && a->is_call == b->is_call &&
           a->has_timestamp == b->has_timestamp && a->has_checksum == b->has_checksum &&
           a->timestamp == b->timestamp && a->context_timestamp == b->context_timestamp &&
           a->checksum == b->checksum && a->raw_length == b->raw_length;
}

static inline bool event_same(const struct event *a, const struct event *b)
{
    if (a->kind != b->kind || a->flags != b->flags || a->depth != b->depth || a->context != b->context ||
        a->ticks != b->ticks)
        return false;
    if (a->flags & EVENT_BY_NAME)
        return events_same_words(a->named.name, a->named.n, b->named.name, b->named.n);
    switch (a->kind) {
    case EVENT_CALL: return a->call.address == b->call.address && a->call.duration == b->call.duration;
    case EVENT_ENTER:
    case EVENT_OPEN:
    case EVENT_EXIT: return a->call.address == b->call.address;
    case EVENT_STACK: return !memcmp(&a->stack, &b->stack, sizeof a->stack);
    case EVENT_CONTEXT:
        return a->context_is.kind == b->context_is.kind &&
               events_same_words(a->context_is.name, a->context_is.n, b->context_is.name, b->context_is.n);
    case EVENT_ARC:
        return a->arc.from == b->arc.from && a->arc.to == b->arc.to && a->arc.calls == b->arc.calls;
    case EVENT_SAMPLE: return a->sample.address == b->sample.address && a->sample.count == b->sample.count;
    case EVENT_MARK:
        return a->mark.topic == b->mark.topic && a->mark.checkpoint == b->mark.checkpoint &&
               a->mark.calibration == b->mark.calibration && a->mark.count == b->mark.count;
    case EVENT_AVERAGE:
        return a->average.calibration == b->average.calibration &&
               a->average.mean_ticks == b->average.mean_ticks &&
               events_same_words(a->average.name, a->average.n, b->average.name, b->average.n);
    case EVENT_TEXT:
        return a->text.severity == b->text.severity && a->text.origin == b->text.origin &&
               a->text.unit == b->text.unit &&
               events_same_words(a->text.text, a->text.n, b->text.text, b->text.n) &&
               events_same_message(a->text.message, b->text.message);
    case EVENT_CLOCK: return a->clock.ticks_per_second == b->clock.ticks_per_second;
    case EVENT_TARGET:
        return a->target.mcu_clock_hz == b->target.mcu_clock_hz && a->target.timer_hz == b->target.timer_hz &&
               a->target.elf_build_id == b->target.elf_build_id &&
               !memcmp(a->target.fw_version, b->target.fw_version, sizeof a->target.fw_version);
    case EVENT_STATUS:
        return a->status.buffer_overflows == b->status.buffer_overflows &&
               a->status.records_captured == b->status.records_captured &&
               a->status.buffer_usage_percent == b->status.buffer_usage_percent &&
               a->status.profiling == b->status.profiling;
    case EVENT_ANSWER: return a->answer.ack == b->answer.ack;
    case EVENT_CLOSED: return a->closed.mode == b->closed.mode && a->closed.is_whole == b->closed.is_whole;
    case EVENT_LOST: return a->lost.records == b->lost.records;
    default: return true;
    }
}

/* The index of the first event that differs, or SIZE_MAX. */
static inline size_t events_difference(const struct events *a, const struct events *b)
{
    for (size_t i = 0; i < a->n || i < b->n; i++)
        if (i >= a->n || i >= b->n || !event_same(&a->event[i], &b->event[i]))
            return i;
    return SIZE_MAX;
}

static inline void events_fini(struct events *events)
{
    for (size_t i = 0; i < events->n; i++) {
        if (events->event[i].kind == EVENT_TEXT) {
            events_free(events->event[i].text.text);
            events_free_message(events->event[i].text.message);
        } else if (events->event[i].kind == EVENT_AVERAGE)
            events_free(events->event[i].average.name);
        else if (events->event[i].kind == EVENT_CONTEXT)
            events_free(events->event[i].context_is.name);
        else if (events->event[i].flags & EVENT_BY_NAME)
            events_free(events->event[i].named.name);
    }
    free(events->event);
    *events = (struct events){0};
}

#endif
