/* gzip.h - compresses answers for clients that ask for it. */
#ifndef SERVER_GZIP_H
#define SERVER_GZIP_H

#include "server/response.h"

/* True when an Accept-Encoding header (NULL: none) accepts gzip. */
bool gzip_accepted(const char *accept_encoding);

/* True when the response's media type gains by it and `accept_encoding` takes it; informs caches when it
 * depends on the latter. */
bool gzip_wanted(struct response *response, const char *accept_encoding);

/* Compresses the body if gzip_wanted(). Streams are not compressed. */
void gzip_response(struct response *response, const char *accept_encoding);

#endif
