/* suggestion.c - measures the similarity of words for suggestions. */
#include "arguments/suggestion.h"

#include "base/smaller.h"

#include <limits.h>
#include <string.h>

enum { WORD_MOST = 31 };

unsigned suggestion_distance(const char *word, size_t n, const char *meant)
{
    unsigned rows[3][WORD_MOST + 1]; /* the last but one, the last, and the current row */
    size_t length = strlen(meant);
    if (n > WORD_MOST || length > WORD_MOST)
        return UINT_MAX;
    unsigned *older = rows[0], *old = rows[1], *now = rows[2];
    for (size_t j = 0; j <= length; j++)
        old[j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= length; j++) {
            unsigned other = word[i - 1] != meant[j - 1];
            now[j] = smaller_u32(smaller_u32(old[j] + 1, now[j - 1] + 1), old[j - 1] + other);
            if (i > 1 && j > 1 && word[i - 1] == meant[j - 2] && word[i - 2] == meant[j - 1])
                now[j] = smaller_u32(now[j], older[j - 2] + 1);
        }
        unsigned *free_row = older;
        older = old;
        old = now;
        now = free_row;
    }
    return old[length];
}

bool suggestion_is_likely(const char *word, size_t n, const char *meant)
{
    if (n >= 3 && !strncmp(word, meant, n))
        return true;
    return n >= 2 && suggestion_distance(word, n, meant) <= (n + 1) / 3;
}
