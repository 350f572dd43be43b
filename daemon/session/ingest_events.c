/* ingest_events.c - what the target says, and who has to know: the profile all of it, the rest of the room
 * what is about the device, the target, the symbols and the losses. */
#include "session/ingest.h"

#include "base/clock.h"

#include <assert.h>

/* The kinds of events that are not only for the profile. */
enum {
    ALSO_OURS = 1 << EVENT_CLOCK | 1 << EVENT_TARGET | 1 << EVENT_STATUS | 1 << EVENT_ANSWER | 1 << EVENT_LOST
};
static_assert(EVENT_RESET < 32, "a kind of event must fit a bit of ALSO_OURS");

void ingest_follow_symbols(struct ingest *ingest, enum symbols_change change)
{
    if (change == SYMBOLS_SAME)
        return;
    profile_set_symbols(ingest->profile, ingest->symbols.current);
    /* A capture cannot be had again: names of another build are better than nothing. */
    if (change == SYMBOLS_REPLACED && !source_is_finite(ingest->source))
        profile_clear(ingest->profile);
    ingest->changed = true;
}

static void hear(struct ingest *ingest, const struct event *event)
{
    uint64_t now_ms = clock_monotonic_ms();
    if (device_hear(&ingest->device, event, now_ms)) {
        if (log_gate_open(&ingest->restart_gate)) {
            log_write(LOG_INFO, "The target has started anew.");
            ingest->urgent = true;
        }
        target_restart(&ingest->target);
        loss_restart(&ingest->loss);
        decoder_restart(ingest->decoder);
    }
    target_hear(&ingest->target, event);
    if (event->kind == EVENT_STATUS)
        loss_hear(&ingest->loss, ingest->target.told.records_captured, event->status.buffer_usage_percent,
                  decoder_records(ingest->decoder));
    if (event->kind == EVENT_LOST)
        ingest->records_rejected += event->lost.records;
    if (event->kind == EVENT_TARGET)
        ingest_follow_symbols(ingest, symbols_hear(&ingest->symbols, &ingest->target.told));
}

void ingest_events(void *user, const struct event *events, size_t n)
{
    struct ingest *ingest = user;
    if (events[0].kind == EVENT_CALL) { /* so all are */
        device_hear_calls(&ingest->device);
    } else {
        for (size_t i = 0; i < n; i++)
            if (1u << events[i].kind & ALSO_OURS)
                hear(ingest, &events[i]);
    }
    profile_apply(ingest->profile, events, n);
}
