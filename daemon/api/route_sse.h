/* route_sse.h - the stream of updates as server-sent events (WHATWG HTML, section 9.2). */
#ifndef API_ROUTE_SSE_H
#define API_ROUTE_SSE_H

#include "server/response.h"

#include <stdint.h>

struct request;
struct site;

enum { SSE_LISTENERS_MOST = 200 };

/* Makes a new listener. If the request's Last-Event-ID is of this run and not from before a clear, it starts with
 * a delta, else with a whole snapshot. NULL when memory is used up. */
struct stream *sse_open(struct site *site, const struct request *request);

#endif
