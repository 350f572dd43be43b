/* stream.h - finds the records in the data of a gprof agent, which has neither framing nor checksum.
 *
 * A record is 'P' and an address, or 'A' and two, big-endian; or one of the counted form (protocol/SPEC.md
 * section 15), whose types have bit 7 set. A record is plausible when its type is one of these and its
 * addresses can be such: with the code's ranges known, inside them; otherwise, not 0. One that gives an arc
 * by its number is, once any number has been reported; without its arc being known that many arcs are
 * lost.
 *
 *  - At the start, and after the boundary was lost, the first position followed by a run of plausible records
 *    counts: 3 of them if the code's ranges are known, otherwise 5.
 *  - A single record that is not plausible, but is followed by a plausible one, is discarded.
 *  - Otherwise the boundary is lost, and is searched from the next byte on. The meaning of numbers is forgotten.
 *  - At the end of the stream a shorter run is enough, and an incomplete record does not count as missing.
 *
 * If no run is found in the first 4096 bytes, the ranges are probably those of another program, and the stream is
 * read without them. */
#ifndef DIALECT_GPROF_STREAM_H
#define DIALECT_GPROF_STREAM_H

#include "dialect/console.h"
#include "dialect/dialect.h"

/* Bytes buffered to find the boundary. */
enum { GPROF_STREAM_WINDOW = 512 };

enum { GPROF_NUMBERS = 64 };

/* The caller of an interrupt's handler on Cortex-M is EXC_RETURN, 0xFFFFFFE1 to 0xFFFFFFFD: no address of code.
 * Handlers of other processors have the interrupted code for a caller. */
#define GPROF_INTERRUPT UINT32_C(0xFFFFFFE0)
static inline bool gprof_is_interrupt(uint64_t from)
{
    return from >= GPROF_INTERRUPT && from <= UINT32_MAX;
}

/* What earlier records mean for later ones. */
struct gprof_said {
    uint64_t base;    /* added to addresses */
    bool has_numbers; /* some arc has a number */
};

/* An arc with a number. */
struct gprof_number {
    bool is_known;
    uint8_t tag; /* the number; its upper two bits count the arcs that it has meant */
    uint64_t from, address;
};

/* State of a stream. All zero is the initial state, except for the first members. */
struct gprof_stream {
    /* Set before the first byte. */
    unsigned width;         /* of an address, bytes */
    unsigned digits;        /* per byte: 1: bytes; 2: hex digits in lines of a log, with any white space */
    struct gprof_said said; /* the base given by an option */
    const struct dialect_range *code;
    size_t code_n;

    struct console_hex lines; /* reads hex digits */
    bool aligned;
    bool found;       /* ... at least once */
    bool doubted;     /* the ranges do not belong to this program */
    uint64_t skipped; /* since the boundary was lost, or the start */
    struct gprof_number number[GPROF_NUMBERS];
    size_t at, n;                        /* in the window */
    uint8_t window[GPROF_STREAM_WINDOW]; /* bytes, or values of digits */
};

/* Kind of the next item. */
enum gprof_kind {
    GPROF_NONE,   /* more bytes are needed */
    GPROF_SAMPLE, /* `count` samples at `address` */
    GPROF_ARC,    /* `count` calls from `from`, which may be gprof_is_interrupt(), to `address` */
    GPROF_RATE,   /* `count` samples per second */
    GPROF_GAP,    /* `lost` records are missing here; 0 when the number is unknown */
};

struct gprof_item {
    enum gprof_kind kind;
    uint64_t address, from;
    uint64_t count;
    uint64_t lost;
};

/* Takes as many of the n bytes as fit, and returns how many. At least one byte fits after gprof_stream_next()
 * has returned GPROF_NONE. */
size_t gprof_stream_feed(struct gprof_stream *stream, const uint8_t *bytes, size_t n);

/* Puts the buffered part of a line into the window, since no more bytes follow. */
void gprof_stream_end(struct gprof_stream *stream);

/* Returns the next item of the stream; with `ends`, no more bytes follow. Counts unreadable bytes in
 * `health`. */
struct gprof_item gprof_stream_next(struct gprof_stream *stream, bool ends, struct dialect_health *health);

#endif
