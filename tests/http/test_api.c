/* test_api.c - common behaviour of all routes: status, methods, paths, the OpenAPI document. Handlers are called
 * without a socket. */
#include "answer.h"
#include "own_site.h"

#include "api/routes.h"
#include "snapshot/figures.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

TestSuite(api, .init = open_site, .fini = close_site);

Test(api, status_has_source_target_dialects_and_exports)
{
    struct jsonio *json = get("/api/v1/status");
    cr_expect_eq(status, 200);
    cr_expect_str_eq(jsonio_text(jsonio_member(json, "version")), "0.1.0");
    cr_expect_eq(answer_number(jsonio_member(json, "sequence")), 1);
    cr_expect_str_eq(jsonio_text(answer_member(json, "source", "state")), "connected");
    cr_expect_eq(answer_number(answer_member(json, "link", "bytes")), 1);
    cr_expect(jsonio_is_object(jsonio_member(json, "target")));
    const struct jsonio *dialect = jsonio_at(jsonio_member(json, "dialects"), 0);
    cr_expect_str_eq(jsonio_text(jsonio_member(dialect, "id")), "miniprof");
    const struct jsonio *exports = jsonio_member(json, "exports");
    cr_expect(jsonio_count(exports) > 0);
    for (size_t i = 0; i < jsonio_count(exports); i++) {
        bool available;
        const struct jsonio *export = jsonio_at(exports, i);
        cr_expect(jsonio_text(jsonio_member(export, "id")) && jsonio_text(jsonio_member(export, "title")) &&
                  jsonio_text(jsonio_member(export, "extension")) &&
                  jsonio_text(jsonio_member(export, "media_type")));
        cr_assert(jsonio_bool(jsonio_member(export, "available"), &available));
        cr_expect_eq(jsonio_is_null(jsonio_member(export, "reason")), available,
                     "there is a reason when it is not available");
    }
    jsonio_free(json);
}

Test(api, wrong_paths_get_404_and_wrong_methods_405)
{
    struct jsonio *json = get("/api/v1/nothing");
    cr_expect_eq(status, 404);
    jsonio_free(json);
    static const struct {
        const char *method, *target, *allow;
    } wrong[] = {
        {"DELETE", "/api/v1/snapshot", "GET, HEAD"},
        {"POST", "/api/v1/snapshot", "GET, HEAD"},
        {"GET", "/api/v1/device/start", "POST"},
        {"HEAD", "/api/v1/device/start", "POST"},
        {"PUT", "/", "GET, HEAD"},
        {"OPTIONS", "/api/v1/functions/3", "GET, HEAD"},
        {"POST", "/js/page.js", "GET, HEAD"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct response response = fixture_ask(&fixture, wrong[i].method, wrong[i].target, NULL);
        cr_expect_eq(response.status, 405, "%s %s", wrong[i].method, wrong[i].target);
        cr_expect_str_eq(response_header_value(&response, "Allow"), wrong[i].allow);
        cr_expect_str_eq(response.media_type, "application/problem+json");
        response_fini(&response);
    }
}

Test(api, before_the_first_snapshot_routes_answer_503)
{
    struct board *empty = board_new();
    fixture.site.settings.board = empty;
    static const struct {
        const char *method, *target, *body;
    } asked[] = {
        {"GET", "/api/v1/status", NULL},
        {"GET", "/api/v1/snapshot", NULL},
        {"GET", "/api/v1/timeline", NULL},
        {"GET", "/api/v1/functions/0", NULL},
        {"GET", "/api/v1/functions/0/source", NULL},
        {"GET", "/api/v1/windows", NULL},
        {"GET", "/api/v1/link/history", NULL},
        {"GET", "/api/v1/export/csv", NULL},
        {"GET", "/debug/pprof/profile", NULL},
        {"GET", "/metrics", NULL},
        {"POST", "/api/v1/pauses", "{}"},
        {"POST", "/api/v1/device/start", "{}"},
        {"POST", "/api/v1/device/config", "{\"name\": \"depth\", \"value\": 8}"},
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct request request = {.content_type = "application/json", .body = asked[i].body};
        struct response response = fixture_ask(&fixture, asked[i].method, asked[i].target, &request);
        cr_expect_eq(response.status, 503, "%s", asked[i].target);
        cr_expect_str_eq(response_header_value(&response, "Retry-After"), "1", "%s", asked[i].target);
        response_fini(&response);
    }
    cr_expect_eq(fixture.site.profiles + fixture.site.exports + fixture.site.annotations, 0,
                 "no place stays taken");
    struct response response = fixture_ask(&fixture, "GET", "/healthz", NULL);
    cr_expect_eq(response.status, 200);
    response_fini(&response);
    board_free(empty);
}

Test(api, the_openapi_document_names_every_route_and_no_other)
{
    struct jsonio *json = get("/api/v1/openapi.json");
    cr_expect_str_eq(jsonio_text(jsonio_member(json, "openapi")), "3.1.0");
    const struct jsonio *paths = jsonio_member(json, "paths");
    size_t n = 0;
    const struct route *route;
    for (; (route = route_at(n)); n++) {
        char method[8];
        for (size_t i = 0; i <= strlen(route->method); i++)
            method[i] = (char)tolower((unsigned char)route->method[i]);
        const struct jsonio *operation = answer_member(paths, route->path, method);
        cr_assert(operation, "%s %s", route->method, route->path);
        cr_expect_str_eq(jsonio_text(jsonio_member(operation, "operationId")), route->id);
        const struct jsonio *ok = answer_member(operation, "responses", "200");
        cr_expect(jsonio_is_object(answer_member(ok, "content", route->media_type)));

        /* The route exists: it is found under its name, and answers with a documented status. */
        char path[128];
        const char *open = strchr(route->path, '{');
        snprintf(path, sizeof path, "%.*s%s%s", (int)strcspn(route->path, "{"), route->path, open ? "0" : "",
                 open ? strchr(open, '}') + 1 : "");
        const char *argument;
        cr_expect_eq(route_find(route->method, path, &argument), route, "%s", path);
        cr_expect_eq(argument != NULL, route->argument.name != NULL);
        struct request extra = {.content_type = "application/json"};
        if (route->query[0].name && strcmp(route->query[0].name, "seconds") == 0)
            strcat(path, "?seconds=1"); /* or it would take its time */
        struct response response = fixture_ask(&fixture, route->method, path, &extra);
        bool told = response.status == 200;
        for (size_t i = 0; i < ROUTE_ERRORS_MOST; i++)
            told |= response.status == route->errors[i];
        cr_expect(told, "%s answered %u", path, response.status);
        response_fini(&response);
    }
    size_t operations = 0;
    for (const struct jsonio *path = jsonio_first(paths); path; path = jsonio_next(path))
        operations += jsonio_count(path);
    cr_expect_eq(operations, n);
    jsonio_free(json);
}

Test(api, the_openapi_document_describes_each_figure)
{
    struct jsonio *json = get("/api/v1/openapi.json");
    const struct jsonio *schemas = jsonio_member(jsonio_member(json, "components"), "schemas");
    const struct jsonio *link = jsonio_member(jsonio_member(schemas, "link"), "properties");
    const struct jsonio *function = jsonio_member(jsonio_member(schemas, "function"), "properties");
    cr_assert(link && function);
    size_t n = 0;
    for (const struct figure *figure = figures_link; figure->key; figure++, n++)
        cr_expect_str_eq(jsonio_text(jsonio_member(jsonio_member(link, figure->key), "title")),
                         figure->title);
    cr_expect_eq(jsonio_count(link), n);
    const struct jsonio *p90 = jsonio_member(function, "p90_ticks");
    cr_expect_str_eq(jsonio_text(jsonio_at(jsonio_member(p90, "type"), 0)), "integer");
    cr_expect_str_eq(jsonio_text(jsonio_at(jsonio_member(p90, "type"), 1)), "null");
    cr_expect_str_eq(jsonio_text(jsonio_member(p90, "x-unit")), "ticks");
    jsonio_free(json);
}

Test(api, the_openapi_document_describes_other_members)
{
    static const struct {
        const char *schema, *member;
    } told[] = {{"snapshot", "target"},
                {"target", "mode"},
                {"target", "description"},
                {"description", "versions"},
                {"description", "tick_hz"},
                {"description", "ring_calls"},
                {"description", "stack_depth"},
                {"description", "tasks"},
                {"description", "packet_bytes"},
                {"description", "hook_ticks"},
                {"description", "settings"},
                {"setting", "name"},
                {"setting", "unit"},
                {"setting", "least"},
                {"setting", "most"},
                {"setting", "value"},
                {"snapshot", "contexts"},
                {"context", "kind"},
                {"context", "running_ticks"},
                {"context", "preempted_ticks"},
                {"context", "blocked_ticks"},
                {"context", "load_percent"}};
    struct jsonio *json = get("/api/v1/openapi.json");
    const struct jsonio *schemas = jsonio_member(jsonio_member(json, "components"), "schemas");
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        cr_expect(jsonio_is_object(
                      answer_member(jsonio_member(schemas, told[i].schema), "properties", told[i].member)),
                  "%s.%s", told[i].schema, told[i].member);
    jsonio_free(json);
}

/* Ignoring a misspelt parameter would give the wrong answer. */
Test(api, an_unknown_parameter_is_refused_without_effect)
{
    static const struct {
        const char *method, *target;
    } asked[] = {
        {"GET", "/api/v1/status?x"},
        {"GET", "/api/v1/openapi.json?x=1"},
        {"GET", "/api/v1/events?x"},
        {"GET", "/api/v1/timeline?x"},
        {"GET", "/api/v1/timeline?max=0"},
        {"GET", "/api/v1/timeline?max=99999999"},
        {"GET", "/api/v1/windows?x"},
        {"GET", "/api/v1/limits?x"},
        {"POST", "/api/v1/limits?x"},
        {"POST", "/api/v1/limits/end?x"},
        {"GET", "/debug/pprof/profile?x"},
        {"GET", "/debug/pprof/profile?seconds=0"},
        {"GET", "/debug/pprof/profile?seconds=100000"},
        {"POST", "/api/v1/device/config?x"},
        {"POST", "/api/v1/device/mode?x"},
        {"POST", "/api/v1/device/trigger?x"},
        {"POST", "/api/v1/device/start?x"},
        {"POST", "/api/v1/profile/clear?x"},
        {"POST", "/api/v1/record/start?x"},
        {"POST", "/api/v1/pauses?x"},
        {"POST", "/api/v1/pauses/end?x"},
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct request request = {.content_type = "application/json", .body = "{}"};
        bool posts = strcmp(asked[i].method, "POST") == 0;
        fixture.last_command.kind = ORDER_RECORD_END;
        struct jsonio *json =
            fixture_json(&fixture, asked[i].method, asked[i].target, posts ? &request : NULL, &status);
        cr_expect_eq(status, 400, "%s %s: %u", asked[i].method, asked[i].target, status);
        cr_expect_not_null(jsonio_text(jsonio_member(json, "detail")), "%s", asked[i].target);
        cr_expect_eq(fixture.last_command.kind, ORDER_RECORD_END, "%s", asked[i].target);
        jsonio_free(json);
    }
}
