/* request.h - one request, independent of the HTTP library, so that handlers are tested without a socket. */
#ifndef SERVER_REQUEST_H
#define SERVER_REQUEST_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { REQUEST_BODY_MOST = 4096 };

/* All text is borrowed for the time of the answer. Headers that were not sent are NULL. */
struct request {
    const char *method;
    const char *path;  /* decoded, begins with '/' */
    const char *query; /* as sent, without '?'; NULL when there was none */
    const char *host, *origin, *fetch_site, *content_type, *authorization;
    const char *accept_encoding, *if_none_match, *last_event_id;
    const char *body;
    size_t body_n; /* more than REQUEST_BODY_MOST: the rest was not kept */

    struct connection *connection; /* that it came on; NULL in tests without one */

    /* Set by the router. */
    const struct route *route;
    const char *argument; /* what stands in the place of the route's {name}; ends with the path or at a '/' */
};

/* Sets path and query from the request line's target, which is decoded in place. False with a sentence when
 * it is no path of ours: bad percent codes, control bytes, or an attempt to climb ("..", "."). */
bool request_set_target(struct request *request, char *target, struct error *err);

/* A query parameter that the caller understands. */
struct request_number {
    const char *name;
    uint64_t *value; /* holds the default before */
};

/* Reads the query strictly: only those names, each at most once, each a decimal number of 64 bits. */
bool request_read_query(const struct request *request, const struct request_number *numbers, size_t n,
                        struct error *err);

/* Reads the n bytes of `text` as a decimal number of 64 bits; false when they are anything else. */
bool request_parse_u64(const char *text, size_t n, uint64_t *out);

#endif
