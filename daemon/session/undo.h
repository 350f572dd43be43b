/* undo.h - takes back what lines, drivers, terminals and tools do to bytes on their way. */
#ifndef SESSION_UNDO_H
#define SESSION_UNDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each reads n bytes and writes what they were before one change to `out`, which has room for n bytes;
 * returns how many those are. 0: the bytes show that it was not this change. */
typedef size_t (*undo_fn)(const uint8_t *bytes, size_t n, uint8_t *out);

size_t undo_crlf(const uint8_t *bytes, size_t n, uint8_t *out);       /* CR before each LF */
size_t undo_ff_twice(const uint8_t *bytes, size_t n, uint8_t *out);   /* termios' PARMRK, telnet's IAC */
size_t undo_some_twice(const uint8_t *bytes, size_t n, uint8_t *out); /* another byte value doubled */
size_t undo_all_twice(const uint8_t *bytes, size_t n, uint8_t *out);
size_t undo_inverted(const uint8_t *bytes, size_t n, uint8_t *out);
size_t undo_bits_reversed(const uint8_t *bytes, size_t n, uint8_t *out);
size_t undo_nibbles_swapped(const uint8_t *bytes, size_t n, uint8_t *out);
size_t undo_bytes_swapped(const uint8_t *bytes, size_t n, uint8_t *out); /* by 16 bits */
size_t undo_words_swapped(const uint8_t *bytes, size_t n, uint8_t *out); /* bytes by 32 bits */
size_t undo_hex(const uint8_t *bytes, size_t n, uint8_t *out);
size_t undo_base64(const uint8_t *bytes, size_t n, uint8_t *out);
size_t undo_utf8(const uint8_t *bytes, size_t n, uint8_t *out);    /* bytes taken for Latin-1 */
size_t undo_utf16le(const uint8_t *bytes, size_t n, uint8_t *out); /* likewise */
size_t undo_utf16be(const uint8_t *bytes, size_t n, uint8_t *out);
size_t undo_slip(const uint8_t *bytes, size_t n, uint8_t *out); /* RFC 1055 */
size_t undo_text(const uint8_t *bytes, size_t n, uint8_t *out); /* lines of text, colours among packets */

/* For those that are undone while bytes come (hex digits, base64, UTF-8, UTF-16): how many of the last of n
 * bytes are the begin of something that more bytes end, from its first digit on. More than
 * UNDO_UNFINISHED_MOST are none. */
enum { UNDO_UNFINISHED_MOST = 16 };
size_t undo_unfinished(undo_fn undo, const uint8_t *bytes, size_t n);

/* How many bytes make a group of those: where one is missing, groups begin elsewhere from there on. */
size_t undo_group(undo_fn undo);

/* True when there is nothing in these bytes that was done to them: no digit among separators, a mark of byte
 * order, or letters that UTF-8 leaves as they are. */
bool undo_is_idle(undo_fn undo, const uint8_t *bytes, size_t n);

#endif
