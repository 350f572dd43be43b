/* route_history.c - the handler for the history of the link's health. */
#include "base/clock.h"
#include "api/query.h"
#include "api/routes.h"
#include "api/site.h"
#include "snapshot/figures.h"
#include "snapshot/link_history.h"

#include <stdlib.h>

static uint64_t bytes_of(const struct history_slot *slot)
{
    return slot->bytes;
}

static uint64_t records_of(const struct history_slot *slot)
{
    return slot->records;
}

static uint64_t errors_of(const struct history_slot *slot)
{
    return slot->errors;
}

/* Writes rates per second of the time in which the source was connected; null where it was not. */
static void write_rates(const char *key, const struct link_history *history,
                        uint64_t (*of)(const struct history_slot *), struct json *json)
{
    json_array_open(json, key);
    for (uint32_t i = 0; i < history->slots_used; i++) {
        const struct history_slot *slot = &history->slots[i];
        /* Bytes that arrive right when the source connects would give an infinite rate. */
        double seconds = (slot->up_ms < HISTORY_STEP_MS / 4 ? HISTORY_STEP_MS / 4 : slot->up_ms) / 1000.0;
        if (slot->up_ms == 0 && slot->bytes == 0)
            json_null(json, NULL);
        else
            json_double(json, NULL, (double)of(slot) / seconds, 1);
    }
    json_array_close(json);
}

static void write_history(const struct link_history *history, uint64_t now_ms, struct response *response)
{
    uint64_t wall_ms = clock_wall_ns() / 1000000u;
    struct json json = response_json(response);
    json_object_open(&json, NULL);
    json_u64(&json, "now", wall_ms);
    json_u64(&json, "from", wall_ms - (now_ms - history->begin_ms));
    json_u64(&json, "step", history->step_ms);
    write_rates("bytes", history, bytes_of, &json);
    write_rates("calls", history, records_of, &json);
    write_rates("errors", history, errors_of, &json);
    json_object_open(&json, "last_at");
    for (uint32_t i = 0; i < HISTORY_FIGURES && figures_link[i].key; i++)
        if (figures_link[i].adds_up)
            json_known_u64(&json, figures_link[i].key, history->grown_ms[i] > 0,
                           wall_ms - (now_ms - history->grown_ms[i]));
    json_object_close(&json);
    json_object_close(&json);
}

static void answer_history(struct site *site, const struct request *request, struct response *response)
{
    if (!query_numbers(request, NULL, 0, response))
        return;
    struct snapshot *snapshot = site_snapshot(site, response);
    if (!snapshot)
        return;
    struct link_history *history = malloc(sizeof *history);
    response->body.sink.failed = !history;
    if (history) {
        *history = *snapshot->history;
        uint64_t now_ms = clock_monotonic_ms();
        /* Nothing is published while nothing arrives, so the time since is filled in here. A finished recording
         * stands still. */
        if (snapshot->source.state == STATE_ENDED)
            now_ms = history->last_ms;
        link_history_wait(history, now_ms);
        write_history(history, now_ms, response);
    }
    free(history);
    snapshot_unref(snapshot);
}

const struct route routes_history[] = {
    {.method = "GET",
     .path = "/api/v1/link/history",
     .answer = answer_history,
     .id = "linkHistory",
     .summary =
         "How the link did since the daemon began to listen: bytes, calls and errors a second, one of "
         "each per step "
         "of that number of milliseconds from `from` on; null where the source was away. `last_at` says of "
         "each counter of the link when it last grew, null: never. Times are milliseconds since 1970. "
         "The longer it runs, the longer is a step: there are 720 at most.",
     .media_type = ROUTE_JSON,
     .schema = "link_history",
     .errors = {400, 503}},
    {0},
};
