/* test_gmon.c - gmon.out as input of the gprof dialect: both forms, both word sizes, both byte orders, and
 * files with false sizes. */
#include "dialect/dialect.h"

#include <criterion/criterion.h>

#include "support/listener.h"

enum { LOW = 0x1000, BINS = 50, BIN_BYTES = 4, RATE = 250 };

static const struct dialect_settings plain = {0};

/* The form of numbers. */
struct form {
    bool gnu;
    unsigned word;
    bool big_endian;
};

static const struct form forms[] = {
    {false, 4, false}, {false, 4, true}, {false, 8, false}, {false, 8, true},
    {true, 4, false},  {true, 4, true},  {true, 8, false},  {true, 8, true},
};
enum { FORMS = sizeof forms / sizeof *forms };

static void put(struct stream *stream, const struct form *form, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        stream_byte(stream, (uint8_t)(value >> 8 * (form->big_endian ? bytes - 1 - i : i)));
}

static void put_histogram(struct stream *stream, const struct form *form, uint64_t low, uint64_t high,
                          uint32_t bins, uint32_t rate)
{
    if (form->gnu)
        stream_byte(stream, 0);
    put(stream, form, low, form->word);
    put(stream, form, high, form->word);
    if (form->gnu) {
        put(stream, form, bins, 4);
        put(stream, form, rate, 4);
        stream_bytes(stream, "seconds\0\0\0\0\0\0\0\0s", 16);
    } else {
        put(stream, form, 2 * bins + 2 * form->word + 24, 4);
        put(stream, form, 0x51879, 4);
        put(stream, form, rate, 4);
        stream_bytes(stream, "what was here?", 12); /* spare bytes with any content */
    }
}

static void put_arc(struct stream *stream, const struct form *form, uint64_t from, uint64_t to,
                    uint64_t calls)
{
    if (form->gnu)
        stream_byte(stream, 1);
    put(stream, form, from, form->word);
    put(stream, form, to, form->word);
    put(stream, form, calls, form->gnu ? 4 : form->word);
}

static void put_head(struct stream *stream, const struct form *form)
{
    stream_bytes(stream, "gmon", 4);
    put(stream, form, 1, 4);
    for (int spare = 0; spare < 12; spare++)
        stream_byte(stream, 0);
}

/* 7 samples in the 3rd bin, 65535 in the last; two arcs. */
static struct stream file(const struct form *form)
{
    struct stream stream = {0};
    if (form->gnu)
        put_head(&stream, form);
    put_histogram(&stream, form, LOW, LOW + BINS * BIN_BYTES, BINS, RATE);
    for (int bin = 0; bin < BINS; bin++)
        put(&stream, form, bin == 2 ? 7 : bin == BINS - 1 ? 65535 : 0, 2);
    put_arc(&stream, form, 0x1011, 0x1041, 3);
    if (form->gnu) {
        stream_byte(&stream, 2);
        put(&stream, form, 2, 4);
        for (int i = 0; i < 4; i++)
            put(&stream, form, 0x0101010101010101, form->word);
    }
    put_arc(&stream, form, 0x1021, 0x1081, 100000);
    return stream;
}

Test(gmon, bins_are_counted_samples_and_arcs_counted_calls)
{
    for (int i = 0; i < FORMS; i++) {
        struct stream stream = file(&forms[i]);
        struct listener listener = listener_of("gprof", &plain, &stream);
        cr_assert_eq(listener.events.n, 5, "form %d: %zu", i, listener.events.n);
        cr_assert_eq(listener_event(&listener, EVENT_CLOCK, 0)->clock.ticks_per_second, RATE);
        const struct event *some = listener_event(&listener, EVENT_SAMPLE, 0);
        cr_assert(some->sample.address == LOW + 2 * BIN_BYTES && some->sample.count == 7 &&
                      some->sample.bytes == BIN_BYTES,
                  "form %d", i);
        const struct event *most = listener_event(&listener, EVENT_SAMPLE, 1);
        cr_assert(most->sample.address == LOW + (BINS - 1) * BIN_BYTES && most->sample.count == 65535);
        cr_assert_eq(most->ticks, 7 + 65535);
        const struct event *arc = listener_event(&listener, EVENT_ARC, 0);
        cr_assert(arc->arc.from == 0x1011 && arc->arc.to == 0x1041 && arc->arc.calls == 3, "form %d", i);
        cr_assert_eq(listener_event(&listener, EVENT_ARC, 1)->arc.calls, 100000, "form %d", i);
        const struct dialect_health *health = listener_health(&listener);
        cr_assert_eq(health->malformed + health->bytes_skipped, 0, "form %d", i);
        cr_assert(strstr(health->form, forms[i].gnu ? "GNU" : "BSD"));
        cr_assert(strstr(health->form, forms[i].word == 4 ? "32" : "64"));
        cr_assert_eq(listener.dialect->probe(stream.bytes, stream.n), 100);
        listener_close(&listener);
        stream_fini(&stream);
    }
}

Test(gmon, pieces_of_any_size_give_the_same_events)
{
    for (int i = 0; i < FORMS; i++) {
        struct stream stream = file(&forms[i]);
        struct listener whole = listener_of("gprof", &plain, &stream);
        for (size_t size = 1; size < stream.n; size++) {
            struct listener listener = listener_open("gprof", &plain);
            for (size_t at = 0; at < stream.n; at += size)
                listener_hear(&listener, stream.bytes + at, size < stream.n - at ? size : stream.n - at);
            listener_end(&listener);
            cr_assert_eq(events_difference(&whole.events, &listener.events), SIZE_MAX);
            listener_close(&listener);
        }
        listener_close(&whole);
        stream_fini(&stream);
    }
}

Test(gmon, a_truncated_file_gives_its_arcs_and_a_loss)
{
    for (int i = 0; i < FORMS; i++) {
        struct stream stream = file(&forms[i]);
        size_t arc = (forms[i].gnu ? 5 : forms[i].word) + 2 * forms[i].word;
        for (size_t n = stream.n - arc + 1; n < stream.n; n++) {
            struct stream some = {stream.bytes, n, 0};
            struct listener listener = listener_of("gprof", &plain, &some);
            cr_assert_eq(listener_count(&listener, EVENT_ARC), 1, "form %d, %zu bytes", i, n);
            cr_assert_eq(listener_health(&listener)->malformed, 1);
            cr_assert_eq(listener.events.event[listener.events.n - 1].kind, EVENT_LOST);
            listener_close(&listener);
        }
        stream_fini(&stream);
    }
}

Test(gmon, without_a_histogram_the_words_size_is_judged_by_the_arcs)
{
    for (int i = 0; i < FORMS; i++) {
        if (!forms[i].gnu)
            continue;
        struct stream stream = {0};
        put_head(&stream, &forms[i]);
        for (unsigned arc = 0; arc < 5; arc++)
            put_arc(&stream, &forms[i], 0x08001235 + 16 * arc, 0x08003457, 1 + arc);
        struct listener listener = listener_of("gprof", &plain, &stream);
        cr_assert_eq(listener_count(&listener, EVENT_ARC), 5, "form %d", i);
        cr_assert_eq(listener_event(&listener, EVENT_ARC, 4)->arc.calls, 5);
        listener_close(&listener);
        stream_fini(&stream);
    }
}

Test(gmon, the_programs_word_size_is_believed)
{
    struct form form = {true, 8, false};
    struct stream stream = {0};
    put_head(&stream, &form);
    put_arc(&stream, &form, 0x1235, 0x0000000100003457, 9);
    struct listener listener = listener_of("gprof", &(struct dialect_settings){.word_bytes = 8}, &stream);
    cr_assert_eq(listener_event(&listener, EVENT_ARC, 0)->arc.to, 0x0000000100003457);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gmon, bins_need_not_be_of_whole_bytes)
{
    struct form form = {true, 4, false};
    struct stream stream = {0};
    put_head(&stream, &form);
    put_histogram(&stream, &form, 100, 110, 4, RATE);
    for (int i = 0; i < 4; i++)
        put(&stream, &form, 1, 2);
    struct listener listener = listener_of("gprof", &plain, &stream);
    static const uint64_t starts[] = {100, 102, 105, 107};
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(listener_event(&listener, EVENT_SAMPLE, i)->sample.address, starts[i]);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gmon, sizes_that_lie_cost_no_more_than_the_bytes_that_come)
{
    for (int i = 0; i < FORMS; i++) {
        struct stream stream = {0};
        if (forms[i].gnu)
            put_head(&stream, &forms[i]);
        put_histogram(&stream, &forms[i], 0, UINT64_MAX, 0x7FFFFF00, RATE);
        for (int bin = 0; bin < 100; bin++)
            put(&stream, &forms[i], 1, 2);
        struct listener listener = listener_of("gprof", &plain, &stream);
        cr_assert_eq(listener_count(&listener, EVENT_SAMPLE), 100, "form %d", i);
        cr_assert_eq(listener_health(&listener)->malformed, 1);
        listener_close(&listener);
        stream_fini(&stream);
    }
}

Test(gmon, an_impossible_head_ends_the_reading)
{
    for (int i = 0; i < FORMS; i++) {
        struct stream stream = {0};
        if (forms[i].gnu)
            put_head(&stream, &forms[i]);
        size_t head = stream.n;
        put_histogram(&stream, &forms[i], 0x2000, 0x1000, 10, RATE);
        head = stream.n - head;
        for (int n = 0; n < 300; n++)
            stream_byte(&stream, 1);
        struct listener listener =
            listener_of("gprof", &(struct dialect_settings){.word_bytes = forms[i].word}, &stream);
        cr_assert_eq(listener.events.n, 1, "form %d", i);
        cr_assert_eq(listener.events.event[0].kind, EVENT_LOST);
        cr_assert_eq(listener_health(&listener)->malformed, 1);
        cr_assert_eq(listener_health(&listener)->bytes_skipped, 300);
        listener_close(&listener);
        stream_fini(&stream);
    }
}

Test(gmon, a_rate_of_0_does_not_replace_the_option)
{
    struct form form = {false, 4, false};
    struct dialect_setting hz = {"hz", "77"};
    struct stream stream = {0};
    put_histogram(&stream, &form, 0, 4, 1, 0);
    put(&stream, &form, 1, 2);
    struct listener listener =
        listener_of("gprof", &(struct dialect_settings){.settings = &hz, .n = 1}, &stream);
    cr_assert_eq(listener_event(&listener, EVENT_CLOCK, 0)->clock.ticks_per_second, 77);
    listener_close(&listener);
    stream_fini(&stream);
}

Test(gmon, a_rate_of_0_is_a_warning_unless_set_by_the_user)
{
    struct dialect_setting hz = {"hz", "100"};
    struct stream stream = {0};
    put_head(&stream, &forms[4]);
    put_histogram(&stream, &forms[4], LOW, LOW + 8, 2, 0);
    put(&stream, &forms[4], 3, 2);
    put(&stream, &forms[4], 1, 2);
    for (int chosen = 0; chosen < 2; chosen++) {
        struct dialect_settings settings = {.settings = &hz, .n = (size_t)chosen};
        struct listener listener = listener_of("gprof", &settings, &stream);
        cr_expect_eq(listener_health(&listener)->doubt == NULL, chosen);
        listener_close(&listener);
    }
    stream_fini(&stream);
}

Test(gmon, impossible_call_counts_are_dropped_with_a_warning)
{
    struct stream stream = {0};
    const struct form form = {false, 8, false};
    put_histogram(&stream, &form, LOW, LOW + 8, 0, 100);
    put_arc(&stream, &form, LOW, LOW + 4, UINT64_C(4600000000000000000));
    put_arc(&stream, &form, LOW, LOW + 4, 17);
    struct listener listener = listener_of("gprof", &plain, &stream);
    cr_expect_eq(listener_count(&listener, EVENT_ARC), 1);
    cr_expect_eq(listener_health(&listener)->malformed, 1);
    cr_expect_not_null(listener_health(&listener)->doubt);
    listener_close(&listener);
    stream_fini(&stream);
}
