/* compact_read.h - reads a payload of the compact stream to its end. */
#ifndef TESTS_PROTOCOL_COMPACT_READ_H
#define TESTS_PROTOCOL_COMPACT_READ_H

#include "protocol/compact_reader.h"

#include <stdlib.h>
#include <string.h>

/* Returns the kind that ended the reading. The payload is in memory of exactly its size, so that a sanitizer finds reads
 * behind it. */
static inline enum mp_compact_kind compact_read_all(const uint8_t *payload, size_t n)
{
    struct mp_compact_reader reader;
    struct mp_compact_event event;
    enum mp_compact_kind kind = MP_COMPACT_MALFORMED;
    uint8_t *exact = malloc(n ? n : 1);

    if (!exact)
        abort();
    memcpy(exact, payload, n);
    if (mp_compact_open_packet(&reader, exact, n))
        while ((kind = mp_compact_next(&reader, &event)) > MP_COMPACT_END)
            ;
    free(exact);
    return kind;
}

#endif
