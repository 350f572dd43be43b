/* zip.c - gzip and its checksum. */
#include "base/zip.h"

#define ZLIB_CONST /* next_in points to const */
#include <zlib.h>

#include <stdlib.h>

enum { GZIP_WINDOW = 15 + 16 /* 16: a gzip header instead of zlib's */, GZIP_LEVEL = 5, GZIP_MEMORY = 8 };

uint32_t zip_crc32(const void *bytes, size_t n)
{
    return (uint32_t)crc32_z(0, bytes, n);
}

/* zlib counts in 32 bits at a time. */
static uInt at_most(size_t n)
{
    return n > UINT32_MAX ? UINT32_MAX : (uInt)n;
}

char *zip_gzip(const void *bytes, size_t n, size_t *packed_n)
{
    z_stream zlib = {0};
    if (deflateInit2(&zlib, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    size_t room = deflateBound(&zlib, n);
    char *out = malloc(room);
    int result = Z_OK;
    zlib.next_in = (const Bytef *)bytes;
    zlib.next_out = (Bytef *)out;
    for (size_t in_left = n, out_left = room; out && result == Z_OK;) {
        uInt in = zlib.avail_in = at_most(in_left);
        uInt space = zlib.avail_out = at_most(out_left);
        result = deflate(&zlib, in_left == in ? Z_FINISH : Z_NO_FLUSH);
        in_left -= in - zlib.avail_in;
        out_left -= space - zlib.avail_out;
        *packed_n = room - out_left;
    }
    deflateEnd(&zlib);
    if (out && result == Z_STREAM_END)
        return out;
    free(out);
    return NULL;
}
