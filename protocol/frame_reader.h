/* frame_reader.h - finds packets in a byte stream (SPEC.md section 6).
 *
 *     mp_frame_reader_feed(&reader, bytes, n);
 *     while (mp_frame_reader_next(&reader, &frame))
 *         ... frame.body, frame.body_size ...
 *
 * A packet that is complete in the fed bytes is returned in place; only a packet that spans two reads is
 * copied. */
#ifndef PROTOCOL_FRAME_READER_H
#define PROTOCOL_FRAME_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/frame.h"

/* A packet with a correct checksum. The bytes are valid until the next call on the reader. */
struct mp_frame {
    const uint8_t *packet; /* the whole packet as received, header to end, in one piece */
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
    uint64_t bytes;          /* bytes fed */
    uint64_t packets;        /* packets returned */
    uint64_t bytes_read;     /* bytes of packets returned */
    uint64_t bytes_skipped;  /* bytes that belong to no packet returned */
    uint64_t bytes_before;   /* bytes skipped before the first packet */
    uint64_t bytes_cut;      /* bytes of a last packet that the end of the input cut off */
    uint64_t crc_errors;     /* header, length and end were correct, the checksum was not */
    uint64_t framing_errors; /* a header with an impossible length, a wrong end, or bytes that never
                                arrived */
    uint64_t unknown_types;  /* packets of a type that SPEC.md does not define */
    uint64_t other_variant;  /* packets not in the first packet's variant */
    /* Before the first good packet, of the first thousand wrong checksums: how many would be correct if the
     * target ... */
    uint64_t hint_crc_big_endian;     /* ... sent the checksum high byte first */
    uint64_t hint_crc_without_header; /* ... began the checksum at the type */
    uint64_t work; /* bytes searched, summed and copied, for tests: a small multiple of `bytes` */
};

enum { MP_FRAME_READER_CLAIMS = 16 };

struct mp_frame_reader {
    struct mp_frame_counters counters;
    enum mp_frame_variant variant; /* of the first packet */

    /* Called with each run of bytes that belong to no packet, as it is skipped, in the order of the stream
     * and before the packet behind it; the bytes are borrowed for the call. Set it after init; may be
     * NULL. */
    void (*skipped)(void *user, const uint8_t *bytes, size_t n);
    void *skipped_user;

    /* The rest is private; frame_reader.c explains it. */
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

/* Initialises or resets a reader. `memory` stays the caller's and must outlive the reader; its size, at least
 * MP_FRAME_READER_MEMORY(64), determines the greatest length that is accepted. */
void mp_frame_reader_init(struct mp_frame_reader *reader, uint8_t *memory, size_t size);

/* Lends the reader n bytes, until next() has returned false. Call next() until it does after each of the
 * three functions below. */
void mp_frame_reader_feed(struct mp_frame_reader *reader, const uint8_t *bytes, size_t n);

/* The line is quiet: if complete packets lie inside an unfinished one, the reader stops waiting for that. */
void mp_frame_reader_idle(struct mp_frame_reader *reader);

/* No bytes will follow that continue these. With `is_over` the input has ended, which cuts off an unfinished
 * packet without a good one inside. Otherwise the line broke (a port was closed), and such a packet is an
 * error. feed() may start again. */
void mp_frame_reader_end(struct mp_frame_reader *reader, bool is_over);

/* Gets the next packet, in the order of the stream. Returns false when more bytes are needed first. */
bool mp_frame_reader_next(struct mp_frame_reader *reader, struct mp_frame *frame);

/* Returns how many bytes wait for the rest of their packet. If this is not 0 after a read, calling idle() is
 * useful. */
size_t mp_frame_reader_waiting(const struct mp_frame_reader *reader);

#endif
