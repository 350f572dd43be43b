/* request.h - one request, independent of the HTTP library, so that handlers are tested without a socket. */
#ifndef SERVER_REQUEST_H
#define SERVER_REQUEST_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { REQUEST_BODY_MOST = 4096 };

/* All text is borrowed until the answer is made. Headers that were not sent are NULL. */
struct request {
    const char *method;
    const char *path;  /* decoded, begins with '/' */
    const char *query; /* as sent, without '?'; NULL when there was none */
    const char *host, *origin, *fetch_site, *content_type, *authorization;
    const char *accept_encoding, *if_none_match, *last_event_id;
    const char *body;
    size_t body_n; /* may exceed REQUEST_BODY_MOST: the rest is not stored */

    struct connection *connection; /* on which it arrived; NULL in tests */

    /* Set by the router. */
    const struct route *route;
    const char *argument; /* the value of the route's {name}; ends with the path or at a '/' */
};

/* Sets path and query from the request line's target, which is decoded in place. False with an error for invalid
 * percent codes, control bytes, "." or "..". */
bool request_set_target(struct request *request, char *target, struct error *err);

/* A query parameter that the caller accepts. */
struct request_number {
    const char *name;
    uint64_t *value; /* has the default before the call */
};

/* Reads the query strictly: only these names, each at most once, each a decimal number of 64 bits. */
bool request_read_query(const struct request *request, const struct request_number *numbers, size_t n,
                        struct error *err);

/* Reads the n bytes of `text` as a decimal number of 64 bits. False for anything else. */
bool request_parse_u64(const char *text, size_t n, uint64_t *out);

#endif
