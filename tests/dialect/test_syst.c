/* test_syst.c - SyS-T messages as events: every type, every optional field, every framing. */
#include "syst_talk.h"

#include <criterion/criterion.h>

#include "dialect/syst/crc.h"

static const uint8_t guid[16] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0x80, 1, 2, 3, 4, 5, 6, 7};

#define TEXT(subtype_, words)                                                                                \
    {                                                                                                        \
        .type = 2, .subtype = subtype_, .origin = 3, .unit = 4, .payload = words, .n = sizeof words - 1      \
    }

Test(syst, the_checksum_is_crc_32c)
{
    cr_assert_eq(syst_crc((const uint8_t *)"123456789", 9), 0xE3069283);
}

/* ---- types ---- */

Test(syst, text_ends_at_its_nul_or_at_its_length)
{
    struct talk talk = talk_open("hex");
    talk_say(&talk, &(struct syst_say)TEXT(1, "no terminator"));
    EXPECT_TEXT(&talk, "no terminator");
    EXPECT_WORD(&talk, type, "STRING:GENERIC");
    EXPECT_WORD(&talk, status, "OK");
    talk_say(&talk, &(struct syst_say)TEXT(7, "main.c:12 x > 0\0"));
    EXPECT_TEXT(&talk, "main.c:12 x > 0");
    EXPECT_WORD(&talk, type, "STRING:ASSERT");
    talk_say(&talk, &(struct syst_say)TEXT(5, "(null)\0"));
    EXPECT_WORD(&talk, type, "STRING:INVPARAM");
    talk_say(&talk, &(struct syst_say)TEXT(1, ""));
    EXPECT_TEXT(&talk, "");
    EXPECT_WORD(&talk, status, "OK");
    const struct event *last = talk_last(&talk, EVENT_TEXT);
    cr_assert(last->text.origin == 3 && last->text.unit == 4);
    cr_assert_eq(talk.dialect->health(talk.state)->records, 4);
    talk_close(&talk);
}

/* The format has 128 origins with 16 units each. */
Test(syst, every_origin_and_unit_has_a_context_of_its_own)
{
    enum { ORIGINS = 128, UNITS = 16 };
    static uint32_t contexts[ORIGINS * UNITS];
    struct talk talk = talk_open("hex");
    struct syst_say say = TEXT(2, "control_step\0");
    for (uint32_t i = 0; i < ORIGINS * UNITS; i++) {
        say.origin = (uint8_t)(i / UNITS);
        say.unit = (uint16_t)(i % UNITS);
        talk_say(&talk, &say);
        contexts[i] = talk_last(&talk, EVENT_ENTER)->context;
        for (uint32_t other = i % 37; other < i; other += 37)
            cr_assert_neq(contexts[i], contexts[other], "%u and %u", i, other);
        cr_assert(i == 0 || contexts[i] != contexts[i - 1]);
    }
    say.origin = say.unit = 0;
    talk_say(&talk, &say);
    cr_assert_eq(talk_last(&talk, EVENT_ENTER)->context, contexts[0]);
    talk_close(&talk);
}

Test(syst, enter_and_exit_are_calls_by_name)
{
    struct talk talk = talk_open("hex");
    struct syst_say say = TEXT(2, "control_step\0");
    say.stamped = true;
    say.timestamp = 12345;
    talk_say(&talk, &say);
    const struct event *enter = talk_last(&talk, EVENT_ENTER);
    uint32_t context = enter->context;
    cr_assert(enter->flags == EVENT_BY_NAME && enter->ticks == 12345);
    cr_assert(enter->named.n == 12 && !memcmp(enter->named.name, "control_step", 12));
    cr_assert(talk_last(&talk, EVENT_TEXT)->text.message->is_call);
    say.subtype = 3;
    talk_say(&talk, &say);
    cr_assert_eq(talk_last(&talk, EVENT_EXIT)->context, context);
    say.unit = 5;
    talk_say(&talk, &say);
    cr_assert_neq(talk_last(&talk, EVENT_EXIT)->context, context, "another unit, another stack");
    talk_close(&talk);
}

Test(syst, printf_messages_are_formatted_by_the_target_s_widths)
{
    struct talk talk = talk_open("hex");
    talk_say(&talk, &(struct syst_say)TEXT(11, "%s is %ld\0speed\0\xFF\xFF\xFF\xFF"));
    EXPECT_TEXT(&talk, "speed is -1");
    EXPECT_WORD(&talk, type, "STRING:PRINTF32");
    talk_say(&talk, &(struct syst_say)TEXT(12, "%ld\0\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF"));
    EXPECT_TEXT(&talk, "-2");
    EXPECT_WORD(&talk, type, "STRING:PRINTF64");
    talk_say(&talk, &(struct syst_say)TEXT(11, "%d\0\1"));
    EXPECT_WORD(&talk, status, "TOO_SHORT");
    EXPECT_TEXT(&talk, "[%d: insufficient argument bytes]");
    talk_close(&talk);
}

Test(syst, build_numbers_keep_all_their_bits)
{
    struct talk talk = talk_open("hex");
    static const uint8_t compact32[] = {0xF0, 0xFF, 0xFF, 0xC0};
    static const uint8_t compact64[] = {0x10, 0, 0, 0x41, 0x02, 0, 0, 0x80};
    struct stream lines = {0};
    syst_line(&lines, compact32, sizeof compact32);
    talk_hear(&talk, lines.bytes, lines.n);
    EXPECT_TEXT(&talk, "0x003FFFFF");
    EXPECT_WORD(&talk, type, "BUILD:COMPACT32");
    lines.n = 0;
    syst_line(&lines, compact64, sizeof compact64);
    talk_hear(&talk, lines.bytes, lines.n);
    EXPECT_TEXT(&talk, "0x0020000000900001");
    EXPECT_WORD(&talk, type, "BUILD:COMPACT64");
    cr_assert_null(talk_last(&talk, EVENT_TEXT)->text.message->origin, "it does not say whose it is");
    talk_say(&talk,
             &(struct syst_say){.subtype = 2, .payload = "\x88\x77\x66\x55\x44\x33\x22\x11v2.1", .n = 13});
    EXPECT_TEXT(&talk, "0x1122334455667788 v2.1");
    EXPECT_WORD(&talk, type, "BUILD:LONG");
    for (size_t n = 0; n < 8; n++) {
        talk_say(&talk, &(struct syst_say){.subtype = 2, .payload = "1234567", .n = n});
        EXPECT_WORD(&talk, status, "TOO_SHORT");
    }
    stream_fini(&lines);
    talk_close(&talk);
}

Test(syst, short_messages_are_one_number)
{
    struct talk talk = talk_open("hex");
    struct stream lines = {0};
    syst_line(&lines, (const uint8_t[]){0x81, 0x67, 0x45, 0xF3}, 4);
    talk_hear(&talk, lines.bytes, lines.n);
    EXPECT_TEXT(&talk, "0x0F345678");
    EXPECT_WORD(&talk, type, "SHORT32");
    lines.n = 0;
    syst_line(&lines, (const uint8_t[]){0x87, 0x67, 0x45, 0x23, 0x01, 0, 0, 0xA0}, 8);
    talk_hear(&talk, lines.bytes, lines.n);
    EXPECT_TEXT(&talk, "0x0A00000012345678");
    EXPECT_WORD(&talk, type, "SHORT64");
    stream_fini(&lines);
    talk_close(&talk);
}

Test(syst, raw_and_structured_data_are_dumped)
{
    struct talk talk = talk_open("hex");
    talk_say(&talk, &(struct syst_say){.type = 6, .subtype = 63, .payload = "\x0A\xBC\0", .n = 3});
    EXPECT_TEXT(&talk, "0abc00");
    EXPECT_WORD(&talk, type, "RAW:63");
    talk_say(&talk,
             &(struct syst_say){
                 .type = 9, .subtype = 2 | 2 << 2, .payload = "\1\0\0\0\0\x10\0\x20name\0\xEE", .n = 14});
    EXPECT_TEXT(&talk, "0x00000001 @0x20001000 name ee");
    talk_say(&talk, &(struct syst_say){.type = 9, .subtype = 2, .payload = "\1\0\0\0name", .n = 8});
    EXPECT_WORD(&talk, status, "TOO_SHORT");
    talk_close(&talk);
}

Test(syst, catalog_messages_without_collateral_show_number_and_payload)
{
    struct talk talk = talk_open("hex");
    talk_say(&talk, &(struct syst_say){.type = 3, .subtype = 1, .payload = "\x78\x56\x34\x12\1\2", .n = 6});
    EXPECT_TEXT(&talk, "0x12345678 0102");
    EXPECT_WORD(&talk, status, "MISSING_COLLATERAL");
    talk_say(&talk,
             &(struct syst_say){.type = 3, .subtype = 6, .payload = "\x78\x56\x34\x12\0\0\0\0", .n = 8});
    EXPECT_TEXT(&talk, "0x0000000012345678");
    EXPECT_WORD(&talk, type, "CATALOG:ID64P64");
    talk_close(&talk);
}

static bool read_program(void *user, uint64_t address, char *out, size_t n)
{
    if (address != 0x20004000)
        return false;
    snprintf(out, n, "%s", (const char *)user);
    return true;
}

Test(syst, a_catalog_number_may_be_where_the_program_has_the_format)
{
    char format[] = "level %d of %s";
    struct talk talk =
        talk_open_with(&(struct dialect_settings){.read_text = read_program, .read_text_user = format});
    struct syst_say say = {.type = 3, .subtype = 1, .payload = "\0\x40\0\x20\7\0\0\0tank\0", .n = 13};
    talk_say(&talk, &say);
    talk_end(&talk);
    EXPECT_TEXT(&talk, "level 7 of tank");
    EXPECT_WORD(&talk, status, "OK");
    talk_close(&talk);
}

Test(syst, unknown_types_have_status_unknown)
{
    static const uint8_t kinds[][2] = {{4, 0}, {5, 1}, {10, 0}, {15, 63}, {2, 4},
                                       {3, 3}, {0, 3}, {8, 2},  {9, 16}};
    struct talk talk = talk_open("hex");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        talk_say(&talk,
                 &(struct syst_say){
                     .type = kinds[i][0], .subtype = kinds[i][1], .payload = "0123456789abcdef", .n = 16});
        EXPECT_WORD(&talk, status, "UNKNOWN_TYPE");
    }
    cr_assert_eq(talk.dialect->health(talk.state)->malformed, sizeof kinds / sizeof *kinds);
    talk_close(&talk);
}

/* ---- fields ---- */

Test(syst, optional_fields_come_in_all_combinations)
{
    static const uint8_t location[] = {0, 0x21, 0x43, 0x65, 0x07};
    struct talk talk = talk_open("hex");
    for (unsigned fields = 0; fields < 32; fields++) {
        struct syst_say say = TEXT(1, "all of it");
        say.severity = fields & 7;
        say.guid = fields & 1 ? guid : NULL;
        say.unit = fields & 1 ? 0x7AB : 0xC;
        say.location = fields & 2 ? location : NULL;
        say.location_n = sizeof location;
        say.stamped = fields & 4;
        say.timestamp = UINT64_C(0x1122334455667788);
        say.checked = fields & 8;
        say.open = fields & 16;
        talk_say(&talk, &say);
        EXPECT_TEXT(&talk, "all of it");
        EXPECT_WORD(&talk, status, "OK");
        const struct event *event = talk_last(&talk, EVENT_TEXT);
        const struct event_message *more = event->text.message;
        cr_assert(event->text.severity == (fields & 7) && event->text.unit == say.unit);
        cr_assert_eq(event->text.origin, fields & 1 ? 0 : 3);
        cr_assert_str_eq(more->origin, fields & 1 ? "{01234567-89AB-CDEF-8001-020304050607}" : "0x03");
        cr_assert(!more->location == !(fields & 2) &&
                  (!more->location || !strcmp(more->location, "17185:1893")));
        cr_assert(more->has_timestamp == !!(fields & 4) &&
                  (!more->has_timestamp || more->timestamp == say.timestamp));
        cr_assert_eq(more->has_checksum, !!(fields & 8));
        cr_assert_eq(event->flags, fields & 4 ? 0 : EVENT_ESTIMATED_TIME);
    }
    talk_close(&talk);
}

Test(syst, locations_are_of_four_formats)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *expected;
    } cases[] = {{"\0\1\0\x40\0", 5, "1:64"},
                 {"\1\x01\0\1\0\x40\0\0\0", 9, "65537:64"},
                 {"\2\x78\x56\x34\x12", 5, "0x12345678"},
                 {"\3\x78\x56\x34\x12\1\0\0\0", 9, "0x0000000112345678"}};
    struct talk talk = talk_open("hex");
    for (size_t i = 0; i < 4; i++) {
        struct syst_say say = TEXT(1, "here");
        say.location = cases[i].bytes;
        say.location_n = cases[i].n;
        talk_say(&talk, &say);
        EXPECT_WORD(&talk, location, cases[i].expected);
        EXPECT_TEXT(&talk, "here");
    }
    talk_close(&talk);
}

Test(syst, bad_messages_have_a_status_and_make_no_calls)
{
    struct stream message = {0}, lines = {0};
    struct syst_say say = TEXT(2, "function\0");
    say.stamped = say.checked = true;
    syst_say(&message, &say);
    struct talk talk = talk_open("hex");
    for (size_t n = 1; n < message.n; n++) {
        lines.n = 0;
        syst_line(&lines, message.bytes, n);
        talk_hear(&talk, lines.bytes, lines.n);
        EXPECT_WORD(&talk, status, "TOO_SHORT");
    }
    message.bytes[message.n - 6] ^= 1;
    lines.n = 0;
    syst_line(&lines, message.bytes, message.n);
    talk_hear(&talk, lines.bytes, lines.n);
    EXPECT_WORD(&talk, status, "CHECKSUM_ERROR");
    stream_byte(&message, 0);
    lines.n = 0;
    syst_line(&lines, message.bytes, message.n);
    talk_hear(&talk, lines.bytes, lines.n);
    EXPECT_WORD(&talk, status, "TOO_LONG");
    cr_assert_eq(talk_count(&talk, EVENT_ENTER), 0);
    cr_assert_eq(talk_count(&talk, EVENT_LOST), message.n, "each is a gap");
    cr_assert_eq(talk.dialect->health(talk.state)->crc_errors, 1);
    cr_assert_eq(talk.dialect->health(talk.state)->records, 0);
    stream_fini(&message);
    stream_fini(&lines);
    talk_close(&talk);
}

/* ---- framings ---- */

Test(syst, lines_are_found_anywhere_in_a_log)
{
    static const char log[] = "Booting from ROM..SYS-T RAW DATA: 02020001 this is no end\r\n"
                              "SYSYS-T RAW DATA: 620a00010100 0000\n"
                              "<inf> SYS-T RAW DATA: 6202000102006869\r\nnoise\n"
                              "SYS-T RAW DATA: 62020001020068691\nSYS-T RAW DATA: \n"
                              "SYS-T RAW DATA: 62020001SYS-T RAW DATA: 62020001010021";
    struct talk talk = talk_open("hex");
    talk_hear(&talk, (const uint8_t *)log, sizeof log - 1);
    cr_assert_eq(talk_count(&talk, EVENT_TEXT), 3, "two too short, one good, until the end");
    EXPECT_TEXT(&talk, "hi");
    talk_end(&talk);
    EXPECT_TEXT(&talk, "!");
    cr_assert_eq(talk.dialect->health(talk.state)->framing_errors, 3, "odd, empty, broken off");
    talk_close(&talk);
}

static void write_calls(struct stream *lines, struct stream *raw, struct stream *stp)
{
    struct syst_nibbles nibbles = {stp, false};
    for (unsigned i = 0; i < 60; i++) {
        struct stream message = {0};
        syst_call(&message, i % 2 ? 3 : 2, i % 4 < 2 ? "outer" : "a_much_longer_name_of_a_function", 100 * i);
        if (i % 20 == 0)
            syst_stp_begin(&nibbles, 60000000);
        syst_line(lines, message.bytes, message.n);
        stream_bytes(raw, message.bytes, message.n);
        syst_stp_message(&nibbles, message.bytes, message.n, 6000 * i);
        stream_fini(&message);
    }
}

Test(syst, three_framings_are_detected_and_give_the_same_events)
{
    struct stream streams[3] = {0};
    static const char *const names[] = {"hex", "raw", "stp"};
    struct events told[6];
    write_calls(&streams[0], &streams[1], &streams[2]);
    for (int i = 0; i < 6; i++) {
        struct talk talk = talk_open(i < 3 ? names[i] : "auto");
        talk_hear(&talk, streams[i % 3].bytes, streams[i % 3].n);
        talk_end(&talk);
        cr_assert_eq(talk_count(&talk, EVENT_ENTER), 30, "run %d", i);
        cr_assert_eq(talk.dialect->health(talk.state)->bytes_skipped, 0, "run %d", i);
        told[i] = talk.events;
        talk.events = (struct events){0};
        talk_close(&talk);
    }
    for (int i = 1; i < 6; i++)
        for (size_t e = 0, calls = 0; e < told[0].n; e++)
            if (told[0].event[e].kind != EVENT_TEXT) {
                cr_assert(event_same(&told[0].event[e], &told[i].event[e]), "run %d, call %zu", i, calls);
                calls++;
            }
    for (int i = 0; i < 6; i++)
        events_fini(&told[i]);
    for (int i = 0; i < 3; i++)
        stream_fini(&streams[i]);
}

Test(syst, stp_messages_may_end_with_a_marked_value_or_be_one_value)
{
    struct stream stp = {0}, message = {0};
    struct syst_nibbles nibbles = {&stp, false};
    struct talk talk = talk_open("stp");
    syst_say(&message, &(struct syst_say){.type = 2, .subtype = 1, .open = true, .payload = "abcd", .n = 4});
    syst_stp_begin(&nibbles, 1000);
    syst_nibble_value(&nibbles, 0x6F, 2); /* D32TS, D32M */
    syst_nibble_value(&nibbles, syst_load(message.bytes, 4), 8);
    syst_nibble_value(&nibbles, 0x1002, 3); /* a stamp of two nibbles: 0x00 */
    syst_nibble_value(&nibbles, 0xAF, 2);
    syst_nibble_value(&nibbles, syst_load(message.bytes + 4, 4), 8);
    syst_nibble(&nibbles, 0xA); /* D32MTS */
    syst_nibble_value(&nibbles, 0x00000421, 8);
    syst_nibble_value(&nibbles, 0x551, 2);
    syst_nibble(&nibbles, 0xB); /* D64MTS */
    syst_nibble_value(&nibbles, 0x1237, 16);
    syst_nibble_value(&nibbles, 0x12, 3);
    syst_nibble(&nibbles, 0);
    talk_hear(&talk, stp.bytes, stp.n);
    cr_assert_eq(talk_count(&talk, EVENT_TEXT), 3);
    EXPECT_TEXT(&talk, "0x0000000000000123");
    EXPECT_WORD(&talk, type, "SHORT64");
    cr_assert_eq(talk_last(&talk, EVENT_CLOCK)->clock.ticks_per_second, 1000,
                 "the transport's clock is all there is");
    stream_fini(&stp);
    stream_fini(&message);
    talk_close(&talk);
}

Test(syst, impossible_options_give_an_error)
{
    static const struct dialect_setting bad[] = {
        {"framing", "morse"}, {"guid", "{1234}"}, {"clock_hz", "fast"}, {"clock_hz", "-1"}, {"clock_hz", ""}};
    const struct dialect *dialect = dialect_find("syst");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        void *state = calloc(1, dialect->state_size);
        struct error err = {""};
        cr_assert_not(dialect->start(state, &(struct dialect_settings){.settings = &bad[i], .n = 1}, &err));
        cr_assert(strstr(err.text, bad[i].key), "%s", err.text);
        free(state);
    }
}
