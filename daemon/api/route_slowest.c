/* route_slowest.c - the handler for the slowest calls, and why each was slow. */
#include "api/query.h"
#include "api/range.h"
#include "api/routes.h"
#include "api/split_json.h"
#include "snapshot/slowest.h"

#include <stdlib.h>

enum { SLOWEST = 5, SLOWEST_MOST = 50 };

/* The memory for one answer. */
struct slowest_room {
    struct slow_call calls[SLOWEST_MOST];
    struct split_room split;
};

static bool write_call(const struct snapshot *snapshot, const struct slow_call *call,
                       struct slowest_room *room, struct json *json)
{
    json_object_open(json, NULL);
    json_u64(json, "function", call->function);
    json_u64(json, "context", call->context);
    json_u64(json, "depth", call->depth);
    json_u64(json, "start", call->start_ticks);
    json_u64(json, "duration", call->duration_ticks);
    json_u64(json, "usual_ticks", call->usual_ticks);
    json_text(json, "usual_is", call->has_p99 ? "p99" : "twice p50");
    bool is_done = split_write(snapshot, call->context, call->start_ticks,
                               call->start_ticks + call->duration_ticks, &room->split, json);
    json_object_close(json);
    return is_done;
}

static void write_slowest(const struct snapshot *snapshot, const struct query_range *range, size_t max,
                          struct response *response)
{
    struct slowest_room *room = malloc(sizeof *room);
    size_t n = 0;
    bool is_done = room && slowest_find(snapshot, range->from, range->to, room->calls, max, &n);
    if (is_done) {
        struct json json = response_json(response);
        json_object_open(&json, NULL);
        json_u64(&json, "sequence", snapshot->sequence);
        range_write_held(snapshot, &json);
        json_array_open(&json, "calls");
        for (size_t i = 0; i < n && is_done; i++)
            is_done = write_call(snapshot, &room->calls[i], room, &json);
        json_array_close(&json);
        json_object_close(&json);
    }
    if (!is_done)
        response->body.sink.failed = true;
    free(room);
}

static void answer_slowest(struct site *site, const struct request *request, struct response *response)
{
    uint64_t max = SLOWEST;
    struct query_range range;
    struct snapshot *whole = range_whole(site, request, response);
    if (!whole)
        return;
    if (query_range(request, whole, &(struct request_number){"max", &max}, 1, &range, response)) {
        if (max < 1 || max > SLOWEST_MOST)
            response_problem(response, 400, "The parameter 'max' must be 1 to %d.", SLOWEST_MOST);
        else if (range_take_slot(site, response))
            write_slowest(whole, &range, max, response);
    }
    snapshot_unref(whole);
}

static void write_one_split(const struct snapshot *snapshot, uint32_t context,
                            const struct query_range *range, struct response *response)
{
    struct split_room *room = malloc(sizeof *room);
    struct json json = response_json(response);
    json_object_open(&json, NULL);
    if (!room || !split_write(snapshot, context, range->from, range->to, room, &json))
        response->body.sink.failed = true;
    json_object_close(&json);
    free(room);
}

static void answer_split(struct site *site, const struct request *request, struct response *response)
{
    uint64_t context = 0;
    struct query_range range;
    struct snapshot *whole = range_whole(site, request, response);
    if (!whole)
        return;
    if (query_range(request, whole, &(struct request_number){"context", &context}, 1, &range, response)) {
        if (!query_has(request, "context") || !query_has(request, "from") || !query_has(request, "to"))
            response_problem(response, 400, "The parameters 'context', 'from' and 'to' are needed.");
        else if (context >= whole->context_count)
            response_problem(response, 404, "There is no context %llu.", (unsigned long long)context);
        else
            write_one_split(whole, (uint32_t)context, &range, response);
    }
    snapshot_unref(whole);
}

const struct route routes_slowest[] = {
    {.method = "GET",
     .path = "/api/v1/slowest",
     .answer = answer_slowest,
     .id = "slowest",
     .summary =
         "The slowest calls over all functions that the timeline holds, at most one of each function, by the "
         "time beyond `usual_ticks`: the p99 of the function, or twice its p50 where it has fewer than 100 "
         "calls (`usual_is`). Listed are calls that took more than 1.2 times that p99, and none that lies "
         "inside another slow call, whose reason it is. Why each was slow: `ran_ticks`, "
         "`preempted_ticks` and `blocked_ticks` add up to its duration and are null where the target does "
         "not report turns, or records are missing or bytes came damaged meanwhile, as are `by` and `wait`. "
         "`by` has the contexts that ran while it was preempted, and `wait` its longest wait: the innermost "
         "function in which it waited, and the context that ran last before that ended. Interrupts without "
         "hooks count as ran.",
     .media_type = ROUTE_JSON,
     .schema = "slowest",
     .query = {{"from", "First tick in which a listed call began; the oldest of the timeline when left out."},
               {"to", "Last such tick; the newest when left out."},
               {"max", "The most calls in the answer: 1 to 50, 5 when left out."},
               QUERY_PAUSE},
     .errors = {400, 410, 503}},
    {.method = "GET",
     .path = "/api/v1/split",
     .answer = answer_split,
     .id = "split",
     .summary = "Where the time of a stretch of one context went, such as that of a call: the members from "
                "`ran_ticks` on that a call of /api/v1/slowest has.",
     .media_type = ROUTE_JSON,
     .schema = "split",
     .query = {{"context", "The id of the context in the snapshot."},
               {"from", "First tick of the stretch."},
               {"to", "The tick after its last."},
               QUERY_PAUSE},
     .errors = {400, 404, 410, 503}},
    {0},
};
