/* text.h - the F-Prime profiler's events as lines of text: `P:` address, phase, ticks, with commas
 * between, anywhere in a log. Phase is 0 for entry and 1 for exit.
 *
 * `P:` counts at a line's beginning or after something that is neither letter nor digit; what comes after the
 * ticks does not matter, and neither do other lines. Address and ticks are hexadecimal; the profiler's first
 * version wrote decimal numbers. A letter in them speaks for the former, ticks that read as hexadecimal would
 * be above the reload value for the latter. The first lines are held back until one is ahead by 3, or 16
 * lines have passed, and a tie is hexadecimal. */
#ifndef DIALECT_FPRIME_TEXT_H
#define DIALECT_FPRIME_TEXT_H

#include <stddef.h>

#include "dialect/console.h"
#include "dialect/fprime/item.h"

/* Lines kept until the base of numbers is known, and the longest line. */
enum { FPRIME_TEXT_HELD = 16, FPRIME_TEXT_LINE = 48 };

/* Both readings of a number. */
struct fprime_number {
    uint64_t hex, decimal;
    bool is_hex; /* for certain */
};

/* One `P:` line. */
struct fprime_line {
    bool readable;
    bool is_exit;
    struct fprime_number address, ticks;
};

/* A log that is being read. Zero is the start state except for `reload`. */
struct fprime_text {
    uint32_t reload; /* set before the first byte */

    struct console_filter filter;
    bool decided, is_decimal;
    int votes;   /* for hexadecimal, less those for decimal */
    char before; /* the last character, outside of `P:` lines */
    bool inside; /* of one */
    uint8_t line_n;
    char line[FPRIME_TEXT_LINE + 1];
    size_t held_n, held_at;
    struct fprime_line held[FPRIME_TEXT_HELD];
};

/* Reads on from *bytes, which is moved, until there is something to say or `end` is reached; `ends`: nothing
 * more will come, so that a last line needs no end. FPRIME_GAP: a `P:` line that cannot be read. */
struct fprime_event fprime_text_next(struct fprime_text *text, const uint8_t **bytes, const uint8_t *end,
                                     bool ends);

#endif
