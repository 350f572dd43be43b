/* finished.c - turns version 1 of PROFILE_DATA, finished calls, into events.
 *
 * The only difficulty is time: records have 32-bit times that wrap, in the order in which calls end. They are
 * widened around the newest end so far (protocol/SPEC.md section 7), on a time line that begins at two
 * periods. After a restart of the target, whose ticks begin near 0 again, this time line is moved to the end
 * of the last one. */
#include "dialect/miniprof/finished.h"

#include "protocol/bytes.h"
#include "protocol/packet.h"
#include "protocol/ticks.h"

#include <assert.h>
#include <string.h>

static_assert((int)FINISHED_RECORD == (int)MP_RECORD_SIZE, "the last packet's records fit");

enum { BATCH = 128 };

/* Initial position of raw time 0: high enough that no start is below 0, however early the call ends and
 * however long it takes. */
#define ORIGIN (UINT64_C(2) << 32)

static void emit_lost(const struct event_out *out, uint64_t records)
{
    out->batch(out->user, &(struct event){.kind = EVENT_LOST, .lost.records = records}, 1);
}

/* Returns the end of a call, on a time line where raw 0 is ORIGIN; `newest` is the newest end so far. */
static uint64_t end_of(uint64_t newest, const struct mp_record *record)
{
    return mp_ticks_widen(newest, record->start + record->duration, 32);
}

/* Decodes n records, at most BATCH. The newest end so far is kept in a register. */
static void decode_batch(struct finished *finished, const uint8_t *records, size_t n, struct event *event)
{
    uint64_t newest = finished->newest;
    for (const uint8_t *last = records + n * MP_RECORD_SIZE; records < last; records += MP_RECORD_SIZE) {
        struct mp_record record = mp_record_decode(records);
        uint64_t end = end_of(newest, &record);
        newest = end > newest ? end : newest;
        event->kind = EVENT_CALL; /* the union's other bytes are not used */
        event->flags = 0;
        event->depth = record.depth;
        event->context = 0;
        event->ticks = finished->moved + end - record.duration;
        event->call.address = record.address;
        event->call.duration = record.duration;
        event++;
    }
    finished->newest = newest;
}

/* Decodes a record after a silence; the call may have ended before that. */
static void decode_after_silence(struct finished *finished, const uint8_t *record, struct event *event)
{
    uint64_t newest = finished->newest;
    finished->newest = finished->around;
    decode_batch(finished, record, 1, event);
    uint64_t end = event->ticks + event->call.duration - finished->moved;
    finished->newest = end > newest ? end : newest;
}

static void decode_records(struct finished *finished, const uint8_t *records, size_t n,
                           const struct event_out *out)
{
    struct event batch[BATCH];
    if (n && !finished->newest) {
        struct mp_record first = mp_record_decode(records);
        finished->newest = ORIGIN + (uint32_t)(first.start + first.duration);
    }
    while (n) {
        bool is_silence = finished->around > finished->newest;
        size_t some = is_silence ? 1 : n < BATCH ? n : BATCH;
        if (is_silence)
            decode_after_silence(finished, records, batch);
        else
            decode_batch(finished, records, some, batch);
        out->batch(out->user, batch, some);
        records += some * MP_RECORD_SIZE;
        n -= some;
    }
}

/* Returns the last of n records with a duration; n when none has one. */
static size_t last_of_length(const uint8_t *records, size_t n)
{
    for (size_t i = n; i-- > 0;)
        if (mp_record_decode(records + i * MP_RECORD_SIZE).duration > 0)
            return i;
    return n;
}

/* True when the last packet was repeated, as networks may do: no call with a duration happens twice. Calls
 * without duration do, if the clock is coarse. Stores what identifies the packet. */
static bool came_before(struct finished *finished, const uint8_t *records, size_t n)
{
    size_t at = last_of_length(records, n);
    const uint8_t *one = records + at * MP_RECORD_SIZE;
    if (at == n) {
        finished->last.n = 0;
        return false;
    }
    if (n == finished->last.n && at == finished->last.at &&
        !memcmp(one, finished->last.one, MP_RECORD_SIZE) &&
        !memcmp(records, finished->last.first, MP_RECORD_SIZE))
        return true;
    finished->last.n = n;
    finished->last.at = at;
    memcpy(finished->last.one, one, MP_RECORD_SIZE);
    memcpy(finished->last.first, records, MP_RECORD_SIZE);
    return false;
}

void finished_decode(struct finished *finished, const uint8_t *payload, size_t n,
                     struct dialect_health *health, const struct event_out *out)
{
    struct mp_profile_head head;
    if (!mp_profile_head_decode(&head, payload, n)) {
        health->malformed++;
        emit_lost(out, 0);
        return;
    }
    size_t room = (n - MP_PROFILE_DATA_HEAD) / MP_RECORD_SIZE;
    size_t rest = (n - MP_PROFILE_DATA_HEAD) % MP_RECORD_SIZE;
    if (head.record_count != room || rest)
        health->malformed++;
    if (head.record_count > room) { /* unknown which of them are records */
        emit_lost(out, room);
        return;
    }
    if (mp_profile_is_closing(payload, n))
        out->batch(out->user,
                   &(struct event){.kind = EVENT_CLOSED, .closed = {.mode = MODE_CALLS, .is_whole = true}},
                   1);
    if (came_before(finished, payload + MP_PROFILE_DATA_HEAD, head.record_count)) {
        health->duplicates++;
        return;
    }
    health->records += head.record_count;
    decode_records(finished, payload + MP_PROFILE_DATA_HEAD, head.record_count, out);
    if (head.record_count < room || rest)
        emit_lost(out, room - head.record_count);
}

/* Within a run, ends do not go back. */
enum dialect_run finished_run_of(const struct finished *finished, const uint8_t *payload, size_t n)
{
    struct mp_profile_head head;
    if (!finished->newest || !mp_profile_head_decode(&head, payload, n) ||
        n < MP_PROFILE_DATA_HEAD + MP_RECORD_SIZE)
        return DIALECT_RUN_UNKNOWN;
    struct mp_record first = mp_record_decode(payload + MP_PROFILE_DATA_HEAD);
    uint64_t around = finished->around > finished->newest ? finished->around : finished->newest;
    return end_of(around, &first) >= finished->newest ? DIALECT_RUN_SAME : DIALECT_RUN_OTHER;
}

void finished_pass(struct finished *finished, uint64_t ticks)
{
    if (finished->newest)
        finished->around = finished->newest + ticks;
}

void finished_reset(struct finished *finished)
{
    if (finished->newest)
        finished->moved += finished->newest - ORIGIN; /* raw 0 is now the newest end so far */
    finished->newest = finished->around = 0;
    finished->last.n = 0;
}
