/* gzip.c - compresses answers for clients that accept it. */
#include "server/gzip.h"

#include "base/zip.h"
#include "server/cached.h"

#include <string.h>
#include <strings.h>

/* True for "q=0" or "q=0.000": not accepted. */
static bool weight_is_zero(const char *field, size_t n)
{
    const char *q = memmem(field, n, "q=", 2);
    if (!q)
        return false;
    for (q += 2; q < field + n && *q != ' '; q++)
        if (*q != '0' && *q != '.')
            return false;
    return true;
}

bool gzip_accepted(const char *accept_encoding)
{
    bool accepted = false;
    const char *field = accept_encoding ? accept_encoding : "";
    while (*field) {
        field += strspn(field, ", \t");
        size_t n = strcspn(field, ",");
        size_t name_n = strcspn(field, ",; \t");
        bool named = (name_n == 4 && strncasecmp(field, "gzip", 4) == 0) ||
                     (name_n == 6 && strncasecmp(field, "x-gzip", 6) == 0);
        if (named)
            return !weight_is_zero(field, n);
        if (name_n == 1 && *field == '*')
            accepted = !weight_is_zero(field, n);
        field += n;
    }
    return accepted;
}

static bool is_compressible_type(const char *media_type)
{
    return strncmp(media_type, "text/", 5) == 0 || strstr(media_type, "json") ||
           strstr(media_type, "javascript") || strstr(media_type, "xml");
}

bool gzip_wanted(struct response *response, const char *accept_encoding)
{
    if (!response->media_type || !is_compressible_type(response->media_type))
        return false;
    response_header(response, "Vary", "Accept-Encoding");
    return gzip_accepted(accept_encoding);
}

void gzip_response(struct response *response, const char *accept_encoding)
{
    if (response->stream || !gzip_wanted(response, accept_encoding))
        return;
    size_t n;
    const char *bytes = response_bytes(response, &n);
    if (n == 0)
        return;
    size_t packed_n = 0;
    char *packed = zip_gzip(bytes, n, &packed_n);
    if (!packed)
        return; /* then send it uncompressed */
    cached_unref(response->shared);
    response->shared = NULL;
    sink_buffer_fini(&response->body);
    sink_buffer_init(&response->body);
    response->body.bytes = packed;
    response->body.n = response->body.capacity = packed_n;
    response_header(response, "Content-Encoding", "gzip");
}
