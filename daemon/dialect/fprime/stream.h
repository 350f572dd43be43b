/* stream.h - finds the events in a memory dump of the F-Prime profiler, or in such bytes sent live,
 * which have neither framing nor checksum.
 *
 * An event is 8 bytes: bit 31 set on exit and the function's address; the down-counter. It is plausible when
 * the counter is not above its reload value and the address is inside the code's ranges or, when these are
 * not known, has Thumb's bit 0 set. Two little-endian words are the rule; big-endian ones are recognised, and
 * so are words in the other order.
 *
 *  - To begin, and after the boundary was lost, each of the next 72 places is tried in each layout. Of those
 *    from which a run of plausible events follows (3 where the code's ranges are known, otherwise 8) the one
 *    wins whose counter runs down most steadily; then the layout in use; then little-endian; then the first;
 *    and reading begins at the first place of a run in step with it.
 *  - An event that is not plausible, but is followed by a plausible one, is discarded alone.
 *  - Otherwise the boundary is lost, and is looked for from the next byte on.
 *  - At the end of the stream a shorter run will do.
 *  - An event whose address word is 0 was never written, and FFFFFFFF FFFFFFFF is what the profiler writes
 *    when it stops: whatever follows is older, and never read.
 *
 * An event of the address word FFFFFFFF whose counter is something else tells how many events are missing
 * there: the emitter of this project sends it (firmware-ref/fprime).
 *
 * Words in the other order look exactly like the usual order joined 4 bytes late. They are only believed in
 * at the very beginning, if the first counter value is within 1/16384 of the reload value: there a dump
 * begins just after the counter was started. */
#ifndef DIALECT_FPRIME_STREAM_H
#define DIALECT_FPRIME_STREAM_H

#include "dialect/dialect.h"
#include "dialect/fprime/item.h"

/* Bytes buffered to find the boundary in. */
enum { FPRIME_STREAM_WINDOW = 512 };

/* The order of bytes in a word, and of words in an event. */
enum fprime_layout {
    FPRIME_LITTLE,
    FPRIME_BIG,
    FPRIME_LITTLE_SWAPPED,
    FPRIME_BIG_SWAPPED,
    FPRIME_LAYOUTS,
};

/* A stream that is being read. Zero is the start state except for the first members. */
struct fprime_stream {
    /* Set before the first byte. */
    uint32_t reload;
    const struct dialect_range *code;
    size_t code_n;

    bool aligned;
    bool found;   /* ... at least once, so the layout is known */
    bool doubted; /* the ranges are not this program's */
    bool ended;   /* by a mark */
    enum fprime_layout layout;
    uint64_t skipped; /* since the boundary was lost, or the beginning */
    size_t at, n;     /* in the window */
    uint8_t window[FPRIME_STREAM_WINDOW];
};

/* Takes as many of the n bytes as there is room for, and returns how many. There is room for at least one
 * byte once fprime_stream_next has said FPRIME_NONE. */
size_t fprime_stream_feed(struct fprime_stream *stream, const uint8_t *bytes, size_t n);

/* Finds what the stream says next; with `ends` nothing more will be fed. What could not be read is counted in
 * `health`. */
struct fprime_event fprime_stream_next(struct fprime_stream *stream, bool ends,
                                       struct dialect_health *health);

#endif
