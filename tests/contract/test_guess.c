/* test_guess.c - the guess of the dialect: wherever bytes begin and end, they are taken for their dialect or none. */
#include "dialect/guess.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "samples.h"
#include "support/effort.h"
#include "support/random.h"

static const char *guess(const uint8_t *bytes, size_t n)
{
    uint8_t *exact = malloc(n ? n : 1);
    memcpy(exact, bytes, n);
    const struct dialect *dialect = dialect_guess(exact, n);
    free(exact);
    return dialect ? dialect->id : "none";
}

static void never_wrong(const char *id, const struct stream *stream, size_t from)
{
    for (size_t n = 0, most = stream->n - from; n <= most;
         n += n < 150 ? test_effort(13, 1) : test_effort(787, 97)) {
        const char *says = guess(stream->bytes + from, n);
        cr_assert(!strcmp(says, id) || !strcmp(says, "none"), "%zu bytes of %s from %zu are taken for %s", n,
                  id, from, says);
    }
}

static void is_told(const char *id, const struct stream *stream, size_t from)
{
    cr_assert_str_eq(guess(stream->bytes + from, stream->n - from), id, "%s from %zu", id, from);
}

Test(guess, no_part_of_a_sample_is_taken_for_another_dialect)
{
    for (size_t i = 0; i < sample_count; i++) {
        struct stream stream = {0};
        samples[i].write(&stream);
        for (size_t from = 0; from < stream.n / 2; from = 3 * from + 1) {
            never_wrong(samples[i].id, &stream, from);
            is_told(samples[i].id, &stream, from);
        }
        stream_fini(&stream);
    }
}

Test(guess, few_bytes_of_each_sample_are_enough)
{
    for (size_t i = 0; i < sample_count; i++) {
        struct stream stream = {0};
        samples[i].write(&stream);
        cr_assert_str_eq(guess(stream.bytes, 256), samples[i].id);
        stream_fini(&stream);
    }
}

Test(guess, samples_are_recognised_after_boot_loader_text)
{
    for (size_t i = 0; i < sample_count; i++) {
        struct stream stream = {0};
        for (int line = 0; line < 150; line++)
            stream_bytes(&stream, "[    0.12] loader: 0x08000000, 4096 bytes, ok\r\n", 47);
        cr_assert_str_eq(guess(stream.bytes, stream.n), "none");
        samples[i].write(&stream);
        never_wrong(samples[i].id, &stream, 0);
        if (strcmp(samples[i].id, "fprime") != 0) /* it then takes all bytes for text */
            is_told(samples[i].id, &stream, 0);
        stream_fini(&stream);
    }
}

/* Writes a packet of entries and exits without predictions. Its pairs of kind and time look like records of gprof until
 * the packet's end has arrived. */
static void write_long_packet(struct test_random *random, struct stream *stream)
{
    uint8_t payload[499] = {2, 1, 0x13, 0, 0, 0x10, 0xE8, 3, 0, 0, 0, 0};
    for (size_t i = 12; i + 1 < sizeof payload; i += 2) {
        static const uint8_t kinds[] = {0xC1, 0xC1, 0x80, 0x81};
        payload[i] = kinds[test_random_below(random, sizeof kinds)];
        payload[i + 1] = (uint8_t)(1 + test_random_below(random, 60));
    }
    stream_packet(stream, 5, payload, sizeof payload);
}

static const char *id_of(const struct dialect *dialect)
{
    return dialect ? dialect->id : "none";
}

Test(guess, a_packet_that_has_begun_is_waited_for)
{
    struct test_random random = test_random_start("begun");
    bool looked_otherwise = false;
    for (int turn = 0; turn < 30; turn++) {
        struct stream stream = {0};
        write_long_packet(&random, &stream);
        for (size_t n = 16; n < stream.n; n += test_effort(27, 9)) {
            cr_assert_str_eq(id_of(dialect_guess_so_far(stream.bytes, n)), "none", "of %zu bytes", n);
            looked_otherwise |= strcmp(id_of(dialect_guess(stream.bytes, n)), "none") != 0;
        }
        cr_assert_str_eq(id_of(dialect_guess_so_far(stream.bytes, stream.n)), "miniprof");
        stream_fini(&stream);
    }
    cr_assert(looked_otherwise, "else this shows nothing");
}

Test(guess, noise_is_no_dialect)
{
    struct test_random random = test_random_start("noise");
    static uint8_t noise[DIALECT_GUESS_MOST];
    for (int turn = 0; turn < 20; turn++) {
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (uint8_t)test_random_next(&random);
        for (size_t n = 1; n <= sizeof noise; n += n < 100 ? 1 : n)
            cr_assert_str_eq(guess(noise, n), "none", "turn %d, %zu bytes", turn, n);
    }
}

Test(guess, one_repeated_byte_is_no_dialect)
{
    static uint8_t bytes[2000];
    for (int value = 0; value < 256; value++) {
        memset(bytes, value, sizeof bytes);
        cr_assert_str_eq(guess(bytes, 64), "none", "%d", value);
        if ((unsigned)value % test_effort(5, 1) == 0)
            cr_assert_str_eq(guess(bytes, sizeof bytes), "none", "%d", value);
    }
}

Test(guess, other_text_is_no_dialect)
{
    static const char *const texts[] = {
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:7777\r\n\r\n",
        "{\"calls\": 1, \"total_ticks\": 65},\n",
        "1,2\n3,4\n",
        "P: pressure, 12, 13\n",
        "00 01 02 03 A0 50 0D 0A 41 00 17 \n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct stream stream = {0};
        for (int turn = 0; turn < 100; turn++)
            stream_bytes(&stream, texts[i], strlen(texts[i]));
        never_wrong("none", &stream, 0);
        stream_fini(&stream);
    }
}

Test(guess, dialects_carried_in_packets_are_recognised_as_miniprof)
{
    for (size_t i = 0; i < sample_count; i++) {
        const struct dialect *inside = dialect_find(samples[i].id);
        if (!inside->extension)
            continue;
        struct stream carried = {0}, stream = {0};
        samples[i].write(&carried);
        for (size_t at = 0, some; at < carried.n; at += some) {
            uint8_t payload[1 + 200] = {inside->extension};
            some = carried.n - at < 200 ? carried.n - at : 200;
            memcpy(payload + 1, carried.bytes + at, some);
            stream_packet(&stream, MP_EXTENSION, payload, 1 + some);
        }
        is_told("miniprof", &stream, 0);
        stream_fini(&carried);
        stream_fini(&stream);
    }
}

Test(guess, gmon_out_is_recognised_as_gprof)
{
    static const uint8_t head[64] = {'g', 'm', 'o', 'n', 1};
    cr_assert_str_eq(guess(head, sizeof head), "gprof");
}
