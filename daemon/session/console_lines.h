/* console_lines.h - finds lines of text between packets, printed by the device's console on the same line.
 * They become messages, and do not count as damage. */
#ifndef SESSION_CONSOLE_LINES_H
#define SESSION_CONSOLE_LINES_H

#include "dialect/console.h"
#include "event.h"

enum { CONSOLE_LINE_MOST = 512, CONSOLE_LINES_HELD = 4096 };

/* Zero is the start state. */
struct console_lines {
    struct console_filter filter;
    bool is_broken;        /* the current line has bytes that are not text */
    size_t n, ascii, more; /* of the current line: bytes, ASCII bytes, bytes its last character lacks */
    uint64_t raw;          /* received bytes of the current line */
    uint64_t bytes;        /* received bytes of whole lines: no damage */
    size_t held_n;
    char line[CONSOLE_LINE_MOST];
    char held[CONSOLE_LINES_HELD]; /* lines from before a time was known; those that do not fit are dropped */
};

/* Reads bytes that belong to no packet. Lines of seven or more ASCII characters that begin after a packet or
 * another line are reported as messages of the origin "console", cut to CONSOLE_LINE_MOST bytes, at about
 * *ticks. If `ticks` is NULL, no time is known yet, and they are buffered until console_lines_release(). */
void console_lines_take(struct console_lines *lines, const uint8_t *bytes, size_t n, const uint64_t *ticks,
                        const struct event_out *out);

/* The number of bytes that are no damage: those of whole lines, and of a line that may still become whole. */
uint64_t console_lines_text(const struct console_lines *lines);

/* Reports the buffered lines, at `ticks`. */
void console_lines_release(struct console_lines *lines, uint64_t ticks, const struct event_out *out);

/* A packet follows: an incomplete line is damage. */
void console_lines_break(struct console_lines *lines);

#endif
