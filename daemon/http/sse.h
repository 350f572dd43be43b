/* sse.h - the stream of updates as server-sent events (WHATWG HTML, section 9.2). */
#ifndef HTTP_SSE_H
#define HTTP_SSE_H

#include "http/response.h"

#include <stdint.h>

struct site;

enum { SSE_LISTENERS_MOST = 200 };

/* Makes a new listener. `last_event_id` (NULL: none) is what the client says it holds: when that is of this
 * run and still stands, the listener goes on with a delta, else it begins with a whole snapshot. NULL when
 * there are too many listeners or memory is used up. */
struct stream *sse_open(struct site *site, const char *last_event_id);

#endif
