/* frame.h - the envelope of every packet from target to host, and its writer (SPEC.md section 3).
 *
 *   AA 55  type  length:2  payload...  crc:2  0A
 *
 * The writer streams: it keeps a few bytes of state and no packet, so a target can send directly from its
 * ring. */
#ifndef PROTOCOL_FRAME_H
#define PROTOCOL_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum {
    MP_FRAME_HEADER_0 = 0xAA,
    MP_FRAME_HEADER_1 = 0x55,
    MP_FRAME_END = 0x0A,
    MP_FRAME_HEAD = 5,     /* header, type, length */
    MP_FRAME_OVERHEAD = 8, /* and checksum, end */
};

/* The checksum's register after the two header bytes. There are four readings of the protocol document (two
 * orders of the header, two starts) but only these two values, since 0xAA55 ^ 0xFFFF = 0x55AA:
 *   AA 55 from 0xFFFF, or 55 AA from 0x0000   our reading of the document; what the writer sends
 *   AA 55 from 0x0000, or 55 AA from 0xFFFF   the other two */
enum {
    MP_FRAME_CRC_DOCUMENT = 0xE5EA,
    MP_FRAME_CRC_OTHER = 0xF8E5,
};

/* Takes the packet's bytes one by one, in order. */
typedef void (*mp_frame_put_fn)(void *user, uint8_t byte);

struct mp_frame_writer {
    mp_frame_put_fn put;
    void *user;
    uint16_t crc;
};

/* Begins a packet: exactly `length` bytes of payload must follow, then the end. */
void mp_frame_begin(struct mp_frame_writer *writer, uint8_t type, uint16_t length);
void mp_frame_put(struct mp_frame_writer *writer, const uint8_t *payload, size_t n);
void mp_frame_end(struct mp_frame_writer *writer);

/* Does all three, for a payload in one piece. */
void mp_frame_write(struct mp_frame_writer *writer, uint8_t type, const uint8_t *payload, uint16_t length);

/* Writes header and end around a payload that is already at packet + MP_FRAME_HEAD, in memory of length +
 * MP_FRAME_OVERHEAD bytes. Returns the packet's size. */
size_t mp_frame_seal(uint8_t *packet, uint8_t type, uint16_t length);

#endif
