/* text.h - makes names from files and the wire safe for where they are written.
 *
 * Terminals, CI runners and spreadsheets interpret some characters as commands. An *order* here is a character
 * that no name needs and that such a reader may act on: C0 and C1 controls, DEL, changes of text direction,
 * line and paragraph separators, characters of no width, U+FFFE and U+FFFF. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/sink.h"

/* Copies `text` (n bytes of any kind, ends early at a NUL) into `out` as valid UTF-8. Invalid bytes become
 * U+FFFD. The result is truncated at a character boundary and always NUL-terminated. Returns the bytes that
 * the whole result needs without NUL. With out_size 0 nothing is written. */
size_t text_clean_utf8(char *out, size_t out_size, const char *text, size_t n);

/* Does the same into new memory, which the caller frees. NULL when memory is used up. */
char *text_clean_utf8_dup(const char *text, size_t n);

/* Returns the length of the first character of `text`, which is not empty. An invalid byte is a character of
 * one byte, and an order: 8-bit terminals take such bytes for C1 controls. */
size_t text_character(const char *text, bool *is_order);

/* Replaces in place what a terminal or the log of a CI runner would interpret. Returns the new length. '?'
 * replaces each order, the second '#' of "##" (commands of GitHub and Azure: "##[",
 * "##vso["), and the first ':' of "::" at the start of a line (commands of GitHub). The result is valid UTF-8
 * and one line. */
size_t text_plain(char *text);

/* Writes the same without changing `text`. */
void text_write_plain(struct sink *sink, const char *text);

/* Compares two texts like strcmp(), as text_plain() would change them. */
int text_plain_compare(const char *a, const char *b);

/* Writes a JSON string literal, quotes included. `text` must be valid UTF-8 (RFC 8259 section 7). Orders are
 * escaped, and so is the second '#' of "##", so that the JSON may be shown on a terminal and in the log of a
 * CI runner. */
void text_write_json(struct sink *sink, const char *text);

/* Writes text for HTML, XML or SVG content and double-quoted attributes. Orders become U+FFFD, except tabs and
 * line ends (XML 1.0 forbids most of the others). `text` must be valid UTF-8. */
void text_write_xml(struct sink *sink, const char *text);

/* Writes a CSV field (RFC 4180), made plain as by text_plain(), quoted if needed. A leading = + - @,
 * also after spaces or as a full-width character, gets a ' before it, so that spreadsheets do not take a
 * function's name for a formula. */
void text_write_csv(struct sink *sink, const char *text);

/* Writes a name within a line format whose separators are `;`, space and newline (folded stacks): ';' becomes
 * ':', the rest is as in text_plain(). */
void text_write_folded(struct sink *sink, const char *text);

/* Writes a label value in the text format of Prometheus: plain, with '"' and '\' escaped. */
void text_write_label(struct sink *sink, const char *text);

#endif
