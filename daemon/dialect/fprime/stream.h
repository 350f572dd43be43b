/* stream.h - finds the events in a memory dump of the F-Prime profiler, or in the same bytes sent live, which
 * have neither framing nor checksum.
 *
 * An event is 8 bytes: the function's address with bit 31 set on exit, then the down-counter. It is plausible
 * if the counter is not above its reload value and the address is inside the code's ranges or, when these are
 * unknown, has Thumb's bit 0 set. Usually these are two little-endian words; big-endian ones and words in the
 * other order are also recognised.
 *
 *  - At the start, and after the boundary was lost, each of the next 72 positions is tried in each layout. A
 *    candidate needs a run of plausible events (3 if the code's ranges are known, otherwise 8). The one whose
 *    counter counts down most steadily wins; then the current layout; then little-endian; then the first. Reading
 *    begins at the first position of a run in step with it.
 *  - A single event that is not plausible, but is followed by a plausible one, is discarded.
 *  - Otherwise the boundary is lost, and is searched from the next byte on.
 *  - At the end of the stream, a shorter run is enough.
 *  - An event with address word 0 was never written, and FFFFFFFF FFFFFFFF is written by the profiler when it
 *    stops: whatever follows is older, and never read.
 *
 * An event of the address word FFFFFFFF whose counter is something else says how many events are missing
 * there: the emitter of this project sends it (firmware-ref/fprime).
 *
 * Words in the other order look exactly like the usual order shifted by 4 bytes. They are only accepted at the
 * very beginning, if the first counter value is within 1/16384 of the reload value: a dump begins there just
 * after the counter was started. */
#ifndef DIALECT_FPRIME_STREAM_H
#define DIALECT_FPRIME_STREAM_H

#include "dialect/dialect.h"
#include "dialect/fprime/item.h"

/* Bytes buffered to find the boundary. */
enum { FPRIME_STREAM_WINDOW = 512 };

/* The order of bytes in a word, and of words in an event. */
enum fprime_layout {
    FPRIME_LITTLE,
    FPRIME_BIG,
    FPRIME_LITTLE_SWAPPED,
    FPRIME_BIG_SWAPPED,
    FPRIME_LAYOUTS,
};

/* State of a stream. All zero is the initial state, except for the first members. */
struct fprime_stream {
    /* Set before the first byte. */
    uint32_t reload;
    const struct dialect_range *code;
    size_t code_n;

    bool aligned;
    bool found;   /* ... at least once, so the layout is known */
    bool doubted; /* the ranges do not belong to this program */
    bool ended;   /* by a mark */
    enum fprime_layout layout;
    uint64_t skipped; /* since the boundary was lost, or the start */
    size_t at, n;     /* in the window */
    uint8_t window[FPRIME_STREAM_WINDOW];
};

/* Takes as many of the n bytes as fit, and returns how many. At least one byte fits after
 * fprime_stream_next() has returned FPRIME_NONE. */
size_t fprime_stream_feed(struct fprime_stream *stream, const uint8_t *bytes, size_t n);

/* Returns the next result of the stream; with `ends`, no more bytes follow. Counts unreadable bytes in
 * `health`. */
struct fprime_event fprime_stream_next(struct fprime_stream *stream, bool ends,
                                       struct dialect_health *health);

#endif
