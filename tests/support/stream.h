/* stream.h - writes streams of packets in a test case. */
#ifndef SUPPORT_STREAM_H
#define SUPPORT_STREAM_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/frame.h"
#include "protocol/packet.h"

/* Grows as it is written. All zero is empty; stream_fini() frees it. */
struct stream {
    uint8_t *bytes;
    size_t n, room;
};

/* Not inlined: gcc 12 at -O3 would warn of an impossible write. */
static __attribute__((unused, noinline)) void stream_byte(void *user, uint8_t byte)
{
    struct stream *stream = user;
    if (stream->n == stream->room) {
        stream->room = stream->room ? 2 * stream->room : 256;
        stream->bytes = realloc(stream->bytes, stream->room);
        if (!stream->bytes)
            abort();
    }
    stream->bytes[stream->n++] = byte;
}

static inline void stream_bytes(struct stream *stream, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        stream_byte(stream, ((const uint8_t *)bytes)[i]);
}

static inline void stream_packet(struct stream *stream, uint8_t type, const void *payload, size_t n)
{
    struct mp_frame_writer writer = {.put = stream_byte, .user = stream};
    mp_frame_write(&writer, type, payload, (uint16_t)n);
}

/* A PROFILE_DATA packet of version 1. */
static inline void stream_records(struct stream *stream, const struct mp_record *records, size_t n)
{
    uint8_t bytes[MP_RECORD_SIZE];
    struct mp_frame_writer writer = {.put = stream_byte, .user = stream};
    mp_frame_begin(&writer, MP_PROFILE_DATA, (uint16_t)(MP_PROFILE_DATA_HEAD + n * MP_RECORD_SIZE));
    mp_profile_head_encode(&(struct mp_profile_head){MP_PROFILE_DATA_V1, (uint16_t)n}, bytes);
    mp_frame_put(&writer, bytes, MP_PROFILE_DATA_HEAD);
    for (size_t i = 0; i < n; i++) {
        mp_record_encode(&records[i], bytes);
        mp_frame_put(&writer, bytes, sizeof bytes);
    }
    mp_frame_end(&writer);
}

static inline void stream_metadata(struct stream *stream, const struct mp_metadata *metadata)
{
    uint8_t payload[MP_METADATA_SIZE];
    mp_metadata_encode(metadata, payload);
    stream_packet(stream, MP_METADATA, payload, sizeof payload);
}

static inline void stream_status(struct stream *stream, const struct mp_status *status)
{
    uint8_t payload[MP_STATUS_SIZE];
    mp_status_encode(status, payload);
    stream_packet(stream, MP_STATUS, payload, sizeof payload);
}

static inline void stream_fini(struct stream *stream)
{
    free(stream->bytes);
    *stream = (struct stream){0};
}

#endif
