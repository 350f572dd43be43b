/* lookout.h - buffers bytes to detect their dialect, while that is unknown or they make no sense in the one
 * in use. */
#ifndef SESSION_LOOKOUT_H
#define SESSION_LOOKOUT_H

#include "dialect/guess.h"

/* Received bytes, in order, and when to examine them. */
struct lookout {
    uint8_t *bytes;
    size_t n, look_at; /* their number, and the number at which to examine them */
};

bool lookout_init(struct lookout *lookout, struct error *err);
void lookout_fini(struct lookout *lookout);

/* Drops all bytes; the first examination is at `first` bytes, each next one at twice as many, the last at
 * DIALECT_GUESS_MOST. */
void lookout_restart(struct lookout *lookout, size_t first_look);

/* Buffers bytes up to the next examination, and returns how many: 0 if the last one is due or done. */
size_t lookout_take(struct lookout *lookout, const uint8_t *bytes, size_t n);

/* True if there are enough bytes for an examination; true if it is the last. */
bool lookout_is_due(const struct lookout *lookout);
bool lookout_is_full(const struct lookout *lookout);

/* The dialect of the bytes, or NULL if uncertain; sets the next examination. */
const struct dialect *lookout_look(struct lookout *lookout);

#endif
