/* route_trigger.c - the handlers that set the device's trigger and list the kept windows. */
#include "base/jsonio.h"
#include "export/export.h"
#include "api/route_orders.h"
#include "api/query.h"
#include "api/routes.h"

static bool body_parse(const struct request *request, struct order *order, struct error *err)
{
    bool good = false, now;
    struct jsonio *body = jsonio_parse("The body", request->body, request->body_n, err);
    if (!body)
        return false;
    const struct jsonio *when = jsonio_member(body, "when"), *asked = jsonio_member(body, "now");
    const char *text = jsonio_text(when);
    if (jsonio_is_object(body) && jsonio_count(body) == 1 && text)
        good = limit_parse(text, &order->limit, err);
    else if (jsonio_is_object(body) && jsonio_count(body) == 1 && when && jsonio_is_null(when))
        good = true;
    else if (jsonio_is_object(body) && jsonio_count(body) == 1 && asked && jsonio_bool(asked, &now) && now)
        good = order->is_for_now = true;
    else
        error_set(
            err,
            "The body must be {\"when\": \"control_cycle>500us\"}, {\"when\": null} or {\"now\": true}.");
    jsonio_free(body);
    return good;
}

static void answer_set(struct site *site, const struct request *request, struct response *response)
{
    struct order order = {.kind = ORDER_TRIGGER};
    order_parse_and_answer(site, request, body_parse, &order, response);
}

static void answer_get(struct site *site, const struct request *request, struct response *response)
{
    if (!query_none(request, response))
        return;
    struct snapshot *snapshot = site_snapshot(site, response);
    if (!snapshot)
        return;
    struct json json = response_json(response);
    json_object_open(&json, NULL);
    json_u64(&json, "sequence", snapshot->sequence);
    export_windows(snapshot, &json);
    json_object_close(&json);
    snapshot_unref(snapshot);
}

const struct route routes_trigger[] = {
    {.method = "GET",
     .path = "/api/v1/windows",
     .answer = answer_get,
     .id = "windows",
     .summary = "At which calls a window is kept (trigger; null: at none), what came of that (state: "
                "watching, arming, "
                "armed, failed, with a detail), and the windows: from, to, why, the newest 256 and of those "
                "before the "
                "32 of the longest calls.",
     .media_type = ROUTE_JSON,
     .schema = "windows_answer",
     .errors = {400, 503}},
    {.method = "POST",
     .path = "/api/v1/device/trigger",
     .answer = answer_set,
     .id = "deviceTrigger",
     .summary = "Has a window kept at each call of a function that takes longer: {\"when\": "
                "\"control_cycle>500us\"} "
                "(ns, us, ms or s); {\"when\": null} none any more, {\"now\": true} one of now. A device in "
                "mode tree "
                "sends what happened around it; where every call is sent, such calls are listed. 409 when "
                "the function "
                "is not known, or the device keeps no windows.",
     .media_type = ROUTE_JSON,
     .schema = "order_answer",
     .takes = "takes_trigger",
     .errors = {400, 409, 503, 504}},
    {0},
};
