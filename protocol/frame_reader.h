/* frame_reader.h - finds packets in a byte stream (SPEC.md section 6).
 *
 *     mp_frame_reader_feed(&reader, bytes, n);
 *     while (mp_frame_reader_next(&reader, &frame))
 *         ... frame.body, frame.body_size ...
 *
 * A packet that lies whole in what was fed is handed out where it lies; only one that straddles reads is
 * copied. */
#ifndef PROTOCOL_FRAME_READER_H
#define PROTOCOL_FRAME_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/frame.h"

/* A packet whose checksum was right. The bytes are valid until the next call on the reader. */
struct mp_frame {
    const uint8_t *packet; /* all of it as it came, header to end, in one piece */
    size_t packet_size;
    const uint8_t *body; /* type, length (2 bytes), payload, in one piece */
    size_t body_size;
    const uint8_t *payload;
    uint16_t length; /* of the payload */
    uint8_t type;
};

/* The four readings of the protocol document: order of the header bytes, start of the checksum. */
enum mp_frame_variant {
    MP_VARIANT_UNKNOWN, /* no packet yet */
    MP_VARIANT_AA55_FFFF,
    MP_VARIANT_AA55_0000,
    MP_VARIANT_55AA_FFFF,
    MP_VARIANT_55AA_0000,
};

struct mp_frame_counters {
    uint64_t bytes;          /* fed */
    uint64_t packets;        /* handed out */
    uint64_t bytes_read;     /* of packets handed out */
    uint64_t bytes_skipped;  /* that belong to no packet handed out */
    uint64_t bytes_before;   /* of these, those before the first packet */
    uint64_t bytes_cut;      /* of a last packet that the end of the input cut off */
    uint64_t crc_errors;     /* header, length and end were right, the checksum was not */
    uint64_t framing_errors; /* a header with an impossible length, a wrong end, or bytes that never came */
    uint64_t unknown_types;  /* of the packets, those of a type that SPEC.md does not name */
    uint64_t other_variant;  /* of the packets, those not in the first one's variant */
    /* Before the first good packet, of the first thousand wrong checksums: how many would be right if the
     * target ... */
    uint64_t hint_crc_big_endian;     /* ... sent the checksum high byte first */
    uint64_t hint_crc_without_header; /* ... began the checksum at the type */
    uint64_t work; /* bytes searched, summed and copied, for tests: a small multiple of `bytes` */
};

enum { MP_FRAME_READER_CLAIMS = 16 };

struct mp_frame_reader {
    struct mp_frame_counters counters;
    enum mp_frame_variant variant; /* of the first packet */

    /* Is handed each run of bytes that belong to no packet, as it is skipped, in the order of the stream and
     * before the packet behind it; borrowed for the call. Set it after init; NULL: nobody wants them. */
    void (*skipped)(void *user, const uint8_t *bytes, size_t n);
    void *skipped_user;

    /* The rest is the reader's own; frame_reader.c explains it. */
    size_t max_payload;
    uint16_t crc_start;
    bool ended, is_over;
    const uint8_t *input;
    size_t input_size, input_at;
    uint8_t *carry;
    size_t carry_size, carry_at, carry_old, carry_end;
    uint64_t offset, probed, proven;
    struct {
        uint64_t start, end;
    } claims[MP_FRAME_READER_CLAIMS];
    size_t n_claims;
};

/* The memory that a reader needs for payloads of up to `max_payload` bytes; 16 KiB is a good choice. */
#define MP_FRAME_READER_MEMORY(max_payload) (2 * ((size_t)(max_payload) + MP_FRAME_OVERHEAD))

/* Makes a reader, or makes it forget all. `memory` stays the caller's and must outlive the reader; its size,
 * at least MP_FRAME_READER_MEMORY(64), decides what length is still believed. */
void mp_frame_reader_init(struct mp_frame_reader *reader, uint8_t *memory, size_t size);

/* Lends the reader n bytes, until next() has answered false. Each of the three calls below is followed by
 * next() until it does. */
void mp_frame_reader_feed(struct mp_frame_reader *reader, const uint8_t *bytes, size_t n);

/* The line went quiet: if whole packets lie inside what an unfinished one claims, it will not
 * be waited for. */
void mp_frame_reader_idle(struct mp_frame_reader *reader);

/* No bytes will come that continue these. `is_over`: the input is at its end, which cuts off a packet that is
 * unfinished and has no good one inside; else the line broke (a port that was closed), and such a packet is
 * an error. feed() may start afresh. */
void mp_frame_reader_end(struct mp_frame_reader *reader, bool is_over);

/* The next packet, in the order of the stream; false when more bytes are needed first. */
bool mp_frame_reader_next(struct mp_frame_reader *reader, struct mp_frame *frame);

/* How many bytes wait for the rest of their packet. When not 0 after a read, idle() has a purpose. */
size_t mp_frame_reader_waiting(const struct mp_frame_reader *reader);

#endif
