/* mended.h - detects byte values that a line drops or changes, and a second sender: checksums are valid once
 * the values are restored, or the other packets are removed. */
#ifndef SESSION_MENDED_H
#define SESSION_MENDED_H

#include <stddef.h>
#include <stdint.h>

/* Examines n bytes, `count` of each value among them. Returns a static sentence with the problem and a
 * remedy, or NULL if there is none. */
const char *mended_find(const uint8_t *bytes, size_t n, const size_t count[256]);

#endif
