/* test_disguise.c - transformations of a healthy stream by lines, drivers and tools are named; damage is not. */
#include "session/examiner.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "support/damage.h"
#include "support/effort.h"
#include "support/random.h"
#include "support/stream.h"

static struct stream healthy(struct test_random *random, size_t packets)
{
    struct stream stream = {0};
    stream_metadata(
        &stream, &(struct mp_metadata){.mcu_clock_hz = 168000000, .timer_hz = 1000000, .fw_version = "v1"});
    for (size_t i = 0; i < packets; i++) {
        struct mp_record records[12];
        size_t n = 1 + test_random_below(random, 12);
        for (size_t k = 0; k < n; k++)
            records[k] = (struct mp_record){0x08000100u + 16 * (uint32_t)test_random_below(random, 64),
                                            (uint32_t)test_random_below(random, 1 << 24),
                                            (uint32_t)test_random_below(random, 700),
                                            (uint16_t)test_random_below(random, 5)};
        stream_records(&stream, records, n);
    }
    return stream;
}

/* ---- disguises ---- */

typedef void (*disguise_fn)(const struct stream *in, struct stream *out);

#define BYTEWISE(name, ...)                                                                                  \
    static void name(const struct stream *in, struct stream *out)                                            \
    {                                                                                                        \
        for (size_t i = 0; i < in->n; i++) {                                                                 \
            const uint8_t byte = in->bytes[i];                                                               \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

static uint8_t reversed(uint8_t byte)
{
    uint8_t value = 0;
    for (int bit = 0; bit < 8; bit++)
        value = (uint8_t)(value | (byte >> bit & 1) << (7 - bit));
    return value;
}

static uint8_t with_parity(uint8_t byte, int odd)
{
    int ones = __builtin_popcount(byte & 0x7F) + odd;
    return (uint8_t)((byte & 0x7F) | (ones & 1) << 7);
}

BYTEWISE(crlf, if (byte == '\n') stream_byte(out, '\r'); stream_byte(out, byte);)
BYTEWISE(icrnl, stream_byte(out, byte == '\r' ? '\n' : byte);)
BYTEWISE(inlcr, stream_byte(out, byte == '\n' ? '\r' : byte);)
BYTEWISE(igncr, if (byte != '\r') stream_byte(out, byte);)
BYTEWISE(xonxoff, if (byte != 0x11 && byte != 0x13) stream_byte(out, byte);)
BYTEWISE(ff_twice, if (byte == 0xFF) stream_byte(out, byte); stream_byte(out, byte);)
BYTEWISE(dle_twice, if (byte == 0x10) stream_byte(out, byte); stream_byte(out, byte);)
BYTEWISE(all_twice, stream_byte(out, byte); stream_byte(out, byte);)
BYTEWISE(nul_dropped, if (byte) stream_byte(out, byte);)
BYTEWISE(seven, stream_byte(out, byte & 0x7F);)
BYTEWISE(even, stream_byte(out, with_parity(byte, 0));)
BYTEWISE(odd, stream_byte(out, with_parity(byte, 1));)
BYTEWISE(mark, stream_byte(out, byte | 0x80);)
BYTEWISE(inverted, stream_byte(out, (uint8_t)~byte);)
BYTEWISE(bits, stream_byte(out, reversed(byte));)
BYTEWISE(nibbles, stream_byte(out, (uint8_t)(byte << 4 | byte >> 4));)
BYTEWISE(halves, (void)byte; stream_byte(out, in->bytes[i ^ 1]);)
BYTEWISE(words, (void)byte; stream_byte(out, in->bytes[i ^ 3]);)
BYTEWISE(hex, char digits[4]; snprintf(digits, sizeof digits, "%02x%s", byte, i % 16 == 15 ? "\n" : "");
         stream_bytes(out, digits, strlen(digits));)
BYTEWISE(hex_spaced, char digits[6];
         snprintf(digits, sizeof digits, "%02X%s", byte, i % 16 == 15 ? "\r\n" : " ");
         stream_bytes(out, digits, strlen(digits));)
BYTEWISE(c_array, char digits[7]; snprintf(digits, sizeof digits, "0x%02x, ", byte);
         stream_bytes(out, digits, 6);)
BYTEWISE(utf8, if (byte >= 0x80) stream_byte(out, (uint8_t)(0xC0 | byte >> 6));
         stream_byte(out, byte >= 0x80 ? (uint8_t)(0x80 | (byte & 0x3F)) : byte);)
BYTEWISE(utf16, if (i == 0) stream_bytes(out, "\xFF\xFE", 2); stream_byte(out, byte); stream_byte(out, 0);)
BYTEWISE(utf16be, stream_byte(out, 0); stream_byte(out, byte);)
BYTEWISE(slip, if (byte == 0xC0 || byte == 0xDB) stream_byte(out, 0xDB);
         stream_byte(out, byte == 0xC0   ? 0xDC
                          : byte == 0xDB ? 0xDD
                                         : byte);)
BYTEWISE(console, if (i % 97 == 41) stream_bytes(out, "tick from the console\r\n", 23);
         stream_byte(out, byte);)
BYTEWISE(stuck, (void)byte; stream_byte(out, 0);)
BYTEWISE(text, (void)byte; if (i % 20 == 0) stream_bytes(out, "[boot] a line\r\n", 15);)

BYTEWISE(hex_run, char digits[3]; snprintf(digits, sizeof digits, "%02x", byte);
         stream_bytes(out, digits, 2);)

static void base64(const struct stream *in, struct stream *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i + 2 < in->n; i += 3) {
        uint32_t three = (uint32_t)in->bytes[i] << 16 | (uint32_t)in->bytes[i + 1] << 8 | in->bytes[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6)
            stream_byte(out, (uint8_t)digits[three >> shift & 63]);
        if (i % 57 == 54)
            stream_byte(out, '\n');
    }
}

/* Another task writes whole packets, in the middle of packets of the first. */
static void two_writers(const struct stream *in, struct stream *out)
{
    struct test_random random = test_random_start("second writer");
    struct stream other = healthy(&random, 60);
    size_t end = 0, at = 0;
    for (size_t k = 0; k + 8 < other.n; k = end) {
        for (end = k + 8; end < other.n && memcmp(other.bytes + end, other.bytes, 2) != 0; end++) {
        }
        size_t some = 60 + 31 * (k % 7);
        if (at + some > in->n)
            break;
        stream_bytes(out, in->bytes + at, some);
        at += some;
        stream_bytes(out, other.bytes + k, end - k);
    }
    stream_bytes(out, in->bytes + at, in->n - at);
    stream_fini(&other);
}

static void echo(const struct stream *in, struct stream *out)
{
    uint8_t bytes[MP_COMMAND_SIZE];
    for (uint8_t i = 0; i < 8; i++) {
        mp_command_encode(&(struct mp_command){.code = i % 2 ? MP_GET_METADATA : MP_GET_STATUS}, bytes);
        stream_bytes(out, bytes, sizeof bytes);
    }
}

static const struct {
    disguise_fn dress;
    const char *word; /* of the sentence */
} disguises[] = {
    {crlf, "before it"},
    {icrnl, "ICRNL"},
    {inlcr, "INLCR"},
    {igncr, "IGNCR"},
    {xonxoff, "XON"},
    {ff_twice, "FF"},
    {dle_twice, "twice"},
    {all_twice, "Each byte comes twice"},
    {nul_dropped, "NUL"},
    {seven, "eighth"},
    {even, "even parity"},
    {odd, "odd parity"},
    {mark, "mark parity"},
    {inverted, "inverted"},
    {bits, "reverse"},
    {nibbles, "halves"},
    {halves, "16-bit"},
    {words, "32-bit"},
    {hex, "hex"},
    {hex_spaced, "hex"},
    {c_array, "hex"},
    {base64, "base64"},
    {utf8, "UTF-8"},
    {utf16, "UTF-16"},
    {utf16be, "UTF-16"},
    {slip, "SLIP"},
    {console, "another program"},
    {two_writers, "two writers"},
    {stuck, "stuck"},
    {text, "plain text"},
    {echo, "echo"},
};

static const struct dialect *miniprof(void)
{
    return dialect_find("miniprof");
}

Test(disguise, a_transformation_of_the_stream_is_named)
{
    struct test_random random = test_random_start("disguises");
    for (int round = 0; round < 3; round++)
        for (size_t d = 0; d < sizeof disguises / sizeof *disguises; d++) {
            struct stream in = healthy(&random, 130), out = {0};
            in.n -= in.n % 4;
            disguises[d].dress(&in, &out);
            size_t n = out.n < DISGUISE_MOST ? out.n : DISGUISE_MOST;
            struct disguise found = disguise_find(out.bytes, n, miniprof());
            cr_expect(found.sentence && strstr(found.sentence, disguises[d].word), "round %d, %s: %s", round,
                      disguises[d].word, found.sentence ? found.sentence : "nothing");
            stream_fini(&in);
            stream_fini(&out);
        }
}

/* Bytes flipped, lost and inserted, bits of noise, and missing pieces. */
Test(disguise, damage_is_not_a_disguise)
{
    struct test_random random = test_random_start("damaged");
    for (int round = 0; round < (int)test_effort(250, 1000); round++) {
        struct stream stream = healthy(&random, 5 + test_random_below(&random, 30));
        for (size_t hits = 1 + test_random_below(&random, 40); hits > 0; hits--) {
            struct stream whole = stream;
            stream = damage_do(&whole, (enum damage)test_random_below(&random, DAMAGE_KINDS),
                               test_random_below(&random, whole.n - 1), (uint8_t)test_random_next(&random));
            stream_fini(&whole);
        }
        struct disguise found = disguise_find(stream.bytes, stream.n, miniprof());
        cr_expect_null(found.sentence, "round %d: %s", round, found.sentence);
        stream_fini(&stream);
    }
}

Test(disguise, a_healthy_stream_has_none)
{
    struct test_random random = test_random_start("healthy");
    for (int round = 0; round < 100; round++) {
        struct stream stream = healthy(&random, 20);
        cr_expect_null(disguise_find(stream.bytes, stream.n, miniprof()).sentence);
        stream_fini(&stream);
    }
}

/* ---- read all the same ---- */

static void count_calls(void *user, const struct event *events, size_t n)
{
    for (size_t i = 0; i < n; i++)
        *(size_t *)user += events[i].kind == EVENT_CALL;
}

/* Checks that all `came` bytes are counted once, and all are in an account. */
static void check_bytes(const struct examiner *examiner, const struct decoder *decoder, size_t came)
{
    struct snapshot_link link = {0};
    decoder_tell(decoder, &link);
    examiner_tell(examiner, decoder, &link);
    cr_assert_eq(link.bytes, came, "%zu came, %llu are reported", came, (unsigned long long)link.bytes);
    cr_assert_eq(link.bytes + link.bytes_again, link.bytes_read + link.bytes_outside + link.bytes_cut +
                                                    link.bytes_encoding + link.bytes_waiting);
}

/* The calls decoded from the stream in pieces of `piece` bytes. */
static size_t calls_of(const struct stream *stream, size_t piece, const char **sentence)
{
    size_t calls = 0;
    struct event_out out = {count_calls, &calls};
    struct error err = {""};
    struct decoder *decoder = decoder_new(miniprof(), NULL, &out, &err);
    struct examiner examiner = {NULL};
    cr_assert_not_null(decoder, "%s", err.text);
    for (size_t at = 0; at < stream->n; at += piece) {
        size_t some = stream->n - at < piece ? stream->n - at : piece;
        examiner_feed(&examiner, decoder, stream->bytes + at, some);
        check_bytes(&examiner, decoder, at + some);
    }
    examiner_finish(&examiner, decoder);
    decoder_finish(decoder);
    check_bytes(&examiner, decoder, stream->n);
    *sentence = examiner.sentence;
    examiner_break(&examiner, decoder);
    check_bytes(&examiner, decoder, stream->n);
    examiner_fini(&examiner);
    decoder_free(decoder);
    return calls;
}

Test(disguise, safe_transformations_are_undone_completely)
{
    static const disguise_fn safe[] = {hex, hex_spaced, c_array, base64, utf8, utf16, utf16be};
    struct test_random random = test_random_start("safe");
    for (size_t d = 0; d < sizeof safe / sizeof *safe; d++) {
        struct stream in = healthy(&random, 120), out = {0};
        const char *sentence;
        in.n -= in.n % 3; /* so that base64 needs no padding; the last packet is cut */
        size_t right = calls_of(&in, in.n, &sentence);
        cr_expect_null(sentence);
        safe[d](&in, &out);
        for (size_t piece = 7; piece < 100000; piece *= test_effort(97 * 97, 9)) {
            size_t calls = calls_of(&out, piece, &sentence);
            cr_expect_eq(calls, right, "disguise %zu, pieces of %zu: %zu of %zu", d, piece, calls, right);
            cr_expect_not_null(sentence);
        }
        stream_fini(&in);
        stream_fini(&out);
    }
}

/* A new device gets three commands at most, so there are no more echoes. */
Test(disguise, an_echo_of_two_commands_is_known_at_the_end)
{
    struct stream in = {0}, out = {0};
    const char *sentence;
    echo(&in, &out);
    for (size_t commands = 1; commands <= 3; commands++) {
        out.n = commands * MP_COMMAND_SIZE;
        cr_expect_eq(calls_of(&out, 7, &sentence), 0);
        cr_expect_eq(sentence != NULL, commands > 1, "%zu commands", commands);
        cr_expect(!sentence || strstr(sentence, "an echo"));
    }
    stream_fini(&out);
}

/* A reader that joins in the middle of a packet misses only that packet, with pieces of any size. */
Test(disguise, utf8_that_is_joined_in_the_middle_is_read_from_the_next_packet_on)
{
    struct test_random random = test_random_start("joined");
    for (size_t round = 0; round < 60; round++) {
        struct stream in = healthy(&random, 40), out = {0};
        const char *sentence;
        size_t skip = 3 + test_random_below(&random, 400), piece = 1 + test_random_below(&random, 60);
        in.bytes += skip;
        in.n -= skip;
        size_t right = calls_of(&in, in.n, &sentence);
        utf8(&in, &out);
        cr_expect_eq(calls_of(&out, piece, &sentence), right, "skip %zu, pieces of %zu", skip, piece);
        in.bytes -= skip;
        stream_fini(&in);
        stream_fini(&out);
    }
}

/* The groups are shifted from there on, permanently if nothing separates them. */
Test(disguise, a_digit_that_is_lost_costs_a_few_packets)
{
    static const disguise_fn safe[] = {hex_run, hex, base64, utf16, utf16be};
    struct test_random random = test_random_start("digit");
    for (size_t d = 0; d < sizeof safe / sizeof *safe; d++)
        for (size_t piece = 7; piece < 100000; piece *= test_effort(97 * 97, 9)) {
            struct stream in = healthy(&random, 400), out = {0};
            const char *sentence;
            in.n -= in.n % 3;
            size_t right = calls_of(&in, in.n, &sentence);
            safe[d](&in, &out);
            for (size_t times = 3; times > 0; times--) {
                size_t at = out.n / 4 * times + test_random_below(&random, 1000);
                memmove(out.bytes + at, out.bytes + at + 1, out.n - at - 1);
                out.n--;
            }
            size_t calls = calls_of(&out, piece, &sentence);
            cr_expect(calls <= right && calls > right - 3 * 150, "disguise %zu, pieces of %zu: %zu of %zu", d,
                      piece, calls, right);
            stream_fini(&in);
            stream_fini(&out);
        }
}

/* An odd number of digits without a packet, more than are buffered. */
Test(disguise, digits_without_a_packet_cost_a_few_packets_however_many_they_are)
{
    static const size_t lengths[] = {12001, 16001, 16369, 20001, 40001};
    struct test_random random = test_random_start("mute");
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (size_t piece = 7; piece < 100000; piece *= test_effort(97 * 97, 97)) {
            struct stream in = healthy(&random, 800), digits = {0}, out = {0};
            const char *sentence;
            size_t right = calls_of(&in, in.n, &sentence);
            hex_run(&in, &digits);
            size_t at = digits.n / 4;
            stream_bytes(&out, digits.bytes, at);
            for (size_t i = 0; i < lengths[l]; i++)
                stream_byte(&out, (uint8_t) "0123456789abcdef"[test_random_below(&random, 16)]);
            stream_bytes(&out, digits.bytes + at, digits.n - at);
            size_t calls = calls_of(&out, piece, &sentence);
            cr_expect(calls <= right && calls > right - 150, "%zu digits, pieces of %zu: %zu of %zu",
                      lengths[l], piece, calls, right);
            stream_fini(&in);
            stream_fini(&digits);
            stream_fini(&out);
        }
}

/* Bytes without the transformation are read unchanged, and nothing is undone from there on. */
Test(disguise, undoing_ends_with_the_transformation)
{
    static const disguise_fn safe[] = {hex, hex_spaced, c_array, base64, utf16, utf16be};
    struct test_random random = test_random_start("ends");
    for (size_t d = 0; d < sizeof safe / sizeof *safe; d++) {
        struct stream in = healthy(&random, 120), out = {0};
        const char *sentence;
        in.n -= in.n % 3;
        size_t right = calls_of(&in, in.n, &sentence);
        safe[d](&in, &out);
        stream_bytes(&out, in.bytes, in.n);
        size_t calls = calls_of(&out, 4096, &sentence);
        cr_expect(calls > right + right / 2, "disguise %zu: %zu of twice %zu", d, calls, right);
        cr_expect_null(sentence);
        stream_fini(&in);
        stream_fini(&out);
    }
}

Test(disguise, a_damaging_transformation_is_named_until_it_ends)
{
    struct test_random random = test_random_start("partly");
    struct stream in = healthy(&random, 200), out = {0}, more = {0};
    const char *sentence;
    xonxoff(&in, &out);
    calls_of(&out, 512, &sentence);
    cr_assert(sentence && strstr(sentence, "XON"));
    for (int i = 0; i < 12; i++) {
        more = healthy(&random, 150);
        stream_bytes(&out, more.bytes, more.n);
        stream_fini(&more);
    }
    calls_of(&out, 512, &sentence);
    cr_assert_null(sentence);
    stream_fini(&in);
    stream_fini(&out);
}

Test(disguise, boot_logs_and_lines_between_packets_are_no_disguise)
{
    struct test_random random = test_random_start("boot");
    struct stream stream = {0}, packets = healthy(&random, 40);
    const char *sentence;
    for (int i = 0; i < 100; i++)
        stream_bytes(&stream, "[boot] a line of the boot loader\r\n", 34);
    for (int i = 0; i < 20; i++) {
        stream_bytes(&stream, packets.bytes, packets.n);
        stream_bytes(&stream, "a line of the console between packets\r\n", 39);
    }
    for (size_t piece = 64; piece < 100000; piece *= 30) {
        calls_of(&stream, piece, &sentence);
        cr_expect_null(sentence, "%s", sentence);
    }
    stream_fini(&stream);
    stream_fini(&packets);
}
