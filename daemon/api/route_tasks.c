/* route_tasks.c - the handler for the response times of each context, and what it waits for. */
#include "api/query.h"
#include "api/range.h"
#include "api/routes.h"
#include "api/split_json.h"
#include "snapshot/task_figures.h"

#include <stdlib.h>

/* The memory for one answer. */
struct tasks_room {
    struct task_figures figures[SNAPSHOT_CONTEXTS_MAX];
    struct split_room split;
};

/* Writes a stretch of a context with the split of its time, null for an empty one. False when memory is used
 * up. */
static bool write_stretch(const struct snapshot *snapshot, uint32_t context, const char *key,
                          const struct task_stretch *stretch, struct split_room *room, struct json *json)
{
    if (stretch->ticks == 0) {
        json_null(json, key);
        return true;
    }
    json_object_open(json, key);
    json_u64(json, "start", stretch->start_ticks);
    json_u64(json, "duration", stretch->ticks);
    bool is_done = split_write(snapshot, context, stretch->start_ticks, stretch->start_ticks + stretch->ticks,
                               room, json);
    json_object_close(json);
    return is_done;
}

static void write_ready(const struct task_figures *figures, struct json *json)
{
    if (!figures->has_ready) {
        json_null(json, "ready_most");
        return;
    }
    json_object_open(json, "ready_most");
    json_u64(json, "start", figures->ready.start_ticks);
    json_u64(json, "duration", figures->ready.ticks);
    json_object_close(json);
}

static bool write_task(const struct snapshot *snapshot, uint32_t context, bool holds_calls,
                       struct tasks_room *room, struct json *json)
{
    const struct task_figures *figures = &room->figures[context];
    bool has_responses = figures->activations > 0;
    json_object_open(json, NULL);
    json_u64(json, "context", context);
    json_known_u64(json, "activations", holds_calls, figures->activations);
    json_known_u64(json, "min_ticks", has_responses, figures->min_ticks);
    json_known_u64(json, "p50_ticks", has_responses, figures->p50_ticks);
    json_known_u64(json, "p99_ticks", has_responses, figures->p99_ticks);
    json_known_u64(json, "max_ticks", has_responses, figures->slowest.ticks);
    bool is_done = write_stretch(snapshot, context, "slowest", &figures->slowest, &room->split, json) &&
                   write_stretch(snapshot, context, "work_wait", &figures->work_wait, &room->split, json) &&
                   write_stretch(snapshot, context, "call_wait", &figures->call_wait, &room->split, json) &&
                   write_stretch(snapshot, context, "preempted", &figures->preempted, &room->split, json);
    write_ready(figures, json);
    json_object_close(json);
    return is_done;
}

static void write_tasks(const struct snapshot *snapshot, const struct query_range *range,
                        struct response *response)
{
    struct tasks_room *room = malloc(sizeof *room);
    uint64_t held_ticks = 0, first_ticks, last_ticks;
    bool holds_calls = snapshot_timeline_range(snapshot, &first_ticks, &last_ticks);
    bool is_done = room && snapshot->context_count <= SNAPSHOT_CONTEXTS_MAX &&
                   task_figures_find(snapshot, range->from, range->to, room->figures, &held_ticks);
    if (is_done) {
        struct json json = response_json(response);
        json_object_open(&json, NULL);
        json_u64(&json, "sequence", snapshot->sequence);
        range_write_held(snapshot, &json);
        json_u64(&json, "from", held_ticks);
        json_array_open(&json, "tasks");
        for (uint32_t i = 0; i < snapshot->context_count && is_done; i++)
            is_done = write_task(snapshot, i, holds_calls, room, &json);
        json_array_close(&json);
        json_object_close(&json);
    }
    if (!is_done)
        response->body.sink.failed = true;
    free(room);
}

static void answer_tasks(struct site *site, const struct request *request, struct response *response)
{
    struct query_range range;
    struct snapshot *whole = range_whole(site, request, response);
    if (!whole)
        return;
    if (query_range(request, whole, NULL, 0, &range, response) && range_take_slot(site, response))
        write_tasks(whole, &range, response);
    snapshot_unref(whole);
}

const struct route routes_tasks[] = {
    {.method = "GET",
     .path = "/api/v1/tasks",
     .answer = answer_tasks,
     .id = "tasks",
     .summary =
         "How quickly each context did its work, and what kept it from that, among the calls and turns that "
         "are held; `from` is since when. An activation of a thread lasts from the end of a wait for work to "
         "the begin of the next: waits for work are those at the least depth of its stack at which it waits "
         "(at least one in twenty of its waits), deeper ones lie inside an activation. Where a context never "
         "waits, as an interrupt, each outermost call is an activation. Its length is the response: "
         "`min_ticks`, `p50_ticks`, `p99_ticks` and `max_ticks` are null without activations. `slowest` is "
         "the longest one, `work_wait` the longest wait for work, `call_wait` the longest other wait, "
         "`preempted` the longest time in which others ran in its place; each has the members of a call of "
         "/api/v1/slowest from `start` on that say where its time went, and is null where there was none. "
         "Waits and preemptions that go on count so far. `ready_most` is the longest time before the end of "
         "a wait in which the context may have been ready, and did not run: an upper bound, from the last "
         "moment at which one ran that it would have preempted; null where no such context is known. "
         "Stretches in which records are missing or bytes came damaged are left out.",
     .media_type = ROUTE_JSON,
     .schema = "tasks",
     .query = {{"from", "First tick of the stretch; the oldest that is held when left out."},
               {"to", "Its last tick; the newest when left out."},
               QUERY_PAUSE},
     .errors = {400, 410, 503}},
    {0},
};
