/* guess.c - which dialect bytes look like. */
#include "dialect/guess.h"

enum {
    SURE = 60,  /* of 100: what a probe must say at least */
    APART = 10, /* ... and by how much more than the next best */
};

const struct dialect *dialect_guess(const uint8_t *bytes, size_t n)
{
    const struct dialect *best = NULL;
    int sure = 0, next = 0;
    if (n > DIALECT_GUESS_MOST)
        n = DIALECT_GUESS_MOST;
    for (const struct dialect *const *each = dialect_registry; n && *each; each++) {
        int says = (*each)->probe(bytes, n);
        if (says > sure) {
            next = sure;
            sure = says;
            best = *each;
        } else if (says > next) {
            next = says;
        }
    }
    return sure >= SURE && sure - next >= APART ? best : NULL;
}
