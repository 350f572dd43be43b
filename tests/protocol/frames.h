/* frames.h - a frame reader under test, and copies of the frames that it returned. */
#ifndef PROTOCOL_FRAMES_H
#define PROTOCOL_FRAMES_H

#include <stdio.h>

#include "protocol/frame_reader.h"
#include "support/stream.h"

/* Copies of frames: the reader's are valid until its next call only. */
struct frames {
    struct {
        uint8_t type;
        uint16_t length;
        size_t at; /* into bytes */
    } * frame;
    size_t n, room;
    struct stream bytes;
};

struct ear {
    struct mp_frame_reader reader;
    uint8_t *memory;
    struct frames frames;
};

static inline struct ear ear_open(size_t max_payload)
{
    struct ear ear = {.memory = malloc(MP_FRAME_READER_MEMORY(max_payload))};
    if (!ear.memory)
        abort();
    mp_frame_reader_init(&ear.reader, ear.memory, MP_FRAME_READER_MEMORY(max_payload));
    return ear;
}

static inline void ear_drain(struct ear *ear)
{
    struct mp_frame frame;
    struct frames *frames = &ear->frames;
    while (mp_frame_reader_next(&ear->reader, &frame)) {
        if (frames->n == frames->room) {
            frames->room = frames->room ? 2 * frames->room : 16;
            frames->frame = realloc(frames->frame, frames->room * sizeof *frames->frame);
            if (!frames->frame)
                abort();
        }
        frames->frame[frames->n].type = frame.type;
        frames->frame[frames->n].length = frame.length;
        frames->frame[frames->n++].at = frames->bytes.n;
        stream_bytes(&frames->bytes, frame.body, frame.body_size);
    }
}

/* Feeds the bytes from memory of exactly that size, so that a sanitizer finds reads behind it, and frees that
 * afterwards, so that it finds late reads. */
static inline void ear_hear(struct ear *ear, const uint8_t *bytes, size_t n)
{
    uint8_t *exact = malloc(n ? n : 1);
    if (!exact)
        abort();
    if (n)
        memcpy(exact, bytes, n);
    mp_frame_reader_feed(&ear->reader, exact, n);
    ear_drain(ear);
    free(exact);
}

static inline void ear_hear_in_pieces(struct ear *ear, const uint8_t *bytes, size_t n, size_t piece)
{
    for (size_t at = 0; at < n; at += piece)
        ear_hear(ear, bytes + at, n - at < piece ? n - at : piece);
}

static inline void ear_idle(struct ear *ear)
{
    mp_frame_reader_idle(&ear->reader);
    ear_drain(ear);
}

static inline void ear_end(struct ear *ear)
{
    mp_frame_reader_end(&ear->reader, false);
    ear_drain(ear);
}

static inline void ear_close(struct ear *ear)
{
    free(ear->frames.frame);
    stream_fini(&ear->frames.bytes);
    free(ear->memory);
}

#endif
