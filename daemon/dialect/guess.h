/* guess.h - which dialect bytes look like. */
#ifndef DIALECT_GUESS_H
#define DIALECT_GUESS_H

#include "dialect/dialect.h"

/* The most bytes to look at: more would not change the guess. */
enum { DIALECT_GUESS_MOST = 16384 };

/* The dialect that n bytes, from anywhere in a stream, look like; NULL when none is likely enough, or two are
 * alike. Takes time in proportion to n, which is some milliseconds at the most. */
const struct dialect *dialect_guess(const uint8_t *bytes, size_t n);

/* The same of bytes that more may follow: NULL also while they may be the begin of something whose end will
 * tell. */
const struct dialect *dialect_guess_so_far(const uint8_t *bytes, size_t n);

#endif
