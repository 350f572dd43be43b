/* test_miniprof.c - the events of MiniProfiler packets, and the widening of their times. */
#include "dialect/dialect.h"

#include <criterion/criterion.h>

#include "support/events.h"
#include "support/stream.h"

enum { BODY_AT = 2, NOT_BODY = 5 };

#define ORIGIN (UINT64_C(2) << 32) /* protocol/SPEC.md section 7 */

struct talk {
    const struct dialect *dialect;
    void *state;
    struct events events;
};

static struct talk talk_open(const struct dialect_setting *settings, size_t n)
{
    struct talk talk = {.dialect = dialect_find("miniprof")};
    cr_assert_not_null(talk.dialect);
    talk.state = calloc(1, talk.dialect->state_size);
    struct error err = {""};
    cr_assert(talk.dialect->start(talk.state, &(struct dialect_settings){.settings = settings, .n = n}, &err),
              "%s", err.text);
    return talk;
}

/* Feeds the packet in `stream`, which is then empty again. */
static void talk_say(struct talk *talk, struct stream *stream)
{
    struct event_out out = events_out(&talk->events);
    talk->dialect->decode(talk->state, stream->bytes + BODY_AT, stream->n - NOT_BODY, &out);
    stream_fini(stream);
}

static void talk_call(struct talk *talk, uint32_t start, uint32_t duration, uint16_t depth)
{
    struct stream stream = {0};
    stream_records(&stream, &(struct mp_record){0x101, start, duration, depth}, 1);
    talk_say(talk, &stream);
}

static void talk_payload(struct talk *talk, uint8_t type, const void *payload, size_t n)
{
    struct stream stream = {0};
    stream_packet(&stream, type, payload, n);
    talk_say(talk, &stream);
}

static const struct dialect_health *talk_health(const struct talk *talk)
{
    return talk->dialect->health(talk->state);
}

static const struct event *last(const struct talk *talk)
{
    cr_assert_gt(talk->events.n, 0);
    return &talk->events.event[talk->events.n - 1];
}

static void talk_close(struct talk *talk)
{
    events_fini(&talk->events);
    free(talk->state);
}

Test(miniprof, a_packet_of_records_is_one_batch_of_calls)
{
    struct talk talk = talk_open(NULL, 0);
    struct stream stream = {0};
    stream_records(&stream, (struct mp_record[]){{0x08000221, 500, 300, 1}, {0x08000100, 400, 2000, 0}}, 2);
    talk_say(&talk, &stream);
    cr_assert_eq(talk.events.n, 2);
    cr_assert_eq(talk.events.batches, 1);
    const struct event *call = talk.events.event;
    cr_assert(call[0].kind == EVENT_CALL && call[0].call.address == 0x08000221 && call[0].depth == 1);
    cr_assert_eq(call[0].call.duration, 300);
    cr_assert_eq(call[0].ticks, ORIGIN + 500);
    cr_assert_eq(call[1].ticks, ORIGIN + 400, "a start before the newest is before it");
    cr_assert_eq(talk_health(&talk)->records, 2);
    talk_close(&talk);
}

Test(miniprof, a_packet_of_the_longest_kind_comes_through)
{
    enum { N = 1170 };
    static struct mp_record records[N];
    for (uint32_t i = 0; i < N; i++)
        records[i] = (struct mp_record){i, 10 * i, 5, (uint16_t)i};
    struct talk talk = talk_open(NULL, 0);
    struct stream stream = {0};
    cr_assert_eq(talk.dialect->payload_max(talk.state), 65535, "whatever the document allows");
    stream_records(&stream, records, N);
    talk_say(&talk, &stream);
    cr_assert_eq(talk.events.n, N);
    for (uint32_t i = 0; i < N; i++) {
        cr_assert_eq(talk.events.event[i].call.address, i);
        cr_assert_eq(talk.events.event[i].ticks, ORIGIN + 10 * i);
    }
    talk_close(&talk);
}

Test(miniprof, times_go_on_through_the_wrap)
{
    struct talk talk = talk_open(NULL, 0);
    talk_call(&talk, 0xFFFFFF00, 0x80, 1);
    cr_assert_eq(last(&talk)->ticks, ORIGIN + 0xFFFFFF00);
    talk_call(&talk, 0xFFFFFFF0, 0x20, 1);
    cr_assert_eq(last(&talk)->ticks, ORIGIN + 0xFFFFFFF0, "a call across the wrap begins before it");
    talk_call(&talk, 0x10, 0x8, 1);
    cr_assert_eq(last(&talk)->ticks, ORIGIN + UINT64_C(0x100000010));
    talk_call(&talk, 0xFFFFFE00, 0x400, 0);
    cr_assert_eq(last(&talk)->ticks, ORIGIN + 0xFFFFFE00,
                 "their caller, sent last, began before all of them");
    talk_close(&talk);
}

/* Tries true lengths of a silence, errors of the host's clock, and the times of the next call. */
Test(miniprof, wraps_in_a_silence_are_counted_if_its_length_is_known)
{
    static const double wraps[] = {0, 0.1, 0.24, 0.3, 0.49, 0.51, 0.7, 0.99, 1.01, 1.5, 2, 7.3, 1000};
    for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++)
        for (int off = -2; off <= 2; off++) { /* error of the host's clock, in tenths of a wrap */
            struct talk talk = talk_open(NULL, 0);
            uint64_t silence = (uint64_t)(wraps[i] * 0x1p32);
            double believed = wraps[i] + off / 10.0;
            talk_call(&talk, 0xF0000000, 0x80, 0);
            talk.dialect->pass(talk.state, believed > 0 ? (uint64_t)(believed * 0x1p32) : 0);
            struct stream stream = {0};
            struct mp_record records[] = {{0x101, 0xF0000090, 0x10, 0}, /* one that waited, and a new one */
                                          {0x101, (uint32_t)(0xF0000090 + silence), 0x20, 1},
                                          {0x101, (uint32_t)(0xF0000190 + silence), 0x20, 1}};
            bool waited = believed < 0.74;
            stream_records(&stream, records + !waited, 3 - !waited);
            talk_say(&talk, &stream);
            if (waited)
                cr_assert_eq(talk.events.event[1].ticks, ORIGIN + 0xF0000090, "%g %d", wraps[i], off);
            cr_assert_eq(talk.events.event[1 + waited].ticks, ORIGIN + 0xF0000090 + silence, "%g %d",
                         wraps[i], off);
            talk_call(&talk, (uint32_t)(0xF0000190 + silence), 0x20, 1);
            cr_assert_eq(last(&talk)->ticks, ORIGIN + 0xF0000190 + silence, "%g %d", wraps[i], off);
            talk_close(&talk);
        }
}

Test(miniprof, elapsed_time_before_the_first_packet_or_a_reset_is_ignored)
{
    struct talk talk = talk_open(NULL, 0);
    talk.dialect->pass(talk.state, UINT64_C(1) << 62);
    talk_call(&talk, 500, 10, 0);
    cr_assert_eq(last(&talk)->ticks, ORIGIN + 500);
    talk.dialect->pass(talk.state, UINT64_C(5) << 32);
    talk.dialect->reset(talk.state);
    talk_call(&talk, 500, 10, 0);
    cr_assert_eq(last(&talk)->ticks, ORIGIN + 510 + 500, "raw 0 is the newest end");
    talk_close(&talk);
}

Test(miniprof, a_caller_from_before_the_first_wrap_we_saw_is_placed_before_its_callee)
{
    struct talk talk = talk_open(NULL, 0);
    talk_call(&talk, 0x10, 0x10, 1);
    uint64_t callee = last(&talk)->ticks;
    talk_call(&talk, 0xFFFFFFF0, 0x100, 0);
    cr_assert_eq(callee - last(&talk)->ticks, 0x20);
    talk_close(&talk);
}

Test(miniprof, the_longest_duration_neither_moves_the_clock_nor_goes_below_zero)
{
    struct talk talk = talk_open(NULL, 0);
    talk_call(&talk, 0x20, 0x10, 1);
    talk_call(&talk, 0x41, 0xFFFFFFFF, 0); /* ends at 0x40, a period after it began */
    cr_assert_eq(last(&talk)->ticks + 0xFFFFFFFF, ORIGIN + 0x40);
    talk_call(&talk, 0x50, 1, 1);
    cr_assert_eq(last(&talk)->ticks, ORIGIN + 0x50);
    talk_call(&talk, 0x80000061, 0xFFFFFFFF, 0); /* the earliest end and the longest call possible */
    cr_assert_lt(last(&talk)->ticks, ORIGIN);
    talk_close(&talk);
}

Test(miniprof, records_out_of_order_do_not_wrap)
{
    struct talk talk = talk_open(NULL, 0);
    talk_call(&talk, 1000, 2000, 0); /* the document's dump: the child ends before its parent begins */
    talk_call(&talk, 500, 300, 1);
    cr_assert_eq(last(&talk)->ticks, ORIGIN + 500);
    talk_call(&talk, 2000, 2000, 0);
    cr_assert_eq(last(&talk)->ticks, ORIGIN + 2000);
    talk_close(&talk);
}

Test(miniprof, after_a_restart_ticks_go_on_from_the_newest_end)
{
    struct talk talk = talk_open(NULL, 0);
    talk.dialect->reset(talk.state);
    talk_call(&talk, 0xF0000000, 0x100, 0);
    uint64_t newest = last(&talk)->ticks + 0x100;
    for (int i = 0; i < 3; i++)
        talk.dialect->reset(talk.state);
    talk_call(&talk, 7, 3, 0);
    cr_assert_eq(last(&talk)->ticks, newest + 7);
    talk.dialect->reset(talk.state);
    talk_call(&talk, 0xC0000000, 1, 0);
    cr_assert_eq(last(&talk)->ticks, newest + 10 + 0xC0000000, "however large the first time after it is");
    talk_close(&talk);
}

/* ---- packets that come twice ---- */

Test(miniprof, a_packet_that_comes_once_more_is_counted_and_left_out)
{
    struct talk talk = talk_open(NULL, 0);
    talk_call(&talk, 100, 50, 1);
    talk_call(&talk, 100, 50, 1);
    talk_call(&talk, 100, 50, 0);
    cr_assert_eq(talk.events.n, 2);
    cr_assert_eq(talk_health(&talk)->duplicates, 1);
    cr_assert_eq(talk_health(&talk)->records, 2);
    talk.dialect->reset(talk.state);
    talk_call(&talk, 100, 50, 0);
    cr_assert_eq(talk.events.n, 3, "the same may happen in each run");
    talk_close(&talk);
}

Test(miniprof, calls_of_no_length_may_happen_again)
{
    struct talk talk = talk_open(NULL, 0);
    for (int i = 0; i < 3; i++)
        talk_call(&talk, 100, 0, 1);
    cr_assert_eq(talk.events.n, 3);
    cr_assert_eq(talk_health(&talk)->duplicates, 0);
    talk_close(&talk);
}

/* ---- counts, versions, lengths ---- */

Test(miniprof, a_count_above_the_payload_gives_no_records)
{
    struct talk talk = talk_open(NULL, 0);
    uint8_t payload[3 + 14 * 2] = {1, 3, 0};
    talk_payload(&talk, MP_PROFILE_DATA, payload, sizeof payload);
    cr_assert_eq(talk.events.n, 1);
    cr_assert(last(&talk)->kind == EVENT_LOST && last(&talk)->lost.records == 2);
    cr_assert_eq(talk_health(&talk)->malformed, 1);
    cr_assert_eq(talk_health(&talk)->records, 0);
    talk_close(&talk);
}

Test(miniprof, a_count_below_the_payload_gives_that_many_records)
{
    struct talk talk = talk_open(NULL, 0);
    uint8_t payload[3 + 14 * 2] = {1, 1, 0};
    talk_payload(&talk, MP_PROFILE_DATA, payload, sizeof payload);
    cr_assert_eq(talk.events.n, 2);
    cr_assert_eq(talk.events.event[0].kind, EVENT_CALL);
    cr_assert(last(&talk)->kind == EVENT_LOST && last(&talk)->lost.records == 1);
    cr_assert_eq(talk_health(&talk)->malformed, 1);
    cr_assert_eq(talk_health(&talk)->records, 1);
    talk_close(&talk);
}

Test(miniprof, an_empty_packet_is_valid)
{
    struct talk talk = talk_open(NULL, 0);
    talk_payload(&talk, MP_PROFILE_DATA, (uint8_t[]){1, 0, 0}, 3);
    cr_assert_eq(talk.events.n, 1);
    cr_assert_eq(talk.events.event[0].kind, EVENT_CLOSED);
    cr_assert_eq(talk_health(&talk)->malformed, 0);
    talk_close(&talk);
}

Test(miniprof, other_versions_are_counted_and_passed_over)
{
    struct talk talk = talk_open(NULL, 0);
    uint8_t payload[3 + 14] = {4, 1, 0};
    talk_payload(&talk, MP_PROFILE_DATA, payload, sizeof payload);
    talk_payload(&talk, MP_PROFILE_DATA, (uint8_t[]){255}, 1);
    talk_payload(&talk, MP_PROFILE_DATA, (uint8_t[]){0, 1, 0}, 3);
    cr_assert_eq(talk_health(&talk)->unsupported_version, 3);
    cr_assert_eq(talk_health(&talk)->malformed, 0);
    cr_assert_eq(talk_health(&talk)->records, 0);
    for (size_t i = 0; i < talk.events.n; i++)
        cr_assert_eq(talk.events.event[i].kind, EVENT_LOST);
    talk_close(&talk);
}

Test(miniprof, bodies_of_impossible_sizes_are_malformed)
{
    static const uint8_t bodies[][6] = {{1, 1, 0, 9}, {2, 1, 0, 9}, {3, 3, 0, 1, 2, 3},
                                        {4, 1, 0, 1}, {5, 0, 0},    {5, 2, 0, 1, 1}};
    static const size_t sizes[] = {4, 4, 6, 4, 3, 5};
    struct talk talk = talk_open(NULL, 0);
    struct event_out out = events_out(&talk.events);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        talk.dialect->decode(talk.state, bodies[i], sizes[i], &out);
        cr_assert_eq(talk_health(&talk)->malformed, i + 1, "body %zu", i);
    }
    talk.dialect->decode(talk.state, bodies[0], 2, &out);
    talk.dialect->decode(talk.state, (uint8_t[]){4, 10, 0, 1}, 4, &out);
    cr_assert_eq(talk_health(&talk)->malformed, 8, "a body shorter than it says");
    talk_close(&talk);
}

/* ---- the other packets ---- */

Test(miniprof, metadata_gives_the_target_and_its_clock)
{
    struct talk talk = talk_open(NULL, 0);
    struct stream stream = {0};
    struct mp_metadata metadata = {48000000, 32768, 0x11223344, "0123456789ABCDE"};
    metadata.fw_version[15] = 'F';
    stream_metadata(&stream, &metadata);
    talk_say(&talk, &stream);
    cr_assert_eq(talk.events.n, 2);
    const struct event *target = &talk.events.event[0];
    cr_assert(target->kind == EVENT_TARGET && target->target.mcu_clock_hz == 48000000 &&
              target->target.timer_hz == 32768 && target->target.elf_build_id == 0x11223344);
    cr_assert_eq(memcmp(target->target.fw_version, "0123456789ABCDEF", 16), 0);
    cr_assert(last(&talk)->kind == EVENT_CLOCK && last(&talk)->clock.ticks_per_second == 1000000,
              "microseconds, unless the target says otherwise");
    talk_close(&talk);
}

Test(miniprof, with_time_unit_ticks_the_clock_is_the_timers_and_times_stay)
{
    struct talk talk = talk_open(&(struct dialect_setting){"time_unit", "ticks"}, 1);
    struct stream stream = {0};
    stream_metadata(&stream, &(struct mp_metadata){48000000, 32768, 0, ""});
    talk_say(&talk, &stream);
    cr_assert(last(&talk)->kind == EVENT_CLOCK && last(&talk)->clock.ticks_per_second == 32768);
    talk_call(&talk, 100, 10, 0);
    cr_assert_eq(last(&talk)->call.duration, 10);
    stream_metadata(&stream, &(struct mp_metadata){48000000, 0, 0, ""});
    talk_say(&talk, &stream);
    cr_assert_eq(last(&talk)->kind, EVENT_TARGET, "a rate of 0 is no clock");
    talk_close(&talk);
}

Test(miniprof, status_and_answers_become_events)
{
    struct talk talk = talk_open(NULL, 0);
    struct stream stream = {0};
    stream_status(&stream, &(struct mp_status){7, 2, 1234, 157});
    talk_say(&talk, &stream);
    cr_assert(last(&talk)->kind == EVENT_STATUS && last(&talk)->status.profiling &&
              last(&talk)->status.buffer_overflows == 2 && last(&talk)->status.records_captured == 1234 &&
              last(&talk)->status.buffer_usage_percent == 157);
    talk_payload(&talk, MP_ACK, NULL, 0);
    cr_assert(last(&talk)->kind == EVENT_ANSWER && last(&talk)->answer.ack);
    talk_payload(&talk, MP_NACK, NULL, 0);
    cr_assert(last(&talk)->kind == EVENT_ANSWER && !last(&talk)->answer.ack);
    talk_payload(&talk, 0x77, "whatever", 8);
    talk_payload(&talk, MP_EXTENSION, "\x02P", 2);
    cr_assert_eq(talk.events.n, 3, "what is not ours says nothing");
    cr_assert_eq(talk_health(&talk)->malformed, 0);
    talk_close(&talk);
}

Test(miniprof, options_that_cannot_be_are_refused_with_a_sentence)
{
    const struct dialect *dialect = dialect_find("miniprof");
    static const struct dialect_setting bad[] = {{"time_unit", "seconds"},
                                                 {"max_packet", "63"},
                                                 {"max_packet", "65536"},
                                                 {"max_packet", "9k"},
                                                 {"max_packet", ""}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        void *state = calloc(1, dialect->state_size);
        struct error err = {""};
        cr_assert_not(dialect->start(state, &(struct dialect_settings){.settings = &bad[i], .n = 1}, &err));
        cr_assert_not_null(strstr(err.text, bad[i].key));
        free(state);
    }
}

Test(miniprof, streams_of_packets_are_recognised_and_noise_is_not)
{
    const struct dialect *dialect = dialect_find("miniprof");
    struct stream stream = {0};
    stream_bytes(&stream, "rubbish before", 14);
    cr_assert_eq(dialect->probe(stream.bytes, stream.n), 0);
    for (int i = 0; i < 10; i++)
        stream_records(&stream, &(struct mp_record){1, 2, 3, 4}, 1);
    cr_assert_geq(dialect->probe(stream.bytes, stream.n), 90);
    stream_bytes(&stream, "\xAA\x55\x05\x00\x10\x01", 6);
    cr_assert_geq(dialect->probe(stream.bytes, stream.n), 90, "cut at the end as captures are");
    stream_fini(&stream);
}
