/* blank.h - tells a dump of memory in which nothing was ever written from one that cannot be read.
 *
 * A dump is made of places of eight bytes. One that was never written holds zeros, or in flash that was
 * erased ones only. Zero is the start state. */
#ifndef DIALECT_BLANK_H
#define DIALECT_BLANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLANK_PLACE = 8 };

struct blank {
    uint64_t n;    /* bytes seen while nothing was written */
    uint8_t first; /* of the place that is under way */
    bool is_written;
};

/* Takes in the next n bytes of the dump. */
static inline void blank_see(struct blank *blank, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n && !blank->is_written; i++, blank->n++) {
        if (blank->n % BLANK_PLACE == 0)
            blank->first = bytes[i];
        blank->is_written = bytes[i] != blank->first || (bytes[i] != 0 && bytes[i] != 0xFF);
    }
}

/* True when there is one place or more, all are whole, and none was written. */
static inline bool blank_is_dump(const struct blank *blank)
{
    return blank->n > 0 && !blank->is_written && blank->n % BLANK_PLACE == 0;
}

#endif
