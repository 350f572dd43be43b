/* console.h - text as consoles, terminals and loggers leave it: colours, and what stands before a line.
 *
 * All dialects that are read from lines of a log read them through this, so that what is allowed on one line
 * is allowed on each. */
#ifndef DIALECT_CONSOLE_H
#define DIALECT_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes the escape sequences of a terminal (ECMA-48: colours, cursor, titles) out of text. Zero is the start
 * state. */
struct console_filter {
    uint8_t state, n;
};

enum { CONSOLE_NOTHING = -1, CONSOLE_ESCAPE = 0x1B };

/* Takes the next byte, and returns the byte that is to be read in its place: itself, or CONSOLE_NOTHING where
 * it belongs to a sequence. A sequence that is not ended within 128 bytes, or in its line, is given up. */
int console_filter_take(struct console_filter *filter, uint8_t byte);

/* True when the n characters, of the beginning of a line, are what a terminal or a logger puts there:
 * nothing, or time stamps, groups in brackets, a level, and a name with a colon behind one of these. */
bool console_is_prefix(const char *text, size_t n);

/* Lines of hex digits: leaves out escape sequences and what console_is_prefix() knows by brackets or by a
 * colon in a number. Zero is the start state. */
enum { CONSOLE_HELD = 32 };
struct console_hex {
    struct console_filter filter;
    uint8_t state, n;
    uint8_t held[CONSOLE_HELD]; /* the first word of a line, until it is known whether it is a time */
};

/* Takes the next byte, and puts the characters to read at `out`, at most CONSOLE_HELD + 1;
 * returns how many. */
size_t console_hex_take(struct console_hex *hex, uint8_t byte, uint8_t *out);

/* Puts at `out` what was held back, since no more bytes will follow; returns how many. */
size_t console_hex_finish(struct console_hex *hex, uint8_t *out);

#endif
