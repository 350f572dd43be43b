/* timeline.c - the handler that tells the calls of a window of time. */
#include "http/api.h"

#include "http/site.h"

#include <stdlib.h>

enum { TIMELINE_ROWS = 5000, TIMELINE_ROWS_MOST = 100000 };

static uint64_t start_of(const struct snapshot_span *span)
{
    return span->start_ticks;
}

static uint64_t duration_of(const struct snapshot_span *span)
{
    return span->duration_ticks;
}

static uint64_t function_of(const struct snapshot_span *span)
{
    return span->function;
}

static uint64_t context_of(const struct snapshot_span *span)
{
    return span->context;
}

static uint64_t depth_of(const struct snapshot_span *span)
{
    return span->depth;
}

static uint64_t calls_of(const struct snapshot_span *span)
{
    return span->calls;
}

static void write_rows(const struct snapshot_span *spans, size_t n, struct json *json)
{
    static const struct {
        const char *key;
        uint64_t (*value)(const struct snapshot_span *span);
    } columns[] = {
        {"start", start_of},     {"duration", duration_of}, {"function", function_of},
        {"context", context_of}, {"depth", depth_of},       {"calls", calls_of},
    };
    json_object_open(json, "rows");
    for (size_t column = 0; column < sizeof columns / sizeof *columns; column++) {
        json_array_open(json, columns[column].key);
        for (size_t i = 0; i < n; i++)
            json_u64(json, NULL, columns[column].value(&spans[i]));
        json_array_close(json);
    }
    json_object_close(json);
}

static void write_timeline(const struct snapshot *snapshot, uint64_t from, uint64_t to, size_t max,
                           struct response *response)
{
    uint64_t oldest, newest;
    bool holds = snapshot_timeline_range(snapshot, &oldest, &newest);
    struct snapshot_span *spans = malloc(max * sizeof *spans);
    if (!spans) {
        response->body.sink.failed = true;
        return;
    }
    size_t n = holds ? snapshot_timeline_window(snapshot, from, to, spans, max) : 0;
    struct json json = response_json(response);
    json_object_open(&json, NULL);
    json_u64(&json, "sequence", snapshot->sequence);
    json_known_u64(&json, "from", holds, from);
    json_known_u64(&json, "to", holds, to);
    json_known_u64(&json, "oldest", holds, oldest);
    json_known_u64(&json, "newest", holds, newest);
    write_rows(spans, n, &json);
    json_object_close(&json);
    free(spans);
}

void api_timeline(struct site *site, const struct request *request, struct response *response)
{
    struct snapshot *snapshot = site_snapshot(site, response);
    if (!snapshot)
        return;
    uint64_t from, newest, to = UINT64_MAX, max = TIMELINE_ROWS;
    if (!snapshot_timeline_range(snapshot, &from, &newest))
        from = newest = 0;
    const struct request_number numbers[] = {{"from", &from}, {"to", &to}, {"max", &max}};
    struct error err;
    bool understood = request_read_query(request, numbers, sizeof numbers / sizeof *numbers, &err);
    if (to == UINT64_MAX)
        to = newest > from ? newest : from;
    if (!understood)
        response_problem(response, 400, "%s", err.text);
    else if (from > to)
        response_problem(response, 400, "The window's first tick, 'from', lies after its last, 'to'.");
    else if (max < 1 || max > TIMELINE_ROWS_MOST)
        response_problem(response, 400, "The parameter 'max' must be 1 to %d.", TIMELINE_ROWS_MOST);
    else
        write_timeline(snapshot, from, to, max, response);
    snapshot_unref(snapshot);
}
