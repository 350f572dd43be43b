/* stream.h - finds the records in what a gprof agent sends, which has neither framing nor checksum.
 *
 * A record is 'P' and an address, or 'A' and two, big-endian; or one of the counted form (protocol/SPEC.md
 * section 15), whose types have bit 7 set. A record is plausible when its type is one of these and its
 * addresses can be such: with the code's ranges known, inside them; otherwise, not 0. One that tells an arc
 * by its number is, once any number has been reported; without its arc being known that many arcs are
 * lost.
 *
 *  - To begin, and after the boundary was lost, the first place counts from which a run of plausible records
 *    follows: 3 of them where the code's ranges are known, otherwise 5.
 *  - A record that is not plausible, but is followed by a plausible one, is discarded alone.
 *  - Otherwise the boundary is lost, and is looked for from the next byte on. What numbers stand for is
 * forgotten.
 *  - At the end of the stream a shorter run will do, and an incomplete record is not missed.
 *
 * If no run is found in the first 4096 bytes, the ranges are taken to be those of another program, and the
 * stream is read without. */
#ifndef DIALECT_GPROF_STREAM_H
#define DIALECT_GPROF_STREAM_H

#include "dialect/console.h"
#include "dialect/dialect.h"

/* Bytes buffered to find the boundary in. */
enum { GPROF_STREAM_WINDOW = 512 };

enum { GPROF_NUMBERS = 64 };

/* What the target has said about the records that follow. */
struct gprof_said {
    uint64_t base;    /* added to addresses */
    bool has_numbers; /* some arc has got a number */
};

/* An arc that the target tells by a number. */
struct gprof_number {
    bool is_known;
    uint8_t tag; /* the number, and which of the arcs it has stood for, in the upper two bits */
    uint64_t from, address;
};

/* A stream that is being read. Zero is the start state except for the first members. */
struct gprof_stream {
    /* Set before the first byte. */
    unsigned width;  /* of an address, bytes */
    unsigned digits; /* a byte is sent as: 1, itself; 2, that many hex digits, in lines of a log, with white
                        space anywhere between */
    struct gprof_said said; /* the base that is reported elsewhere */
    const struct dialect_range *code;
    size_t code_n;

    struct console_hex lines; /* of hex digits */
    bool aligned;
    bool found;       /* ... at least once */
    bool doubted;     /* the ranges are not this program's */
    uint64_t skipped; /* since the boundary was lost, or the beginning */
    struct gprof_number number[GPROF_NUMBERS];
    size_t at, n;                        /* in the window */
    uint8_t window[GPROF_STREAM_WINDOW]; /* bytes, or digits' values */
};

/* What the stream says next. */
enum gprof_kind {
    GPROF_NONE,   /* more bytes, please */
    GPROF_SAMPLE, /* `count` at `address` */
    GPROF_ARC,    /* `count` from `from` to `address` */
    GPROF_RATE,   /* `count` samples a second */
    GPROF_GAP,    /* here is something missing: `lost` records, 0 when it is unknown */
};

struct gprof_item {
    enum gprof_kind kind;
    uint64_t address, from;
    uint64_t count;
    uint64_t lost;
};

/* Takes as many of the n bytes as there is room for, and returns how many. There is room for at least one
 * byte once gprof_stream_next has said GPROF_NONE. */
size_t gprof_stream_feed(struct gprof_stream *stream, const uint8_t *bytes, size_t n);

/* Puts what was held back of a line into the window, since no more bytes will follow. */
void gprof_stream_end(struct gprof_stream *stream);

/* Finds what the stream says next; with `ends` nothing more will be fed. What could not be read is counted in
 * `health`. */
struct gprof_item gprof_stream_next(struct gprof_stream *stream, bool ends, struct dialect_health *health);

#endif
