/* text.h - names from files and the wire, made safe for the place they are written to. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/sink.h"

/* Copies `text` (n bytes, may hold anything, ends early at a NUL) into `out` as valid UTF-8, each invalid
 * byte replaced by U+FFFD, truncated at a character boundary, always NUL-terminated. Returns the bytes the
 * whole result needs without NUL; with out_size 0 nothing is written. */
size_t text_clean_utf8(char *out, size_t out_size, const char *text, size_t n);

/* Does the same into fresh memory, which the caller frees; NULL when there is none. */
char *text_clean_utf8_dup(const char *text, size_t n);

/* Writes a JSON string literal, quotes included. `text` must be valid UTF-8 (RFC 8259 section 7). */
void text_write_json(struct sink *sink, const char *text);

/* Writes text for HTML, XML or SVG content and double-quoted attributes. What XML 1.0 has no place for (most
 * control bytes, U+FFFE, U+FFFF) becomes U+FFFD. `text` must be valid UTF-8. */
void text_write_xml(struct sink *sink, const char *text);

/* Writes a CSV field (RFC 4180), quoted when it must be. A leading = + - @ gets a ' before it, so that
 * spreadsheets do not take a function's name for a formula. */
void text_write_csv(struct sink *sink, const char *text);

/* Writes a name within a line format whose separators are `;`, space and newline (folded stacks): ';' becomes
 * ':', control bytes become spaces. */
void text_write_folded(struct sink *sink, const char *text);

#endif
