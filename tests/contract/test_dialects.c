/* test_dialects.c - rules for every dialect. All dialects of the registry are tested; those with a sample (samples.h)
 * also with valid input. */
#include <criterion/criterion.h>
#include <ctype.h>

#include "dialect/dialect.h"
#include "protocol/frame_reader.h"
#include "protocol/packet.h"
#include "samples.h"
#include "support/effort.h"
#include "support/events.h"
#include "support/random.h"

enum { MAX_PAYLOAD = 16384, NOISE = 20000 };

/* A dialect that decodes: framed ones behind a frame reader, as in the daemon. */
struct listener {
    const struct dialect *dialect;
    void *state;
    struct mp_frame_reader reader;
    uint8_t *memory;
    struct events events;
};

static struct listener listener_open(const struct dialect *dialect)
{
    struct listener listener = {
        .dialect = dialect,
        .state = calloc(1, dialect->state_size),
        .memory = malloc(MP_FRAME_READER_MEMORY(MAX_PAYLOAD)),
    };
    struct error err = {""};
    mp_frame_reader_init(&listener.reader, listener.memory, MP_FRAME_READER_MEMORY(MAX_PAYLOAD));
    if (dialect->start)
        cr_assert(dialect->start(listener.state, &(struct dialect_settings){0}, &err), "%s: %s", dialect->id,
                  err.text);
    return listener;
}

static void listener_drain(struct listener *listener)
{
    struct event_out out = events_out(&listener->events);
    struct mp_frame frame;
    while (mp_frame_reader_next(&listener->reader, &frame))
        listener->dialect->decode(listener->state, frame.body, frame.body_size, &out);
}

/* Decodes a copy of exactly this size, which is freed afterwards. */
static void listener_hear(struct listener *listener, const uint8_t *bytes, size_t n)
{
    uint8_t *exact = malloc(n ? n : 1);
    memcpy(exact, bytes, n);
    if (listener->dialect->framing == DIALECT_FRAMED) {
        mp_frame_reader_feed(&listener->reader, exact, n);
        listener_drain(listener);
    } else {
        struct event_out out = events_out(&listener->events);
        listener->dialect->decode(listener->state, exact, n, &out);
    }
    free(exact);
}

static void listener_end(struct listener *listener)
{
    struct event_out out = events_out(&listener->events);
    mp_frame_reader_end(&listener->reader, true);
    listener_drain(listener);
    if (listener->dialect->finish)
        listener->dialect->finish(listener->state, &out);
}

static void listener_close(struct listener *listener)
{
    events_fini(&listener->events);
    free(listener->state);
    free(listener->memory);
}

static struct events told(const struct dialect *dialect, const struct stream *stream)
{
    struct listener listener = listener_open(dialect);
    listener_hear(&listener, stream->bytes, stream->n);
    listener_end(&listener);
    struct events events = listener.events;
    listener.events = (struct events){0};
    listener_close(&listener);
    return events;
}

/* ---- inputs: noise, equal bytes, text, and the dialect's sample if it has one ---- */

static void write_noise(struct stream *stream)
{
    struct test_random random = test_random_start("noise");
    for (size_t i = 0; i < NOISE; i++)
        stream_byte(stream, (uint8_t)test_random_next(&random));
}

static void write_same(struct stream *stream)
{
    for (size_t i = 0; i < NOISE / 4; i++)
        stream_byte(stream, 0);
    for (size_t i = 0; i < NOISE / 4; i++)
        stream_byte(stream, 0xFF);
}

static void write_text(struct stream *stream)
{
    static const char text[] = "P:80001234,0,00ff12\r\nSYS-T RAW DATA: 0123abcd\n0x02000101,17\n";
    for (size_t i = 0; i < 300; i++)
        stream_bytes(stream, text, sizeof text - 1);
}

static void write_damaged_sample(struct stream *stream, const struct sample *sample)
{
    struct test_random random = test_random_start("damage");
    sample->write(stream);
    for (size_t i = 0; i < stream->n / 200; i++)
        stream->bytes[test_random_below(&random, stream->n)] = (uint8_t)test_random_next(&random);
}

enum { INPUTS = 5 };

static struct stream input(const struct dialect *dialect, int number)
{
    const struct sample *sample = sample_find(dialect->id);
    struct stream stream = {0};
    switch (number) {
    case 0: write_noise(&stream); break;
    case 1: write_same(&stream); break;
    case 2: write_text(&stream); break;
    case 3:
        if (sample)
            sample->write(&stream);
        break;
    default:
        if (sample)
            write_damaged_sample(&stream, sample);
        break;
    }
    return stream;
}

#define EACH_INPUT(dialect, number)                                                                          \
    for (const struct dialect *const *each = dialect_registry, *dialect; (dialect = *each) != NULL; each++)  \
        for (int number = 0; number < INPUTS; number++)

/* ---- the contract ---- */

Test(dialects, each_describes_itself)
{
    for (const struct dialect *const *each = dialect_registry; *each; each++) {
        const struct dialect *dialect = *each;
        cr_assert(*dialect->id);
        for (const char *c = dialect->id; *c; c++)
            cr_assert(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-', "%s",
                      dialect->id);
        cr_assert_eq(dialect_find(dialect->id), dialect, "%s is there once", dialect->id);
        cr_assert(*dialect->title && *dialect->summary && !strchr(dialect->summary, '\n'));
        cr_assert(dialect->provides);
        cr_assert(dialect->decode && dialect->health && dialect->probe && dialect->state_size);
        for (const struct dialect_option *option = dialect->options; option && option->key; option++)
            cr_assert(option->fallback && *option->help, "%s: %s", dialect->id, option->key);
    }
}

Test(dialects, each_has_an_extension_id_of_its_own_or_frames_with_a_limit)
{
    const struct dialect *of[DIALECT_EXTENSIONS] = {NULL};
    for (const struct dialect *const *each = dialect_registry; *each; each++) {
        const struct dialect *dialect = *each;
        if (dialect->framing == DIALECT_FRAMED) {
            struct listener listener = listener_open(dialect);
            size_t most = dialect->payload_max(listener.state);
            cr_assert(most >= 64 && most <= UINT16_MAX, "%s: %zu", dialect->id, most);
            cr_assert_eq(dialect->extension, 0, "%s: packets do not travel in packets", dialect->id);
            listener_close(&listener);
            continue;
        }
        cr_assert_null(dialect->payload_max, "%s", dialect->id);
        cr_assert_lt(dialect->extension, DIALECT_EXTENSIONS, "%s", dialect->id);
        if (!dialect->extension)
            continue;
        cr_assert_null(of[dialect->extension], "%s has the extension id of another", dialect->id);
        of[dialect->extension] = dialect;
        cr_assert_eq(dialect_find_extension(dialect->extension), dialect);
    }
    cr_assert_null(dialect_find_extension(0));
    cr_assert_null(dialect_find_extension(UINT8_MAX));
    cr_assert_eq(of[MP_EXTENSION_FPRIME], dialect_find("fprime"));
    cr_assert_eq(of[MP_EXTENSION_GPROF], dialect_find("gprof"));
    cr_assert_eq(of[MP_EXTENSION_TFM], dialect_find("tfm"));
    cr_assert_eq(of[MP_EXTENSION_SYST], dialect_find("syst"));
}

Test(dialects, any_split_of_the_input_gives_the_same_events)
{
    struct test_random random = test_random_start("splits");
    EACH_INPUT(dialect, number)
    {
        struct stream stream = input(dialect, number);
        struct events whole = told(dialect, &stream);
        for (size_t most = 1; most < 5000; most *= 9) {
            struct listener listener = listener_open(dialect);
            for (size_t at = 0, piece; at < stream.n; at += piece) {
                piece = 1 + test_random_below(&random, most);
                if (piece > stream.n - at)
                    piece = stream.n - at;
                listener_hear(&listener, stream.bytes + at, piece);
            }
            listener_end(&listener);
            size_t where = events_difference(&whole, &listener.events);
            cr_assert_eq(where, SIZE_MAX, "%s, input %d, pieces up to %zu: event %zu of %zu differs",
                         dialect->id, number, most, where, whole.n);
            listener_close(&listener);
        }
        events_fini(&whole);
        stream_fini(&stream);
    }
}

Test(dialects, any_prefix_gives_the_events_of_the_whole)
{
    EACH_INPUT(dialect, number)
    {
        struct stream stream = input(dialect, number);
        struct events whole = told(dialect, &stream);
        size_t most = stream.n < 600 ? stream.n : 600;
        for (size_t n = 0; n <= most; n += test_effort(11, 1)) {
            struct listener listener = listener_open(dialect);
            listener_hear(&listener, stream.bytes, n);
            size_t before_end = listener.events.n;
            if (before_end > whole.n)
                cr_assert_fail("%s, input %d, prefix %zu: more events than the whole has", dialect->id,
                               number, n);
            for (size_t i = 0; i < before_end; i++)
                cr_assert(event_same(&whole.event[i], &listener.events.event[i]),
                          "%s, input %d, prefix %zu: event %zu differs", dialect->id, number, n, i);
            listener_end(&listener);
            listener_close(&listener);
        }
        events_fini(&whole);
        stream_fini(&stream);
    }
}

Test(dialects, a_zeroed_state_starts_again)
{
    EACH_INPUT(dialect, number)
    {
        struct stream stream = input(dialect, number);
        struct events first = told(dialect, &stream);
        struct events second = told(dialect, &stream);
        cr_assert_eq(events_difference(&first, &second), SIZE_MAX, "%s, input %d", dialect->id, number);
        events_fini(&first);
        events_fini(&second);
        stream_fini(&stream);
    }
}

Test(dialects, two_decoders_are_independent)
{
    EACH_INPUT(dialect, number)
    {
        struct stream stream = input(dialect, number);
        struct events alone = told(dialect, &stream);
        struct listener one = listener_open(dialect), other = listener_open(dialect);
        for (size_t at = 0; at < stream.n; at += 100) {
            listener_hear(&one, stream.bytes + at, stream.n - at < 100 ? stream.n - at : 100);
            listener_hear(&other, stream.bytes, stream.n - at < 100 ? stream.n - at : 100);
        }
        listener_end(&one);
        cr_assert_eq(events_difference(&alone, &one.events), SIZE_MAX, "%s, input %d", dialect->id, number);
        listener_close(&one);
        listener_close(&other);
        events_fini(&alone);
        stream_fini(&stream);
    }
}

Test(dialects, batches_have_events_of_known_kinds)
{
    EACH_INPUT(dialect, number)
    {
        struct stream stream = input(dialect, number);
        struct events events = told(dialect, &stream);
        cr_assert_leq(events.batches, events.n, "%s, input %d", dialect->id, number);
        for (size_t i = 0; i < events.n; i++)
            cr_assert_leq(events.event[i].kind, EVENT_RESET, "%s, input %d", dialect->id, number);
        events_fini(&events);
        stream_fini(&stream);
    }
}

Test(dialects, noise_makes_events_in_proportion)
{
    EACH_INPUT(dialect, number)
    {
        struct stream stream = input(dialect, number);
        struct events events = told(dialect, &stream);
        cr_assert_leq(events.n, 4 * stream.n, "%s, input %d", dialect->id, number);
        events_fini(&events);
        stream_fini(&stream);
    }
}

Test(dialects, after_a_reset_a_sample_repeats_at_later_ticks)
{
    for (const struct dialect *const *each = dialect_registry; *each; each++) {
        const struct sample *sample = sample_find((*each)->id);
        if (!sample || !(*each)->reset)
            continue;
        struct stream stream = {0};
        sample->write(&stream);
        struct listener listener = listener_open(*each);
        listener_hear(&listener, stream.bytes, stream.n);
        size_t n = listener.events.n;
        uint64_t newest = 0;
        for (size_t i = 0; i < n; i++)
            if (listener.events.event[i].kind == EVENT_CALL &&
                newest < listener.events.event[i].ticks + listener.events.event[i].call.duration)
                newest = listener.events.event[i].ticks + listener.events.event[i].call.duration;
            else if (newest < listener.events.event[i].ticks)
                newest = listener.events.event[i].ticks;
        (*each)->reset(listener.state);
        listener_hear(&listener, stream.bytes, stream.n);
        cr_assert_eq(listener.events.n, 2 * n, "%s", (*each)->id);
        for (size_t i = n; i < 2 * n; i++)
            if (listener.events.event[i].ticks)
                cr_assert_geq(listener.events.event[i].ticks, newest, "%s", (*each)->id);
        listener_close(&listener);
        stream_fini(&stream);
    }
}

Test(dialects, a_sample_is_recognised_by_its_own_dialect_best)
{
    for (size_t i = 0; i < sample_count; i++) {
        struct stream stream = {0};
        samples[i].write(&stream);
        const struct dialect *own = dialect_find(samples[i].id);
        cr_assert_not_null(own, "a sample of %s, which is no dialect", samples[i].id);
        int best = own->probe(stream.bytes, stream.n);
        cr_assert(best > 50 && best <= 100, "%s: %d", own->id, best);
        for (const struct dialect *const *each = dialect_registry; *each; each++)
            if (*each != own)
                cr_assert_lt((*each)->probe(stream.bytes, stream.n), best, "%s is taken for %s", own->id,
                             (*each)->id);
        stream_fini(&stream);
    }
}

Test(dialects, probing_survives_any_prefix_of_any_input)
{
    EACH_INPUT(dialect, number)
    {
        struct stream stream = input(dialect, number);
        for (size_t n = 0; n <= stream.n && n < 300; n++) {
            uint8_t *exact = malloc(n ? n : 1);
            memcpy(exact, stream.bytes, n);
            int sure = dialect->probe(exact, n);
            cr_assert((sure >= 0 && sure <= 100) || sure == PROBE_OPEN, "%s", dialect->id);
            free(exact);
        }
        stream_fini(&stream);
    }
}
