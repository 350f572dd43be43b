/* guess.h - guesses the dialect of bytes. */
#ifndef DIALECT_GUESS_H
#define DIALECT_GUESS_H

#include "dialect/dialect.h"

/* Bytes beyond these are not read, since they would not change the guess. */
enum { DIALECT_GUESS_MOST = 16384 };

/* Returns the dialect of n bytes from anywhere in a stream; NULL when none is likely enough, or two are
 * equally likely. Takes time proportional to n, at most some milliseconds. */
const struct dialect *dialect_guess(const uint8_t *bytes, size_t n);

/* The same for bytes that more may follow. Also returns NULL while they may be the beginning of something
 * that needs more bytes. */
const struct dialect *dialect_guess_so_far(const uint8_t *bytes, size_t n);

#endif
