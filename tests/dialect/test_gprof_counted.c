/* test_gprof_counted.c - the counted form of gprof's records (protocol/SPEC.md section 15): counts, numbers
 * of arcs, and what remains right after losses. */
#include "dialect/dialect.h"

#include <criterion/criterion.h>

#include "support/damage.h"
#include "support/effort.h"
#include "support/listener.h"
#include "support/random.h"

static const struct dialect_range code[] = {{0x410, 0x1610}};
static const struct dialect_settings with_code = {.code = code, .code_n = 1};

static void add(struct stream *stream, const char *digits)
{
    for (unsigned byte; sscanf(digits, "%2x", &byte) == 1; digits += digits[2] ? 3 : 2)
        stream_byte(stream, (uint8_t)byte);
}

/* Returns the reported calls of the arc from..to, and in `lost` those reported as missing. */
static uint64_t calls(const struct listener *listener, uint64_t from, uint64_t to, uint64_t *lost)
{
    uint64_t sum = 0;
    *lost = 0;
    for (size_t i = 0; i < listener->events.n; i++) {
        const struct event *event = &listener->events.event[i];
        if (event->kind == EVENT_ARC && event->arc.from == from && event->arc.to == to)
            sum += event->arc.calls;
        if (event->kind == EVENT_LOST)
            *lost += event->lost.records;
    }
    return sum;
}

Test(gprof_counted, each_record_of_the_specification_is_read)
{
    struct stream stream = {0};
    uint64_t lost;
    add(&stream, "C8 00 03 E8 4D");
    add(&stream, "50 00 14 6A");
    add(&stream, "41 00 15 3D 00 14 99");
    add(&stream, "D0 07 00 14 6A");
    add(&stream, "C1 03 00 15 3D 00 14 99");
    add(&stream, "C4 85 C8 00 15 3D 00 14 E5");
    add(&stream, "C9 85");
    add(&stream, "CE 85 1E");
    add(&stream, "CC 01 2C 07");
    struct listener listener = listener_of("gprof", &with_code, &stream);
    cr_assert_eq(calls(&listener, 0x153D, 0x1499, &lost), 1 + 3);
    cr_assert_eq(calls(&listener, 0x153D, 0x14E5, &lost), 200 + 1 + 30);
    cr_assert_eq(lost, 300);
    cr_assert_eq(listener_count(&listener, EVENT_SAMPLE), 2);
    cr_assert_eq(listener_event(&listener, EVENT_SAMPLE, 1)->sample.count, 7);
    cr_assert_eq(listener_event(&listener, EVENT_SAMPLE, 1)->ticks, 8, "each is a tick");
    cr_assert_eq(listener_health(&listener)->records, 7);
    cr_assert_eq(listener_health(&listener)->bytes_skipped + listener_health(&listener)->malformed, 0);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gprof_counted, the_head_sets_base_and_rate)
{
    static const struct dialect_range flash[] = {{0x08000410, 0x08001610}};
    struct stream stream = {0};
    uint64_t lost;
    add(&stream, "C8 08 01 F4 3B"); /* 500 Hz */
    for (int i = 0; i < 20; i++)
        add(&stream, "C4 00 02 00 15 3D 00 14 E5");
    add(&stream, "C8 08 01 F4 3B"); /* a repetition changes nothing */
    struct listener listener =
        listener_of("gprof", &(struct dialect_settings){.code = flash, .code_n = 1}, &stream);
    cr_assert_eq(calls(&listener, 0x0800153D, 0x080014E5, &lost), 40);
    cr_assert_eq(listener_count(&listener, EVENT_CLOCK), 2);
    cr_assert_eq(listener_event(&listener, EVENT_CLOCK, 1)->clock.ticks_per_second, 500);
    cr_assert_eq(listener_health(&listener)->bytes_skipped, 0);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gprof_counted, a_stream_of_nothing_but_one_arc_by_its_number_is_found)
{
    struct stream stream = {0};
    uint64_t lost;
    add(&stream, "C4 05 01 00 15 3D 00 14 E5");
    for (int i = 0; i < 100; i++)
        add(&stream, "C9 05");
    struct listener listener = listener_of("gprof", &with_code, &stream);
    cr_assert_eq(calls(&listener, 0x153D, 0x14E5, &lost), 101);
    cr_assert_eq(lost, 0);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gprof_counted, arcs_with_a_reused_number_are_counted_as_lost)
{
    struct stream stream = {0};
    uint64_t lost;
    for (int i = 0; i < 3; i++)
        add(&stream, "C4 05 01 00 15 3D 00 14 E5");
    add(&stream, "CE 05 0A"); /* known */
    add(&stream, "CE 45 14"); /* the next generation, whose definition was lost */
    add(&stream, "C9 06");    /* never defined */
    add(&stream, "C4 45 01 00 15 41 00 14 99");
    add(&stream, "CE 45 1E"); /* now it is defined */
    add(&stream, "CE 05 28"); /* and the earlier one is invalid */
    struct listener listener = listener_of("gprof", &with_code, &stream);
    cr_assert_eq(calls(&listener, 0x153D, 0x14E5, &lost), 3 + 10);
    cr_assert_eq(calls(&listener, 0x1541, 0x1499, &lost), 1 + 30);
    cr_assert_eq(lost, 20 + 1 + 40);
    cr_assert_eq(listener_health(&listener)->malformed, 0);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gprof_counted, a_host_that_lost_the_boundary_forgets_all_numbers)
{
    struct stream stream = {0};
    uint64_t lost;
    for (int i = 0; i < 3; i++)
        add(&stream, "C4 05 01 00 15 3D 00 14 E5");
    stream_bytes(&stream, "damage!!", 8);
    for (int i = 0; i < 5; i++)
        add(&stream, "CE 05 0A");
    for (int i = 0; i < 3; i++)
        add(&stream, "C4 05 01 00 15 3D 00 14 E5");
    struct listener listener = listener_of("gprof", &with_code, &stream);
    cr_assert_eq(calls(&listener, 0x153D, 0x14E5, &lost), 6);
    cr_assert_eq(lost, 50);
    cr_assert_eq(listener_health(&listener)->framing_errors, 1);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gprof_counted, impossible_records_are_discarded_alone)
{
    static const char *const bad[] = {
        "CC 01 2C 08",                /* wrong check */
        "CC 00 00 34",                /* nothing lost */
        "C8 08 03 E8 46",             /* wrong check */
        "D0 00 00 14 6A",             /* none of them */
        "C1 01 00 15 3D 00 20 00",    /* no code */
        "C4 05 00 00 15 3D 00 14 E5", /* none */
        "CE 07 00",                   /* none */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct stream stream = {0};
        uint64_t lost;
        for (int n = 0; n < 3; n++)
            add(&stream, "C4 05 01 00 15 3D 00 14 E5");
        add(&stream, bad[i]);
        add(&stream, "CE 05 0A");
        add(&stream, "41 00 15 3D 00 14 E5");
        struct listener listener = listener_of("gprof", &with_code, &stream);
        cr_assert_eq(calls(&listener, 0x153D, 0x14E5, &lost), 3 + 10 + 1, "%s", bad[i]);
        cr_assert_eq(lost, 1, "%s", bad[i]);
        cr_assert_eq(listener_health(&listener)->malformed, 1, "%s", bad[i]);
        listener_close(&listener);
        stream_fini(&stream);
    }
}

Test(gprof_counted, numbers_mean_nothing_in_a_stream_that_never_gave_one)
{
    struct stream stream = {0};
    uint64_t lost;
    for (int i = 0; i < 10; i++)
        add(&stream, "41 00 15 3D 00 14 E5");
    add(&stream, "CE 05 0A");
    for (int i = 0; i < 10; i++)
        add(&stream, "41 00 15 3D 00 14 E5");
    struct listener listener = listener_of("gprof", &with_code, &stream);
    cr_assert_eq(calls(&listener, 0x153D, 0x14E5, &lost), 20);
    cr_assert_eq(lost, 1);
    cr_assert_eq(listener_health(&listener)->malformed, 1);
    listener_close(&listener);
    stream_fini(&stream);
}

static void write_counted(struct stream *stream)
{
    for (int round = 0; round < 12; round++) {
        if (round % 4 == 0) {
            add(stream, "C8 00 03 E8 4D C4 01 11 00 15 3D 00 14 E5 C4 02 22 00 15 41 00 14 99");
            add(stream, "C4 03 33 00 14 A1 00 15 01");
        } else {
            add(stream, "CE 01 11 CE 02 22 C9 03");
        }
        add(stream, "D0 07 00 14 6A 50 00 14 6C D0 03 00 14 70 C1 05 00 15 45 00 14 99");
    }
}

Test(gprof_counted, pieces_of_any_size_in_bytes_or_hex_are_read_alike)
{
    struct test_random random = test_random_start("gprof_counted_cuts");
    struct stream stream = {0}, hex = {0};
    write_counted(&stream);
    for (size_t i = 0; i < stream.n; i++)
        for (int k = 4; k >= 0; k -= 4)
            stream_byte(&hex, (uint8_t) "0123456789ABCDEF"[stream.bytes[i] >> k & 15]);
    const struct stream *forms[] = {&stream, &hex};
    struct listener whole = listener_of("gprof", &with_code, &stream);
    cr_assert_eq(listener_health(&whole)->bytes_skipped + listener_health(&whole)->malformed, 0);
    for (int times = 0; times < 200; times++) {
        const struct stream *form = forms[times % 2];
        struct listener listener = listener_open("gprof", &with_code);
        for (size_t at = 0, n; at < form->n; at += n) {
            n = 1 + test_random_below(&random, 9);
            n = n < form->n - at ? n : form->n - at;
            listener_hear(&listener, form->bytes + at, n);
        }
        listener_end(&listener);
        cr_assert_eq(events_difference(&whole.events, &listener.events), SIZE_MAX);
        listener_close(&listener);
    }
    listener_close(&whole);
    stream_fini(&stream);
    stream_fini(&hex);
}

/* With bytes missing anywhere, no arc is reported more often than called, except for one record that damage itself
 * makes. */
Test(gprof_counted, after_a_loss_at_most_one_arc_is_overcounted)
{
    static const struct {
        uint64_t from, to;
    } arcs[] = {{0x153D, 0x14E5}, {0x1541, 0x1499}, {0x14A1, 0x1501}, {0x1545, 0x1499}};
    struct stream stream = {0};
    uint64_t lost, truth[4], told;
    write_counted(&stream);
    struct listener whole = listener_of("gprof", &with_code, &stream);
    for (size_t i = 0; i < 4; i++)
        truth[i] = calls(&whole, arcs[i].from, arcs[i].to, &lost);
    for (size_t length = 1; length < 60; length += test_effort(7, 1))
        for (size_t at = 0; at + length < stream.n; at++) {
            struct stream spoilt = {0};
            stream_bytes(&spoilt, stream.bytes, at);
            stream_bytes(&spoilt, stream.bytes + at + length, stream.n - at - length);
            struct listener listener = listener_of("gprof", &with_code, &spoilt);
            size_t more = 0;
            for (size_t i = 0; i < 4; i++) {
                told = calls(&listener, arcs[i].from, arcs[i].to, &lost);
                more += told > truth[i];
            }
            cr_assert_leq(more, 1, "%zu bytes from %zu", length, at);
            listener_close(&listener);
            stream_fini(&spoilt);
        }
    listener_close(&whole);
    stream_fini(&stream);
}
