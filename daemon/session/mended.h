/* mended.h - finds byte values that a line ate or changed, and a second sender, by packets whose checksums
 * hold once the values are put back, or the other's packets taken out. */
#ifndef SESSION_MENDED_H
#define SESSION_MENDED_H

#include <stddef.h>
#include <stdint.h>

/* Looks at n bytes, `count` of each value among them. Returns a static sentence that says what it is and what
 * to do; NULL: nothing of the kind. */
const char *mended_find(const uint8_t *bytes, size_t n, const size_t count[256]);

#endif
