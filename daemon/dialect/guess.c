/* guess.c - which dialect bytes look like. */
#include "dialect/guess.h"

enum {
    SURE = 60,     /* of 100: what a probe must say at least */
    APART = 10,    /* ... and by how much more than the next best */
    CERTAIN = 100, /* which leaves no room for others */
};

/* *is_open becomes true when one of them waits for the rest of something. */
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
