/* text.h - names from files and the wire, made safe for the place they are written to.
 *
 * A terminal, a CI runner and a spreadsheet are parsers, too: they take some characters for orders. An
 * *order* here is a character that no name needs and that such a reader may obey: C0 and C1 controls, DEL,
 * what changes the direction of text, line and paragraph separators, characters of no width, U+FFFE and
 * U+FFFF. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/sink.h"

/* Copies `text` (n bytes, may hold anything, ends early at a NUL) into `out` as valid UTF-8, each invalid
 * byte replaced by U+FFFD, truncated at a character boundary, always NUL-terminated. Returns the bytes the
 * whole result needs without NUL; with out_size 0 nothing is written. */
size_t text_clean_utf8(char *out, size_t out_size, const char *text, size_t n);

/* Does the same into fresh memory, which the caller frees; NULL when there is none. */
char *text_clean_utf8_dup(const char *text, size_t n);

/* Bytes of the character that `text`, which is not empty, begins with. A byte that is no UTF-8 is a character
 * of its own, and an order: terminals of 8 bits read C1 controls so. */
size_t text_character(const char *text, bool *is_order);

/* Replaces in place what a terminal or the log of a CI runner takes for more than text, and returns the new
 * length. Each order becomes '?', and so do the second '#' of "##" (commands of GitHub and Azure: "##[",
 * "##vso[") and the first ':' of "::" at the start of a line (commands of GitHub). The result is valid UTF-8
 * and one line. */
size_t text_plain(char *text);

/* Writes the same, and leaves `text` as it is. */
void text_write_plain(struct sink *sink, const char *text);

/* Compares as strcmp() what text_plain() makes of two texts. */
int text_plain_compare(const char *a, const char *b);

/* Writes a JSON string literal, quotes included. `text` must be valid UTF-8 (RFC 8259 section 7). Orders are
 * escaped, and so is the second '#' of "##", so that the JSON may be shown on a terminal and in the log of a
 * CI runner. */
void text_write_json(struct sink *sink, const char *text);

/* Writes text for HTML, XML or SVG content and double-quoted attributes. Orders become U+FFFD, except for
 * tabs and line ends (XML 1.0 has no place for most of the others). `text` must be valid UTF-8. */
void text_write_xml(struct sink *sink, const char *text);

/* Writes a CSV field (RFC 4180), plain as text_plain() has it and quoted when it must be. A leading = + - @,
 * also after spaces or as a full-width character, gets a ' before it, so that spreadsheets do not take a
 * function's name for a formula. */
void text_write_csv(struct sink *sink, const char *text);

/* Writes a name within a line format whose separators are `;`, space and newline (folded stacks): ';' becomes
 * ':', the rest is as text_plain() has it. */
void text_write_folded(struct sink *sink, const char *text);

/* Writes the value of a label in the text format of Prometheus: plain, with '"' and '\' escaped. */
void text_write_label(struct sink *sink, const char *text);

#endif
