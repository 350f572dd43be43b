/* test_console.c - logs as terminals save them: colours, time stamps, prefixes, spaces, line ends, and other lines
 * between; each dialect with a text form gives the same events for all of these. */
#include "dialect/console.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "support/listener.h"
#include "support/syst.h"

static const struct dialect_settings plain = {0};

static void write_text(struct stream *stream, const char *text)
{
    stream_bytes(stream, text, strlen(text));
}

/* A way in which logs decorate a line. */
static const struct dress {
    const char *before, *behind;
} dresses[] = {
    {"", "\n"},
    {"", "\r\n"},
    {"", "\r"},
    {"\x1b[0;32m", "\x1b[0m\r\n"},
    {"\x1b]0;a title\x07\x1b[1m", "\x1b[K\n"},
    {"[12:00:00.123] ", "\r\n"},
    {"2026-11-26 12:00:00,123 ", "\n"},
    {"2026-11-26T12:00:00.123Z ", "\n"},
    {"[00:00:01.234,567] <inf> ", "\n"},
    {"   12.345678 ", "\n"},
    {"\x1b[32m[12:00:00]\x1b[0m ", "\x1b[m\r\n"},
    {"12:00:00.123 -> ", "\r\n"},
};
enum { DRESSES = sizeof dresses / sizeof *dresses };

static void write_line(struct stream *stream, const struct dress *dress, const char *line)
{
    write_text(stream, dress->before);
    write_text(stream, line);
    write_text(stream, dress->behind);
}

/* True when the events are the same, except for assumed times. */
static bool are_alike(const struct listener *one, const struct listener *other, enum event_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < one->events.n; i++) {
        if (one->events.event[i].kind != kind)
            continue;
        size_t k = 0, seen = 0;
        for (; k < other->events.n; k++)
            if (other->events.event[k].kind == kind && seen++ == n)
                break;
        if (k == other->events.n || one->events.event[i].ticks != other->events.event[k].ticks)
            return false;
        if (kind == EVENT_MARK &&
            (one->events.event[i].mark.count != other->events.event[k].mark.count ||
             one->events.event[i].mark.checkpoint != other->events.event[k].mark.checkpoint))
            return false;
        if ((kind == EVENT_ENTER || kind == EVENT_SAMPLE) &&
            one->events.event[i].call.address != other->events.event[k].call.address)
            return false;
        n++;
    }
    return n > 0 && n == listener_count(other, kind);
}

static void expect_alike(const char *dialect, const char *const *lines, size_t n, enum event_kind kind)
{
    struct stream bare = {0};
    for (size_t i = 0; i < n; i++)
        write_line(&bare, &dresses[0], lines[i]);
    struct listener right = listener_of(dialect, &plain, &bare);
    for (int d = 1; d < DRESSES; d++) {
        struct stream stream = {0};
        for (size_t i = 0; i < n; i++)
            write_line(&stream, &dresses[d], lines[i]);
        struct listener heard = listener_of(dialect, &plain, &stream);
        const struct dialect_health *health = listener_health(&heard);
        cr_expect(are_alike(&right, &heard, kind), "%s, dress %d", dialect, d);
        cr_expect_eq(listener_count(&heard, EVENT_LOST), 0, "%s, dress %d", dialect, d);
        cr_expect(!health->malformed && !health->bytes_skipped && !health->framing_errors,
                  "%s, dress %d: nothing is damaged", dialect, d);
        listener_close(&heard);
        stream_fini(&stream);
    }
    listener_close(&right);
    stream_fini(&bare);
}

Test(console, tfm_s_self_test_is_read_once_whatever_stands_around_its_lines)
{
    static const char *const lines[] = {
        "TF-M profiler Self-Test starts:",
        "------Start: Timing Log Test------",
        "------Verify Data By TOPIC------",
        "tag: 0x3000101, type: 0x1, cali_idx: 0x0",
        "topic_id: 0x1, checkpoint_id: 0x300",
        "Test data correct @ 0, expect: 40, actual: 40",
        "tag: 0x3010101, type: 0x1, cali_idx: 0x0",
        "Test data correct @ 1, expect: 65, actual: 65",
        "------Verify Data By Checkpoint------",
        "tag: 0x3000101, type: 0x1, cali_idx: 0x0",
        "Test data correct @ 0, expect: 40, actual: 40",
        "tag: 0x3010101, type: 0x1, cali_idx: 0x0",
        "Test data correct @ 1, expect: 65, actual: 65",
        "------End------",
    };
    expect_alike("tfm", lines, sizeof lines / sizeof *lines, EVENT_MARK);
}

Test(console, tfm_s_pairs_are_read_behind_a_time_and_not_behind_words)
{
    static const char *const lines[] = {"1000101,28", "1010101,41", "0x1020101, 0x5A", "1030101,73"};
    expect_alike("tfm", lines, sizeof lines / sizeof *lines, EVENT_MARK);
    struct stream stream = {0};
    write_text(&stream, "the values are 101,5\nsize 141,7\npos 1,8\n");
    struct listener heard = listener_of("tfm", &plain, &stream);
    cr_assert_eq(listener_count(&heard, EVENT_MARK), 0);
    listener_close(&heard);
    stream_fini(&stream);
}

Test(console, fprime_s_lines_are_read)
{
    static const char *const lines[] = {"P:57C,0,FFFF9A", "P:57C,1,FFFDC6", "P:58C,0,FFFDC0",
                                        "P:58C,1,FFFD00"};
    expect_alike("fprime", lines, sizeof lines / sizeof *lines, EVENT_ENTER);
}

Test(console, gprof_s_digits_are_read)
{
    static const char *const lines[] = {"50000A1041000C10000A0650000A14", "41000C10000A06 50 00 0A 18",
                                        "50000A1C50000A1041000C10000A06", "50000A1450000A1850000A1C50000A10"};
    expect_alike("gprof", lines, sizeof lines / sizeof *lines, EVENT_SAMPLE);
}

static void write_spaced(struct stream *stream, const struct stream *line, size_t group)
{
    static const char mark[] = "SYS-T RAW DATA: ";
    size_t head = sizeof mark - 1;
    stream_bytes(stream, line->bytes, head);
    for (size_t i = head; i < line->n; i++) {
        if (i > head && (i - head) % group == 0 && line->bytes[i] > ' ')
            stream_byte(stream, ' ');
        stream_byte(stream, line->bytes[i]);
    }
}

static const struct syst_say greeting = {
    .severity = 4, .origin = 3, .unit = 4, .type = 2, .subtype = 1, .payload = "abcdefg", .n = 7};

static void expect_greeting(const struct stream *stream, const char *what)
{
    struct listener heard = listener_of("syst", &plain, stream);
    cr_expect_eq(listener_count(&heard, EVENT_TEXT), 1, "%s", what);
    cr_expect_eq(listener_health(&heard)->records, 1, "%s", what);
    cr_expect_eq(listener_count(&heard, EVENT_LOST), 0, "%s", what);
    listener_close(&heard);
}

Test(console, syst_s_lines_are_read_in_colour_behind_times_and_in_groups_of_digits)
{
    struct stream message = {0}, line = {0};
    syst_say(&message, &greeting);
    syst_line(&line, message.bytes, message.n);
    stream_byte(&line, 0);
    line.n -= 2; /* its line end */
    line.bytes[line.n] = 0;
    for (int d = 0; d < DRESSES; d++) {
        struct stream stream = {0};
        write_line(&stream, &dresses[d], (const char *)line.bytes);
        expect_greeting(&stream, dresses[d].before);
        stream_fini(&stream);
    }
    for (size_t group = 2; group <= 4; group += 2) {
        struct stream stream = {0};
        write_spaced(&stream, &line, group);
        expect_greeting(&stream, "spaced, at the end of the log");
        write_text(&stream, " \r\n");
        expect_greeting(&stream, "spaced");
        stream_fini(&stream);
    }
    struct stream stream = {0};
    stream_bytes(&stream, line.bytes, line.n);
    write_text(&stream, " add more\n");
    expect_greeting(&stream, "text behind");
    stream_fini(&stream);
    stream_fini(&line);
    stream_fini(&message);
}

Test(console, a_digit_lost_from_a_group_costs_the_message_and_makes_no_other)
{
    struct stream message = {0}, line = {0}, spaced = {0};
    syst_say(&message, &greeting);
    syst_line(&line, message.bytes, message.n);
    write_spaced(&spaced, &line, 2);
    for (size_t at = sizeof "SYS-T RAW DATA: " - 1; at + 1 < spaced.n; at++) {
        struct stream damaged = {0};
        if (spaced.bytes[at] <= ' ')
            continue;
        stream_bytes(&damaged, spaced.bytes, at);
        stream_bytes(&damaged, spaced.bytes + at + 1, spaced.n - at - 1);
        struct listener heard = listener_of("syst", &plain, &damaged);
        cr_expect_eq(listener_health(&heard)->records, 0, "digit at %zu", at);
        listener_close(&heard);
        stream_fini(&damaged);
    }
    stream_fini(&message);
    stream_fini(&line);
    stream_fini(&spaced);
}

/* ---- a form chosen again ---- */

static void write_gprof(struct stream *stream, bool hex, unsigned records)
{
    static const uint8_t record[] = {'P', 0x00, 0x0A, 0x10};
    for (unsigned i = 0; i < records; i++)
        for (unsigned k = 0; k < sizeof record; k++) {
            uint8_t byte = (uint8_t)(record[k] + (k == 3 ? 4 * (i % 5) : 0));
            char digits[3];
            snprintf(digits, sizeof digits, "%02X", byte);
            stream_bytes(stream, hex ? (const void *)digits : (const void *)&byte, hex ? 2 : 1);
        }
}

Test(console, lines_of_a_boot_loader_before_a_gprof_log_cost_nothing)
{
    static const char *const boots[] = {"*** Booting ***\n", "Hello from board\n",
                                        "U-Boot 2024.01 (Jan 08 2024 - 15:37:48 +0000)\nDRAM: 1 GiB\n"
                                        "Loading environment from FAT... OK\nautoboot in 3 seconds\n"};
    for (size_t b = 0; b < sizeof boots / sizeof *boots; b++)
        for (unsigned records = 20; records <= 2000; records *= 10)
            for (int hex = 0; hex < 2; hex++) {
                struct stream stream = {0};
                write_text(&stream, boots[b]);
                write_gprof(&stream, hex, records);
                struct listener heard = listener_of("gprof", &plain, &stream);
                cr_expect_eq(listener_health(&heard)->records, records, "boot %zu, %u records, hex %d: %lu",
                             b, records, hex, (unsigned long)listener_health(&heard)->records);
                cr_expect_leq(listener_health(&heard)->bytes_skipped, strlen(boots[b]));
                listener_close(&heard);
                stream_fini(&stream);
            }
}

Test(console, lines_of_a_boot_loader_before_a_dump_of_fprime_cost_nothing)
{
    struct stream stream = {0};
    for (int i = 0; i < 12; i++)
        write_text(&stream, "boot: a line of the boot loader\r\n");
    for (uint32_t i = 0; i < 400; i++) {
        uint32_t words[2] = {0x571u | (i % 2 ? 0x80000000u : 0), 0xFFFF00u - 20 * i};
        for (int b = 0; b < 8; b++)
            stream_byte(&stream, (uint8_t)(words[b / 4] >> 8 * (b % 4)));
    }
    struct listener heard = listener_of("fprime", &plain, &stream);
    cr_assert_eq(listener_health(&heard)->records, 400);
    listener_close(&heard);
    stream_fini(&stream);
}

/* Bytes that may still be read as another form are not skipped yet. */
Test(console, the_number_of_bytes_skipped_never_falls)
{
    static const char *const ids[] = {"gprof", "fprime"};
    enum { BOOT = 700 };
    for (size_t d = 0; d < 2; d++) {
        struct stream stream = {0};
        struct listener heard = listener_open(ids[d], &plain);
        uint64_t skipped = 0;
        for (int i = 0; i < BOOT; i++) /* bytes that are no form's */
            stream_byte(&stream, (uint8_t)(0x80 + i % 61));
        for (int i = 0; i < 200; i++)
            write_text(&stream, d ? "P:57C,0,FFFF9A\nP:57C,1,FFFDC6\n" : "50000A1050000A1450000A18\n");
        for (size_t i = 0; i < stream.n; i++) {
            listener_hear(&heard, stream.bytes + i, 1);
            cr_assert_geq(listener_health(&heard)->bytes_skipped, skipped, "%s, byte %zu", ids[d], i);
            skipped = listener_health(&heard)->bytes_skipped;
        }
        listener_end(&heard);
        cr_assert_geq(listener_health(&heard)->bytes_skipped, skipped);
        cr_assert_geq(listener_health(&heard)->records, 390, "%s", ids[d]);
        skipped = listener_health(&heard)->bytes_skipped;
        /* Other lines of text are not counted: they are kept before the other form. */
        cr_assert(skipped >= BOOT - 128 && skipped <= BOOT + 64, "%s: %lu", ids[d], (unsigned long)skipped);
        listener_close(&heard);
        stream_fini(&stream);
    }
}
