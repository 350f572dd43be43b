/* blank.h - distinguishes a dump of memory in which nothing was ever written from one that cannot be read.
 *
 * A dump consists of entries of eight bytes. An entry that was never written has only zeros or, in erased
 * flash, only ones. All zero is the initial state. */
#ifndef DIALECT_BLANK_H
#define DIALECT_BLANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLANK_PLACE = 8 };

struct blank {
    uint64_t n;    /* bytes so far, while all entries are blank */
    uint8_t first; /* first byte of the current entry */
    bool is_written;
};

/* Reads the next n bytes of the dump. */
static inline void blank_see(struct blank *blank, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n && !blank->is_written; i++, blank->n++) {
        if (blank->n % BLANK_PLACE == 0)
            blank->first = bytes[i];
        blank->is_written = bytes[i] != blank->first || (bytes[i] != 0 && bytes[i] != 0xFF);
    }
}

/* True when there is at least one entry, all are complete, and none was written. */
static inline bool blank_is_dump(const struct blank *blank)
{
    return blank->n > 0 && !blank->is_written && blank->n % BLANK_PLACE == 0;
}

#endif
