/* line.h - simulates a serial line with a named fault, and notes which packets it left undamaged. */
#ifndef FAULTS_LINE_H
#define FAULTS_LINE_H

#include "support/random.h"
#include "support/stream.h"

enum line_fault {
    LINE_FLIPS_6, /* one bit in 10^6 is flipped, one in 10^5, ... */
    LINE_FLIPS_5,
    LINE_FLIPS_4,
    LINE_FLIPS_3,
    LINE_FLIPS_2,
    LINE_LOST,     /* one byte in 500 is missing */
    LINE_DOUBLED,  /* one byte in 500 arrives twice */
    LINE_INSERTED, /* after one byte in 500 arrives one that was not sent */
    LINE_BURST,    /* runs of up to 60 bytes of noise */
    LINE_CUT,      /* runs of up to 300 bytes are missing */
    LINE_STALL,    /* nothing is damaged, but the line pauses within packets */
    LINE_MIXED,    /* two devices send in turns of up to 400 bytes */
    LINE_REBOOT,   /* the device restarts within a packet */
    LINE_BOARD,    /* another device with another program takes over within a packet */
    LINE_BACK,     /* nothing is damaged, but the device's clock goes back */
    LINE_DEPTH,    /* nothing is damaged, but depths are wrong */
    LINE_FAULTS,
};

static const char *const line_names[LINE_FAULTS] = {
    "flips 1e-6", "flips 1e-5",    "flips 1e-4", "flips 1e-3", "flips 1e-2", "bytes lost",
    "doubled",    "inserted",      "burst",      "cut",        "stall",      "mixed",
    "reboot",     "another board", "time back",  "depth lies"};

/* The bytes sent. If the dialect has packets, packet i ends before `end[i]`, where the next one begins. `hurt` is true
 * for those that the line damaged. */
enum { LINE_PACKETS = 8000 };
struct line_sent {
    struct stream stream;
    size_t end[LINE_PACKETS];
    bool hurt[LINE_PACKETS];
    size_t n;
};

static inline void line_packet_ends(struct line_sent *sent)
{
    sent->end[sent->n++] = sent->stream.n;
}

/* Writes one byte to `out` with the fault. Returns true if the byte was damaged. */
static inline bool line_byte(enum line_fault fault, struct test_random *random, uint8_t byte,
                             struct stream *out)
{
    static const size_t one_in[] = {1000000, 100000, 10000, 1000, 100};
    uint8_t as_sent = byte;
    if (fault <= LINE_FLIPS_2) {
        for (int bit = 0; bit < 8; bit++)
            if (test_random_below(random, one_in[fault]) == 0)
                byte ^= (uint8_t)(1u << bit);
        stream_byte(out, byte);
        return byte != as_sent;
    }
    bool strikes = test_random_below(random, 500) == 0;
    if (!strikes || fault != LINE_LOST)
        stream_byte(out, byte);
    if (strikes && fault == LINE_DOUBLED)
        stream_byte(out, byte);
    if (strikes && fault == LINE_INSERTED)
        stream_byte(out, (uint8_t)test_random_next(random));
    return strikes;
}

/* Stops the sender within the last packet. */
static inline void line_break_off(struct line_sent *sent, struct test_random *random)
{
    size_t begin = sent->n > 1 ? sent->end[sent->n - 2] : 0;
    sent->stream.n = begin + test_random_below(random, sent->stream.n - begin);
    sent->end[sent->n - 1] = sent->stream.n;
    sent->hurt[sent->n - 1] = true;
}

/* Writes the bytes of both senders in turns to `out`, which must be empty, until both have sent all. line_send() then
 * passes them on unchanged. */
static inline void line_mix(struct line_sent *out, const struct line_sent *const from[2],
                            struct test_random *random)
{
    size_t at[2] = {0}, packet[2] = {0};
    bool is_cut[2] = {false};
    for (int turn = 0; at[0] < from[0]->stream.n || at[1] < from[1]->stream.n; turn = !turn) {
        const struct line_sent *one = from[turn];
        bool is_alone = at[!turn] == from[!turn]->stream.n;
        size_t left = one->stream.n - at[turn], piece = 1 + test_random_below(random, 400);
        piece = is_alone || piece > left ? left : piece;
        stream_bytes(&out->stream, one->stream.bytes + at[turn], piece);
        at[turn] += piece;
        while (packet[turn] < one->n && one->end[packet[turn]] <= at[turn]) {
            out->hurt[out->n++] = one->hurt[packet[turn]++] || is_cut[turn];
            is_cut[turn] = false;
        }
        size_t begin = packet[turn] > 0 ? one->end[packet[turn] - 1] : 0;
        is_cut[turn] |= !is_alone && at[turn] > begin;
    }
}

/* Returns the bytes that arrive, which the caller frees with stream_fini(). Marks damaged packets. Faults from
 * LINE_STALL on damage nothing here. */
static inline struct stream line_send(struct line_sent *sent, enum line_fault fault,
                                      struct test_random *random)
{
    struct stream out = {0};
    size_t packet = 0, run = 0;
    for (size_t at = 0; at < sent->stream.n; at++) {
        while (packet < sent->n && at >= sent->end[packet])
            packet++;
        bool is_hurt = false;
        if (fault < LINE_BURST) {
            is_hurt = line_byte(fault, random, sent->stream.bytes[at], &out);
        } else if (fault >= LINE_STALL) {
            stream_byte(&out, sent->stream.bytes[at]);
        } else {
            if (run == 0 && test_random_below(random, 3000) == 0)
                run = 1 + test_random_below(random, fault == LINE_BURST ? 60 : 300);
            is_hurt = run > 0;
            if (!is_hurt || fault == LINE_BURST)
                stream_byte(&out, is_hurt ? (uint8_t)test_random_next(random) : sent->stream.bytes[at]);
            run -= is_hurt;
        }
        if (packet < sent->n && is_hurt)
            sent->hurt[packet] = true;
    }
    return out;
}

#endif
