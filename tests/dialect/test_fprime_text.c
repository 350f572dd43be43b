/* test_fprime_text.c - the F-Prime profiler's lines of text. */
#include "dialect/dialect.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "support/listener.h"

enum { RELOAD = 0xFFFFFE };

static const struct dialect_settings plain = {0};

static struct listener listener_of_text(const char *text)
{
    struct stream stream = {0};
    stream_bytes(&stream, text, strlen(text));
    struct listener listener = listener_of("fprime", &plain, &stream);
    stream_fini(&stream);
    return listener;
}

static bool is(const struct event *event, enum event_kind kind, uint64_t address, uint64_t ticks)
{
    return event->kind == kind && event->call.address == address && event->ticks == ticks;
}

Test(fprime_text, a_line_is_address_phase_and_ticks)
{
    struct listener listener = listener_of_text("P:57C,0,FFFF9A\r\nP:57C,1,FFFDC6\r\n");
    cr_assert_eq(listener.events.n, 2);
    cr_assert(is(&listener.events.event[0], EVENT_ENTER, 0x57C, RELOAD - 0xFFFF9A));
    cr_assert(is(&listener.events.event[1], EVENT_EXIT, 0x57C, RELOAD - 0xFFFDC6));
    cr_assert_str_eq(listener_health(&listener)->form, "text");
    listener_close(&listener);
}

Test(fprime_text, the_rest_of_a_log_does_not_matter)
{
    struct listener listener = listener_of_text("booting, HTTP:80,0,1 up\n"
                                                "[12:00:01] P:57c,0,ffff9a (main)\n"
                                                "\n"
                                                "  P: 0x57C , 1 , 0xFFFDC6 , whatever\n"
                                                "a line of its own\n"
                                                "P:58C,0,FFFDC0"); /* and no line's end */
    cr_assert_eq(listener.events.n, 3);
    cr_assert(is(&listener.events.event[0], EVENT_ENTER, 0x57C, RELOAD - 0xFFFF9A));
    cr_assert(is(&listener.events.event[1], EVENT_EXIT, 0x57C, RELOAD - 0xFFFDC6));
    cr_assert(is(&listener.events.event[2], EVENT_ENTER, 0x58C, RELOAD - 0xFFFDC0));
    cr_assert_eq(listener_health(&listener)->malformed, 0);
    listener_close(&listener);
}

Test(fprime_text, decimal_numbers_are_recognised_as_such)
{
    struct listener listener = listener_of_text("P:1404,0,16777114\nP:1404,1,16776646\n"
                                                "P:1504,0,16776000\nP:1504,1,999999\n");
    cr_assert_eq(listener.events.n, 4);
    cr_assert(is(&listener.events.event[0], EVENT_ENTER, 1404, RELOAD - 16777114));
    cr_assert(is(&listener.events.event[3], EVENT_EXIT, 1504, RELOAD - 999999));
    cr_assert_str_eq(listener_health(&listener)->form, "text, decimal");
    listener_close(&listener);
}

Test(fprime_text, numbers_without_letters_are_hexadecimal_all_the_same)
{
    struct listener listener = listener_of_text("P:1404,0,999999\nP:1404,1,999000\n");
    cr_assert_eq(listener.events.n, 2);
    cr_assert(is(&listener.events.event[0], EVENT_ENTER, 0x1404, listener.events.event[0].ticks));
    cr_assert(is(&listener.events.event[1], EVENT_EXIT, 0x1404, listener.events.event[0].ticks + 0x999));
    listener_close(&listener);
}

Test(fprime_text, one_damaged_line_does_not_decide_how_numbers_are_read)
{
    struct listener listener = listener_of_text("P:14A4,0,16777114\nP:1404,1,16776646\nP:1504,0,16776000\n"
                                                "P:1504,1,16775000\nP:1404,0,16774000\n");
    cr_assert_str_eq(listener_health(&listener)->form, "text, decimal");
    cr_assert_eq(listener_health(&listener)->records, 4);
    cr_assert_eq(listener_health(&listener)->malformed, 1);
    cr_assert_eq(listener.events.event[0].kind, EVENT_LOST);
    listener_close(&listener);
}

Test(fprime_text, a_line_that_cannot_be_read_is_an_event_lost)
{
    static const char *const bad[] = {
        "P:57C,2,FFFF00",      "P:57C,0",         "P:57C",
        "P:,0,FFFF00",         "P:0,0,FFFF00",    "P:57C,0,1FFFFFF",
        "P:57C0FFFF00",        "P:57C,0,FFFF00Z", "P:57C;0;FFFF00",
        "P:80000001,0,FFFF00", "P:57C,0,1000000", "P:11111111111,0,FFFF00",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[200];
        snprintf(text, sizeof text, "P:57C,0,FFFF9A\nP:59C,0,FFFF80\n%s\nP:59C,1,FFFE00\n", bad[i]);
        struct listener listener = listener_of_text(text);
        cr_assert_eq(listener.events.n, 4, "%s", bad[i]);
        cr_assert_eq(listener.events.event[2].kind, EVENT_LOST, "%s", bad[i]);
        cr_assert_eq(listener.events.event[2].lost.records, 1);
        cr_assert_eq(listener_health(&listener)->malformed, 1);
        cr_assert_eq(listener_health(&listener)->records, 3);
        listener_close(&listener);
    }
}

Test(fprime_text, losses_reported_by_the_target_have_their_size)
{
    struct listener listener = listener_of_text("P:57C,0,FFFF9A\nP:7FFFFFFF,1,309\nP:59C,1,FFFE00\n");
    cr_assert_eq(listener.events.n, 3);
    cr_assert_eq(listener.events.event[1].kind, EVENT_LOST);
    cr_assert_eq(listener.events.event[1].lost.records, 777);
    cr_assert_eq(listener_health(&listener)->malformed, 0);
    listener_close(&listener);
}

Test(fprime_text, an_endless_line_is_read_up_to_a_limit)
{
    struct stream stream = {0};
    stream_bytes(&stream, "P:57C,0,FFFF9A ", 15);
    for (int i = 0; i < 100000; i++)
        stream_byte(&stream, 'x');
    struct listener listener = listener_of("fprime", &plain, &stream);
    cr_assert_eq(listener.events.n, 1);
    cr_assert(is(&listener.events.event[0], EVENT_ENTER, 0x57C, RELOAD - 0xFFFF9A));
    listener_close(&listener);
    stream_fini(&stream);
}

Test(fprime_text, pieces_of_any_size_give_the_same_events)
{
    struct stream stream = {0};
    for (int i = 0; i < 60; i++) {
        char line[40];
        int n =
            snprintf(line, sizeof line, "%d P:%X,%d,%X\r\n", i, 0x500 + i / 2 * 2, i % 2, RELOAD - 77 * i);
        stream_bytes(&stream, line, (size_t)n);
    }
    struct listener whole = listener_of("fprime", &plain, &stream);
    cr_assert_eq(whole.events.n, 60);
    for (size_t size = 1; size < stream.n; size = size * 2 + 1) {
        struct listener listener = listener_open("fprime", &plain);
        for (size_t at = 0; at < stream.n; at += size)
            listener_hear(&listener, stream.bytes + at, size < stream.n - at ? size : stream.n - at);
        listener_end(&listener);
        cr_assert_eq(events_difference(&whole.events, &listener.events), SIZE_MAX, "%zu", size);
        listener_close(&listener);
    }
    listener_close(&whole);
    stream_fini(&stream);
}
