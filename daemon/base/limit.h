/* limit.h - parses and writes a name with a time: "FUNCTION>500us". */
#ifndef BASE_LIMIT_H
#define BASE_LIMIT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { LIMIT_NAME_SIZE = 256, LIMIT_TEXT_SIZE = LIMIT_NAME_SIZE + 32 };

/* Selects calls of `name` that take longer than `ns` nanoseconds. */
struct limit {
    char name[LIMIT_NAME_SIZE];
    uint64_t ns;
};

/* Parses such a text. The unit is ns, us, µs, ms or s; spaces around the parts are allowed. Names may contain
 * '>': the last one counts. False with an error when the text is malformed or the time is over an hour. */
bool limit_parse(const char *text, struct limit *limit, struct error *err);

/* Writes the limit in the unit that makes the text shortest, such as "spi_read>500us". */
void limit_write(const struct limit *limit, char *out, size_t size);

#endif
