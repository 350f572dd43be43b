/* limit.h - "FUNCTION>500us": a name and a time, as people write them. */
#ifndef BASE_LIMIT_H
#define BASE_LIMIT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { LIMIT_NAME_SIZE = 256, LIMIT_TEXT_SIZE = LIMIT_NAME_SIZE + 32 };

/* What takes longer than this, in nanoseconds. */
struct limit {
    char name[LIMIT_NAME_SIZE];
    uint64_t ns;
};

/* Reads such a text; the unit is ns, us, µs, ms or s, and there may be spaces around the parts. Names may
 * have a '>' of their own: the last one counts. False with a sentence when it is none, or takes
 * over an hour. */
bool limit_parse(const char *text, struct limit *limit, struct error *err);

/* Writes it in the unit in which the time is shortest, such as "spi_read>500us". */
void limit_write(const struct limit *limit, char *out, size_t size);

#endif
