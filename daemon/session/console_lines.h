/* console_lines.h - lines of text between packets: what the device's console prints on the same line. They
 * become messages, and are no damage. */
#ifndef SESSION_CONSOLE_LINES_H
#define SESSION_CONSOLE_LINES_H

#include "dialect/console.h"
#include "event.h"

enum { CONSOLE_LINE_MOST = 512 };

/* Zero is the start state. */
struct console_lines {
    struct console_filter filter;
    bool is_broken; /* something else is in the line that is under way */
    size_t n;
    uint64_t raw;   /* bytes of that line, as they came */
    uint64_t bytes; /* of whole lines, as they came: no damage */
    char line[CONSOLE_LINE_MOST];
};

/* Takes bytes that belong to no packet. Lines of two printable characters and more, from a packet's or
 * another line's end on, are told as messages of the origin "console" at `ticks`, about. */
void console_lines_take(struct console_lines *lines, const uint8_t *bytes, size_t n, uint64_t ticks,
                        const struct event_out *out);

/* A packet follows: a line that is not whole is damage. */
void console_lines_break(struct console_lines *lines);

#endif
