/* test_choice.c - without --dialect the dialect is detected from the bytes, and a wrong one is reported. */
#include "dialect/guess.h"
#include "session/decoder.h"

#include "../contract/samples.h"
#include "support/effort.h"
#include "support/events.h"
#include "support/random.h"

#include <criterion/criterion.h>

struct listener {
    struct events events;
    struct decoder *decoder;
};

/* With NULL, the dialect is to be detected. */
static void open(struct listener *listener, const char *id)
{
    struct error err = {""};
    *listener = (struct listener){0};
    struct event_out out = events_out(&listener->events);
    listener->decoder = decoder_new(id ? dialect_find(id) : NULL, NULL, &out, &err);
    cr_assert_not_null(listener->decoder, "%s", err.text);
}

static void close(struct listener *listener)
{
    decoder_free(listener->decoder);
    events_fini(&listener->events);
}

/* Feeds the bytes from memory of exactly that size, freed afterwards. */
static void hear(struct listener *listener, const uint8_t *bytes, size_t n)
{
    uint8_t *exact = malloc(n ? n : 1);
    memcpy(exact, bytes, n);
    decoder_feed(listener->decoder, exact, n);
    free(exact);
}

static void expect_same(const struct events *a, const struct events *b, const char *what, size_t number)
{
    size_t where = events_difference(a, b);
    cr_assert_eq(where, SIZE_MAX, "%s, %zu: event %zu differs", what, number, where);
}

/* Decodes the whole stream in one piece. */
static void tell_whole(struct listener *listener, const struct stream *stream, const char *id)
{
    open(listener, NULL);
    cr_assert_eq(decoder_choice(listener->decoder), DECODER_UNDECIDED);
    hear(listener, stream->bytes, stream->n);
    decoder_finish(listener->decoder);
    cr_assert_eq(decoder_choice(listener->decoder), DECODER_SURE, "%s", id);
    cr_assert_str_eq(decoder_dialect(listener->decoder)->id, id);
    cr_assert_eq(decoder_bytes(listener->decoder), stream->n);
}

Test(choice, each_dialect_is_found_out_and_no_byte_is_lost)
{
    for (size_t i = 0; i < sample_count; i++) {
        struct stream stream = {0};
        struct listener named, found;
        samples[i].write(&stream);
        open(&named, samples[i].id);
        hear(&named, stream.bytes, stream.n);
        decoder_finish(named.decoder);
        tell_whole(&found, &stream, samples[i].id);
        /* A dialect's fixed clock is known from the start if the dialect is named. */
        size_t more = decoder_dialect(found.decoder)->ticks_per_second ? 1 : 0;
        struct events rest = found.events;
        rest.event += more;
        rest.n -= more;
        expect_same(&named.events, &rest, samples[i].id, 0);
        struct snapshot_link of_named = {0}, of_found = {0};
        decoder_tell(named.decoder, &of_named);
        decoder_tell(found.decoder, &of_found);
        cr_assert_eq(of_named.records, of_found.records);
        cr_assert_eq(of_named.bytes_skipped, of_found.bytes_skipped);
        cr_assert_null(decoder_looks_like(found.decoder));
        close(&named);
        close(&found);
        stream_fini(&stream);
    }
}

Test(choice, where_the_bytes_are_cut_makes_no_difference)
{
    for (size_t i = 0; i < sample_count; i++) {
        struct stream stream = {0};
        struct listener whole, parts;
        samples[i].write(&stream);
        tell_whole(&whole, &stream, samples[i].id);
        for (size_t cut = 0; cut <= 300 && cut < stream.n; cut += test_effort(11, 1)) {
            open(&parts, NULL);
            hear(&parts, stream.bytes, cut);
            hear(&parts, stream.bytes + cut, stream.n - cut);
            decoder_finish(parts.decoder);
            expect_same(&whole.events, &parts.events, samples[i].id, cut);
            close(&parts);
        }
        open(&parts, NULL);
        for (size_t at = 0; at < stream.n; at++)
            hear(&parts, stream.bytes + at, 1);
        decoder_finish(parts.decoder);
        expect_same(&whole.events, &parts.events, samples[i].id, 1);
        close(&parts);
        close(&whole);
        stream_fini(&stream);
    }
}

static struct stream noise(size_t n)
{
    struct test_random random = test_random_start("noise");
    struct stream stream = {0};
    while (stream.n < n)
        stream_byte(&stream, (uint8_t)test_random_next(&random));
    return stream;
}

Test(choice, noise_is_unsure_and_read_as_the_default)
{
    static const size_t sizes[] = {1, 100, DIALECT_GUESS_MOST, DIALECT_GUESS_MOST + 1, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct stream stream = noise(sizes[i]);
        struct listener listener;
        open(&listener, NULL);
        hear(&listener, stream.bytes, stream.n);
        cr_assert_eq(decoder_choice(listener.decoder),
                     stream.n < DIALECT_GUESS_MOST ? DECODER_UNDECIDED : DECODER_UNSURE);
        decoder_finish(listener.decoder);
        cr_assert_eq(decoder_choice(listener.decoder), DECODER_UNSURE);
        cr_assert_eq(decoder_dialect(listener.decoder), dialect_registry[0]);
        cr_assert_null(decoder_looks_like(listener.decoder));
        struct snapshot_link link = {0};
        decoder_tell(listener.decoder, &link);
        cr_assert_eq(link.bytes, stream.n);
        cr_assert_eq(link.bytes_skipped + link.bytes_cut, stream.n,
                     "noise may begin a packet that its end cuts off");
        close(&listener);
        stream_fini(&stream);
    }
}

Test(choice, a_quiet_line_is_decided_by_its_bytes)
{
    struct stream stream = {0};
    struct listener listener;
    stream_packet(&stream, MP_ACK, NULL, 0);
    open(&listener, NULL);
    cr_assert_not(decoder_is_waiting(listener.decoder));
    hear(&listener, stream.bytes, stream.n);
    cr_assert(decoder_is_waiting(listener.decoder));
    cr_assert_eq(listener.events.n, 0);
    decoder_idle(listener.decoder);
    cr_assert_eq(decoder_choice(listener.decoder), DECODER_SURE);
    cr_assert_eq(listener.events.event[listener.events.n - 1].kind, EVENT_ANSWER);
    close(&listener);
    stream_fini(&stream);
}

Test(choice, a_lost_line_leaves_the_choice_open)
{
    struct stream stream = {0};
    struct listener listener;
    open(&listener, NULL);
    hear(&listener, (const uint8_t *)"boot", 4);
    decoder_break(listener.decoder);
    cr_assert_eq(decoder_choice(listener.decoder), DECODER_UNDECIDED);
    sample_find("gprof")->write(&stream);
    hear(&listener, stream.bytes, stream.n);
    cr_assert_str_eq(decoder_dialect(listener.decoder)->id, "gprof");
    cr_assert_eq(decoder_bytes(listener.decoder), 4 + stream.n);
    close(&listener);
    stream_fini(&stream);
}

Test(choice, each_wrong_dialect_is_pointed_out)
{
    for (size_t i = 0; i < sample_count; i++)
        for (const struct dialect *const *wrong = dialect_registry; *wrong; wrong++) {
            struct stream stream = {0};
            struct listener listener;
            samples[i].write(&stream);
            if (!strcmp((*wrong)->id, samples[i].id)) {
                stream_fini(&stream);
                continue;
            }
            open(&listener, (*wrong)->id);
            for (size_t at = 0; at < stream.n; at += 100)
                hear(&listener, stream.bytes + at, stream.n - at < 100 ? stream.n - at : 100);
            decoder_finish(listener.decoder);
            const struct dialect *looks = decoder_looks_like(listener.decoder);
            cr_assert(looks && !strcmp(looks->id, samples[i].id), "%s read as %s looks like %s",
                      samples[i].id, (*wrong)->id, looks ? looks->id : "nothing");
            close(&listener);
            stream_fini(&stream);
        }
}

Test(choice, a_readable_stream_ends_the_suspicion_of_another_dialect)
{
    struct stream wrong = {0}, right = {0};
    struct listener listener;
    sample_find("syst")->write(&wrong);
    sample_find("miniprof")->write(&right);
    open(&listener, "miniprof");
    hear(&listener, right.bytes, right.n);
    cr_assert_null(decoder_looks_like(listener.decoder));
    hear(&listener, wrong.bytes, wrong.n);
    cr_assert_str_eq(decoder_looks_like(listener.decoder)->id, "syst", "though it made sense before");
    hear(&listener, right.bytes, right.n);
    cr_assert_null(decoder_looks_like(listener.decoder));
    close(&listener);
    stream_fini(&wrong);
    stream_fini(&right);
}
