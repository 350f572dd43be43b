/* console.h - removes what consoles, terminals and loggers add to text: colours, and prefixes of lines.
 *
 * All dialects that read lines of a log use this, so that they all accept the same additions. */
#ifndef DIALECT_CONSOLE_H
#define DIALECT_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Removes the escape sequences of a terminal (ECMA-48: colours, cursor, titles) from text. All zero is the
 * initial state. */
struct console_filter {
    uint8_t state, n;
};

enum { CONSOLE_NOTHING = -1, CONSOLE_ESCAPE = 0x1B };

/* Takes the next byte. Returns the byte to read in its place, or CONSOLE_NOTHING if it is part of a sequence.
 * A sequence ends at the latest after 128 bytes, or with its line. */
int console_filter_take(struct console_filter *filter, uint8_t byte);

/* True when the n characters at the start of a line are a prefix of a terminal or logger: nothing, or time
 * stamps, groups in brackets, a level, and after one of these a name with a colon. */
bool console_is_prefix(const char *text, size_t n);

/* Reads lines of hex digits. Removes escape sequences, and those prefixes of console_is_prefix() that have
 * brackets or are a number with a colon. All zero is the initial state. */
enum { CONSOLE_HELD = 32 };
struct console_hex {
    struct console_filter filter;
    uint8_t state, n;
    uint8_t held[CONSOLE_HELD]; /* the first word of a line, until it is known whether it is a time */
};

/* Takes the next byte, and writes the characters to read to `out`, at most CONSOLE_HELD + 1. Returns how
 * many. */
size_t console_hex_take(struct console_hex *hex, uint8_t byte, uint8_t *out);

/* Writes the characters that are still buffered to `out`, since no more bytes follow. Returns how many. */
size_t console_hex_finish(struct console_hex *hex, uint8_t *out);

#endif
