/* fuzz_telnet.c - fuzz target: reads any bytes from an RFC 2217 server, in one piece and in several; and writes any
 * bytes as data for it, which must be read back unchanged. */
#include "fuzz.h"

#include "source/comport.h"

void fuzz_begin_with(struct stream *stream)
{
    static const uint8_t said[] = {
        255, 251, 3,   255, 253, 3,   255, 251, 1,   255, 253, 0,   255, 251, 0,   255, 253,
        44,  255, 250, 44,  101, 0,   1,   255, 255, 0,   255, 240, 1,   2,   255, 255, 3,
        13,  0,   255, 250, 44,  102, 8,   255, 240, 255, 250, 44,  103, 1,   255, 240, 255,
        250, 44,  104, 1,   255, 240, 255, 250, 44,  108, 255, 240, 'x', 255, 250, 44,  109,
        255, 240, 255, 255, 255, 241, 255, 250, 44,  100, 's', 'e', 'r', 'v', 'e', 'r', ' ',
        'o', 'f', ' ', 'p', 'o', 'r', 't', 's', 255, 240, 255, 254, 44,  255, 252, 0,
    };
    stream_bytes(stream, said, sizeof said);
}

/* Feeds the bytes in pieces of at most `piece` bytes. Writes the data, at most n bytes, to `data`; returns its size. */
static size_t feed(struct comport *comport, const uint8_t *bytes, size_t n, size_t piece, uint8_t *data)
{
    size_t data_n = 0;
    comport_begin(comport, 115200);
    for (size_t at = 0; at < n;) {
        size_t now = piece < n - at ? piece : n - at;
        size_t got = comport_feed(comport, bytes + at, now, data + data_n);
        FUZZ_CHECK(got <= now);
        data_n += got;
        at += now;
    }
    FUZZ_CHECK(comport->out_n <= sizeof comport->out);
    return data_n;
}

static bool is_same(const struct comport *a, const struct comport *b)
{
    return memcmp(&a->telnet, &b->telnet, sizeof a->telnet) == 0 &&
           memcmp(a->ours, b->ours, sizeof a->ours) == 0 &&
           memcmp(a->theirs, b->theirs, sizeof a->theirs) == 0 && a->out_n == b->out_n &&
           memcmp(a->out, b->out, a->out_n) == 0 && a->line.baud == b->line.baud &&
           a->line.data_bits == b->line.data_bits && a->line.parity == b->line.parity &&
           a->line.stop_bits == b->line.stop_bits && a->is_suspended == b->is_suspended &&
           a->has_told_baud == b->has_told_baud;
}

static void check_pieces(const uint8_t *bytes, size_t n)
{
    static const size_t pieces[] = {1, 2, 3, 7, 64};
    struct comport whole, cut;
    uint8_t *data = malloc(n + 1), *other = malloc(n + 1);
    FUZZ_CHECK(data && other);
    size_t data_n = feed(&whole, bytes, n, n + 1, data);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        FUZZ_CHECK(feed(&cut, bytes, n, pieces[i], other) == data_n);
        FUZZ_CHECK(memcmp(data, other, data_n) == 0);
        FUZZ_CHECK(is_same(&whole, &cut));
    }
    memcpy(other, bytes, n);
    FUZZ_CHECK(feed(&cut, other, n, n + 1, other) == data_n && memcmp(data, other, data_n) == 0);
    free(data);
    free(other);
}

/* Both ends use the same escapes, so written bytes can be read back. */
static void check_put(const uint8_t *bytes, size_t n)
{
    struct comport here, there;
    uint8_t data[COMPORT_OUT_SIZE];
    comport_begin(&here, 115200);
    comport_sent(&here, here.out_n);
    for (size_t at = 0; at < n;) {
        size_t put = comport_put(&here, bytes + at, n - at);
        comport_begin(&there, 115200);
        FUZZ_CHECK(put > 0 && comport_feed(&there, here.out, here.out_n, data) == put);
        FUZZ_CHECK(memcmp(bytes + at, data, put) == 0);
        comport_sent(&here, here.out_n);
        at += put;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    check_pieces(bytes, n);
    check_put(bytes, n);
    return 0;
}
