/* gzip.h - compresses answers for whoever asks. */
#ifndef SERVER_GZIP_H
#define SERVER_GZIP_H

#include "server/response.h"

/* True when an Accept-Encoding header (NULL: none) takes gzip. */
bool gzip_accepted(const char *accept_encoding);

/* True when the response's media type gains by it and `accept_encoding` takes it; tells caches when it
 * depends on the latter. */
bool gzip_wanted(struct response *response, const char *accept_encoding);

/* Compresses the body when that is wanted. Streams stay as they are. */
void gzip_response(struct response *response, const char *accept_encoding);

#endif
