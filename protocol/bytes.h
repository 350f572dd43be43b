/* bytes.h - bounded little-endian reading and writing, without casts to structs.
 *
 * The cursor runs short at the first read past its end, and stays so: a decoder reads all its fields and
 * checks once. Missing bytes read as 0. */
#ifndef PROTOCOL_BYTES_H
#define PROTOCOL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mp_bytes {
    const uint8_t *at;
    size_t left;
    bool ran_short;
};

static inline struct mp_bytes mp_bytes_over(const uint8_t *bytes, size_t n)
{
    return (struct mp_bytes){.at = bytes, .left = n};
}

/* Returns the next n bytes, or NULL when there are fewer; then nothing is left either. */
static inline const uint8_t *mp_bytes_take(struct mp_bytes *bytes, size_t n)
{
    if (bytes->left < n) {
        bytes->left = 0;
        bytes->ran_short = true;
        return NULL;
    }
    const uint8_t *taken = bytes->at;
    bytes->at += n;
    bytes->left -= n;
    return taken;
}

static inline uint16_t mp_load_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t mp_load_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void mp_store_u16(uint8_t *p, uint16_t value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

static inline void mp_store_u32(uint8_t *p, uint32_t value)
{
    mp_store_u16(p, (uint16_t)value);
    mp_store_u16(p + 2, (uint16_t)(value >> 16));
}

static inline uint8_t mp_bytes_u8(struct mp_bytes *bytes)
{
    const uint8_t *p = mp_bytes_take(bytes, 1);
    return p ? p[0] : 0;
}

static inline uint16_t mp_bytes_u16(struct mp_bytes *bytes)
{
    const uint8_t *p = mp_bytes_take(bytes, 2);
    return p ? mp_load_u16(p) : 0;
}

static inline uint32_t mp_bytes_u32(struct mp_bytes *bytes)
{
    const uint8_t *p = mp_bytes_take(bytes, 4);
    return p ? mp_load_u32(p) : 0;
}

/* Returns how many of the first n bytes of a text to send, so that a character of several bytes is sent complete or
 * not at all. text[n] is read, too. */
static inline uint32_t mp_bytes_of_text(const char *text, uint32_t n)
{
    while (n && ((uint8_t)text[n] & 0xC0) == 0x80)
        n--;
    return n;
}

/* Reads seven bits a byte, lowest first, bit 7 set in all bytes but the last. A value of more than `bits`
 * bits, 1 to 64, reads as 0 and makes the cursor run short. */
static inline uint64_t mp_bytes_varint(struct mp_bytes *bytes, unsigned bits)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < bits; shift += 7) {
        uint8_t byte = mp_bytes_u8(bytes);
        unsigned left = bits - shift;

        if (left < 7 && (byte & 0x7Fu) >> left)
            break;
        value |= (uint64_t)(byte & 0x7Fu) << shift;
        if (byte < 0x80)
            return value;
    }
    bytes->left = 0;
    bytes->ran_short = true;
    return 0;
}

#endif
