/* text.h - the F-Prime profiler's events as lines of text: `P:` address, phase, ticks, separated by commas,
 * anywhere in a log. Phase is 0 for entry and 1 for exit.
 *
 * `P:` counts at the beginning of a line, or after a character that is neither letter nor digit. Text after
 * the ticks is ignored, and so are other lines. Address and ticks are hexadecimal; the profiler's first
 * version wrote decimal numbers. A letter in them is a vote for hexadecimal. Ticks that would exceed the
 * reload value if hexadecimal are a vote for decimal. The first lines are buffered until one base is ahead by
 * 3, or for 16 lines; a tie is hexadecimal. */
#ifndef DIALECT_FPRIME_TEXT_H
#define DIALECT_FPRIME_TEXT_H

#include <stddef.h>

#include "dialect/console.h"
#include "dialect/fprime/item.h"

/* Lines buffered until the base of numbers is known, and the longest line. */
enum { FPRIME_TEXT_HELD = 16, FPRIME_TEXT_LINE = 48 };

/* A number, read in both bases. */
struct fprime_number {
    uint64_t hex, decimal;
    bool is_hex; /* certainly */
};

/* One `P:` line. */
struct fprime_line {
    bool is_readable;
    bool is_exit;
    struct fprime_number address, ticks;
};

/* State of a log. All zero is the initial state, except for `reload`. */
struct fprime_text {
    uint32_t reload; /* set before the first byte */

    struct console_filter filter;
    bool decided, is_decimal;
    int votes;   /* for hexadecimal, minus those for decimal */
    char before; /* the last character outside of `P:` lines */
    bool inside; /* inside a `P:` line */
    uint8_t line_n;
    char line[FPRIME_TEXT_LINE + 1];
    size_t held_n, held_at;
    struct fprime_line held[FPRIME_TEXT_HELD];
};

/* Reads from *bytes, which is advanced, until there is a result or `end` is reached. `ends`: no more bytes
 * follow, so the last line may be unterminated. FPRIME_GAP is an unreadable `P:` line. */
struct fprime_event fprime_text_next(struct fprime_text *text, const uint8_t **bytes, const uint8_t *end,
                                     bool ends);

#endif
