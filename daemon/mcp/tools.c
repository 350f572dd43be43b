/* tools.c - what an assistant may ask for: the daemon's routes, and a profile held against an older one. */
#include "mcp/tools.h"

#include "check/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An assistant has to read it. */
enum { TEXT_MOST = 256 << 10, SNAPSHOT_MOST = 256 << 20 };

static char *get_path(const struct client *client, const char *path, struct error *err)
{
    return client_ask(client, "GET", path, NULL, TEXT_MOST, err);
}

static char *call_snapshot(const struct client *client, const struct jsonio *arguments, struct error *err)
{
    (void)arguments;
    return get_path(client, "/api/v1/export/markdown", err);
}

/* ---- one function ---- */

static const struct jsonio *function_named(const struct jsonio *snapshot, const char *name)
{
    const struct jsonio *list = jsonio_member(snapshot, "functions");
    for (const struct jsonio *row = jsonio_first(list); row; row = jsonio_next(row)) {
        const char *found = jsonio_text(jsonio_member(row, "name"));
        if (found && !strcmp(found, name))
            return row;
    }
    return NULL;
}

static char *call_function(const struct client *client, const struct jsonio *arguments, struct error *err)
{
    const char *name = jsonio_text(jsonio_member(arguments, "name"));
    char path[64], *text = client_ask(client, "GET", "/api/v1/snapshot", NULL, SNAPSHOT_MOST, err);
    struct jsonio *snapshot = text ? jsonio_parse("The snapshot", text, strlen(text), err) : NULL;
    uint64_t id;
    bool found = snapshot && jsonio_u64(jsonio_member(function_named(snapshot, name), "id"), &id);
    if (snapshot && !found)
        error_set(err, "No function is called %.200s; snapshot lists the busiest.", name);
    jsonio_free(snapshot);
    free(text);
    if (!found)
        return NULL;
    snprintf(path, sizeof path, "/api/v1/functions/%llu", (unsigned long long)id);
    return get_path(client, path, err);
}

/* ---- against an older profile ---- */

static char *write_comparison(const struct gate *gate, const struct measured *before,
                              const struct measured *after, struct error *err)
{
    struct gate_result result;
    struct sink_buffer out;
    const struct gate_sides sides = {.before = before, .after = after};
    if (!gate_hold(gate, &sides, &result, err))
        return NULL;
    sink_buffer_init(&out);
    report_text.write(gate, &result, &out.sink);
    gate_result_fini(&result);
    if (!out.sink.failed)
        return out.bytes;
    sink_buffer_fini(&out);
    error_set(err, "Memory is used up.");
    return NULL;
}

static char *call_compare(const struct client *client, const struct jsonio *arguments, struct error *err)
{
    const char *path = jsonio_text(jsonio_member(arguments, "baseline"));
    const char *metric = jsonio_text(jsonio_member(arguments, "metric"));
    enum measured_figure figure = MEASURED_TIME;
    struct measured before, after;
    char *answer = NULL;
    if (metric && !measured_named(metric, &figure)) {
        error_set(err, "There is no metric %.40s; miniprofd check --help lists them.", metric);
        return NULL;
    }
    if (measured_read(&before, path, err) != MEASURED_OK)
        return NULL;
    const struct gate gate = gate_usual(figure);
    char *text = client_ask(client, "GET", "/api/v1/snapshot", NULL, SNAPSHOT_MOST, err);
    if (text && measured_parse(&after, "The snapshot", text, strlen(text), err)) {
        answer = write_comparison(&gate, &before, &after, err);
        measured_fini(&after);
    }
    free(text);
    measured_fini(&before);
    return answer;
}

/* ---- is all well ---- */

static char *call_check(const struct client *client, const struct jsonio *arguments, struct error *err)
{
    (void)arguments;
    struct sink_buffer both;
    char *findings = get_path(client, "/api/v1/doctor", err);
    char *limits = findings ? get_path(client, "/api/v1/limits", err) : NULL;
    sink_buffer_init(&both);
    if (limits)
        sink_printf(&both.sink, "%s\n%s\n", findings, limits);
    free(findings);
    free(limits);
    if (limits && !both.sink.failed)
        return both.bytes;
    sink_buffer_fini(&both);
    if (limits)
        error_set(err, "Memory is used up.");
    return NULL;
}

/* ---- the device's settings ---- */

static char *call_settings(const struct client *client, const struct jsonio *arguments, struct error *err)
{
    (void)arguments;
    return get_path(client, "/api/v1/status", err);
}

static char *call_set(const struct client *client, const struct jsonio *arguments, struct error *err)
{
    uint64_t value;
    struct sink_buffer body;
    if (!jsonio_u64(jsonio_member(arguments, "value"), &value)) {
        error_set(err, "value takes a whole number that is not negative.");
        return NULL;
    }
    sink_buffer_init(&body);
    struct json json = {.sink = &body.sink};
    json_object_open(&json, NULL);
    json_text(&json, "name", jsonio_text(jsonio_member(arguments, "name")));
    json_u64(&json, "value", value);
    json_object_close(&json);
    char *answer = body.sink.failed
                       ? NULL
                       : client_ask(client, "POST", "/api/v1/device/config", body.bytes, TEXT_MOST, err);
    sink_buffer_fini(&body);
    return answer;
}

/* ---- the list ---- */

const struct tool tools[] = {
    {.name = "snapshot",
     .title = "Where the time goes",
     .description = "A summary in Markdown of what runs on the device now: the busiest functions with their "
                    "times, callers and callees, broken limits, and whether the link can be trusted.",
     .call = call_snapshot},
    {.name = "function",
     .title = "One function",
     .description = "All figures of one function as JSON: calls, times in ticks, percentiles, period, stack, "
                    "histogram, longest calls, callers and callees.",
     .arguments = {{"name", "string", "The function's name, as snapshot has it.", true}},
     .call = call_function},
    {.name = "compare",
     .title = "Did it become slower?",
     .description = "Which functions became slower than in a profile of before: by 5 % and 0.5 us at least.",
     .arguments = {{"baseline", "string", "Path of a profile in JSON, from --export json or the page.", true},
                   {"metric", "string",
                    "time (default), total-mean, self-mean, p50, p90, p99, max, calls or stack.", false}},
     .call = call_compare},
    {.name = "check",
     .title = "Is all well?",
     .description =
         "Whether what a profile needs is there (ELF, symbols, link, device), each with what to do, "
         "and how the limits were kept that somebody set.",
     .call = call_check},
    {.name = "settings",
     .title = "The device's settings",
     .description = "The device, its settings with their ranges (target.description.settings), and the link.",
     .call = call_settings},
    {.name = "set",
     .title = "Set something on the device",
     .description = "Sets one of the device's settings; the answer has the device as it is then.",
     .changes = true,
     .arguments = {{"name", "string", "A name that settings lists.", true},
                   {"value", "integer", "Within the range that settings tells.", true}},
     .call = call_set},
    {0},
};

static void write_schema(const struct tool *tool, struct json *json)
{
    json_object_open(json, "inputSchema");
    json_text(json, "type", "object");
    json_object_open(json, "properties");
    for (const struct tool_argument *argument = tool->arguments; argument->name; argument++) {
        json_object_open(json, argument->name);
        json_text(json, "type", argument->type);
        json_text(json, "description", argument->description);
        json_object_close(json);
    }
    json_object_close(json);
    json_array_open(json, "required");
    for (const struct tool_argument *argument = tool->arguments; argument->name; argument++)
        if (argument->must)
            json_text(json, NULL, argument->name);
    json_array_close(json);
    json_object_close(json);
}

void tools_write(struct json *json)
{
    json_array_open(json, "tools");
    for (const struct tool *tool = tools; tool->name; tool++) {
        json_object_open(json, NULL);
        json_text(json, "name", tool->name);
        json_text(json, "title", tool->title);
        json_text(json, "description", tool->description);
        write_schema(tool, json);
        json_object_open(json, "annotations");
        json_bool(json, "readOnlyHint", !tool->changes);
        json_object_close(json);
        json_object_close(json);
    }
    json_array_close(json);
}

static bool argument_fits(const struct tool_argument *argument, const struct jsonio *value, struct error *err)
{
    double number;
    bool is_text = !strcmp(argument->type, "string");
    if (!value && !argument->must)
        return true;
    if (is_text ? jsonio_text(value) != NULL : jsonio_double(value, &number))
        return true;
    return error_set(err, "%s takes %s: %s", argument->name, is_text ? "a text" : "a number",
                     argument->description);
}

char *tools_call(const struct client *client, const char *name, const struct jsonio *arguments,
                 struct error *err)
{
    for (const struct tool *tool = tools; tool->name; tool++) {
        if (strcmp(tool->name, name) != 0)
            continue;
        for (const struct tool_argument *argument = tool->arguments; argument->name; argument++)
            if (!argument_fits(argument, jsonio_member(arguments, argument->name), err))
                return NULL;
        return tool->call(client, arguments, err);
    }
    error_set(err, "There is no tool %.100s.", name);
    return NULL;
}
