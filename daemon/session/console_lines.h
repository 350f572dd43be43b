/* console_lines.h - lines of text between packets: what the device's console prints on the same line. They
 * become messages, and are no damage. */
#ifndef SESSION_CONSOLE_LINES_H
#define SESSION_CONSOLE_LINES_H

#include "dialect/console.h"
#include "event.h"

enum { CONSOLE_LINE_MOST = 512, CONSOLE_LINES_HELD = 4096 };

/* Zero is the start state. */
struct console_lines {
    struct console_filter filter;
    bool is_broken;        /* something else is in the line that is under way */
    size_t n, ascii, more; /* bytes of that line, those of ASCII, and how many a character still lacks */
    uint64_t raw;          /* bytes of that line, as they came */
    uint64_t bytes;        /* of whole lines, as they came: no damage */
    size_t held_n;
    char line[CONSOLE_LINE_MOST];
    char held[CONSOLE_LINES_HELD]; /* lines from before a time was known; those beyond are left out */
};

/* Takes bytes that belong to no packet. Lines of seven characters of ASCII and more, from a packet's or
 * another line's end on, are reported, their first CONSOLE_LINE_MOST bytes, as messages of the origin
 * "console" at *ticks, about. NULL: no time is known yet, and they are held until console_lines_release(). */
void console_lines_take(struct console_lines *lines, const uint8_t *bytes, size_t n, const uint64_t *ticks,
                        const struct event_out *out);

/* How many bytes are no damage: those of whole lines, and of one that is under way and may become one. */
uint64_t console_lines_text(const struct console_lines *lines);

/* Tells the lines that were held, at `ticks`. */
void console_lines_release(struct console_lines *lines, uint64_t ticks, const struct event_out *out);

/* A packet follows: a line that is not whole is damage. */
void console_lines_break(struct console_lines *lines);

#endif
