/* guess.c - guesses the dialect of bytes. */
#include "dialect/guess.h"

enum {
    SURE = 60,     /* of 100: least result of a probe */
    APART = 10,    /* ... and least distance to the next best */
    CERTAIN = 100, /* excludes all others */
};

/* Returns the likeliest dialect. *is_open becomes true when one of them needs more bytes. */
static const struct dialect *likeliest_dialect(const uint8_t *bytes, size_t n, bool *is_open)
{
    const struct dialect *best = NULL;
    int sure = 0, next = 0;
    *is_open = false;
    if (n > DIALECT_GUESS_MOST)
        n = DIALECT_GUESS_MOST;
    for (const struct dialect *const *each = dialect_registry; n && *each; each++) {
        int says = (*each)->probe(bytes, n);
        *is_open |= says == PROBE_OPEN;
        if (says > sure) {
            next = sure;
            sure = says;
            best = *each;
        } else if (says > next) {
            next = says;
        }
    }
    return sure >= SURE && sure - next >= (sure == CERTAIN ? 1 : APART) ? best : NULL;
}

const struct dialect *dialect_guess(const uint8_t *bytes, size_t n)
{
    bool is_open;
    return likeliest_dialect(bytes, n, &is_open);
}

const struct dialect *dialect_guess_so_far(const uint8_t *bytes, size_t n)
{
    bool is_open;
    const struct dialect *best = likeliest_dialect(bytes, n, &is_open);
    return is_open ? NULL : best;
}
