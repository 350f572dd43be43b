/* undo.h - undoes changes that lines, drivers, terminals and tools make to bytes. */
#ifndef SESSION_UNDO_H
#define SESSION_UNDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each reads n bytes and writes their state before one change to `out`, which has space for n bytes. Returns
 * the number of bytes written, or 0 if the bytes do not have this change. */
typedef size_t (*undo_fn)(const uint8_t *bytes, size_t n, uint8_t *out);

size_t undo_crlf(const uint8_t *bytes, size_t n, uint8_t *out);       /* CR inserted before each LF */
size_t undo_ff_twice(const uint8_t *bytes, size_t n, uint8_t *out);   /* FF doubled: PARMRK, telnet's IAC */
size_t undo_some_twice(const uint8_t *bytes, size_t n, uint8_t *out); /* another byte value doubled */
size_t undo_all_twice(const uint8_t *bytes, size_t n, uint8_t *out);
size_t undo_inverted(const uint8_t *bytes, size_t n, uint8_t *out);
size_t undo_bits_reversed(const uint8_t *bytes, size_t n, uint8_t *out);
size_t undo_nibbles_swapped(const uint8_t *bytes, size_t n, uint8_t *out);
size_t undo_bytes_swapped(const uint8_t *bytes, size_t n, uint8_t *out); /* by 16 bits */
size_t undo_words_swapped(const uint8_t *bytes, size_t n, uint8_t *out); /* bytes by 32 bits */
size_t undo_hex(const uint8_t *bytes, size_t n, uint8_t *out);
size_t undo_base64(const uint8_t *bytes, size_t n, uint8_t *out);
size_t undo_utf8(const uint8_t *bytes, size_t n, uint8_t *out);    /* bytes encoded as if they were Latin-1 */
size_t undo_utf16le(const uint8_t *bytes, size_t n, uint8_t *out); /* likewise */
size_t undo_utf16be(const uint8_t *bytes, size_t n, uint8_t *out);
size_t undo_slip(const uint8_t *bytes, size_t n, uint8_t *out); /* RFC 1055 */
size_t undo_text(const uint8_t *bytes, size_t n, uint8_t *out); /* lines of text, colours among packets */

/* For changes undone while bytes arrive (hex digits, base64, UTF-8, UTF-16): the number of bytes at the end
 * of n that begin an incomplete group. More than UNDO_UNFINISHED_MOST bytes are no group. */
enum { UNDO_UNFINISHED_MOST = 16 };
size_t undo_unfinished(undo_fn undo, const uint8_t *bytes, size_t n);

/* The size of a group; after a missing byte, groups begin at other positions. */
size_t undo_group(undo_fn undo);

/* True if these bytes do not show whether they have the change: they have no digit (only separators), only a
 * byte order mark, or only letters that UTF-8 does not change. */
bool undo_is_idle(undo_fn undo, const uint8_t *bytes, size_t n);

#endif
