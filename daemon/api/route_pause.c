/* route_pause.c - the handlers that keep a snapshot for a viewer who has paused, and drop it. */
#include "base/clock.h"
#include "base/jsonio.h"
#include "api/query.h"
#include "api/routes.h"
#include "api/site.h"

void pause_answer(struct site *site, struct snapshot *snapshot, struct response *response)
{
    uint64_t id = pauses_hold(&site->pauses, snapshot, clock_monotonic_ms());
    struct json json = response_json(response);
    json_object_open(&json, NULL);
    json_u64(&json, "pause", id);
    json_u64(&json, "sequence", snapshot->sequence);
    json_u64(&json, "seconds", PAUSES_SECONDS);
    json_object_close(&json);
}

static void answer_begin(struct site *site, const struct request *request, struct response *response)
{
    struct snapshot *snapshot = query_none(request, response) ? site_snapshot(site, response) : NULL;
    if (!snapshot)
        return;
    pause_answer(site, snapshot, response);
    snapshot_unref(snapshot);
}

/* Reads the body {"pause": ID}. */
static bool body_parse(const struct request *request, uint64_t *id, struct error *err)
{
    struct jsonio *body = jsonio_parse("The body", request->body, request->body_n, err);
    if (!body)
        return false;
    bool good = jsonio_is_object(body) && jsonio_count(body) == 1 && jsonio_member(body, "pause") &&
                jsonio_u64(jsonio_member(body, "pause"), id);
    if (!good)
        error_set(err, "The body must be {\"pause\": ID}, with an ID as POST /api/v1/pauses answers it.");
    jsonio_free(body);
    return good;
}

static void answer_end(struct site *site, const struct request *request, struct response *response)
{
    uint64_t id;
    struct error err;
    if (!query_none(request, response))
        return;
    if (!body_parse(request, &id, &err)) {
        response_problem(response, 400, "%s", err.text);
        return;
    }
    bool was_kept = pauses_release(&site->pauses, id);
    struct json json = response_json(response);
    json_object_open(&json, NULL);
    json_bool(&json, "kept", was_kept);
    json_object_close(&json);
}

const struct route routes_pause[] = {
    {.method = "POST",
     .path = "/api/v1/pauses",
     .answer = answer_begin,
     .id = "pauseBegin",
     .summary =
         "Keeps the newest snapshot with its calls for a viewer who has paused: its id (pause), "
         "which other routes take as a parameter, its sequence, and for how many seconds after "
         "it was asked for last it is kept. Four are; with one more, the one asked for longest ago goes.",
     .media_type = ROUTE_JSON,
     .schema = "pause",
     .takes = "nothing",
     .errors = {400, 503}},
    {.method = "POST",
     .path = "/api/v1/pauses/end",
     .answer = answer_end,
     .id = "pauseEnd",
     .summary = "Lets go what a pause keeps, {\"pause\": ID}; kept tells whether it was there still.",
     .media_type = ROUTE_JSON,
     .schema = "pause_ended",
     .takes = "takes_pause",
     .errors = {400}},
    {0},
};
