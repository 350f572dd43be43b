/* nearest.c - finds the function whose name is most similar to a misspelt one. */
#include "symbol/nearest.h"

#include "base/smaller.h"

#include <string.h>

enum { LENGTH = 128 };

/* Returns the Levenshtein distance, or a value above `most` as soon as it must exceed that. */
static unsigned edit_distance(const char *a, size_t a_n, const char *b, unsigned most)
{
    unsigned row[LENGTH + 1];
    size_t b_n = strnlen(b, LENGTH);
    if ((a_n > b_n ? a_n - b_n : b_n - a_n) > most)
        return most + 1;
    for (unsigned i = 0; i <= b_n; i++)
        row[i] = i;
    for (size_t i = 0; i < a_n; i++) {
        unsigned before = row[0], fewest = row[0] = (unsigned)i + 1;
        for (size_t j = 0; j < b_n; j++) {
            unsigned changed = before + (a[i] != b[j]);
            before = row[j + 1];
            row[j + 1] = smaller_u32(changed, 1 + smaller_u32(row[j], before));
            fewest = smaller_u32(fewest, row[j + 1]);
        }
        if (fewest > most)
            return most + 1;
    }
    return row[b_n];
}

uint32_t symtab_nearest(const struct symtab *symtab, const char *name)
{
    uint32_t found = SYMTAB_NONE;
    unsigned fewest = 2 * LENGTH;
    size_t n = strnlen(name, LENGTH);
    for (uint32_t i = 0; i < symtab_count(symtab); i++) {
        unsigned differ = edit_distance(name, n, symtab_at(symtab, i)->name, fewest);
        if (differ >= fewest && found != SYMTAB_NONE)
            continue;
        found = i;
        fewest = differ;
    }
    return found;
}
