/* test_api.c - the handlers, asked without a socket. */
#include "answer.h"
#include "own_site.h"

#include "base/jsonio.h"
#include "export/export.h"
#include "http/routes.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

TestSuite(api, .init = open_site, .fini = close_site);

static struct jsonio *post(const char *target, const char *body)
{
    struct request request = {.content_type = "application/json", .body = body};
    return fixture_json(&fixture, "POST", target, &request, &status);
}

Test(api, status_tells_what_there_is)
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

Test(api, snapshot_and_every_export_answer_with_what_the_exporter_writes)
{
    struct test_random random = test_random_start("exports");
    fixture_feed(&fixture, &random, 300);
    struct jsonio *json = get("/api/v1/snapshot");
    cr_expect_str_eq(jsonio_text(jsonio_member(json, "schema")), "miniprofd.snapshot");
    cr_expect_eq(answer_number(jsonio_member(json, "sequence")), 2);
    jsonio_free(json);
    json = get("/api/v1/status");
    const struct jsonio *exports = jsonio_member(json, "exports");
    struct snapshot *snapshot = board_read(fixture.board);
    for (size_t i = 0; i < jsonio_count(exports); i++) {
        const struct jsonio *export = jsonio_at(exports, i);
        char target[64];
        bool available = false;
        jsonio_bool(jsonio_member(export, "available"), &available);
        snprintf(target, sizeof target, "/api/v1/export/%s", jsonio_text(jsonio_member(export, "id")));
        struct response response = fixture_ask(&fixture, "GET", target, NULL);
        cr_expect_eq(response.status, available ? 200 : 409, "%s", target);
        if (available) {
            const char *as = response_header_value(&response, "Content-Disposition");
            cr_expect(as && strstr(as, "attachment; filename=\"miniprofd-2."), "%s", target);
            cr_expect_str_eq(response.media_type, jsonio_text(jsonio_member(export, "media_type")));
            struct sink_buffer written;
            sink_buffer_init(&written);
            exporter_find(jsonio_text(jsonio_member(export, "id")))->write(snapshot, &written.sink);
            cr_expect(fixture_drain(&response) && response.body.n == written.n && written.n > 20 &&
                          memcmp(response.body.bytes, written.bytes, written.n) == 0,
                      "%s", target);
            sink_buffer_fini(&written);
        }
        response_fini(&response);
    }
    snapshot_unref(snapshot);
    jsonio_free(json);
    json = get("/api/v1/export/nothing");
    cr_expect_eq(status, 404);
    jsonio_free(json);
}

Test(api, only_so_many_exports_are_on_their_way_at_a_time)
{
    struct response sent[4], refused;
    for (int i = 0; i < 4; i++) {
        sent[i] = fixture_ask(&fixture, "GET", "/api/v1/export/json", NULL);
        cr_expect_eq(sent[i].status, 200);
    }
    for (int i = 0; i < 3; i++) {
        refused = fixture_ask(&fixture, "GET", "/api/v1/export/json", NULL);
        cr_expect_eq(refused.status, 503);
        cr_expect_not_null(response_header_value(&refused, "Retry-After"));
        response_fini(&refused);
    }
    for (int i = 0; i < 4; i++)
        response_fini(&sent[i]);
    cr_expect_eq(fixture.site.exports, 0);
    struct response again = fixture_ask(&fixture, "GET", "/api/v1/export/json", NULL);
    cr_expect_eq(again.status, 200);
    response_fini(&again);
}

Test(api, one_function_adds_up_with_its_neighbours)
{
    struct test_random random = test_random_start("function");
    fixture_feed(&fixture, &random, 2000);
    struct snapshot *snapshot = board_read(fixture.board);
    uint64_t edge_calls = 0;
    for (uint32_t id = 0; id < snapshot->function_count; id++) {
        const struct snapshot_function *function = &snapshot->functions[id];
        char target[64];
        snprintf(target, sizeof target, "/api/v1/functions/%u", id);
        struct jsonio *json = get(target);
        cr_assert_eq(status, 200, "%s", target);
        cr_expect_eq(answer_number(jsonio_member(json, "id")), id);
        cr_expect_str_eq(jsonio_text(jsonio_member(json, "name")), function->name);
        cr_expect_eq(answer_number(jsonio_member(json, "calls")), function->calls);

        const struct jsonio *counts = answer_member(json, "histogram", "count");
        uint64_t counted = 0;
        for (size_t i = 0; i < jsonio_count(counts); i++)
            counted += answer_number(jsonio_at(counts, i));
        cr_expect_eq(counted, function->known & FUNCTION_TIMES ? function->calls : 0, "%s", function->name);
        cr_expect_eq(jsonio_count(answer_member(json, "histogram", "low")), jsonio_count(counts));
        cr_expect_eq(jsonio_count(answer_member(json, "histogram", "high")), jsonio_count(counts));

        /* All calls are counted by their callers, but those right below the root. */
        const struct jsonio *callers = jsonio_member(json, "callers");
        uint64_t calls = 0, ticks = 0;
        for (size_t i = 0; i < jsonio_count(callers); i++) {
            calls += answer_number(jsonio_member(jsonio_at(callers, i), "calls"));
            ticks += answer_number(jsonio_member(jsonio_at(callers, i), "total_ticks"));
        }
        for (uint32_t i = 1; i < snapshot->node_count; i++) {
            if (snapshot->nodes[i].parent == 0 && snapshot->nodes[i].function == (int32_t)id) {
                calls += snapshot->nodes[i].calls;
                ticks += snapshot->nodes[i].total_ticks;
            }
        }
        cr_expect_eq(calls, function->calls, "%s", function->name);
        cr_expect_eq(ticks, function->total_ticks, "%s", function->name);

        const struct jsonio *callees = jsonio_member(json, "callees");
        for (size_t i = 0; i < jsonio_count(callees); i++) {
            edge_calls += answer_number(jsonio_member(jsonio_at(callees, i), "calls"));
            cr_expect(answer_number(jsonio_member(jsonio_at(callees, i), "total_ticks")) <=
                          function->total_ticks,
                      "the callees' time is inside the function's");
        }
        jsonio_free(json);
    }
    uint64_t below_root = 0, all = 0;
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        all += snapshot->nodes[i].calls;
        below_root += snapshot->nodes[i].parent == 0 ? snapshot->nodes[i].calls : 0;
    }
    cr_expect_eq(edge_calls, all - below_root, "every edge is somebody's callee once");
    snapshot_unref(snapshot);
}

Test(api, a_function_that_is_not_there_is_not_found)
{
    static const struct {
        const char *target;
        unsigned status;
    } wrong[] = {
        {"/api/v1/functions/99999", 404},     {"/api/v1/functions/18446744073709551616", 400},
        {"/api/v1/functions/-1", 400},        {"/api/v1/functions/4294967296", 404},
        {"/api/v1/functions/0x1", 400},       {"/api/v1/functions/", 404},
        {"/api/v1/functions/0/callers", 404}, {"/api/v1/functions/main", 400},
        {"/api/v1/functions/99999?a=1", 400},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct jsonio *json = get(wrong[i].target);
        cr_expect_eq(status, wrong[i].status, "%s answered %u", wrong[i].target, status);
        cr_expect(jsonio_text(jsonio_member(json, "title")) && jsonio_text(jsonio_member(json, "detail")));
        jsonio_free(json);
    }
}

Test(api, the_timeline_answers_in_columns_of_one_length)
{
    struct test_random random = test_random_start("timeline");
    struct jsonio *json = get("/api/v1/timeline");
    cr_expect_eq(status, 200);
    cr_expect(jsonio_is_null(jsonio_member(json, "oldest")), "nothing is known yet");
    cr_expect_eq(jsonio_count(answer_member(json, "rows", "start")), 0);
    jsonio_free(json);

    fixture_feed(&fixture, &random, 500);
    json = get("/api/v1/timeline?max=100");
    static const char *const columns[] = {"start", "duration", "function", "context", "depth", "calls"};
    size_t rows = jsonio_count(answer_member(json, "rows", "start"));
    cr_expect(rows > 0 && rows <= 100, "%zu rows", rows);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        cr_expect_eq(jsonio_count(answer_member(json, "rows", columns[i])), rows, "%s", columns[i]);
    uint64_t oldest = answer_number(jsonio_member(json, "oldest")),
             newest = answer_number(jsonio_member(json, "newest"));
    cr_expect_eq(answer_number(jsonio_member(json, "from")), oldest);
    cr_expect_eq(answer_number(jsonio_member(json, "to")), newest);
    jsonio_free(json);

    json = get("/api/v1/timeline?max=100000");
    uint64_t calls = 0;
    const struct jsonio *merged = answer_member(json, "rows", "calls");
    for (size_t i = 0; i < jsonio_count(merged); i++)
        calls += answer_number(jsonio_at(merged, i));
    cr_expect(calls >= 500, "with room for all, every call is there: %llu", (unsigned long long)calls);
    jsonio_free(json);

    static const char *const wrong[] = {"from=2&to=1", "from=x",  "from=-1",       "max=0", "max=100001",
                                        "from",        "other=1", "from=1&from=2", "from=", "max=1e3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char target[64];
        snprintf(target, sizeof target, "/api/v1/timeline?%s", wrong[i]);
        json = get(target);
        cr_expect_eq(status, 400, "%s", target);
        jsonio_free(json);
    }
}

Test(api, the_timeline_tells_gaps_and_markers)
{
    const struct event events[] = {
        {.kind = EVENT_CALL, .ticks = 100, .call = {.address = 8, .duration = 50}},
        {.kind = EVENT_LOST, .lost = {.records = 3, .line_was_away = true}},
        {.kind = EVENT_CALL, .ticks = 200, .call = {.address = 8, .duration = 50}},
        {.kind = EVENT_CALL, .ticks = 255, .call = {.address = 8, .duration = 5}},
        {.kind = EVENT_LOST},
        {.kind = EVENT_TEXT, .ticks = 300, .text = {.text = "hot \xff", .n = 5}},
        {.kind = EVENT_RESET},
        {.kind = EVENT_CALL, .ticks = 400, .call = {.address = 8, .duration = 50}},
    };
    profile_apply(fixture.profile, events, sizeof events / sizeof *events);
    profile_finish(fixture.profile);
    fixture_publish(&fixture);
    struct jsonio *json = get("/api/v1/timeline");
    const struct jsonio *gaps = jsonio_member(json, "gaps"), *markers = jsonio_member(json, "markers");
    cr_assert_eq(jsonio_count(jsonio_member(gaps, "from")), 2);
    cr_expect_eq(answer_number(jsonio_at(jsonio_member(gaps, "from"), 0)), 150);
    cr_expect_eq(answer_number(jsonio_at(jsonio_member(gaps, "to"), 0)), 250);
    cr_expect_eq(answer_number(jsonio_at(jsonio_member(gaps, "records"), 0)), 3);
    cr_expect(jsonio_is_null(jsonio_at(jsonio_member(gaps, "records"), 1)), "nobody knows how many");
    static const char *const kinds[] = {"reconnect", "reset", "message"};
    static const uint64_t ticks[] = {150, 300, 300};
    cr_assert_eq(jsonio_count(jsonio_member(markers, "kind")), 3);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_str_eq(jsonio_text(jsonio_at(jsonio_member(markers, "kind"), i)), kinds[i]);
        cr_expect_eq(answer_number(jsonio_at(jsonio_member(markers, "ticks"), i)), ticks[i]);
        cr_expect_eq(answer_number(jsonio_at(jsonio_member(markers, "count"), i)), 1);
    }
    cr_expect_str_eq(jsonio_text(jsonio_at(jsonio_member(markers, "text"), 2)), "hot \xef\xbf\xbd");
    cr_expect(jsonio_is_null(jsonio_at(jsonio_member(markers, "text"), 0)));
    jsonio_free(json);
    json = get("/api/v1/timeline?from=261&to=299");
    cr_expect_eq(jsonio_count(answer_member(json, "gaps", "from")), 1);
    cr_expect_eq(jsonio_count(answer_member(json, "markers", "kind")), 0);
    jsonio_free(json);
}

Test(api, a_command_reaches_the_device_and_its_answer_comes_back)
{
    static const struct {
        const char *target;
        uint8_t command;
    } commands[] = {{"start", 1}, {"stop", 2}, {"status", 3}, {"reset", 4}, {"metadata", 5}, {"config", 6}};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char target[64];
        snprintf(target, sizeof target, "/api/v1/device/%s", commands[i].target);
        struct jsonio *json = post(target, i % 2 ? "{}" : NULL);
        cr_expect_eq(status, 200, "%s", target);
        cr_expect_str_eq(jsonio_text(jsonio_member(json, "answer")), "ack");
        cr_expect(jsonio_is_object(jsonio_member(json, "target")));
        cr_expect_eq(fixture.last_command.command, commands[i].command);
        cr_expect_eq(fixture.last_command.payload_n, 0);
        jsonio_free(json);
    }
    static const struct {
        enum order_result result;
        unsigned status;
    } results[] = {{ORDER_REFUSED, 409}, {ORDER_SILENT, 504}, {ORDER_NO_DEVICE, 503}, {ORDER_BUSY, 503}};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        fixture.answer = results[i].result;
        struct jsonio *json = post("/api/v1/device/stop", "{}");
        cr_expect_eq(status, results[i].status);
        cr_expect_not_null(jsonio_text(jsonio_member(json, "detail")));
        jsonio_free(json);
    }
    mailbox_close(fixture.mailbox);
    jsonio_free(post("/api/v1/device/stop", "{}"));
    cr_expect_eq(status, 503, "stopping");
}

Test(api, a_configuration_is_up_to_8_bytes_in_hex)
{
    jsonio_free(post("/api/v1/device/config", "{\"payload\": \"00fF7a\"}"));
    cr_expect_eq(status, 200);
    cr_expect_eq(fixture.last_command.payload_n, 3);
    cr_expect_arr_eq(fixture.last_command.payload, "\x00\xff\x7a", 3);
    unsigned before = fixture.commands;
    static const char *const wrong[] = {"{\"payload\": \"0\"}",
                                        "{\"payload\": \"0g\"}",
                                        "{\"payload\": 1}",
                                        "{\"payload\": null}",
                                        "{\"payload\": \"00\", \"x\":1}",
                                        "{\"Payload\": \"00\"}",
                                        "{\"payload\": \"001122334455667788\"}",
                                        "[]",
                                        "{",
                                        "null",
                                        "{}{}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        jsonio_free(post("/api/v1/device/config", wrong[i]));
        cr_expect_eq(status, 400, "%s", wrong[i]);
    }
    jsonio_free(post("/api/v1/device/start", "{\"payload\": \"00\"}"));
    cr_expect_eq(status, 400, "only a configuration has a payload");
    cr_expect_eq(fixture.commands, before);
}

Test(api, a_recording_is_begun_shown_and_ended)
{
    struct jsonio *json = get("/api/v1/status");
    cr_expect(jsonio_is_null(answer_member(json, "source", "recording")));
    jsonio_free(json);
    pthread_mutex_lock(&fixture.lock);
    fixture.source.recording = (struct snapshot_recording){
        .path = "/tmp/run \"1\".bin", .bytes = 1234, .since_wall_ns = 1795176045123000000};
    pthread_mutex_unlock(&fixture.lock);
    static const char *const targets[] = {"/api/v1/record/start", "/api/v1/record/stop"};
    for (size_t i = 0; i < 2; i++) {
        json = post(targets[i], i ? NULL : "{}");
        cr_expect_eq(status, 200);
        cr_expect_str_eq(jsonio_text(jsonio_member(json, "path")), "/tmp/run \"1\".bin");
        cr_expect_eq(answer_number(jsonio_member(json, "bytes")), 1234);
        cr_expect_str_eq(jsonio_text(jsonio_member(json, "since")), "2026-11-20T12:00:45.123Z");
        cr_expect(jsonio_is_null(jsonio_member(json, "error")));
        jsonio_free(json);
        cr_expect_eq(fixture.last_command.kind, i ? ORDER_RECORD_END : ORDER_RECORD);
        jsonio_free(post(targets[i], "{\"path\": \"/etc/passwd\"}"));
        cr_expect_eq(status, 400, "a name never comes from the browser");
    }
    pthread_mutex_lock(&fixture.lock);
    strcpy(fixture.source.recording.failure, "The disk is full.");
    pthread_mutex_unlock(&fixture.lock);
    fixture_publish(&fixture);
    json = get("/api/v1/snapshot");
    cr_expect_str_eq(jsonio_text(jsonio_member(answer_member(json, "source", "recording"), "error")),
                     "The disk is full.");
    jsonio_free(json);
    static const struct {
        enum order_result result;
        unsigned status;
    } results[] = {{ORDER_REFUSED, 409}, {ORDER_FAILED, 500}};
    for (size_t i = 0; i < 2; i++) {
        fixture.answer = results[i].result;
        fixture.why = (struct error){"Nothing is being recorded."};
        json = post("/api/v1/record/stop", "{}");
        cr_expect_eq(status, results[i].status);
        cr_expect_str_eq(jsonio_text(jsonio_member(json, "detail")), "Nothing is being recorded.");
        jsonio_free(json);
    }
}

Test(api, clearing_forgets_what_was_aggregated)
{
    struct test_random random = test_random_start("clear");
    fixture_feed(&fixture, &random, 100);
    jsonio_free(post("/api/v1/profile/clear", "{}"));
    cr_expect_eq(status, 200);
    struct snapshot *snapshot = board_read(fixture.board);
    cr_expect_eq(snapshot->cleared_at, snapshot->sequence);
    snapshot_unref(snapshot);
}

Test(api, other_paths_and_methods_are_told_what_there_is)
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
        {"POST", "/js/main.js", "GET, HEAD"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct response response = fixture_ask(&fixture, wrong[i].method, wrong[i].target, NULL);
        cr_expect_eq(response.status, 405, "%s %s", wrong[i].method, wrong[i].target);
        cr_expect_str_eq(response_header_value(&response, "Allow"), wrong[i].allow);
        cr_expect_str_eq(response.media_type, "application/problem+json");
        response_fini(&response);
    }
}

Test(api, before_the_first_snapshot_there_is_nothing_to_tell)
{
    struct board *empty = board_new();
    fixture.site.settings.board = empty;
    static const char *const targets[] = {"/api/v1/status", "/api/v1/snapshot", "/api/v1/timeline",
                                          "/api/v1/functions/0", "/metrics"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        jsonio_free(get(targets[i]));
        cr_expect_eq(status, 503, "%s", targets[i]);
    }
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

        /* The route is really there: it is found, under its own name, and answers what it says it may. */
        char path[128];
        const char *open = strchr(route->path, '{');
        snprintf(path, sizeof path, "%.*s%s%s", (int)strcspn(route->path, "{"), route->path, open ? "0" : "",
                 open ? strchr(open, '}') + 1 : "");
        const char *argument;
        cr_expect_eq(route_find(route->method, path, &argument), route, "%s", path);
        cr_expect_eq(argument != NULL, route->argument.name != NULL);
        struct request extra = {.content_type = "application/json"};
        if (route->query[0].name && !strcmp(route->query[0].name, "seconds"))
            strcat(path, "?seconds=1"); /* or it would take its time */
        struct response response = fixture_ask(&fixture, route->method, path, &extra);
        bool told = response.status == 200;
        for (size_t i = 0; i < ROUTE_ERRORS_MOST; i++)
            told |= response.status == route->errors[i];
        cr_expect(told, "%s answered %u", path, response.status);
        response_fini(&response);
    }
    cr_expect_eq(jsonio_count(paths), n);
    jsonio_free(json);
}

Test(api, files_of_the_page_come_with_type_and_tag)
{
    struct response response = fixture_ask(&fixture, "GET", "/", NULL);
    cr_assert_eq(response.status, 200);
    cr_expect_str_eq(response.media_type, "text/html; charset=utf-8");
    cr_expect(memmem(response.body.bytes, response.body.n, "<html", 5));
    cr_expect_str_eq(response_header_value(&response, "Cache-Control"), "no-cache");
    char etag[RESPONSE_HEADER_SIZE];
    strcpy(etag, response_header_value(&response, "ETag"));
    response_fini(&response);

    response = fixture_ask(&fixture, "GET", "/", &(struct request){.if_none_match = etag});
    cr_expect_eq(response.status, 304);
    cr_expect_eq(response.body.n, 0);
    response_fini(&response);
    response = fixture_ask(&fixture, "GET", "/", &(struct request){.if_none_match = "W/\"other\""});
    cr_expect_eq(response.status, 200);
    response_fini(&response);
    response = fixture_ask(&fixture, "GET", "/js/main.js?v=1", NULL);
    cr_expect_eq(response.status, 200);
    cr_expect_str_eq(response.media_type, "text/javascript; charset=utf-8");
    response_fini(&response);
    response = fixture_ask(&fixture, "GET", "/js", NULL);
    cr_expect_eq(response.status, 404, "a directory is no file");
    response_fini(&response);
}

/* name{label="value",...} number, or a comment. */
static bool is_metrics_line(const char *line)
{
    if (strncmp(line, "# HELP miniprofd_", 17) == 0 || strncmp(line, "# TYPE miniprofd_", 17) == 0)
        return true;
    size_t name = strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (name == 0 || strncmp(line, "miniprofd_", 10) != 0)
        return false;
    line += name;
    if (*line == '{') {
        do {
            line++;
            line += strspn(line, "abcdefghijklmnopqrstuvwxyz_");
            if (*line++ != '=' || *line++ != '"')
                return false;
            for (; *line && *line != '"'; line++)
                if (*line == '\\' && !strchr("\\\"n", *++line))
                    return false;
            if (*line++ != '"')
                return false;
        } while (*line == ',');
        if (*line++ != '}')
            return false;
    }
    char *end;
    if (*line++ != ' ')
        return false;
    strtod(line, &end);
    return end > line && *end == '\0';
}

Test(api, metrics_are_in_the_text_format)
{
    struct test_random random = test_random_start("metrics");
    strcpy(fixture.source.port, "unix:/odd\"name\\with\nall");
    fixture.target.has_status = true;
    fixture.target.ticks_per_second = 1000000;
    fixture_feed(&fixture, &random, 300);
    struct response response = fixture_ask(&fixture, "GET", "/metrics", NULL);
    cr_expect_eq(response.status, 200);
    unsigned series = 0;
    for (char *line = response.body.bytes, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        cr_assert(end, "the last line ends, too");
        *end = '\0';
        cr_expect(is_metrics_line(line), "%s", line);
        series += line[0] != '#';
    }
    cr_expect(series > 30);
    response_fini(&response);
}
