/* route_limits.c - the handlers for limits on figures of functions. */
#include "base/jsonio.h"
#include "export/export.h"
#include "api/route_orders.h"
#include "api/query.h"
#include "api/routes.h"

static bool is_only(const struct jsonio *body, const struct jsonio *member)
{
    return jsonio_is_object(body) && jsonio_count(body) == 1 && member;
}

static bool limit_parse_body(const struct request *request, struct order *order, struct error *err)
{
    struct jsonio *body = jsonio_parse("The body", request->body, request->body_n, err);
    if (!body)
        return false;
    const struct jsonio *limit = jsonio_member(body, "limit");
    const char *text = is_only(body, limit) ? jsonio_text(limit) : NULL;
    bool good = text ? bound_parse(text, &order->bound, err)
                     : error_set(err, "The body must be {\"limit\": \"control_cycle:p99<500us\"}.");
    jsonio_free(body);
    return good;
}

static bool id_parse_body(const struct request *request, struct order *order, struct error *err)
{
    struct jsonio *body = jsonio_parse("The body", request->body, request->body_n, err);
    if (!body)
        return false;
    uint64_t id = 0;
    const struct jsonio *member = jsonio_member(body, "id");
    bool good = is_only(body, member) && jsonio_u64(member, &id) && id <= UINT32_MAX;
    order->bound_id = (uint32_t)id;
    if (!good)
        error_set(err, "The body must be {\"id\": ID}, with an ID as GET /api/v1/limits has it.");
    jsonio_free(body);
    return good;
}

static void answer_set(struct site *site, const struct request *request, struct response *response)
{
    struct order order = {.kind = ORDER_LIMIT};
    order_parse_and_answer(site, request, limit_parse_body, &order, response);
}

static void answer_end(struct site *site, const struct request *request, struct response *response)
{
    struct order order = {.kind = ORDER_LIMIT_END};
    order_parse_and_answer(site, request, id_parse_body, &order, response);
}

static void answer_get(struct site *site, const struct request *request, struct response *response)
{
    struct snapshot *snapshot = query_none(request, response) ? site_snapshot(site, response) : NULL;
    if (!snapshot)
        return;
    struct json json = response_json(response);
    json_object_open(&json, NULL);
    json_u64(&json, "sequence", snapshot->sequence);
    export_limits(snapshot, &json);
    json_object_close(&json);
    snapshot_unref(snapshot);
}

const struct route routes_limits[] = {
    {.method = "GET",
     .path = "/api/v1/limits",
     .answer = answer_get,
     .id = "limits",
     .summary =
         "What figures of functions are to keep to (limits, as in the snapshot), and when they did not "
         "(breaches: their number in all, and as rows the newest 256 and of those before the 32 worst).",
     .media_type = ROUTE_JSON,
     .schema = "limits_answer",
     .errors = {400, 503}},
    {.method = "POST",
     .path = "/api/v1/limits",
     .answer = answer_set,
     .id = "limitSet",
     .summary =
         "Holds the profile to a limit from here on: {\"limit\": \"control_cycle:p99<500us\"}. Its figure "
         "is " BOUND_FIGURE_NAMES "; <, <=, >, >= and, as "
         "=50us+-5us, a stretch. Answers its id, and all limits as GET does. There are 64 at most: of those "
         "that were set like this the oldest makes room. 409 when it is set already, or 64 were given at the "
         "start.",
     .media_type = ROUTE_JSON,
     .schema = "limit_order_answer",
     .takes = "takes_limit",
     .errors = {400, 409, 503}},
    {.method = "POST",
     .path = "/api/v1/limits/end",
     .answer = answer_end,
     .id = "limitEnd",
     .summary = "Takes a limit away, {\"id\": ID}, and answers the others. 409 when it is gone already.",
     .media_type = ROUTE_JSON,
     .schema = "limit_order_answer",
     .takes = "takes_limit_id",
     .errors = {400, 409, 503}},
    {0},
};
