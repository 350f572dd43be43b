/* parcel.h - writes numbers and texts of requests to the annex and of its answers, little-endian. reader.h reads
 * them. */
#ifndef SYMBOL_PARCEL_H
#define SYMBOL_PARCEL_H

#include "base/sink.h"
#include "symbol/reader.h"

/* Writes the low `size` bytes (1 to 8) of `value`. */
static inline void parcel_put(struct sink *sink, uint64_t value, unsigned size)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    sink_write(sink, bytes, size);
}

/* Writes n bytes, their number (4 bytes) first. */
static inline void parcel_put_bytes(struct sink *sink, const void *bytes, size_t n)
{
    parcel_put(sink, n, 4);
    sink_write(sink, bytes, n);
}

/* Reads what parcel_put_bytes() wrote. */
static inline struct reader parcel_cut(struct reader *reader)
{
    return reader_cut(reader, reader_uint(reader, 4));
}

/* Returns a reader of n bytes, which are borrowed. `bytes` may be NULL if n is 0. */
static inline struct reader parcel_open(const uint8_t *bytes, size_t n)
{
    return (struct reader){.at = bytes, .end = n > 0 ? bytes + n : bytes};
}

#endif
