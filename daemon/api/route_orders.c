/* route_orders.c - the handlers that post orders to the ingest thread. */
#include "base/jsonio.h"
#include "export/export.h"
#include "api/route_orders.h"
#include "api/query.h"
#include "api/routes.h"
#include "api/site.h"

/* True when the body is an empty object or missing. */
static bool body_is_empty(const struct request *request, struct order *order, struct error *err)
{
    if (request->body_n == 0)
        return true;
    struct jsonio *body = jsonio_parse("The body", request->body, request->body_n, err);
    if (!body)
        return false;
    bool good = jsonio_is_object(body) && jsonio_count(body) == 0;
    if (!good)
        error_set(err, "The body must be {}.");
    jsonio_free(body);
    return good;
}

static void answer_recording(struct site *site, const struct order *order, struct response *response)
{
    if (order->kind == ORDER_RECORD_END)
        recorded_add(&site->recorded, &order->recording);
    struct json json = response_json(response);
    json_object_open(&json, NULL);
    export_recording(&order->recording, &json);
    json_object_close(&json);
}

static void answer_done(struct site *site, const struct order *order, struct response *response)
{
    if (*order->recording.path) {
        answer_recording(site, order, response);
        return;
    }
    struct snapshot *snapshot = site_snapshot(site, response);
    if (!snapshot)
        return;
    struct json json = response_json(response);
    json_object_open(&json, NULL);
    bool is_limit = order->kind == ORDER_LIMIT || order->kind == ORDER_LIMIT_END;
    json_text(&json, "answer", "ack");
    json_u64(&json, "sequence", snapshot->sequence);
    if (is_limit) {
        json_u64(&json, "id", order->bound_id);
        export_limits(snapshot, &json);
    } else {
        export_health(snapshot, &json);
    }
    json_object_close(&json);
    snapshot_unref(snapshot);
}

void order_answer(struct site *site, struct order *order, struct response *response)
{
    switch (mailbox_ask(site->settings.mailbox, order)) {
    case ORDER_DONE: answer_done(site, order, response); break;
    case ORDER_REFUSED:
        response_problem(response, 409, "%s",
                         *order->why.text ? order->why.text : "The device refused the command.");
        break;
    case ORDER_FAILED: response_problem(response, 500, "%s", order->why.text); break;
    case ORDER_SILENT:
        response_problem(response, 504,
                         "The device did not answer. Is it running, and does its transmit line reach here?");
        break;
    case ORDER_NO_DEVICE:
        response_problem(response, 503,
                         "No command can be sent now: no device is connected, or only listening is allowed.");
        break;
    case ORDER_BUSY: response_problem(response, 503, "Too many commands wait for the device already."); break;
    case ORDER_CLOSED: response_problem(response, 503, "miniprofd is stopping."); break;
    }
}

void order_parse_and_answer(struct site *site, const struct request *request, order_parse_fn parse,
                            struct order *order, struct response *response)
{
    struct error err;
    if (!query_none(request, response))
        return;
    if (parse(request, order, &err))
        order_answer(site, order, response);
    else
        response_problem(response, 400, "%s", err.text);
}

static void answer_device(struct site *site, const struct request *request, struct response *response)
{
    struct order order = {.kind = ORDER_COMMAND, .command = request->route->command};
    order_parse_and_answer(site, request, body_is_empty, &order, response);
}

static void answer_clear(struct site *site, const struct request *request, struct response *response)
{
    struct order order = {.kind = ORDER_CLEAR};
    order_parse_and_answer(site, request, body_is_empty, &order, response);
}

static void answer_record_start(struct site *site, const struct request *request, struct response *response)
{
    struct order order = {.kind = ORDER_RECORD};
    order_parse_and_answer(site, request, body_is_empty, &order, response);
}

static void answer_record_stop(struct site *site, const struct request *request, struct response *response)
{
    struct order order = {.kind = ORDER_RECORD_END};
    order_parse_and_answer(site, request, body_is_empty, &order, response);
}

#define DEVICE_ROUTE(id_, code, wire, word, operation, what, ...)                                            \
    {.method = "POST",                                                                                       \
     .path = "/api/v1/device/" word,                                                                         \
     .answer = answer_device,                                                                                \
     .id = (operation),                                                                                      \
     .summary = (what),                                                                                      \
     .media_type = ROUTE_JSON,                                                                               \
     .schema = "order_answer",                                                                               \
     .takes = "nothing",                                                                                     \
     .errors = {400, 409, 503, 504},                                                                         \
     .command = COMMAND_##id_},

const struct route routes_orders[] = {
    DEVICE_COMMAND_ROWS(DEVICE_ROUTE, DEVICE_ROUTE,
                        DEVICE_COMMAND_NONE){.method = "POST",
                                             .path = "/api/v1/profile/clear",
                                             .answer = answer_clear,
                                             .id = "profileClear",
                                             .summary = "Forgets what was aggregated.",
                                             .media_type = ROUTE_JSON,
                                             .schema = "order_answer",
                                             .takes = "nothing",
                                             .errors = {400, 503}},
    {.method = "POST",
     .path = "/api/v1/record/start",
     .answer = answer_record_start,
     .id = "recordStart",
     .summary =
         "Records what comes from now on, into a new file of the folder for recordings: its path, and the "
         "bytes so far. 409 when that makes no sense now, 500 when the file cannot be made.",
     .media_type = ROUTE_JSON,
     .schema = "recording",
     .takes = "nothing",
     .errors = {400, 409, 500, 503}},
    {.method = "POST",
     .path = "/api/v1/record/stop",
     .answer = answer_record_stop,
     .id = "recordStop",
     .summary =
         "Ends the recording: its path and bytes. 409 when there is none, 500 when it is not whole since "
         "it broke off.",
     .media_type = ROUTE_JSON,
     .schema = "recording",
     .takes = "nothing",
     .errors = {400, 409, 500, 503}},
    {0},
};
