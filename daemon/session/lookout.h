/* lookout.h - which dialect the bytes that come look like, for as long as that is not known or they make no
 * sense. */
#ifndef SESSION_LOOKOUT_H
#define SESSION_LOOKOUT_H

#include "dialect/guess.h"

/* Bytes in the order in which they came, and when to look at them. */
struct lookout {
    uint8_t *bytes;
    size_t n, look_at; /* how many there are, and how many there are to be at the next look */
};

bool lookout_init(struct lookout *lookout, struct error *err);
void lookout_fini(struct lookout *lookout);

/* Forgets all bytes; the first look is at `first`, each further at twice as many, the last at
 * DIALECT_GUESS_MOST. */
void lookout_restart(struct lookout *lookout, size_t first_look);

/* Keeps bytes up to the next look, and says how many those were: 0 when the last look is due or over. */
size_t lookout_take(struct lookout *lookout, const uint8_t *bytes, size_t n);

/* True when as many are there as the next look wants; whether that is the last. */
bool lookout_is_due(const struct lookout *lookout);
bool lookout_is_full(const struct lookout *lookout);

/* What they look like, NULL when that is not sure; puts the next look off. */
const struct dialect *lookout_look(struct lookout *lookout);

#endif
