/* test_fprime.c - events of the F-Prime profiler as bytes: dumps, streams joined anywhere, damage. Lines of
 * text have their own file. */
#include "dialect/dialect.h"

#include <criterion/criterion.h>

#include "support/damage.h"
#include "support/effort.h"
#include "support/listener.h"
#include "support/random.h"

enum { RELOAD = 0xFFFFFE, EVENTS = 60, EVENT_SIZE = 8 };

#define EXIT 0x80000000u

static const struct dialect_range code[] = {{0x1500, 0x2000}, {0x400, 0x900}};
static const struct dialect_settings plain = {0};
static const struct dialect_settings with_code = {.code = code, .code_n = 2};

/* The form of a word, and the order of the two words. */
struct layout {
    bool big_endian, swapped;
    const char *form;
};

static const struct layout layouts[] = {
    {false, false, "bytes"},
    {true, false, "bytes, big-endian"},
    {false, true, "bytes, words swapped"},
    {true, true, "bytes, big-endian, words swapped"},
};
enum { LAYOUTS = 4 };

static void put_word(struct stream *stream, const struct layout *layout, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        stream_byte(stream, (uint8_t)(word >> 8 * (layout->big_endian ? 3 - i : i)));
}

static void put(struct stream *stream, const struct layout *layout, uint32_t function, uint32_t counter)
{
    put_word(stream, layout, layout->swapped ? counter : function);
    put_word(stream, layout, layout->swapped ? function : counter);
}

static void put_event(struct stream *stream, uint32_t function, uint32_t counter)
{
    put(stream, &layouts[0], function, counter);
}

static void put_end_mark(struct stream *stream, const struct layout *layout)
{
    put(stream, layout, UINT32_MAX, UINT32_MAX);
}

/* Writes calls up to three deep, some hundred ticks apart, from the reading `counter` on. */
static void put_run(struct stream *stream, const struct layout *layout, size_t events, uint32_t counter)
{
    for (size_t i = 0; i < events; i++) {
        uint32_t step = (uint32_t)(i % 6), level = step < 3 ? step : 5 - step;
        put(stream, layout, (step < 3 ? 0 : EXIT) | (0x571 + 0x44 * level + (i % 12 > 5 ? 0x1000 : 0)),
            counter);
        counter = (uint32_t)((counter + RELOAD + 1 - 137 - 61 * (i % 5)) % (RELOAD + 1));
    }
}

/* Times do not matter: after a gap they may be a period off. */
static bool same_function(const struct event *a, const struct event *b)
{
    return a->kind == b->kind && a->call.address == b->call.address;
}

Test(fprime, an_event_is_an_entry_or_an_exit_of_an_address_without_thumbs_bit)
{
    struct stream stream = {0};
    put_event(&stream, 0x57D, RELOAD - 100);
    put_event(&stream, EXIT | 0x57D, RELOAD - 130);
    put_end_mark(&stream, &layouts[0]);
    struct listener listener = listener_of("fprime", &plain, &stream);
    cr_assert_eq(listener.events.n, 2);
    const struct event *event = listener.events.event;
    cr_assert(event[0].kind == EVENT_ENTER && event[0].call.address == 0x57C && event[0].ticks == 100);
    cr_assert(event[1].kind == EVENT_EXIT && event[1].call.address == 0x57C && event[1].ticks == 130);
    cr_assert_eq(listener_health(&listener)->records, 2);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(fprime, the_counters_period_is_the_reload_value_and_1)
{
    static const struct dialect_setting reloads[] = {{"reload", "0xFFFFFE"}, {"reload", "999"}};
    for (int i = 0; i < 2; i++) {
        uint32_t reload = i ? 999 : RELOAD;
        struct stream stream = {0};
        put_event(&stream, 0x57D, reload);
        put_event(&stream, 0x59D, 7);
        put_event(&stream, EXIT | 0x59D, reload - 5);
        put_event(&stream, EXIT | 0x57D, reload - 9);
        put_end_mark(&stream, &layouts[0]);
        struct listener listener =
            listener_of("fprime", &(struct dialect_settings){.settings = &reloads[i], .n = 1}, &stream);
        cr_assert_eq(listener.events.n, 4);
        cr_assert_eq(listener.events.event[0].ticks, 0);
        cr_assert_eq(listener.events.event[1].ticks, reload - 7);
        cr_assert_eq(listener.events.event[2].ticks, reload + 1 + 5);
        cr_assert_eq(listener.events.event[3].ticks, reload + 1 + 9);
        listener_close(&listener);
        stream_fini(&stream);
    }
}

Test(fprime, ticks_go_on_through_many_periods)
{
    struct stream stream = {0};
    uint64_t now = 0;
    for (uint32_t i = 0; i < 300; i++, now += 1000003)
        put_event(&stream, (i % 2 ? EXIT : 0) | 0x57D, (uint32_t)(RELOAD - now % (RELOAD + 1)));
    struct listener listener = listener_of("fprime", &plain, &stream);
    cr_assert_eq(listener.events.n, 300);
    for (uint32_t i = 0; i < 300; i++)
        cr_assert_eq(listener.events.event[i].ticks, i * UINT64_C(1000003));
    listener_close(&listener);
    stream_fini(&stream);
}

Test(fprime, the_clock_is_reported_if_it_is_known)
{
    struct dialect_setting clock = {"clock_hz", "100000000"};
    struct stream stream = {0};
    put_run(&stream, &layouts[0], EVENTS, RELOAD);
    struct listener listener =
        listener_of("fprime", &(struct dialect_settings){.settings = &clock, .n = 1}, &stream);
    cr_assert_eq(listener.events.event[0].kind, EVENT_CLOCK);
    cr_assert_eq(listener.events.event[0].clock.ticks_per_second, 100000000);
    cr_assert_eq(listener.events.n, EVENTS + 1);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(fprime, nothing_is_read_after_an_end_mark)
{
    for (int unwritten = 0; unwritten < 2; unwritten++)
        for (int i = 0; i < LAYOUTS; i++) {
            struct stream stream = {0};
            put_run(&stream, &layouts[i], EVENTS, RELOAD - 3);
            if (unwritten)
                put(&stream, &layouts[i], 0, 0x1234);
            else
                put_end_mark(&stream, &layouts[i]);
            put_run(&stream, &layouts[i], 200, RELOAD - 3); /* of the capture before */
            struct listener listener = listener_of("fprime", &plain, &stream);
            cr_assert_eq(listener.events.n, EVENTS);
            cr_assert_eq(listener_health(&listener)->bytes_skipped, 0);
            listener_close(&listener);
            stream_fini(&stream);
        }
}

Test(fprime, memory_without_events_gives_no_events)
{
    static const uint8_t never_written[4096];
    struct stream stopped = {0};
    put_end_mark(&stopped, &layouts[0]);
    put_run(&stopped, &layouts[0], EVENTS, RELOAD);
    struct stream empty = {0};
    stream_bytes(&empty, never_written, sizeof never_written);
    put_run(&empty, &layouts[0], EVENTS, RELOAD);
    const struct stream *streams[] = {&stopped, &empty};
    for (int i = 0; i < 2; i++) {
        struct listener listener = listener_of("fprime", &plain, streams[i]);
        cr_assert_eq(listener.events.n, 0);
        listener_close(&listener);
    }
    stream_fini(&stopped);
    stream_fini(&empty);
}

Test(fprime, a_memory_that_filled_up_has_no_mark_and_may_end_within_an_event)
{
    struct stream stream = {0};
    put_run(&stream, &layouts[0], EVENTS, RELOAD);
    stream.n -= 3;
    struct listener listener = listener_of("fprime", &with_code, &stream);
    cr_assert_eq(listener.events.n, EVENTS - 1);
    cr_assert_eq(listener_health(&listener)->malformed + listener_health(&listener)->bytes_skipped, 0);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(fprime, other_layouts_are_recognised_and_reported)
{
    struct stream usual = {0};
    put_run(&usual, &layouts[0], EVENTS, RELOAD - 3);
    struct listener whole = listener_of("fprime", &plain, &usual);
    for (int i = 0; i < LAYOUTS; i++)
        for (int elf = 0; elf < 2; elf++) {
            struct stream stream = {0};
            put_run(&stream, &layouts[i], EVENTS, RELOAD - 3);
            struct listener listener = listener_of("fprime", elf ? &with_code : &plain, &stream);
            cr_assert_eq(events_difference(&whole.events, &listener.events), SIZE_MAX, "%s", layouts[i].form);
            cr_assert_str_eq(listener_health(&listener)->form, layouts[i].form);
            listener_close(&listener);
            stream_fini(&stream);
        }
    listener_close(&whole);
    stream_fini(&usual);
}

Test(fprime, a_stream_may_be_joined_anywhere)
{
    for (int i = 0; i < 2; i++)
        for (int elf = 0; elf < 2; elf++) {
            struct stream stream = {0};
            put_run(&stream, &layouts[i], EVENTS, 0x456789);
            struct listener whole = listener_of("fprime", &plain, &stream);
            for (size_t at = 0; at < stream.n - 16 * EVENT_SIZE; at++) {
                struct stream rest = {stream.bytes + at, stream.n - at, 0};
                struct listener listener = listener_of("fprime", elf ? &with_code : &plain, &rest);
                struct damage_cost cost = damage_cost(&whole.events, &listener.events, same_function);
                cr_assert_eq(cost.invented, 0, "%s, joined at %zu", layouts[i].form, at);
                cr_assert_eq(cost.missing, (at + EVENT_SIZE - 1) / EVENT_SIZE, "%s, joined at %zu: %zu",
                             layouts[i].form, at, cost.missing);
                size_t n = listener.events.n;
                cr_assert_eq(listener.events.event[n - 1].ticks - listener.events.event[n - 9].ticks,
                             whole.events.event[EVENTS - 1].ticks - whole.events.event[EVENTS - 9].ticks,
                             "each event has its own time");
                listener_close(&listener);
            }
            listener_close(&whole);
            stream_fini(&stream);
        }
}

static void spoil_everywhere(const struct dialect_settings *settings, const struct layout *layout,
                             size_t most)
{
    struct test_random random = test_random_start(layout->form);
    struct stream stream = {0};
    put_run(&stream, layout, EVENTS, RELOAD - 3);
    put_end_mark(&stream, layout);
    struct listener whole = listener_of("fprime", settings, &stream);
    cr_assert_eq(whole.events.n, EVENTS);
    for (int damage = 0; damage < DAMAGE_KINDS; damage++)
        for (size_t at = 0; at < stream.n; at++)
            for (unsigned times = damage == DAMAGE_LOST ? 1 : test_effort(3, 12); times; times--) {
                static const uint8_t liked[] = {0, 0xFF, 0x80, 1};
                uint8_t byte = times <= 4 ? liked[times - 1] : (uint8_t)test_random_next(&random);
                struct stream spoilt = damage_do(&stream, damage, at, byte);
                struct listener listener = listener_of("fprime", settings, &spoilt);
                struct damage_cost cost = damage_cost(&whole.events, &listener.events, same_function);
                cr_assert(cost.missing <= most && cost.invented <= most,
                          "%s, damage %d at %zu with %02x: %zu missing, %zu invented", layout->form, damage,
                          at, byte, cost.missing, cost.invented);
                listener_close(&listener);
                stream_fini(&spoilt);
            }
    listener_close(&whole);
    stream_fini(&stream);
}

Test(fprime, a_damaged_byte_costs_at_most_3_events_where_the_code_is_known)
{
    for (int i = 0; i < 2; i++)
        spoil_everywhere(&with_code, &layouts[i], 3);
}

Test(fprime, a_damaged_byte_costs_at_most_a_run_of_8_events_where_it_is_not)
{
    for (int i = 0; i < 2; i++)
        spoil_everywhere(&plain, &layouts[i], 8);
}

Test(fprime, an_impossible_event_between_good_ones_is_discarded_alone)
{
    struct stream stream = {0};
    put_run(&stream, &layouts[0], 20, RELOAD);
    put_event(&stream, 0x57D, 0x5A000000);
    put_run(&stream, &layouts[0], 20, 0xFE0000);
    struct listener listener = listener_of("fprime", &plain, &stream);
    cr_assert_eq(listener_health(&listener)->records, 40);
    cr_assert_eq(listener_health(&listener)->malformed, 1);
    cr_assert_eq(listener_health(&listener)->bytes_skipped, 0);
    cr_assert_eq(listener.events.event[20].kind, EVENT_LOST);
    cr_assert_eq(listener.events.event[20].lost.records, 1);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(fprime, losses_reported_by_the_target_have_their_size)
{
    for (int elf = 0; elf < 2; elf++)
        for (int i = 0; i < LAYOUTS; i++) {
            struct stream stream = {0};
            put_run(&stream, &layouts[i], 20, RELOAD - 3);
            put(&stream, &layouts[i], UINT32_MAX, 777);
            put_run(&stream, &layouts[i], 20, 0xFE0000);
            struct listener listener = listener_of("fprime", elf ? &with_code : &plain, &stream);
            cr_assert_eq(listener.events.n, 41, "%s", layouts[i].form);
            cr_assert_eq(listener.events.event[20].kind, EVENT_LOST);
            cr_assert_eq(listener.events.event[20].lost.records, 777);
            cr_assert_eq(listener_health(&listener)->malformed, 0);
            listener_close(&listener);
            stream_fini(&stream);
        }
}

Test(fprime, with_another_programs_elf_the_stream_is_read_all_the_same)
{
    static const struct dialect_range elsewhere[] = {{0x08000000, 0x08010000}};
    struct stream stream = {0};
    put_run(&stream, &layouts[0], 2000, RELOAD);
    struct listener listener =
        listener_of("fprime", &(struct dialect_settings){.code = elsewhere, .code_n = 1}, &stream);
    cr_assert_gt(listener_health(&listener)->records, 1400);
    cr_assert_gt(listener_health(&listener)->bytes_skipped, 4000);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(fprime, after_a_restart_time_continues)
{
    struct stream stream = {0};
    put_run(&stream, &layouts[0], EVENTS, RELOAD - 10);
    put_end_mark(&stream, &layouts[0]);
    struct listener listener = listener_open("fprime", &plain);
    listener_hear(&listener, stream.bytes, stream.n);
    listener.dialect->reset(listener.state);
    listener_hear(&listener, stream.bytes, stream.n);
    cr_assert_eq(listener.events.n, 2 * EVENTS);
    cr_assert_eq(listener.events.event[EVENTS].ticks, listener.events.event[EVENTS - 1].ticks + 10);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(fprime, impossible_options_are_refused)
{
    static const struct dialect_setting bad[] = {
        {"reload", "-1"}, {"reload", "0x1000000"}, {"reload", "x"}, {"clock_hz", "-1"}, {"clock_hz", "1MHz"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct dialect *dialect = dialect_find("fprime");
        void *state = calloc(1, dialect->state_size);
        struct error err = {""};
        cr_assert_not(dialect->start(state, &(struct dialect_settings){.settings = &bad[i], .n = 1}, &err));
        cr_assert(strstr(err.text, bad[i].key), "%s", err.text);
        free(state);
    }
}
