/* route_config.c - the handlers that change settings and the mode of the device. */
#include "base/digits.h"
#include "base/jsonio.h"
#include "api/route_orders.h"
#include "api/query.h"
#include "api/routes.h"

#include <string.h>

static bool payload_parse(const char *hex, struct order *order)
{
    size_t n = strlen(hex);
    if (n % 2 || n / 2 > sizeof order->payload)
        return false;
    for (size_t i = 0; i < n; i += 2) {
        int high = digits_hex_value(hex[i]), low = digits_hex_value(hex[i + 1]);
        if (high < 0 || low < 0)
            return false;
        order->payload[i / 2] = (uint8_t)(high << 4 | low);
    }
    order->payload_n = (uint8_t)(n / 2);
    return true;
}

/* The request of a body: a setting by name, or bytes, which are in the order already. */
struct wish {
    char name[sizeof((struct snapshot_setting *)0)->name]; /* "": bytes */
    uint64_t value;
};

static bool wish_by_name(const struct jsonio *body, struct wish *wish, struct error *err)
{
    const char *name = jsonio_text(jsonio_member(body, "name"));
    if (!name || !*name || strlen(name) >= sizeof wish->name)
        return error_set(err, "The member \"name\" must be the name of a setting.");
    if (!jsonio_u64(jsonio_member(body, "value"), &wish->value))
        return error_set(err, "The member \"value\" must be a whole number.");
    strcpy(wish->name, name);
    return true;
}

/* Reads {}, {"payload": "0a1b"} or {"name": "depth", "value": 8}. A missing body counts as {}. */
static bool body_parse(const struct request *request, struct order *order, struct wish *wish,
                       struct error *err)
{
    if (request->body_n == 0)
        return true;
    struct jsonio *body = jsonio_parse("The body", request->body, request->body_n, err);
    if (!body)
        return false;
    const struct jsonio *payload = jsonio_member(body, "payload");
    const char *hex = jsonio_text(payload);
    size_t members = jsonio_count(body);
    bool good = true;
    if (jsonio_is_object(body) && members == 2 && jsonio_member(body, "name") && jsonio_member(body, "value"))
        good = wish_by_name(body, wish, err);
    else if (!jsonio_is_object(body) || members != (payload ? 1 : 0))
        good = error_set(err, "The body must be {\"name\": \"depth\", \"value\": 8}, {\"payload\": \"up to 8 "
                              "bytes in hex digits\"} or {}.");
    else if (payload && (!hex || !payload_parse(hex, order)))
        good =
            error_set(err, "The member \"payload\" must be up to 8 bytes in hex digits, such as \"0a1b\".");
    jsonio_free(body);
    return good;
}

/* Fills in the order for the device's setting with that name. */
static bool look_up(const struct snapshot_description *description, const struct wish *wish,
                    struct order *order, struct error *err)
{
    const struct snapshot_setting *setting =
        snapshot_setting_choose(description, wish->name, wish->value, err);
    if (!setting)
        return false;
    *order = order_to_set(setting, (uint32_t)wish->value);
    return true;
}

static void answer_config(struct site *site, const struct request *request, struct response *response)
{
    struct order order = {.kind = ORDER_COMMAND, .command = COMMAND_CONFIG};
    struct wish wish = {""};
    struct error err;
    if (!query_none(request, response))
        return;
    if (!body_parse(request, &order, &wish, &err)) {
        response_problem(response, 400, "%s", err.text);
        return;
    }
    if (*wish.name) {
        struct snapshot *snapshot = site_snapshot(site, response);
        if (!snapshot)
            return;
        bool known = snapshot->target.description.is_known;
        bool good = look_up(&snapshot->target.description, &wish, &order, &err);
        snapshot_unref(snapshot);
        if (!good) {
            response_problem(response, known ? 400 : 409, "%s", err.text);
            return;
        }
    }
    order_answer(site, &order, response);
}

static bool mode_parse(const struct request *request, struct order *order, struct error *err)
{
    struct jsonio *body = jsonio_parse("The body", request->body, request->body_n, err);
    if (!body)
        return false;
    const char *name = jsonio_text(jsonio_member(body, "mode"));
    bool good = jsonio_count(body) == 1 && name && snapshot_mode_find(name, &order->mode);
    if (!good)
        error_set(err, "The body must be {\"mode\": \"auto\"}, or \"stream\", \"tree\" or \"calls\".");
    jsonio_free(body);
    return good;
}

static void answer_mode(struct site *site, const struct request *request, struct response *response)
{
    struct order order = {.kind = ORDER_MODE};
    order_parse_and_answer(site, request, mode_parse, &order, response);
}

const struct route routes_config[] = {
    {.method = "POST",
     .path = "/api/v1/device/config",
     .answer = answer_config,
     .id = "deviceConfig",
     .summary =
         "Sets something on the device: {\"name\": \"depth\", \"value\": 8}, one of target.description's "
         "settings, which are reported again in the answer, and is set back when the session ends; 409 where "
         "the "
         "device does not describe itself, or "
         "refuses. "
         "\"baud\" changes both ends of the line, and is answered when the device has answered at that rate, "
         "or "
         "with 409 when the line is back at the rate before; the problem's detail says why. "
         "{\"payload\": \"up to 8 bytes in hex digits\"} sends SET_CONFIG with those.",
     .media_type = ROUTE_JSON,
     .schema = "order_answer",
     .takes = "takes_config",
     .errors = {400, 409, 503, 504}},
    {.method = "POST",
     .path = "/api/v1/device/mode",
     .answer = answer_mode,
     .id = "deviceMode",
     .summary =
         "Has the device report its calls in another way, where it has a choice: {\"mode\": \"auto\"}, "
         "\"stream\", \"tree\" or \"calls\". It is restarted for that, and the profile begins again. "
         "target.mode says what came of it.",
     .media_type = ROUTE_JSON,
     .schema = "order_answer",
     .takes = "takes_mode",
     .errors = {400, 409, 503, 504}},
    {0},
};
