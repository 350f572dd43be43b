/* syst.h - writes SyS-T messages in the three framings of a serial line. */
#ifndef SUPPORT_SYST_H
#define SUPPORT_SYST_H

#include <stdbool.h>
#include <stdio.h>

#include "support/stream.h"

/* A message as a target builds it. */
struct syst_say {
    uint8_t type, subtype, severity;
    uint8_t origin;
    uint16_t unit;
    const uint8_t *guid;  /* 16 bytes, or NULL */
    const void *location; /* location_n bytes, its format first, or NULL */
    size_t location_n;
    bool stamped, checked, open; /* open: without its length */
    uint64_t timestamp;
    const void *payload;
    size_t n;
};

static inline void syst_number(struct stream *stream, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        stream_byte(stream, (uint8_t)(value >> 8 * i));
}

/* CRC-32C bit by bit, as defined. */
static inline uint32_t syst_crc_by_hand(const uint8_t *bytes, size_t n)
{
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78 : 0);
    }
    return ~crc;
}

static inline void syst_say(struct stream *stream, const struct syst_say *say)
{
    size_t begin = stream->n;
    uint32_t who = say->guid ? say->unit & 0x7FFu : (uint32_t)say->origin << 4 | (say->unit & 0xFu);
    syst_number(stream,
                say->type | (uint32_t)say->severity << 4 | (uint32_t)(say->location != NULL) << 8 |
                    (uint32_t)!say->open << 9 | (uint32_t)say->checked << 10 | (uint32_t)say->stamped << 11 |
                    who << 12 | (uint32_t)(say->guid != NULL) << 23 | (uint32_t)say->subtype << 24,
                4);
    if (say->guid)
        stream_bytes(stream, say->guid, 16);
    if (say->location)
        stream_bytes(stream, say->location, say->location_n);
    if (!say->open)
        syst_number(stream, say->n, 2);
    if (say->stamped)
        syst_number(stream, say->timestamp, 8);
    stream_bytes(stream, say->payload, say->n);
    if (say->checked)
        syst_number(stream, syst_crc_by_hand(stream->bytes + begin, stream->n - begin), 4);
}

/* ENTER (2) or EXIT (3) of a function, with a time stamp. */
static inline void syst_call(struct stream *stream, uint8_t subtype, const char *name, uint64_t timestamp)
{
    syst_say(stream, &(struct syst_say){.type = 2,
                                        .subtype = subtype,
                                        .severity = 4,
                                        .origin = 1,
                                        .unit = 2,
                                        .stamped = true,
                                        .timestamp = timestamp,
                                        .payload = name,
                                        .n = strlen(name) + 1});
}

/* ---- framings ---- */

static inline void syst_line(struct stream *stream, const uint8_t *message, size_t n)
{
    static const char mark[] = "SYS-T RAW DATA: ";
    stream_bytes(stream, mark, sizeof mark - 1);
    for (size_t i = 0; i < n; i++) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02X", message[i]);
        stream_bytes(stream, digits, 2);
    }
    stream_bytes(stream, "\r\n", 2);
}

struct syst_nibbles {
    struct stream *stream;
    bool half;       /* the low nibble of a byte is there already */
    bool most_first; /* the most significant nibble of a value comes first */
};

static inline void syst_nibble(struct syst_nibbles *nibbles, unsigned value)
{
    if (nibbles->half)
        nibbles->stream->bytes[nibbles->stream->n - 1] |= (uint8_t)(value << 4);
    else
        stream_byte(nibbles->stream, (uint8_t)value);
    nibbles->half = !nibbles->half;
}

static inline void syst_nibble_value(struct syst_nibbles *nibbles, uint64_t value, int n)
{
    for (int i = 0; i < n; i++)
        syst_nibble(nibbles, value >> 4 * (nibbles->most_first ? n - 1 - i : i) & 0xF);
}

/* An operation code as the standard writes it: 0xF06 is F, 0, 6. */
static inline void syst_nibble_code(struct syst_nibbles *nibbles, unsigned code)
{
    if (code > 0xF)
        syst_nibble_code(nibbles, code >> 4);
    syst_nibble(nibbles, code & 0xF);
}

/* ASYNC, VERSION, FREQ, master and channel. */
static inline void syst_stp_begin(struct syst_nibbles *nibbles, uint32_t hz)
{
    for (int i = 0; i < 21; i++)
        syst_nibble(nibbles, 0xF);
    syst_nibble(nibbles, 0);
    syst_nibble_code(nibbles, 0xF003);
    syst_nibble_code(nibbles, 0xF08);
    syst_nibble_value(nibbles, hz, 8);
    syst_nibble_code(nibbles, 0xF1);
    syst_nibble_value(nibbles, 128, 4);
    syst_nibble_code(nibbles, 0xF3);
    syst_nibble_value(nibbles, 1, 4);
}

static inline uint64_t syst_load(const uint8_t *bytes, size_t n)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

/* D32TS, then the largest pieces that fit, FLAG, and up to a whole byte. n is 4 or more. */
static inline void syst_stp_message(struct syst_nibbles *nibbles, const uint8_t *message, size_t n,
                                    uint64_t time)
{
    syst_nibble_code(nibbles, 0xF6);
    syst_nibble_value(nibbles, syst_load(message, 4), 8);
    syst_nibble(nibbles, 0xE);
    syst_nibble_value(nibbles, time, 16);
    for (size_t at = 4, piece; at < n; at += piece) {
        piece = n - at >= 8 ? 8 : n - at >= 4 ? 4 : n - at >= 2 ? 2 : 1;
        syst_nibble(nibbles, piece == 8 ? 7 : piece == 4 ? 6 : piece == 2 ? 5 : 4);
        syst_nibble_value(nibbles, syst_load(message + at, piece), 2 * (int)piece);
    }
    syst_nibble_code(nibbles, 0xFE);
    if (nibbles->half)
        syst_nibble(nibbles, 0);
}

#endif
