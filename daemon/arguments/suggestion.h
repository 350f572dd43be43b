/* suggestion.h - measures the similarity of words for suggestions. */
#ifndef ARGUMENTS_SUGGESTION_H
#define ARGUMENTS_SUGGESTION_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the edit distance of `word` (n bytes) and `meant`: the number of wrong, missing, additional or
 * swapped letters. Words over 31 bytes are similar to none. */
unsigned suggestion_distance(const char *word, size_t n, const char *meant);

/* True when the word is similar enough for a suggestion: at most one mistake in three letters, or a prefix. */
bool suggestion_is_likely(const char *word, size_t n, const char *meant);

#endif
