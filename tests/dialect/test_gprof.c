/* test_gprof.c - records of a gprof agent: their content, their forms, and the cost of damage.
 * gmon.out has its own file. */
#include "dialect/dialect.h"

#include <criterion/criterion.h>

#include "support/damage.h"
#include "support/effort.h"
#include "support/listener.h"
#include "support/random.h"

enum { CODE_START = 0x410, CODE_END = 0x1610, RECORDS = 90, MOST_LOST = 5 };

static const struct dialect_range code[] = {{CODE_START, CODE_END}};
static const struct dialect_settings plain = {0};
static const struct dialect_settings with_code = {.code = code, .code_n = 1};

static void write_address(struct stream *stream, uint64_t address, unsigned width)
{
    while (width--)
        stream_byte(stream, (uint8_t)(address >> 8 * width));
}

static void write_sample(struct stream *stream, uint64_t address, unsigned width)
{
    stream_byte(stream, 'P');
    write_address(stream, address, width);
}

static void write_arc(struct stream *stream, uint64_t from, uint64_t to, unsigned width)
{
    stream_byte(stream, 'A');
    write_address(stream, from, width);
    write_address(stream, to, width);
}

/* Two functions in a loop, interrupted now and then, as in a blinking light. Type bytes inside addresses
 * among them: 0x1541, 0x1450. */
static void write_loop(struct stream *stream, size_t records, uint64_t base, unsigned width)
{
    for (size_t i = 0; i < records; i++)
        switch (i % 7) {
        case 0:
        case 4: write_arc(stream, base + 0x153D, base + 0x14E5, width); break;
        case 1:
        case 5: write_arc(stream, base + 0x1541, base + 0x1499, width); break;
        case 2: write_sample(stream, base + 0x1450, width); break;
        case 3: write_sample(stream, base + 0x1464 + 2 * (i % 5), width); break;
        default: write_sample(stream, base + 0x4140 / 4, width); break;
        }
}

static void write_hex(struct stream *hex, const struct stream *bytes, const char *digits)
{
    for (size_t i = 0; i < bytes->n; i++) {
        stream_byte(hex, (uint8_t)digits[bytes->bytes[i] >> 4]);
        stream_byte(hex, (uint8_t)digits[bytes->bytes[i] & 15]);
    }
}

static bool same_place(const struct event *a, const struct event *b)
{
    struct event x = *a, y = *b;
    x.ticks = y.ticks = 0; /* times count received samples */
    return event_same(&x, &y);
}

Test(gprof, a_sample_has_an_address_and_an_arc_two)
{
    struct stream stream = {0};
    write_arc(&stream, 0x014AF4, 0x11C4B2, 3);
    cr_assert_arr_eq(stream.bytes, "\x41\x01\x4A\xF4\x11\xC4\xB2", 7, "the thesis' example");
    for (int i = 0; i < 20; i++)
        write_sample(&stream, 0x1466, 3);
    struct listener listener = listener_of("gprof", &plain, &stream);
    cr_assert_eq(listener.events.n, 22);
    const struct event *arc = listener_event(&listener, EVENT_ARC, 0);
    cr_assert(arc->arc.from == 0x014AF4 && arc->arc.to == 0x11C4B2 && arc->arc.calls == 1);
    const struct event *sample = listener_event(&listener, EVENT_SAMPLE, 4);
    cr_assert(sample->sample.address == 0x1466 && sample->sample.count == 1);
    cr_assert_eq(sample->ticks, 5, "the unit of time is the sample");
    cr_assert_eq(listener_health(&listener)->records, 21);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gprof, the_clock_is_the_rate_of_sampling_and_comes_first)
{
    struct dialect_setting hz = {"hz", "5"};
    struct stream stream = {0};
    write_loop(&stream, 20, 0, 3);
    struct listener listener =
        listener_of("gprof", &(struct dialect_settings){.settings = &hz, .n = 1}, &stream);
    cr_assert_eq(listener.events.event[0].kind, EVENT_CLOCK);
    cr_assert_eq(listener.events.event[0].clock.ticks_per_second, 5);
    cr_assert_eq(listener_count(&listener, EVENT_CLOCK), 1);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gprof, addresses_are_2_to_4_bytes_wide_and_count_from_a_base)
{
    static const char *const widths[] = {"2", "3", "4"};
    for (unsigned width = 2; width <= 4; width++) {
        struct dialect_setting chosen[] = {{"width", widths[width - 2]}, {"base", "0x08000000"}};
        struct dialect_range flash = {0x08000000 + CODE_START, 0x08000000 + CODE_END};
        struct stream stream = {0};
        write_loop(&stream, RECORDS, 0, width);
        struct listener listener = listener_of(
            "gprof", &(struct dialect_settings){.settings = chosen, .n = 2, .code = &flash, .code_n = 1},
            &stream);
        cr_assert_eq(listener_health(&listener)->records, RECORDS, "width %u", width);
        cr_assert_eq(listener_event(&listener, EVENT_ARC, 0)->arc.to, 0x080014E5);
        listener_close(&listener);
        stream_fini(&stream);
    }
}

Test(gprof, hex_digits_give_the_same_events_as_bytes)
{
    struct stream bytes = {0}, forms[4] = {{0}};
    write_loop(&bytes, RECORDS, 0, 3);
    write_hex(&forms[0], &bytes, "0123456789ABCDEF");
    write_hex(&forms[1], &bytes, "0123456789abcdef");
    for (size_t i = 0; i < forms[0].n; i++) { /* as a dump program would */
        stream_byte(&forms[2], forms[0].bytes[i]);
        if (i % 2)
            stream_byte(&forms[2], ' ');
        if (i % 32 == 31)
            stream_bytes(&forms[2], "\r\n", 2);
    }
    for (size_t i = 0; i < forms[0].n; i++) { /* white space even within a byte */
        stream_byte(&forms[3], forms[1].bytes[i]);
        if (i % 79 == 78)
            stream_byte(&forms[3], '\n');
    }
    struct listener whole = listener_of("gprof", &plain, &bytes);
    for (int form = 0; form < 4; form++) {
        struct listener listener = listener_of("gprof", &plain, &forms[form]);
        cr_assert_eq(events_difference(&whole.events, &listener.events), SIZE_MAX, "form %d", form);
        cr_assert_eq(listener_health(&listener)->bytes_skipped, 0);
        cr_assert_str_eq(listener_health(&listener)->form, "hex digits");
        listener_close(&listener);
        stream_fini(&forms[form]);
    }
    listener_close(&whole);
    stream_fini(&bytes);
}

Test(gprof, a_stream_may_be_joined_anywhere)
{
    struct stream bytes = {0}, hex = {0};
    write_loop(&bytes, RECORDS, 0, 3);
    write_hex(&hex, &bytes, "0123456789ABCDEF");
    const struct stream *streams[] = {&bytes, &hex};
    for (int form = 0; form < 2; form++) {
        struct listener whole = listener_of("gprof", &with_code, streams[form]);
        for (size_t at = 0; at < streams[form]->n / 2; at++) {
            struct stream rest = {streams[form]->bytes + at, streams[form]->n - at, 0};
            struct listener listener = listener_of("gprof", &with_code, &rest);
            struct damage_cost cost = damage_cost(&whole.events, &listener.events, same_place);
            cr_assert_leq(cost.invented, 1, "form %d, joined at %zu", form, at);
            size_t cut = at / (form ? 2 : 1) / 5; /* records, roughly: of 4 and 7 bytes */
            cr_assert_leq(cost.missing, cut + MOST_LOST + cut / 4, "form %d, joined at %zu: %zu", form, at,
                          cost.missing);
            listener_close(&listener);
        }
        listener_close(&whole);
    }
    stream_fini(&bytes);
    stream_fini(&hex);
}

static void spoil_everywhere(const struct stream *stream, const struct dialect_settings *settings,
                             const char *name)
{
    struct test_random random = test_random_start(name);
    struct listener whole = listener_of("gprof", settings, stream);
    for (int damage = 0; damage < DAMAGE_KINDS; damage++)
        for (size_t at = 0; at < stream->n; at += test_effort(3, 1))
            for (unsigned times = damage == DAMAGE_LOST ? 1 : test_effort(5, 20); times; times--) {
                static const uint8_t liked[] = {'A', 'P', 0, 0x14, '0', '4', '5', 'F'};
                uint8_t byte = times <= 8 ? liked[times - 1] : (uint8_t)test_random_next(&random);
                struct stream spoilt = damage_do(stream, damage, at, byte);
                struct listener listener = listener_of("gprof", settings, &spoilt);
                struct damage_cost cost = damage_cost(&whole.events, &listener.events, same_place);
                cr_assert(cost.missing <= MOST_LOST && cost.invented <= MOST_LOST,
                          "%s: damage %d at %zu with %02x: %zu missing, %zu invented", name, damage, at, byte,
                          cost.missing, cost.invented);
                listener_close(&listener);
                stream_fini(&spoilt);
            }
    listener_close(&whole);
}

Test(gprof, a_damaged_byte_costs_at_most_5_records)
{
    struct stream stream = {0};
    write_loop(&stream, RECORDS, 0, 3);
    spoil_everywhere(&stream, &with_code, "bytes");
    spoil_everywhere(&stream, &plain, "bytes, code not known");
    stream_fini(&stream);
}

Test(gprof, a_damaged_hex_digit_costs_at_most_5_records)
{
    struct stream stream = {0}, hex = {0};
    write_loop(&stream, RECORDS / 2, 0, 3);
    write_hex(&hex, &stream, "0123456789ABCDEF");
    spoil_everywhere(&hex, &with_code, "hex digits");
    spoil_everywhere(&hex, &plain, "hex digits, code not known");
    stream_fini(&hex);
    stream_fini(&stream);
}

Test(gprof, addresses_full_of_type_bytes_do_not_hide_the_boundary)
{
    static const struct dialect_range there[] = {{0x4000, 0x6000}};
    static const struct dialect_settings settings = {.code = there, .code_n = 1};
    struct stream stream = {0};
    for (size_t i = 0; i < RECORDS; i++)
        write_sample(&stream, i % 3 ? 0x5050 : 0x4141, 3);
    struct listener whole = listener_of("gprof", &settings, &stream);
    for (size_t at = 0; at < stream.n; at++) {
        struct stream spoilt = damage_do(&stream, DAMAGE_LOST, at, 0);
        struct listener listener = listener_of("gprof", &settings, &spoilt);
        struct damage_cost cost = damage_cost(&whole.events, &listener.events, same_place);
        cr_assert(cost.missing <= MOST_LOST && cost.invented <= MOST_LOST, "lost byte %zu: %zu missing", at,
                  cost.missing);
        listener_close(&listener);
        stream_fini(&spoilt);
    }
    listener_close(&whole);
    stream_fini(&stream);
}

Test(gprof, an_impossible_record_between_good_ones_is_discarded_alone)
{
    struct stream stream = {0};
    write_loop(&stream, 21, 0, 3);
    stream_bytes(&stream, "\x41\x00\x14\xD9\x41\x00\x15", 7); /* an interrupted arc, as seen on real lines */
    write_loop(&stream, 21, 0, 3);
    struct listener listener = listener_of("gprof", &with_code, &stream);
    cr_assert_eq(listener_health(&listener)->records, 42);
    cr_assert_eq(listener_health(&listener)->malformed, 1);
    cr_assert_eq(listener_health(&listener)->bytes_skipped, 0);
    cr_assert_eq(listener_event(&listener, EVENT_LOST, 0)->lost.records, 1);
    for (size_t i = 0; i < listener_count(&listener, EVENT_ARC); i++)
        cr_assert_neq(listener_event(&listener, EVENT_ARC, i)->arc.to, 0x1501);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gprof, an_arc_from_an_interrupt_has_no_address_for_a_caller)
{
    struct stream stream = {0};
    write_loop(&stream, 9, 0, 3);
    write_arc(&stream, 0xFFFFF9, 0x501, 3); /* EXC_RETURN, its lower bytes */
    struct listener listener = listener_of("gprof", &with_code, &stream);
    cr_assert_eq(listener_health(&listener)->records, 10);
    size_t arcs = listener_count(&listener, EVENT_ARC);
    for (size_t i = 0; i < arcs; i++) {
        const struct event *arc = listener_event(&listener, EVENT_ARC, i);
        cr_expect_eq(arc->flags, arc->arc.to == 0x501 ? EVENT_INTERRUPT : 0, "arc %zu of %zu", i, arcs);
    }
    cr_assert_eq(listener_event(&listener, EVENT_ARC, arcs - 1)->arc.to, 0x501);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gprof, an_incomplete_last_record_is_not_missed)
{
    struct stream stream = {0};
    write_loop(&stream, RECORDS, 0, 3);
    stream_byte(&stream, 'A');
    struct listener listener = listener_of("gprof", &with_code, &stream);
    cr_assert_eq(listener_health(&listener)->records, RECORDS);
    cr_assert_eq(listener_health(&listener)->bytes_skipped + listener_health(&listener)->malformed, 0);
    cr_assert_eq(listener_count(&listener, EVENT_LOST), 0);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gprof, a_stream_too_short_to_align_is_read_at_its_end)
{
    struct stream stream = {0};
    write_sample(&stream, 0x1466, 3);
    struct listener listener = listener_open("gprof", &with_code);
    listener_hear(&listener, stream.bytes, stream.n);
    cr_assert_eq(listener.events.n, 0);
    listener_end(&listener);
    cr_assert_eq(listener_count(&listener, EVENT_SAMPLE), 1);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gprof, with_another_programs_elf_the_stream_is_read_all_the_same)
{
    static const struct dialect_range elsewhere[] = {{0x08000000, 0x08010000}};
    struct stream stream = {0};
    write_loop(&stream, 2000, 0, 3);
    struct listener listener =
        listener_of("gprof", &(struct dialect_settings){.code = elsewhere, .code_n = 1}, &stream);
    cr_assert_gt(listener_health(&listener)->records, 1000);
    cr_assert_gt(listener_health(&listener)->bytes_skipped, 4000);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gprof, impossible_options_are_refused)
{
    static const struct dialect_setting bad[] = {
        {"width", "1"}, {"width", "5"}, {"width", ""},   {"hz", "0"},
        {"hz", "-1"},   {"hz", "1k"},   {"base", "0xZ"}, {"hz", "99999999999"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct dialect *dialect = dialect_find("gprof");
        void *state = calloc(1, dialect->state_size);
        struct error err = {""};
        cr_assert_not(dialect->start(state, &(struct dialect_settings){.settings = &bad[i], .n = 1}, &err));
        cr_assert(strstr(err.text, bad[i].key), "%s", err.text);
        free(state);
    }
}

static bool find_mcount(void *user, const char *name, struct dialect_range *range)
{
    *range = (struct dialect_range){0x1450, 0x1464};
    return !strcmp(name, "_mcount_internal");
}

Test(gprof, the_cost_of_the_profiler_can_be_hidden)
{
    struct dialect_setting hide = {"hide_profiler", "yes"};
    struct dialect_settings settings = with_code;
    settings.settings = &hide;
    settings.n = 1;
    settings.find_function = find_mcount;
    struct stream stream = {0};
    write_loop(&stream, RECORDS, 0, 3);
    struct listener all = listener_of("gprof", &with_code, &stream),
                    hidden = listener_of("gprof", &settings, &stream);
    size_t in_profiler = 0;
    for (size_t i = 0; i < listener_count(&all, EVENT_SAMPLE); i++) {
        uint64_t address = listener_event(&all, EVENT_SAMPLE, i)->sample.address;
        in_profiler += address >= 0x1450 && address < 0x1464;
    }
    cr_assert_gt(in_profiler, 0);
    cr_assert_eq(listener_count(&hidden, EVENT_SAMPLE), listener_count(&all, EVENT_SAMPLE) - in_profiler);
    cr_assert_eq(listener_count(&hidden, EVENT_ARC), listener_count(&all, EVENT_ARC));
    listener_close(&all);
    listener_close(&hidden);
    stream_fini(&stream);

    struct error err = {""};
    const struct dialect *dialect = dialect_find("gprof");
    void *state = calloc(1, dialect->state_size);
    settings.find_function = NULL;
    cr_assert_not(dialect->start(state, &settings, &err), "nothing to hide is said, not ignored");
    cr_assert(strstr(err.text, "--elf"), "%s", err.text);
    free(state);
}
