/* range.c - snapshots for requests that may be about a range of time. */
#include "api/range.h"

#include "base/clock.h"
#include "api/query.h"

#include <string.h>

enum { LARGE_ANSWERS_MOST = 4 };

/* How long an export may take while another request finds no slot. */
enum { EXPORT_TURN_MS = 30 * 1000 };

/* The slots are limited because each answer keeps its snapshot, and a thread or its text, until it is sent. */
bool range_take_slot(struct site *site, struct response *response)
{
    if (response_take_slot(response, &site->exports, LARGE_ANSWERS_MOST, "exports or ranges"))
        return true;
    response->full_turn_ms = EXPORT_TURN_MS;
    return false;
}

struct snapshot *range_whole(struct site *site, const struct request *request, struct response *response)
{
    const char *field = request->query ? strstr(request->query, "pause=") : NULL;
    uint64_t id;
    if (!query_has(request, "pause") || !field || !request_parse_u64(field + 6, strcspn(field + 6, "&"), &id))
        return site_snapshot(site, response);
    struct snapshot *kept = pauses_find(&site->pauses, id, clock_monotonic_ms());
    if (!kept)
        response_problem(response, 410,
                         "What was paused is not kept any more: that ends %d minutes after it was looked at "
                         "last. Resume to see what is there now.",
                         PAUSES_SECONDS / 60);
    return kept;
}

/* Returns the range of `whole`, and takes over that reference. */
static struct snapshot *cut_window(struct snapshot *whole, uint64_t from, uint64_t to,
                                   struct response *response)
{
    struct snapshot *window = snapshot_window(whole, from, to);
    snapshot_unref(whole);
    response->body.sink.failed = window == NULL;
    return window;
}

struct snapshot *range_snapshot(struct site *site, const struct request *request, struct response *response)
{
    struct snapshot *whole = range_whole(site, request, response);
    if (!whole)
        return NULL;
    struct query_range range;
    bool understood = query_range(request, whole, NULL, 0, &range, response);
    if (understood && !query_has(request, "from") && !query_has(request, "to"))
        return whole;
    if (understood && range_take_slot(site, response))
        return cut_window(whole, range.from, range.to, response);
    snapshot_unref(whole);
    return NULL;
}

void range_write_held(const struct snapshot *snapshot, struct json *json)
{
    uint64_t oldest, newest;
    bool holds = snapshot_timeline_range(snapshot, &oldest, &newest);
    json_known_u64(json, "oldest", holds, oldest);
    json_known_u64(json, "newest", holds, newest);
}
