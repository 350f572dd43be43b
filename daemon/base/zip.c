/* zip.c - gzip and its checksum. */
#include "base/zip.h"

#define ZLIB_CONST /* next_in points to const */
#include <zlib.h>

#include <stdlib.h>
#include <string.h>

enum {
    GZIP_WINDOW = 15 + 16, /* 16: a gzip header instead of zlib's */
    GZIP_LEVEL = 5,
    GZIP_MEMORY = 8,
    /* Bytes per call of zlib, since writers write a few bytes at a time. */
    ZIP_BLOCK = 32 << 10,
};

struct zip_sink {
    struct sink sink;
    struct sink *into;
    z_stream zlib;
    size_t n; /* bytes of `in` */
    char in[ZIP_BLOCK], out[ZIP_BLOCK];
};

uint32_t zip_crc32(const void *bytes, size_t n)
{
    return (uint32_t)crc32_z(0, bytes, n);
}

/* Compresses the content of `in`. */
static bool compress_pending(struct zip_sink *zip, int flush)
{
    zip->zlib.next_in = (const Bytef *)zip->in;
    zip->zlib.avail_in = (uInt)zip->n;
    do {
        zip->zlib.next_out = (Bytef *)zip->out;
        zip->zlib.avail_out = sizeof zip->out;
        deflate(&zip->zlib, flush);
        sink_write(zip->into, zip->out, sizeof zip->out - zip->zlib.avail_out);
    } while (zip->zlib.avail_out == 0 && !zip->into->failed);
    zip->n = 0;
    return !zip->into->failed;
}

static bool zip_write(struct sink *sink, const void *bytes, size_t n)
{
    struct zip_sink *zip = (struct zip_sink *)sink;
    for (const char *at = bytes; n > 0;) {
        if (zip->n == sizeof zip->in && !compress_pending(zip, Z_NO_FLUSH))
            return false;
        size_t room = sizeof zip->in - zip->n, part = n < room ? n : room;
        memcpy(zip->in + zip->n, at, part);
        zip->n += part;
        at += part;
        n -= part;
    }
    return true;
}

struct sink *zip_sink_new(struct sink *into)
{
    struct zip_sink *zip = malloc(sizeof *zip);
    if (!zip)
        return NULL;
    zip->sink = (struct sink){.write = zip_write};
    zip->into = into;
    zip->zlib = (z_stream){0};
    zip->n = 0;
    if (deflateInit2(&zip->zlib, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY) ==
        Z_OK)
        return &zip->sink;
    free(zip);
    return NULL;
}

void zip_sink_end(struct sink *sink)
{
    struct zip_sink *zip = (struct zip_sink *)sink;
    if (sink->failed)
        zip->into->failed = true;
    else
        compress_pending(zip, Z_FINISH);
    deflateEnd(&zip->zlib);
    free(zip);
}

char *zip_gzip(const void *bytes, size_t n, size_t *packed_n)
{
    struct sink_buffer out;
    sink_buffer_init(&out);
    struct sink *zip = zip_sink_new(&out.sink);
    if (!zip)
        return NULL;
    sink_write(zip, bytes, n);
    zip_sink_end(zip);
    if (out.sink.failed)
        sink_buffer_fini(&out);
    *packed_n = out.n;
    return out.bytes;
}
