/* test_syst_damage.c - one byte flipped, lost or inserted anywhere costs at most two messages; false lengths and noise
 * have limited cost. */
#include "syst_talk.h"

#include "support/effort.h"
#include "support/random.h"

enum { MESSAGES = 24, COSTS_AT_MOST = 2 };

/* A trace as targets send it: calls, texts, catalog and raw messages, some with a checksum. */
static void write_message(struct stream *stream, unsigned i)
{
    static const char *const names[] = {"main", "control_loop", "adc_read", "filter_update"};
    char words[40];
    uint8_t catalog[12] = {0x10, (uint8_t)i, 0x40, 0x08, (uint8_t)(3 * i)};
    struct syst_say say = {
        .severity = 4, .origin = 1, .unit = 2, .stamped = true, .timestamp = 1000 + 37 * i};
    say.checked = i % 5 == 4;
    switch (i % 6) {
    case 4:
        say.type = 3;
        say.subtype = 1;
        say.payload = catalog;
        say.n = sizeof catalog;
        break;
    case 5:
        say.type = 2;
        say.subtype = 11;
        say.n = (size_t)snprintf(words, sizeof words, "tick %u of %%d", i) + 1 + 4;
        memset(words + say.n - 4, (int)i, 4);
        say.payload = words;
        break;
    default:
        say.type = 2;
        say.subtype = i % 2 ? 3 : 2;
        say.payload = names[i % 4];
        say.n = strlen(names[i % 4]) + 1;
        break;
    }
    syst_say(stream, &say);
}

static void write_trace(struct stream *trace, const char *framing)
{
    struct syst_nibbles nibbles = {trace, false};
    for (unsigned i = 0; i < MESSAGES; i++) {
        struct stream message = {0};
        write_message(&message, i);
        if (!strcmp(framing, "hex")) {
            syst_line(trace, message.bytes, message.n);
        } else if (!strcmp(framing, "raw")) {
            stream_bytes(trace, message.bytes, message.n);
        } else {
            if (i % 10 == 0)
                syst_stp_begin(&nibbles, 1000000);
            syst_stp_message(&nibbles, message.bytes, message.n, 100 * i);
        }
        stream_fini(&message);
    }
}

/* The number of messages of `whole` that are also in `told`, in order. */
static size_t told_of(const struct events *whole, const struct events *told)
{
    size_t n = 0, from = 0;
    for (size_t i = 0; i < whole->n; i++) {
        if (whole->event[i].kind != EVENT_TEXT)
            continue;
        const struct event *wanted = &whole->event[i];
        for (size_t k = from; k < told->n; k++)
            if (told->event[k].kind == EVENT_TEXT && told->event[k].text.n == wanted->text.n &&
                !memcmp(told->event[k].text.text, wanted->text.text, wanted->text.n) &&
                told->event[k].text.message->timestamp == wanted->text.message->timestamp) {
                from = k + 1;
                n++;
                break;
            }
    }
    return n;
}

static struct events listen(const char *framing, const uint8_t *bytes, size_t n)
{
    struct talk talk = talk_open(framing);
    talk_hear(&talk, bytes, n);
    talk_end(&talk);
    struct events events = talk.events;
    talk.events = (struct events){0};
    talk_close(&talk);
    return events;
}

static void damage_everywhere(const char *framing)
{
    struct stream trace = {0}, spoilt = {0};
    struct test_random random = test_random_start(framing);
    write_trace(&trace, framing);
    struct events whole = listen(framing, trace.bytes, trace.n);
    cr_assert_eq(told_of(&whole, &whole), MESSAGES);
    for (size_t at = 0; at < trace.n; at += test_effort(17, 1))
        for (int how = 0; how < 6; how++) {
            spoilt.n = 0;
            stream_bytes(&spoilt, trace.bytes, at);
            if (how < 3)
                stream_byte(&spoilt, trace.bytes[at] ^ (uint8_t)(1 << test_random_below(&random, 8)));
            else if (how < 5)
                stream_byte(&spoilt, how == 3 ? 0x02 : (uint8_t)test_random_next(&random));
            stream_bytes(&spoilt, trace.bytes + at + (how < 3 || how == 5),
                         trace.n - at - (how < 3 || how == 5));
            struct events told = listen(framing, spoilt.bytes, spoilt.n);
            size_t n = told_of(&whole, &told);
            cr_assert_geq(n + COSTS_AT_MOST, MESSAGES, "%s: byte %zu of %zu, damage %d: %zu of %d messages",
                          framing, at, trace.n, how, n, MESSAGES);
            events_fini(&told);
        }
    events_fini(&whole);
    stream_fini(&trace);
    stream_fini(&spoilt);
}

Test(syst_damage, one_byte_of_lines_costs_two_messages_at_most)
{
    damage_everywhere("hex");
}

Test(syst_damage, one_byte_of_messages_back_to_back_costs_two_messages_at_most)
{
    damage_everywhere("raw");
}

Test(syst_damage, one_byte_of_an_stp_stream_costs_two_messages_at_most)
{
    damage_everywhere("stp");
}

/* Writes data in which six bytes in a row look like the start of a message, at every position within a value of eight
 * bytes. */
static void write_blob(struct stream *stream, size_t n, unsigned turn)
{
    static const uint8_t mark[8] = {0x6F, 0x42, 0x1A, 0x12, 0x0B, 0xEE, 0x55, 0xAA};
    uint8_t blob[1200];
    for (size_t i = 0; i < n; i++)
        blob[i] = mark[(i + turn + i / 150) % 8];
    syst_say(stream, &(struct syst_say){.type = 6, .origin = 1, .unit = 2, .payload = blob, .n = n});
}

Test(syst_damage, data_that_looks_like_a_start_is_data_wherever_it_stands)
{
    enum { ROUNDS = 64 };
    for (size_t chunk = 1; chunk <= 4096; chunk *= 64) {
        struct stream stream = {0};
        struct syst_nibbles nibbles = {&stream, false};
        struct talk talk = talk_open("stp");
        syst_stp_begin(&nibbles, 1000000);
        for (unsigned i = 0; i < ROUNDS; i++) {
            struct stream message = {0}, blob = {0};
            write_message(&message, i);
            write_blob(&blob, 1200 - i % 16, i / 4);
            syst_stp_message(&nibbles, message.bytes, message.n, 100 * i);
            syst_stp_message(&nibbles, blob.bytes, blob.n, 100 * i + 50);
            stream_fini(&message);
            stream_fini(&blob);
        }
        for (size_t at = 0; at < stream.n; at += chunk)
            talk_hear(&talk, stream.bytes + at, stream.n - at < chunk ? stream.n - at : chunk);
        const struct dialect_health *health = talk.dialect->health(talk.state);
        cr_assert_eq(talk_count(&talk, EVENT_TEXT), 2 * ROUNDS, "%zu", talk_count(&talk, EVENT_TEXT));
        cr_assert_eq(talk_count(&talk, EVENT_LOST), 0);
        cr_assert_eq(health->records, 2 * ROUNDS);
        cr_assert_eq(health->framing_errors + health->malformed + health->bytes_skipped, 0);
        for (size_t i = 0, nth = 0; i < talk.events.n; i++)
            if (talk.events.event[i].kind == EVENT_TEXT)
                cr_assert_eq(talk.events.event[i].text.message->context_timestamp, 50 * nth++);
        stream_fini(&stream);
        talk_close(&talk);
    }
}

Test(syst_damage, a_damaged_message_with_such_data_costs_two_messages_at_most)
{
    struct stream trace = {0}, spoilt = {0};
    struct syst_nibbles nibbles = {&trace, false};
    struct test_random random = test_random_start("blob");
    syst_stp_begin(&nibbles, 1000000);
    for (unsigned i = 0; i < MESSAGES; i++) {
        struct stream message = {0};
        if (i % 6 == 3)
            write_blob(&message, 300, i);
        else
            write_message(&message, i);
        syst_stp_message(&nibbles, message.bytes, message.n, 100 * i);
        stream_fini(&message);
    }
    struct events whole = listen("stp", trace.bytes, trace.n);
    cr_assert_eq(told_of(&whole, &whole), MESSAGES);
    for (size_t at = 40; at < trace.n; at += test_effort(17, 1))
        for (int how = 0; how < 3; how++) {
            spoilt.n = 0;
            stream_bytes(&spoilt, trace.bytes, at);
            if (how < 2)
                stream_byte(&spoilt, (uint8_t)test_random_next(&random));
            stream_bytes(&spoilt, trace.bytes + at + (how > 0), trace.n - at - (how > 0));
            struct events told = listen("stp", spoilt.bytes, spoilt.n);
            size_t n = told_of(&whole, &told);
            cr_assert_geq(n + COSTS_AT_MOST, MESSAGES, "byte %zu of %zu, damage %d: %zu", at, trace.n, how,
                          n);
            events_fini(&told);
        }
    events_fini(&whole);
    stream_fini(&trace);
    stream_fini(&spoilt);
}

Test(syst_damage, a_stream_joined_anywhere_loses_at_most_two_messages)
{
    static const char *const framings[] = {"hex", "raw", "stp"};
    for (size_t f = 0; f < 3; f++) {
        struct stream trace = {0};
        write_trace(&trace, framings[f]);
        struct events whole = listen(framings[f], trace.bytes, trace.n);
        size_t before = 0;
        for (size_t at = 0; at < trace.n / 2; at += test_effort(7, 1)) {
            struct events told = listen(framings[f], trace.bytes + at, trace.n - at);
            size_t n = told_of(&whole, &told);
            cr_assert_geq(n, MESSAGES / 2 - 3, "%s from %zu: %zu", framings[f], at, n);
            before = n;
            events_fini(&told);
        }
        cr_assert_gt(before, 0);
        events_fini(&whole);
        stream_fini(&trace);
    }
}

Test(syst_damage, a_lie_of_64_kib_is_given_up_once_messages_contradict_it)
{
    struct stream stream = {0};
    struct talk talk = talk_open("raw");
    write_message(&stream, 0);
    syst_number(&stream, 6 | 1 << 9, 4); /* a RAW message of 65,535 bytes */
    syst_number(&stream, 0xFFFF, 2);
    for (unsigned i = 1; i < 60; i++)
        write_message(&stream, i);
    cr_assert_lt(stream.n, 4000);
    talk_hear(&talk, stream.bytes, stream.n);
    cr_assert_geq(talk_count(&talk, EVENT_TEXT), 57, "without waiting for what was claimed: %zu",
                  talk_count(&talk, EVENT_TEXT));
    stream_fini(&stream);
    talk_close(&talk);
}

Test(syst_damage, the_longest_messages_come_through_all_framings)
{
    static const char *const framings[] = {"hex", "raw", "stp"};
    uint8_t *payload = malloc(65535);
    for (size_t i = 0; i < 65535; i++)
        payload[i] = (uint8_t)(i * i >> 3 | 0xC0);
    for (size_t f = 0; f < 3; f++) {
        struct stream message = {0}, stream = {0};
        struct syst_nibbles nibbles = {&stream, false};
        syst_say(&message, &(struct syst_say){.type = 6, .checked = true, .payload = payload, .n = 65535});
        if (f == 0)
            syst_line(&stream, message.bytes, message.n);
        else if (f == 1)
            stream_bytes(&stream, message.bytes, message.n);
        else
            syst_stp_begin(&nibbles, 1);
        if (f == 2)
            syst_stp_message(&nibbles, message.bytes, message.n, 5);
        struct events told = listen(framings[f], stream.bytes, stream.n);
        const struct event *last = &told.event[told.n - 1];
        cr_assert(last->kind == EVENT_TEXT && last->text.n == 2 * 65535, "%s", framings[f]);
        cr_assert_str_eq(last->text.message->status, "OK");
        events_fini(&told);
        stream_fini(&message);
        stream_fini(&stream);
    }
    free(payload);
}

Test(syst_damage, a_line_or_stp_message_without_end_costs_no_more_than_the_longest_message)
{
    struct stream stream = {0};
    struct talk talk = talk_open("hex");
    stream_bytes(&stream, "SYS-T RAW DATA: ", 16);
    for (int i = 0; i < 400000; i++)
        stream_byte(&stream, 'A');
    stream_bytes(&stream, "\nSYS-T RAW DATA: 6202000102006869\n", 34);
    talk_hear(&talk, stream.bytes, stream.n);
    cr_assert_eq(talk_count(&talk, EVENT_TEXT), 1);
    talk_close(&talk);
    stream.n = 0;
    struct syst_nibbles nibbles = {&stream, false};
    talk = talk_open("stp");
    syst_stp_begin(&nibbles, 1);
    syst_nibble_value(&nibbles, 0x6F, 2);
    syst_nibble_value(&nibbles, 0x202, 8);
    syst_nibble(&nibbles, 0);
    for (int i = 0; i < 20000; i++) {
        syst_nibble(&nibbles, 7);
        syst_nibble_value(&nibbles, 0x1111111111111111, 16);
    }
    talk_hear(&talk, stream.bytes, stream.n);
    talk_end(&talk);
    cr_assert_eq(talk_count(&talk, EVENT_TEXT), 0);
    cr_assert_eq(talk.dialect->health(talk.state)->framing_errors, 1);
    stream_fini(&stream);
    talk_close(&talk);
}

Test(syst_damage, noise_ends_in_time_and_makes_few_messages)
{
    static const char *const framings[] = {"hex", "raw", "stp", "auto"};
    struct test_random random = test_random_start("noise");
    struct stream noise = {0};
    for (int i = 0; i < 200000; i++)
        stream_byte(&noise, (uint8_t)test_random_next(&random));
    for (size_t f = 0; f < 4; f++) {
        struct events told = listen(framings[f], noise.bytes, noise.n);
        size_t n = 0;
        for (size_t i = 0; i < told.n; i++)
            n += told.event[i].kind == EVENT_TEXT;
        cr_assert_lt(n, 20, "%s: %zu messages out of nothing", framings[f], n);
        events_fini(&told);
    }
    stream_fini(&noise);
}
