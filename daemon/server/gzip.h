/* gzip.h - compresses answers for clients that accept it. */
#ifndef SERVER_GZIP_H
#define SERVER_GZIP_H

#include "server/response.h"

/* True when an Accept-Encoding header (NULL: none) accepts gzip. */
bool gzip_accepted(const char *accept_encoding);

/* True when the response's media type is compressible and `accept_encoding` accepts gzip. Adds Vary for caches when
 * that depends on `accept_encoding`. */
bool gzip_wanted(struct response *response, const char *accept_encoding);

/* Compresses the body if gzip_wanted(). Streams are not compressed. */
void gzip_response(struct response *response, const char *accept_encoding);

#endif
