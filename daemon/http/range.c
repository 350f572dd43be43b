/* range.c - requests that may be about a stretch of time only. */
#include "http/range.h"

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
    uint64_t from, to;
    if (!snapshot_told_range(whole, &from, &to))
        from = to = 0;
    const struct request_number numbers[] = {{"from", &from}, {"to", &to}};
    struct error err;
    bool understood = request_read_query(request, numbers, sizeof numbers / sizeof *numbers, &err);
    if (understood && (!request->query || !*request->query))
        return whole;
    if (!understood)
        response_problem(response, 400, "%s", err.text);
    else if (from > to)
        response_problem(response, 400, "The range's first tick, 'from', lies after its last, 'to'.");
    else if (range_take_slot(site, response))
        return cut(whole, from, to, response);
    snapshot_unref(whole);
    return NULL;
}
