/* reader.h - a bounded cursor over bytes. Failure is permanent: read on, and check `failed` at the end. */
#ifndef SYMBOL_READER_H
#define SYMBOL_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The bytes from `at` up to, not including, `end` are still to be read. They are borrowed. */
struct reader {
    const uint8_t *at, *end;
    bool big_endian;
    bool failed; /* a read past the end, or reader_fail(); from then on every read returns 0 */
};

/* Returns the number of bytes left. */
static inline size_t reader_left(const struct reader *reader)
{
    return (size_t)(reader->end - reader->at);
}

/* Makes this and every later read fail. Returns false. */
static inline bool reader_fail(struct reader *reader)
{
    reader->failed = true;
    reader->at = reader->end;
    return false;
}

/* Skips n bytes. Fails when there are fewer. */
static inline void reader_skip(struct reader *reader, uint64_t n)
{
    if (n > reader_left(reader))
        reader_fail(reader);
    else
        reader->at += n;
}

/* Reads an unsigned number of `size` bytes, 1 to 8. Fails and returns 0 when there are fewer. */
static inline uint64_t reader_uint(struct reader *reader, unsigned size)
{
    if (size > reader_left(reader)) {
        reader_fail(reader);
        return 0;
    }
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value = value << 8 | reader->at[reader->big_endian ? i : size - 1 - i];
    reader->at += size;
    return value;
}

/* reader_uleb() and reader_sleb() read an unsigned and a signed LEB128 number (DWARF 5 section 7.6). Bits past the 64th are dropped. */
static inline uint64_t reader_uleb(struct reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0; reader->at < reader->end; shift += 7) {
        uint8_t byte = *reader->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    reader_fail(reader);
    return 0;
}

static inline int64_t reader_sleb(struct reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0; reader->at < reader->end;) {
        uint8_t byte = *reader->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if (byte & 0x80)
            continue;
        if ((byte & 0x40) && shift < 64)
            value |= UINT64_MAX << shift;
        return (int64_t)value;
    }
    reader_fail(reader);
    return 0;
}

/* Reads a NUL-terminated string. Fails and returns "" when there is no NUL. The string lives as long as the bytes. */
static inline const char *reader_string(struct reader *reader)
{
    const uint8_t *nul = reader->at < reader->end ? memchr(reader->at, '\0', reader_left(reader)) : NULL;
    if (!nul) {
        reader_fail(reader);
        return "";
    }
    const char *string = (const char *)reader->at;
    reader->at = nul + 1;
    return string;
}

/* Returns a reader of the next n bytes, and skips them. */
static inline struct reader reader_cut(struct reader *reader, uint64_t n)
{
    struct reader part = *reader;
    reader_skip(reader, n);
    part.end = reader->failed ? part.at : reader->at;
    part.failed = reader->failed;
    return part;
}

#endif
