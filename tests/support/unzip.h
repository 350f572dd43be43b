/* unzip.h - checks compressed data. */
#ifndef SUPPORT_UNZIP_H
#define SUPPORT_UNZIP_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

/* True when `packed` is one gzip member of exactly these bytes. */
static inline bool unzips_to(const char *packed, size_t packed_n, const char *bytes, size_t n)
{
    char *out = malloc(n + 1);
    z_stream zlib = {.next_in = (const Bytef *)packed,
                     .avail_in = (uInt)packed_n,
                     .next_out = (Bytef *)out,
                     .avail_out = (uInt)n + 1};
    cr_assert_eq(inflateInit2(&zlib, 15 + 16), Z_OK);
    bool whole = inflate(&zlib, Z_FINISH) == Z_STREAM_END && zlib.avail_in == 0;
    bool same = zlib.total_out == n && memcmp(out, bytes, n) == 0;
    inflateEnd(&zlib);
    free(out);
    return whole && same;
}

#endif
