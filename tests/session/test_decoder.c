/* test_decoder.c - bytes to events: gaps are reported before later events. */
#include "session/decoder.h"

#include "support/stream.h"
#include "support/syst.h"

#include "protocol/packet.h"

#include <criterion/criterion.h>
#include <string.h>

enum { MOST = 1024 };

struct heard {
    struct decoder *decoder;
    uint8_t kinds[MOST];
    uint64_t ticks[MOST];
    size_t n;
    bool restart_on_metadata;
    bool line_was_away; /* of the last LOST */
    uint32_t context;   /* of the last ENTER or EXIT */
    uint32_t of_text;   /* the context of the last TEXT */
};

static void listen(void *user, const struct event *events, size_t n)
{
    struct heard *heard = user;
    for (size_t i = 0; i < n; i++) {
        cr_assert_lt(heard->n, MOST);
        heard->ticks[heard->n] = events[i].ticks;
        heard->kinds[heard->n++] = events[i].kind;
        if (events[i].kind == EVENT_TEXT)
            heard->of_text = events[i].context;
        if (events[i].kind == EVENT_ENTER || events[i].kind == EVENT_EXIT)
            heard->context = events[i].context;
        if (events[i].kind == EVENT_LOST)
            heard->line_was_away = events[i].lost.line_was_away;
        if (events[i].kind == EVENT_TARGET && heard->restart_on_metadata)
            decoder_restart(heard->decoder);
    }
}

static void start(struct heard *heard)
{
    struct event_out out = {listen, heard};
    struct error err = {""};
    *heard = (struct heard){0};
    heard->decoder = decoder_new(dialect_find("miniprof"), NULL, &out, &err);
    cr_assert_not_null(heard->decoder, "%s", err.text);
}

static void expect(struct heard *heard, const enum event_kind *kinds, size_t n)
{
    cr_assert_eq(heard->n, n, "%zu events", heard->n);
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(heard->kinds[i], kinds[i], "event %zu is of kind %u", i, heard->kinds[i]);
    heard->n = 0;
}
#define EXPECT(heard, ...)                                                                                   \
    expect(heard, (const enum event_kind[]){__VA_ARGS__},                                                    \
           sizeof(const enum event_kind[]){__VA_ARGS__} / sizeof(enum event_kind))

/* Without length, so that it may be repeated. */
static const struct mp_record record = {0x1000, 100, 0, 0};

Test(decoder, lines_of_text_between_packets_are_messages_and_no_gap)
{
    struct heard heard;
    struct stream stream = {0};
    start(&heard);
    stream_bytes(&stream, "booting\r\n", 9);
    stream_records(&stream, &record, 1);
    stream_bytes(&stream, "\x1b[32mtick 52\x1b[0m\r\nand more\n", 27);
    stream_records(&stream, &record, 1);
    stream_bytes(&stream, "cut o", 5);
    stream_records(&stream, &record, 1);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    decoder_finish(heard.decoder);
    for (size_t i = 0; i < heard.n; i++)
        cr_assert_eq(heard.ticks[i] != 0, heard.kinds[i] != EVENT_LOST, "each has a time: event %zu", i);
    EXPECT(&heard, EVENT_CALL, EVENT_TEXT, EVENT_TEXT, EVENT_TEXT, EVENT_CALL, EVENT_LOST, EVENT_CALL);
    struct snapshot_link link = {0};
    decoder_tell(heard.decoder, &link);
    cr_assert_eq(link.bytes_between, 5);
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

/* Expects the n bytes `between` two packets to be a gap. */
static void expect_gap(const void *between, size_t n)
{
    struct heard heard;
    struct stream stream = {0};
    struct snapshot_link link = {0};
    start(&heard);
    stream_records(&stream, &record, 1);
    stream_bytes(&stream, between, n);
    stream_records(&stream, &record, 1);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    EXPECT(&heard, EVENT_CALL, EVENT_LOST, EVENT_CALL);
    decoder_tell(heard.decoder, &link);
    cr_expect_eq(link.bytes_between, n);
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

/* The end of a packet whose head was lost, an escape sequence that never ends, and half a character. */
Test(decoder, remains_of_packets_are_not_text)
{
    expect_gap("\xA0\xB1\n", 3);
    expect_gap("ab\n", 3);
    expect_gap("\xA0\xB1\xC4\xD5 several words\n", 19);
    expect_gap("several words \xE2\x82\n", 17);
    expect_gap("several words \x1b]\x01\x02\xF3\x07 more\n", 26);
}

/* A partial line counts as damage only once it cannot become a whole one. */
Test(decoder, a_truncated_line_of_text_counts_once)
{
    struct heard heard;
    struct stream stream = {0};
    struct snapshot_link link = {0};
    start(&heard);
    stream_records(&stream, &record, 1);
    stream_bytes(&stream, "half a line", 11);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    decoder_idle(heard.decoder);
    decoder_tell(heard.decoder, &link);
    cr_expect_eq(link.bytes_between, 0);
    decoder_break(heard.decoder);
    decoder_tell(heard.decoder, &link);
    cr_expect_eq(link.bytes_between, 11);
    decoder_feed(heard.decoder, (const uint8_t *)" and its end\n", 13);
    decoder_finish(heard.decoder);
    EXPECT(&heard, EVENT_CALL, EVENT_TEXT);
    decoder_tell(heard.decoder, &link);
    cr_expect_eq(link.bytes_between, 11);
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

Test(decoder, bytes_that_belong_to_no_packet_are_a_gap)
{
    struct heard heard;
    struct stream stream = {0};
    start(&heard);
    stream_records(&stream, &record, 1);
    stream_bytes(&stream, "noise", 5);
    stream_records(&stream, &record, 1);
    stream_records(&stream, &record, 1);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    EXPECT(&heard, EVENT_CALL, EVENT_LOST, EVENT_CALL, EVENT_CALL);
    cr_assert_not(heard.line_was_away);
    cr_assert_eq(decoder_bytes(heard.decoder), stream.n);
    cr_assert_eq(decoder_records(heard.decoder), 3);
    struct snapshot_link link = {0};
    decoder_tell(heard.decoder, &link);
    cr_assert_eq(link.bytes_skipped, 5);
    cr_assert_eq(link.packets, 3);
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

Test(decoder, a_line_that_was_away_is_a_gap_even_where_no_byte_is_missing)
{
    struct heard heard;
    struct stream stream = {0};
    start(&heard);
    stream_records(&stream, &record, 1);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    EXPECT(&heard, EVENT_CALL);
    decoder_break(heard.decoder);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    EXPECT(&heard, EVENT_LOST, EVENT_CALL);
    cr_assert(heard.line_was_away);
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

Test(decoder, half_a_packet_is_dropped_when_the_line_is_lost)
{
    struct heard heard;
    struct stream stream = {0};
    start(&heard);
    stream_records(&stream, &record, 1);
    decoder_feed(heard.decoder, stream.bytes, stream.n - 4);
    cr_assert(decoder_is_waiting(heard.decoder));
    decoder_break(heard.decoder);
    cr_assert_not(decoder_is_waiting(heard.decoder));
    decoder_feed(heard.decoder, stream.bytes + stream.n - 4, 4);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    EXPECT(&heard, EVENT_LOST, EVENT_CALL);
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

/* A damaged length claims a packet that never completes; the good one inside it is decoded when the line is
 * quiet. */
Test(decoder, a_quiet_line_releases_packets_behind_a_false_length)
{
    static const uint8_t lie[] = {0xAA, 0x55, MP_PROFILE_DATA, 0xD7, 0x03, 0x01, 0x46, 0x00};
    struct heard heard;
    struct stream stream = {0};
    start(&heard);
    stream_bytes(&stream, lie, sizeof lie);
    stream_records(&stream, &record, 1);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    cr_assert(decoder_is_waiting(heard.decoder));
    decoder_idle(heard.decoder);
    EXPECT(&heard, EVENT_LOST, EVENT_CALL);
    cr_assert_not(decoder_is_waiting(heard.decoder));
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

Test(decoder, a_suspected_restart_is_confirmed_by_earlier_times)
{
    for (int goes_back = 0; goes_back < 2; goes_back++) {
        struct heard heard;
        struct stream stream = {0};
        start(&heard);
        stream_records(&stream, &record, 1);
        decoder_feed(heard.decoder, stream.bytes, stream.n);
        decoder_suspect_restart(heard.decoder);
        stream_fini(&stream);
        stream_records(&stream, &(struct mp_record){0x1000, goes_back ? 10 : 100, 50, 0}, 1);
        decoder_feed(heard.decoder, stream.bytes, stream.n);
        if (goes_back)
            EXPECT(&heard, EVENT_CALL, EVENT_RESET, EVENT_CALL);
        else
            EXPECT(&heard, EVENT_CALL, EVENT_CALL);
        stream_fini(&stream);
        decoder_free(heard.decoder);
    }
}

Test(decoder, a_restart_precedes_all_later_events)
{
    struct heard heard;
    struct stream stream = {0};
    start(&heard);
    heard.restart_on_metadata = true;
    stream_records(&stream, &record, 1);
    stream_metadata(&stream, &(struct mp_metadata){.timer_hz = 1});
    stream_records(&stream, &record, 1);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    EXPECT(&heard, EVENT_CALL, EVENT_TARGET, EVENT_CLOCK, EVENT_RESET, EVENT_CALL);
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

Test(decoder, the_end_releases_packets_behind_a_false_length)
{
    static const uint8_t lie[] = {0xAA, 0x55, MP_PROFILE_DATA, 0xD7, 0x03, 0x01, 0x46, 0x00};
    struct heard heard;
    struct stream stream = {0};
    start(&heard);
    stream_bytes(&stream, lie, sizeof lie);
    stream_records(&stream, &record, 1);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    decoder_finish(heard.decoder);
    EXPECT(&heard, EVENT_LOST, EVENT_CALL);
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

Test(decoder, the_longest_packet_that_is_believed_is_an_option)
{
    struct dialect_setting setting = {"max_packet", "64"};
    struct dialect_settings settings = {.settings = &setting, .n = 1};
    struct heard heard = {0};
    struct event_out out = {listen, &heard};
    struct error err = {""};
    struct mp_record records[8] = {record};
    struct stream stream = {0};
    heard.decoder = decoder_new(dialect_find("miniprof"), &settings, &out, &err);
    stream_records(&stream, records, 8);
    stream_records(&stream, records, 1);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    EXPECT(&heard, EVENT_LOST, EVENT_CALL);
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

static size_t heard_of(const struct heard *heard, enum event_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < heard->n; i++)
        n += heard->kinds[i] == kind;
    return n;
}

Test(decoder, another_dialects_bytes_inside_packets_are_its_stream_however_they_are_cut)
{
    enum { SAMPLES = 30 };
    uint8_t samples[SAMPLES * 4];
    for (size_t i = 0; i < SAMPLES; i++)
        memcpy(samples + 4 * i, (const uint8_t[]){'P', 0x00, 0x04, (uint8_t)(0x10 + 2 * i)}, 4);
    for (size_t piece = 1; piece <= sizeof samples; piece += 13) {
        struct heard heard;
        struct stream stream = {0};
        start(&heard);
        for (size_t at = 0; at < sizeof samples; at += piece) {
            size_t n = sizeof samples - at < piece ? sizeof samples - at : piece;
            uint8_t payload[1 + sizeof samples] = {MP_EXTENSION_GPROF};
            memcpy(payload + 1, samples + at, n);
            stream_packet(&stream, MP_EXTENSION, payload, 1 + n);
        }
        decoder_feed(heard.decoder, stream.bytes, stream.n);
        decoder_finish(heard.decoder);
        cr_assert_eq(heard_of(&heard, EVENT_SAMPLE), SAMPLES, "%zu in pieces of %zu",
                     heard_of(&heard, EVENT_SAMPLE), piece);
        cr_assert_eq(decoder_records(heard.decoder), SAMPLES);
        cr_assert(decoder_provides(heard.decoder) & PROVIDES_SAMPLES);
        stream_fini(&stream);
        decoder_free(heard.decoder);
    }
}

Test(decoder, stacks_of_a_carried_dialect_are_not_the_links_own)
{
    struct heard heard;
    struct stream stream = {0};
    uint8_t payload[1 + 80] = {MP_EXTENSION_FPRIME};
    for (int i = 0; i < 10; i++)
        memcpy(payload + 1 + 8 * i,
               (const uint8_t[]){0x71, 5, 0, i % 2 ? 0x80 : 0, (uint8_t)(0xF0 - i), 0xFF, 0xFF, 0}, 8);
    start(&heard);
    stream_packet(&stream, MP_EXTENSION, payload, sizeof payload);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    decoder_finish(heard.decoder);
    cr_assert_eq(heard_of(&heard, EVENT_ENTER) + heard_of(&heard, EVENT_EXIT), 10);
    cr_assert_neq(heard.context, 0);
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

Test(decoder, a_message_of_a_carried_dialect_is_of_the_context_of_its_calls)
{
    struct heard heard;
    struct stream stream = {0}, message = {0}, line = {0};
    uint8_t payload[1 + 200] = {MP_EXTENSION_SYST};
    start(&heard);
    syst_call(&message, 2, "step", 100);
    syst_line(&line, message.bytes, message.n);
    cr_assert_lt(line.n, sizeof payload);
    memcpy(payload + 1, line.bytes, line.n);
    stream_packet(&stream, MP_EXTENSION, payload, 1 + line.n);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    decoder_finish(heard.decoder);
    cr_assert_eq(heard_of(&heard, EVENT_ENTER), 1);
    cr_assert_eq(heard_of(&heard, EVENT_TEXT), 1);
    cr_assert_eq(heard.of_text, heard.context, "the message gives the context its name");
    stream_fini(&line);
    stream_fini(&message);
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

Test(decoder, options_of_a_carried_dialect_are_checked_at_start)
{
    struct dialect_setting good[] = {{"tfm.clock_hz", "7"}, {"tfm.counter", "down"}},
                           bad = {"tfm.counter", "left"};
    struct dialect_settings settings = {.settings = good, .n = 2};
    struct heard heard = {0};
    struct event_out out = {listen, &heard};
    struct error err = {""};
    struct stream stream = {0};
    heard.decoder = decoder_new(dialect_find("miniprof"), &settings, &out, &err);
    cr_assert_not_null(heard.decoder, "%s", err.text);
    cr_assert_not(decoder_provides(heard.decoder) & PROVIDES_MARKS, "nothing has come of it");
    stream_packet(&stream, MP_EXTENSION, "\003101,9\n101,5\n", 13);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    decoder_idle(heard.decoder);
    EXPECT(&heard, EVENT_PLAN, EVENT_CLOCK, EVENT_MARK, EVENT_MARK);
    cr_assert(decoder_provides(heard.decoder) & PROVIDES_MARKS);
    stream_fini(&stream);
    decoder_free(heard.decoder);
    settings = (struct dialect_settings){.settings = &bad, .n = 1};
    cr_assert_null(decoder_new(dialect_find("miniprof"), &settings, &out, &err));
    cr_assert(strstr(err.text, "\"left\""), "%s", err.text);
}

/* F-Prime's first forty events, of a counter that begins at 0xFFFFFE, each a tick after the one before. */
static void add_fprime(struct stream *stream)
{
    uint8_t payload[1 + 320] = {MP_EXTENSION_FPRIME};
    for (int i = 0; i < 40; i++)
        memcpy(payload + 1 + 8 * i,
               (const uint8_t[]){0x71, 5, 0, i % 2 ? 0x80 : 0, (uint8_t)(0xFE - i), 0xFF, 0xFF, 0}, 8);
    stream_packet(stream, MP_EXTENSION, payload, sizeof payload);
}

Test(decoder, carried_times_wait_for_the_links_and_lie_beside_them)
{
    static const struct mp_record call = {0x1000, 5000, 700, 0};
    struct heard heard;
    struct stream stream = {0};
    start(&heard);
    add_fprime(&stream);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    cr_assert_eq(heard.n, 0);
    cr_assert(decoder_is_waiting(heard.decoder));
    stream_records(&stream, &call, 1);
    decoder_feed(heard.decoder, stream.bytes + stream.n - 25, 25);
    cr_assert_not(decoder_is_waiting(heard.decoder));
    cr_assert(heard.n > 2 && heard.kinds[0] == EVENT_CALL && heard.kinds[1] == EVENT_ENTER);
    cr_assert_eq(heard.ticks[heard.n - 1], heard.ticks[0] + 700, "the newest of both");
    cr_assert_eq(heard.ticks[1], heard.ticks[0] + 700 - (heard.n - 2),
                 "and those before are where they were");
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

Test(decoder, untimed_events_are_released_by_amount_or_a_quiet_line)
{
    struct heard heard;
    struct stream stream = {0};
    start(&heard);
    add_fprime(&stream);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    cr_assert_eq(heard.n, 0);
    decoder_idle(heard.decoder);
    cr_assert_gt(heard.n, 0);
    cr_assert_not(decoder_is_waiting(heard.decoder));
    decoder_free(heard.decoder);
    start(&heard);
    for (int i = 0; i <= 4096 / 320; i++)
        decoder_feed(heard.decoder, stream.bytes, stream.n);
    cr_assert_gt(heard.n, 0);
    cr_assert_not(decoder_is_waiting(heard.decoder), "nothing is held any more");
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

Test(decoder, packets_of_an_unknown_dialect_are_counted)
{
    struct heard heard;
    struct stream stream = {0};
    start(&heard);
    stream_packet(&stream, MP_EXTENSION, "\x07 what is this", 14);
    stream_packet(&stream, MP_EXTENSION, "\xFF", 1);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    struct snapshot_link link = {0};
    decoder_tell(heard.decoder, &link);
    cr_assert_eq(link.malformed, 2);
    cr_assert_eq(heard.n, 0);
    stream_fini(&stream);
    decoder_free(heard.decoder);
}

Test(decoder, carried_times_that_come_after_the_links_are_placed_at_its_newest)
{
    static const struct mp_record call = {0x1000, 5000, 700, 0};
    struct heard heard;
    struct stream stream = {0};
    start(&heard);
    stream_records(&stream, &call, 1);
    add_fprime(&stream);
    decoder_feed(heard.decoder, stream.bytes, stream.n);
    cr_assert_not(decoder_is_waiting(heard.decoder), "a time of the link is known already");
    cr_assert(heard.n > 2 && heard.kinds[0] == EVENT_CALL && heard.kinds[1] == EVENT_ENTER);
    cr_assert_eq(heard.ticks[heard.n - 1], heard.ticks[0] + 700, "the newest of both");
    cr_assert_eq(heard.ticks[1], heard.ticks[0] + 700 - (heard.n - 2));
    stream_fini(&stream);
    decoder_free(heard.decoder);
}
