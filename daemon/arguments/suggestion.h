/* suggestion.h - the word that was probably meant. */
#ifndef ARGUMENTS_SUGGESTION_H
#define ARGUMENTS_SUGGESTION_H

#include <stdbool.h>
#include <stddef.h>

/* How many letters, at the least, are wrong, missing, too many, or swapped with their neighbour in `word` (n
 * bytes) if `meant` was meant. Words of more than 31 bytes are like none. */
unsigned suggestion_distance(const char *word, size_t n, const char *meant);

/* True when a word at this distance is worth a suggestion: one mistake in three letters, or the beginning of
 * a longer one. */
bool suggestion_is_likely(const char *word, size_t n, const char *meant);

#endif
