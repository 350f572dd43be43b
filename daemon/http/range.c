/* range.c - requests that may be about a stretch of time only. */
#include "http/range.h"

#include "http/query.h"

enum { LARGE_ANSWERS_MOST = 4 };

/* Each keeps its snapshot, and a thread or its text, until it is sent. */
bool range_take_slot(struct site *site, struct response *response)
{
    return response_take_slot(response, &site->exports, LARGE_ANSWERS_MOST, "exports or ranges");
}

/* Takes over the reference of `whole`. */
static struct snapshot *cut(struct snapshot *whole, uint64_t from, uint64_t to, struct response *response)
{
    struct snapshot *window = snapshot_window(whole, from, to);
    snapshot_unref(whole);
    response->body.sink.failed = window == NULL;
    return window;
}

struct snapshot *range_snapshot(struct site *site, const struct request *request, struct response *response)
{
    struct snapshot *whole = site_snapshot(site, response);
    if (!whole)
        return NULL;
    struct query_range range;
    bool understood = query_range(request, whole, NULL, &range, response);
    if (understood && (!request->query || !*request->query))
        return whole;
    if (understood && range_take_slot(site, response))
        return cut(whole, range.from, range.to, response);
    snapshot_unref(whole);
    return NULL;
}
