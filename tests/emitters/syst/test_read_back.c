/* test_read_back.c - the emitter's messages as decoded by the daemon, in every framing. */
#include "said.h"

#include "syst_talk.h"

static const char *const framings[] = {
    [MPT_SYST_AS_RAW] = "raw", [MPT_SYST_AS_HEX] = "hex", [MPT_SYST_AS_STP] = "stp"};

static const struct mpt_syst_origin by_module = {.module = 5, .unit = 3};
static const struct mpt_syst_origin by_guid = {
    .guid = {0x49, 0x4E, 0x54, 0x43, 0, 0, 0x40, 0x14, 0xA6, 0x5A, 0x2F, 0x36, 0xA3, 0x6D, 0x96, 0xE4},
    .has_guid = true,
    .unit = 77};

/* Writes 16 messages, of all 14 types. */
static void say_all(const struct mpt_syst_origin *origin)
{
    static const uint8_t data[] = {0xDE, 0xAD, 0x00, 0x6F, 0x42, 0xBE, 0xEF};

    mpt_syst_string(origin, MPT_SYST_INFO, "a text");
    mpt_syst_text(origin, MPT_SYST_USER1, "cut off", 3);
    mpt_syst_enter(origin, MPT_SYST_DEBUG, "control");
    mpt_syst_exit(origin, MPT_SYST_DEBUG, "control");
    mpt_syst_assert(origin, MPT_SYST_FATAL, "x > 0");
    mpt_syst_printf(origin, MPT_SYST_WARNING, "%d of %s at %.2f%%, %#x %c", -3, "pump", 99.5, 0xABCu, '!');
    mpt_syst_printf(origin, MPT_SYST_WARNING, "%lld %lu %p %5.1Lf|%-4s|", -5000000000LL, 7UL, (void *)0x1234,
                    2.25L, "ab");
    mpt_syst_raw(origin, MPT_SYST_MAX, 9, data, sizeof data);
    mpt_syst_sbd(origin, MPT_SYST_USER2, 7, (const void *)0x1234, "pose", data, 2);
    mpt_syst_build(origin, MPT_SYST_INFO, 0x10203, "v1.2");
    mpt_syst_catalog32(origin, MPT_SYST_ERROR, 0x1000, MPT_SYST_SIGNATURE(1, "t"), 1, "t");
    mpt_syst_catalog64(origin, MPT_SYST_ERROR, UINT64_C(0x1122334455667788), 0);
    mpt_syst_short32(0xABCDEF);
    mpt_syst_short64(UINT64_C(0x123456789ABCDEF));
    mpt_syst_build32(0x212345);
    mpt_syst_build64(UINT64_C(0x20000000012345));
}

static const struct {
    const char *text, *type;
    int severity;
} said_all[] = {
    {"a text", "STRING:GENERIC", 4},
    {"cut", "STRING:GENERIC", 5},
    {"control", "STRING:ENTER", 7},
    {"control", "STRING:EXIT", 7},
    {"x > 0", "STRING:ASSERT", 1},
    {"-3 of pump at 99.50%, 0xabc !", "STRING:PRINTF64", 3},
    {"-5000000000 7 0x1234   2.2|ab  |", "STRING:PRINTF64", 3},
    {"dead006f42beef", "RAW:9", 0},
    {"0x00000007 @0x0000000000001234 pose dead", "SBD:0x0E", 6},
    {"0x0000000000010203 v1.2", "BUILD:LONG", 4},
    {"0x00001000 010000007400", "CATALOG:ID32P64", 2},
    {"0x1122334455667788", "CATALOG:ID64P64", 2},
    {"0x00ABCDEF", "SHORT32", 0},
    {"0x0123456789ABCDEF", "SHORT64", 0},
    {"0x00212345", "BUILD:COMPACT32", 0},
    {"0x0020000000012345", "BUILD:COMPACT64", 0},
};
enum { ALL = sizeof said_all / sizeof *said_all };

static bool is_number(size_t i)
{
    return i >= 12;
}

static void check_all(const struct talk *talk, const struct mpt_syst_origin *origin, const char *how)
{
    size_t nth = 0;

    for (size_t i = 0; i < talk->events.n; i++) {
        const struct event *event = &talk->events.event[i];
        if (event->kind != EVENT_TEXT)
            continue;
        cr_assert_lt(nth, ALL, "%s: more than was said", how);
        cr_assert(event_says(event, said_all[nth].text), "%s: %zu is \"%.*s\"", how, nth, (int)event->text.n,
                  event->text.text);
        cr_assert_str_eq(event->text.message->type, said_all[nth].type);
        cr_assert_eq(event->text.severity, said_all[nth].severity);
        if (!is_number(nth)) {
            cr_assert_eq(event->text.unit, origin->unit);
            cr_assert_eq(event->text.origin, origin->has_guid ? 0 : origin->module);
            cr_assert_eq(event->text.message->has_timestamp, (origin->with & MPT_SYST_STAMPED) != 0);
            cr_assert_eq(event->text.message->has_checksum, (origin->with & MPT_SYST_CHECKED) != 0);
            if (origin->with & MPT_SYST_PLACED)
                cr_assert_str_eq(event->text.message->location, "70000:12");
            else
                cr_assert_eq(event->text.message->location != NULL, (origin->with & MPT_SYST_CALLER) != 0);
        }
        nth++;
    }
    cr_assert_eq(nth, ALL, "%s: %zu of %d messages", how, nth, ALL);
    const struct dialect_health *health = talk->dialect->health(talk->state);
    cr_assert_eq(health->bytes_skipped + health->framing_errors + health->crc_errors + health->malformed, 0,
                 "%s", how);
}

static void read_back(enum mpt_syst_framing framing, const struct mpt_syst_origin *origin, size_t room)
{
    struct stream line = {0};
    struct talk talk = talk_open(framings[framing]);
    char how[80];

    snprintf(how, sizeof how, "%s, with %#x, %zu at a time", framings[framing], origin->with, room);
    board_start();
    board.ticks_per_reading = 10;
    mpt_syst_frame(framing);
    say_all(origin);
    said_take(&line, room);
    cr_assert_eq(mpt_syst_lost(), 0);
    talk_hear(&talk, line.bytes, line.n);
    talk_end(&talk);
    check_all(&talk, origin, how);
    stream_fini(&line);
    talk_close(&talk);
}

Test(read_back, all_messages_with_all_fields_in_every_framing)
{
    for (int framing = MPT_SYST_AS_RAW; framing <= MPT_SYST_AS_STP; framing++)
        for (uint8_t with = 0; with < 32; with++)
            for (int guid = 0; guid < 2; guid++) {
                struct mpt_syst_origin origin = guid ? by_guid : by_module;
                if (framing == MPT_SYST_AS_RAW && with & MPT_SYST_NO_LENGTH)
                    continue; /* back to back, the end of such a message is unknown */
                origin.with = with;
                origin.file = 70000;
                origin.line = 12;
                read_back((enum mpt_syst_framing)framing, &origin, 300);
            }
}

Test(read_back, a_location_belongs_to_one_message)
{
    struct stream line = {0};
    struct talk talk = talk_open("hex");

    board_start();
    mpt_syst_frame(MPT_SYST_AS_HEX);
    mpt_syst_string(MPT_SYST_LOCADDR(&by_module), MPT_SYST_INFO, "here");
    mpt_syst_sbd(&by_module, MPT_SYST_INFO, UINT64_C(0x1122334455667788), NULL, NULL, "", 0);
    said_take(&line, 200);
    talk_hear(&talk, line.bytes, line.n);
    EXPECT_TEXT(&talk, "0x1122334455667788 ");
    cr_assert_null(talk_last(&talk, EVENT_TEXT)->text.message->location);
    size_t i = 0;
    while (talk.events.event[i].kind != EVENT_TEXT)
        i++;
    cr_assert_not_null(talk.events.event[i].text.message->location);
    stream_fini(&line);
    talk_close(&talk);
}

Test(read_back, messages_are_whole_however_few_bytes_are_taken_at_a_time)
{
    struct mpt_syst_origin origin = by_guid;

    origin.with = MPT_SYST_STAMPED | MPT_SYST_CHECKED;
    for (int framing = MPT_SYST_AS_RAW; framing <= MPT_SYST_AS_STP; framing++)
        for (size_t room = 1; room < 200; room++)
            read_back((enum mpt_syst_framing)framing, &origin, room);
}

Test(read_back, whole_messages_are_taken_if_they_fit)
{
    for (int framing = MPT_SYST_AS_RAW; framing <= MPT_SYST_AS_STP; framing++) {
        uint8_t bytes[140];
        size_t n, told = 0;
        struct talk talk = talk_open(framings[framing]);

        board_start();
        mpt_syst_frame((enum mpt_syst_framing)framing);
        for (int i = 0; i < 12; i++)
            mpt_syst_string(&by_module, MPT_SYST_INFO, "thirty bytes of text, in total");
        while ((n = mpt_syst_take(bytes, sizeof bytes)) > 0) {
            talk_hear(&talk, bytes, n);
            if (framing != MPT_SYST_AS_RAW) { /* where a message's end is known before the next one begins */
                cr_assert_gt(talk_count(&talk, EVENT_TEXT), told);
                told = talk_count(&talk, EVENT_TEXT);
            } else {
                cr_assert_eq(n % 37, 0);
            }
        }
        talk_end(&talk);
        cr_assert_eq(talk_count(&talk, EVENT_TEXT), 12);
        talk_close(&talk);
    }
}

Test(read_back, a_message_keeps_the_framing_that_it_began_with)
{
    struct stream line = {0};
    uint8_t some[20];

    board_start();
    mpt_syst_frame(MPT_SYST_AS_HEX);
    mpt_syst_short32(0xABCDEF);
    mpt_syst_short32(0x123456);
    stream_bytes(&line, some, mpt_syst_take(some, sizeof some));
    mpt_syst_frame(MPT_SYST_AS_RAW);
    said_take(&line, 100);
    cr_assert_eq(line.n, 16 + 8 + 2 + 4);
    cr_assert_arr_eq(line.bytes, "SYS-T RAW DATA: F1DEBC0A\r\n\x61\x45\x23\x01", 30);
    stream_fini(&line);
}

Test(read_back, clock_rate_and_call_duration_match_the_boards_timer)
{
    static const struct mpt_syst_origin stamped = {.module = 5, .unit = 3, .with = MPT_SYST_STAMPED};

    for (int framing = MPT_SYST_AS_RAW; framing <= MPT_SYST_AS_STP; framing++) {
        struct stream line = {0};
        struct talk talk = talk_open(framings[framing]);

        board_start();
        mpt_syst_frame((enum mpt_syst_framing)framing);
        mpt_syst_clock(&stamped, MPT_SYST_MAX);
        board.ticks += 1000;
        mpt_syst_enter(&stamped, MPT_SYST_INFO, "outer");
        board.ticks += 250;
        mpt_syst_exit(&stamped, MPT_SYST_INFO, "outer");
        said_take(&line, 100);
        talk_hear(&talk, line.bytes, line.n);
        talk_end(&talk);
        cr_assert_eq(talk_last(&talk, EVENT_CLOCK)->clock.ticks_per_second, MPT_TICK_HZ);
        cr_assert_eq(talk_last(&talk, EVENT_EXIT)->ticks - talk_last(&talk, EVENT_ENTER)->ticks, 250);
        stream_fini(&line);
        talk_close(&talk);
    }
}

Test(read_back, a_long_stp_stream_repeats_its_sync_and_can_be_joined_late)
{
    struct stream line = {0};
    struct talk talk = talk_open("stp");

    board_start();
    mpt_syst_frame(MPT_SYST_AS_STP);
    for (int i = 0; i < 50; i++) {
        mpt_syst_printf(&by_module, MPT_SYST_INFO, "message %d", i);
        said_take(&line, 64);
    }
    talk_hear(&talk, line.bytes + 30, line.n - 30);
    talk_end(&talk);
    cr_assert_eq(talk_count(&talk, EVENT_TEXT), 49);
    EXPECT_TEXT(&talk, "message 49");
    stream_fini(&line);
    talk_close(&talk);
}
