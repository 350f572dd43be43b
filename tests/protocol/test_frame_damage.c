/* test_frame_damage.c - the reader under damage, noise and malice: properties over random streams. */
#include <criterion/criterion.h>

#include "frames.h"
#include "support/random.h"

/* A stream of different packets, and the position of each. */
struct sent {
    struct stream stream;
    struct {
        size_t start, end;
        bool hurt;
    } packet[400];
    size_t n;
};

static void send_packet(struct sent *sent, struct test_random *random)
{
    static const uint8_t types[] = {MP_ACK,          MP_METADATA,     MP_STATUS,    MP_PROFILE_DATA,
                                    MP_PROFILE_DATA, MP_PROFILE_DATA, MP_EXTENSION, 0x9C};
    uint8_t type = types[test_random_below(random, sizeof types)];
    uint8_t payload[3 + 14 * 30];
    size_t n = 0;
    switch (type) {
    case MP_METADATA: n = MP_METADATA_SIZE; break;
    case MP_STATUS: n = MP_STATUS_SIZE + 4 * test_random_below(random, 3); break;
    case MP_PROFILE_DATA: n = 3 + 14 * test_random_below(random, 31); break;
    case MP_EXTENSION:
    case 0x9C: n = 6 + test_random_below(random, 60); break;
    default: break;
    }
    for (size_t i = 0; i < n; i++) /* headers and ends are frequent */
        payload[i] =
            (uint8_t[]){0xAA, 0x55, 0x0A, (uint8_t)test_random_next(random)}[test_random_below(random, 4)];
    if (type == MP_PROFILE_DATA) {
        payload[0] = 1;
        payload[1] = (uint8_t)(n / 14);
        payload[2] = 0;
    }
    size_t start = sent->stream.n;
    stream_packet(&sent->stream, type, payload, n);
    sent->packet[sent->n].start = start;
    sent->packet[sent->n].end = sent->stream.n;
    sent->packet[sent->n++].hurt = false;
}

static struct sent send_packets(struct test_random *random, size_t n)
{
    struct sent sent = {.n = 0};
    while (sent.n < n)
        send_packet(&sent, random);
    return sent;
}

static void hear_at_random(struct ear *ear, struct test_random *random, const uint8_t *bytes, size_t n)
{
    size_t most = (size_t[]){1, 5, 60, 1000, 100000}[test_random_below(random, 5)];
    for (size_t at = 0, piece; at < n; at += piece) {
        piece = 1 + test_random_below(random, most);
        if (piece > n - at)
            piece = n - at;
        ear_hear(ear, bytes + at, piece);
    }
}

static bool frame_is(const struct frames *frames, size_t i, const uint8_t *packet, size_t size)
{
    return frames->frame[i].length == size - MP_FRAME_OVERHEAD &&
           !memcmp(frames->bytes.bytes + frames->frame[i].at, packet + 2, size - 5);
}

static void all_bytes_are_accounted_for(const struct ear *ear)
{
    uint64_t handed_out = 0;
    for (size_t i = 0; i < ear->frames.n; i++)
        handed_out += ear->frames.frame[i].length + MP_FRAME_OVERHEAD;
    cr_assert_eq(ear->reader.counters.packets, ear->frames.n);
    cr_assert_eq(ear->reader.counters.bytes,
                 handed_out + ear->reader.counters.bytes_skipped + mp_frame_reader_waiting(&ear->reader));
}

Test(frame_damage, however_a_stream_is_split_its_packets_come_out)
{
    struct test_random random = test_random_start("any split");
    for (int round = 0; round < 100; round++) {
        struct sent sent = send_packets(&random, 60);
        struct ear ear = ear_open(16384);
        hear_at_random(&ear, &random, sent.stream.bytes, sent.stream.n);
        cr_assert_eq(ear.frames.n, sent.n);
        for (size_t i = 0; i < sent.n; i++)
            cr_assert(frame_is(&ear.frames, i, sent.stream.bytes + sent.packet[i].start,
                               sent.packet[i].end - sent.packet[i].start));
        cr_assert_eq(ear.reader.counters.bytes_skipped, 0);
        cr_assert_eq(ear.reader.counters.crc_errors + ear.reader.counters.framing_errors, 0);
        ear_close(&ear);
        stream_fini(&sent.stream);
    }
}

Test(frame_damage, every_prefix_gives_the_packets_that_end_in_it)
{
    struct test_random random = test_random_start("any prefix");
    struct sent sent = send_packets(&random, 12);
    for (size_t n = 0; n <= sent.stream.n; n++) {
        struct ear ear = ear_open(16384);
        ear_hear(&ear, sent.stream.bytes, n);
        size_t whole = 0;
        while (whole < sent.n && sent.packet[whole].end <= n)
            whole++;
        cr_assert_eq(ear.frames.n, whole, "prefix of %zu", n);
        ear_end(&ear);
        cr_assert_geq(ear.frames.n, whole);
        all_bytes_are_accounted_for(&ear);
        ear_close(&ear);
    }
    stream_fini(&sent.stream);
}

/* Damages the stream in one place; marks the packets that it touches. */
static struct stream hurt(struct sent *sent, struct test_random *random)
{
    const uint8_t *bytes = sent->stream.bytes;
    size_t at = test_random_below(random, sent->stream.n);
    size_t n = 1 + test_random_below(random, 40);
    if (n > sent->stream.n - at)
        n = sent->stream.n - at;
    struct stream damaged = {0};
    stream_bytes(&damaged, bytes, at);
    size_t end = at + n; /* of what is touched */
    switch (test_random_below(random, 5)) {
    case 0: /* flip a bit */
        end = at + 1;
        stream_byte(&damaged, (uint8_t)(bytes[at] ^ 1u << test_random_below(random, 8)));
        stream_bytes(&damaged, bytes + end, sent->stream.n - end);
        break;
    case 1: /* drop */ stream_bytes(&damaged, bytes + end, sent->stream.n - end); break;
    case 2: /* overwrite with noise */
        for (size_t i = 0; i < n; i++)
            stream_byte(&damaged, (uint8_t)test_random_next(random));
        stream_bytes(&damaged, bytes + end, sent->stream.n - end);
        break;
    case 3: /* insert noise */
        for (size_t i = 0; i < n; i++)
            stream_byte(&damaged, (uint8_t)test_random_next(random));
        stream_bytes(&damaged, bytes + at, sent->stream.n - at);
        end = at;
        break;
    default: /* say twice */
        stream_bytes(&damaged, bytes + at, n);
        stream_bytes(&damaged, bytes + at, sent->stream.n - at);
        break;
    }
    for (size_t i = 0; i < sent->n; i++)
        if (sent->packet[i].start < end && at < sent->packet[i].end)
            sent->packet[i].hurt = true;
        else if (at > sent->packet[i].start && at < sent->packet[i].end)
            sent->packet[i].hurt = true;
    return damaged;
}

Test(frame_damage, damage_costs_no_packet_that_it_does_not_touch)
{
    struct test_random random = test_random_start("damage");
    for (int round = 0; round < 1500; round++) {
        struct sent sent = send_packets(&random, 25);
        struct stream damaged = hurt(&sent, &random);
        struct ear ear = ear_open(16384);
        hear_at_random(&ear, &random, damaged.bytes, damaged.n);
        ear_end(&ear);
        size_t found = 0;
        for (size_t i = 0; i < sent.n; i++) {
            if (sent.packet[i].hurt)
                continue;
            while (found < ear.frames.n &&
                   !frame_is(&ear.frames, found, sent.stream.bytes + sent.packet[i].start,
                             sent.packet[i].end - sent.packet[i].start))
                found++;
            cr_assert_lt(found, ear.frames.n, "round %d: packet %zu of %zu is gone", round, i, sent.n);
            found++;
        }
        all_bytes_are_accounted_for(&ear);
        ear_close(&ear);
        stream_fini(&damaged);
        stream_fini(&sent.stream);
    }
}

Test(frame_damage, lies_between_packets_hold_back_none_beyond_the_next_read)
{
    static const uint8_t lies[][6] = {{0xAA, 0x55, 5, 0xB3, 0x36, 1},
                                      {0xAA, 0x55, 0x61, 0, 0x40, 0},
                                      {0xAA, 0x55, 0x40, 0xFF, 0x3F, 2},
                                      {0xAA, 0x55, 5, 3 + 140, 0, 1}};
    struct test_random random = test_random_start("lies");
    for (int round = 0; round < 60; round++) {
        struct sent sent = send_packets(&random, 100);
        struct ear ear = ear_open(16384);
        for (size_t i = 0; i < sent.n; i++) {
            struct stream read = {0};
            for (size_t n = test_random_below(&random, 4); n > 0; n--)
                stream_bytes(&read, lies[test_random_below(&random, 4)], 6);
            stream_bytes(&read, sent.stream.bytes + sent.packet[i].start,
                         sent.packet[i].end - sent.packet[i].start);
            ear_hear(&ear, read.bytes, read.n);
            cr_assert_geq(ear.frames.n, i, "round %d, read %zu: only %zu packets", round, i, ear.frames.n);
            stream_fini(&read);
        }
        ear_idle(&ear);
        cr_assert_eq(ear.frames.n, sent.n);
        ear_close(&ear);
        stream_fini(&sent.stream);
    }
}

/* ---- work ---- */

Test(frame_damage, noise_is_read_in_time_in_proportion_and_holds_next_to_nothing)
{
    struct test_random random = test_random_start("noise");
    for (int bits = 0; bits < 2; bits++) {
        struct stream noise = {0};
        for (size_t i = 0; i < 300000; i++) { /* all byte values, then only those that headers are made of */
            uint64_t number = test_random_next(&random);
            stream_byte(&noise, bits ? (uint8_t[]){0xAA, 0x55, 5, 0x0A, 1, 0x13, 0x40, 0}[number % 8]
                                     : (uint8_t)number);
        }
        struct ear whole = ear_open(16384), bytewise = ear_open(16384);
        ear_hear(&whole, noise.bytes, noise.n);
        ear_hear_in_pieces(&bytewise, noise.bytes, noise.n, 1);
        ear_end(&whole);
        ear_end(&bytewise);
        all_bytes_are_accounted_for(&whole);
        all_bytes_are_accounted_for(&bytewise);
        uint64_t most =
            bits ? 400 : 6; /* one header per 32 bytes, each with a right end 1 in 8 times, 8 KiB long */
        cr_assert_leq(whole.reader.counters.work, most * noise.n, "%zu", (size_t)whole.reader.counters.work);
        cr_assert_leq(bytewise.reader.counters.work, most * noise.n, "%zu",
                      (size_t)bytewise.reader.counters.work);
        ear_close(&whole);
        ear_close(&bytewise);
        stream_fini(&noise);
    }
}

Test(frame_damage, headers_with_long_lengths_packed_together_cost_a_few_looks_per_byte)
{
    for (size_t piece = 1; piece < 100000; piece *= 7) {
        struct stream stream = {0};
        for (size_t i = 0; i < 40000; i++)
            stream_bytes(&stream, (uint8_t[]){0xAA, 0x55, 5, 0xB3, 0x36, 1}, 6);
        struct ear ear = ear_open(16384);
        ear_hear_in_pieces(&ear, stream.bytes, stream.n, piece);
        stream_packet(&stream, MP_ACK, NULL, 0);
        ear_hear(&ear, stream.bytes + stream.n - 8, 8);
        ear_idle(&ear);
        cr_assert_eq(ear.frames.n, 1);
        cr_assert_leq(ear.reader.counters.work, 8 * stream.n, "pieces of %zu: %zu", piece,
                      (size_t)ear.reader.counters.work);
        ear_close(&ear);
        stream_fini(&stream);
    }
}

Test(frame_damage, at_worst_the_cap_is_summed_twice_per_header)
{
    enum { CAP = 1024, PERIOD = 14 };
    struct stream stream = {0};
    for (size_t i = 0; i < 3000;
         i++) /* every claim ends at the end of a later one: 8 + 3 + 14 * 72 = 14 * 73 - 3 */
        stream_bytes(&stream, (uint8_t[]){0xAA, 0x55, 5, 0xF3, 3, 1, 0, 0, 0, 0, 0x0A, 0, 0, 0}, PERIOD);
    struct ear ear = ear_open(CAP);
    ear_hear(&ear, (uint8_t[]){0xAA, 0x55, 1, 0, 0, 0x88, 0x83, 0x0A},
             8); /* from here on there are no hints */
    ear_hear(&ear, stream.bytes, stream.n);
    ear_end(&ear);
    cr_assert_gt(ear.reader.counters.crc_errors, 2900);
    cr_assert_leq(ear.reader.counters.work,
                  stream.n * (8 + 2 * CAP / PERIOD) + 4000 * CAP); /* and the hints */
    ear_close(&ear);
    stream_fini(&stream);
}
