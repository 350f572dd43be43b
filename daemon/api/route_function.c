/* route_function.c - the handler for the details of one function. */
#include "export/export.h"
#include "api/buckets.h"
#include "api/query.h"
#include "api/range.h"
#include "api/routes.h"
#include "snapshot/edges.h"
#include "snapshot/longest.h"

#include <stdlib.h>
#include <string.h>

static void write_edges(const struct snapshot *snapshot, const char *key, const struct edges *edges,
                        struct json *json)
{
    json_array_open(json, key);
    for (uint32_t i = 0; i < edges->n; i++) {
        const struct edge *edge = &edges->rows[i];
        json_object_open(json, NULL);
        json_u64(json, "id", edge->function);
        json_text(json, "name", snapshot->functions[edge->function].name);
        json_u64(json, "calls", edge->calls);
        json_u64(json, "total_ticks", edge->total_ticks);
        json_object_close(json);
    }
    json_array_close(json);
}

enum { LONGEST_MOST = 20 };

/* Writes the time and context of a call on the timeline, null when there is none. */
static void write_call(const struct longest_call *call, struct json *json)
{
    if (!call->is_there) {
        json_null(json, NULL);
        return;
    }
    json_object_open(json, NULL);
    json_u64(json, "start", call->start_ticks);
    json_u64(json, "duration", call->duration_ticks);
    json_u64(json, "context", call->context);
    json_u64(json, "depth", call->depth);
    json_known_u64(json, "caller", call->has_caller, call->caller);
    json_bool(json, "held", call->is_held);
    json_object_close(json);
}

static void write_calls(const char *key, const struct longest_call *calls, size_t n, struct json *json)
{
    json_array_open(json, key);
    for (size_t i = 0; i < n; i++)
        write_call(&calls[i], json);
    json_array_close(json);
}

static void write_function(const struct snapshot *snapshot, uint32_t id, struct response *response)
{
    struct edges callers = {0}, callees = {0};
    struct snapshot_histogram histogram = {0};
    struct longest_call longest[LONGEST_MOST], *examples = NULL;
    if (snapshot_histogram(snapshot, id, &histogram) &&
        (examples = malloc((histogram.n + 1) * sizeof *examples)) &&
        edges_find(snapshot, id, &callers, &callees)) {
        size_t n = snapshot_longest(snapshot, id, &histogram, longest, LONGEST_MOST, examples);
        struct json json = response_json(response);
        json_object_open(&json, NULL);
        export_function(snapshot, id, &json);
        buckets_write(&histogram, &json);
        write_calls("longest", longest, n, &json);
        write_calls("examples", examples, histogram.n, &json);
        write_edges(snapshot, "callers", &callers, &json);
        write_edges(snapshot, "callees", &callees, &json);
        json_object_close(&json);
    } else {
        response->body.sink.failed = true;
    }
    free(examples);
    free(histogram.buckets);
    edges_fini(&callers);
    edges_fini(&callees);
}

static void answer_function(struct site *site, const struct request *request, struct response *response)
{
    uint64_t id;
    if (!query_function(request, &id, response))
        return;
    struct snapshot *snapshot = range_snapshot(site, request, response);
    if (!snapshot)
        return;
    if (id < snapshot->function_count)
        write_function(snapshot, (uint32_t)id, response);
    else
        response_problem(response, 404, "There is no function %llu.", (unsigned long long)id);
    snapshot_unref(snapshot);
}

const struct route routes_function[] = {
    {.method = "GET",
     .path = "/api/v1/functions/{id}",
     .answer = answer_function,
     .id = "function",
     .summary = "One function: its row of the snapshot, the spread of its durations, callers and callees. "
                "`longest` are its longest calls: the 8 longest of all, and of those that the timeline holds "
                "up to 20; `examples` has a call for each bucket, or null. A call that is not `held` any "
                "more was kept when it was counted; its `caller` is a function's id, or null where it is "
                "not known. Of a range only calls that are kept are reported.",
     .media_type = ROUTE_JSON,
     .schema = "function_whole",
     .argument = {"id", "The function's id in the snapshot."},
     .query = QUERY_RANGE,
     .errors = {400, 404, 410, 503}},
    {0},
};
