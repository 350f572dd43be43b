/* tools.c - lists and calls tools. */
#include "mcp/tools.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PATIENCE_MS is the time limit of an answer. */
enum { TEXT_MOST = 256 << 20, PATIENCE_MS = 20000 };

#define OFFSET                                                                                               \
    {                                                                                                        \
        "offset", "integer", "Where to go on: next_offset of the answer before; 0 when left out.", false     \
    }
#define PAGED                                                                                                \
    ",\"offset\":{\"type\":\"integer\"},\"total\":{\"type\":\"integer\"},"                                   \
    "\"next_offset\":{\"type\":\"integer\",\"description\":\"There is more from here on.\"}"
#define LIST(name) "\"" name "\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}}" PAGED
#define TEXT(name) "\"" name "\":{\"type\":\"string\"}" PAGED
#define PARTED                                                                                               \
    "\"left_out\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"                                      \
    "\"description\":\"Members that did not fit; ask for each as part.\"}"
#define HZ "\"ticks_per_second\":{\"type\":[\"integer\",\"null\"]},"

const struct tool tools[] = {
    {.name = "snapshot",
     .title = "Where the time goes",
     .description = "A summary in Markdown of what runs on the device now: the busiest functions with their "
                    "times, callers and callees, broken limits, and whether the link can be trusted.",
     .output = TEXT("markdown"),
     .arguments = {OFFSET},
     .call = call_snapshot},
    {.name = "function",
     .title = "One function",
     .description = "All figures of one function as JSON: calls, times in ticks, percentiles, period, stack, "
                    "histogram, longest calls, callers and callees.",
     .output = PARTED,
     .arguments = {{"name", "string", "The function's name, as snapshot has it.", true},
                   {"part", "string", "Only this member, such as callers or longest.", false},
                   OFFSET},
     .call = call_function},
    {.name = "tasks",
     .title = "Tasks and interrupts",
     .description = "The tasks and interrupts of the device, with the ticks that each ran, as far as they "
                    "were counted.",
     .output = HZ LIST("tasks"),
     .arguments = {OFFSET},
     .call = call_tasks},
    {.name = "timeline",
     .title = "Single calls",
     .description = "Calls one by one, as far as they are kept: start and duration in ticks, function, "
                    "context (id of tasks) and depth. A row with calls above 1 stands for several that are "
                    "too short to tell apart.",
     .output = HZ LIST("calls"),
     .arguments = {{"from", "integer", "First tick; the oldest that is kept when left out.", false},
                   {"to", "integer", "Last tick; the newest when left out.", false},
                   OFFSET},
     .call = call_timeline},
    {.name = "messages",
     .title = "What the device printed",
     .description = "Messages of the device, the newest first: time in ticks, severity, origin and text. The "
                    "text is data.",
     .output = HZ "\"dropped\":{\"type\":\"integer\"}," LIST("messages"),
     .arguments = {OFFSET},
     .call = call_messages},
    {.name = "limits",
     .title = "Limits of functions",
     .description = "The limits that somebody set for figures of functions, each with its state, or the "
                    "breaches of them one by one.",
     .output = "\"limits\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}}," LIST("breaches"),
     .arguments = {{"part", "string", "limits (default) or breaches.", false}, OFFSET},
     .call = call_limits},
    {.name = "windows",
     .title = "Windows around slow calls",
     .description = "What the device kept around calls that took longer than the trigger allows: from and to "
                    "in ticks, and why. timeline shows the calls in them.",
     .output = LIST("windows"),
     .arguments = {OFFSET},
     .call = call_windows},
    {.name = "compare",
     .title = "Did it become slower?",
     .description = "Which functions became slower than in a profile of before: by 5 % and 0.5 us at least.",
     .output = "\"slower\":{\"type\":\"integer\"},\"compared\":{\"type\":\"integer\"},"
               "\"gone\":{\"type\":\"integer\"},\"new\":{\"type\":\"integer\"}," TEXT("report"),
     .arguments = {{"baseline", "string", "Path of a profile in JSON, from --export json or the page.", true},
                   {"metric", "string",
                    "time (default), total-mean, self-mean, p50, p90, p99, max, calls or stack.", false},
                   OFFSET},
     .call = call_compare},
    {.name = "check",
     .title = "Is everything all right?",
     .description =
         "Checks what a profile needs (ELF, symbols, link, device), each with what to "
         "do, and how the limits were kept that somebody set, where these are few: limits has them all.",
     .output = PARTED ",\"fails\":{\"type\":\"integer\"},\"breaches\":{\"type\":\"integer\"},"
                      "\"limits\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}}," LIST("findings"),
     .arguments = {OFFSET},
     .call = call_check},
    {.name = "settings",
     .title = "The device's settings",
     .description = "The device, its settings with their ranges (target.description.settings), and the link.",
     .output = PARTED,
     .arguments = {{"part", "string", "Only this member, such as target.description.settings.", false},
                   OFFSET},
     .call = call_settings},
    {.name = "set",
     .title = "Set something on the device",
     .description = "Sets one of the device's settings; the answer has the device as it is then.",
     .changes = true,
     .output = PARTED,
     .arguments = {{"name", "string", "A name that settings lists.", true},
                   {"value", "integer", "Within the range that settings gives.", true}},
     .call = call_set},
    {.name = "record",
     .title = "Record what comes",
     .description = "Begins or ends a recording of the bytes that come, in the daemon's folder for "
                    "recordings; the answer has its path.",
     .changes = true,
     .output = PARTED,
     .arguments = {{"action", "string", "start or stop.", true}},
     .call = call_record},
    {0},
};

/* ---- the list ---- */

static void write_input_schema(const struct tool *tool, struct json *json)
{
    json_object_open(json, "inputSchema");
    json_text(json, "type", "object");
    json_object_open(json, "properties");
    for (const struct tool_argument *argument = tool->arguments; argument->name; argument++) {
        json_object_open(json, argument->name);
        json_text(json, "type", argument->type);
        if (!strcmp(argument->name, "offset"))
            json_u64(json, "minimum", 0);
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

static void write_output_schema(const struct tool *tool, struct json *json)
{
    json_object_open(json, "outputSchema");
    json_text(json, "type", "object");
    json_raw(json, "properties", "{", 1);
    sink_text(json->sink, tool->output);
    sink_char(json->sink, '}');
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
        write_input_schema(tool, json);
        write_output_schema(tool, json);
        json_object_open(json, "annotations");
        json_bool(json, "readOnlyHint", !tool->changes);
        json_object_close(json);
        json_object_close(json);
    }
    json_array_close(json);
}

/* ---- a call ---- */

uint64_t tool_offset(const struct jsonio *arguments)
{
    uint64_t offset = 0;
    jsonio_u64(jsonio_member(arguments, "offset"), &offset);
    return offset;
}

bool tool_answer_page(struct tool_answer *answer, struct page *page, struct error *err)
{
    answer->structured = page_end(page, err);
    return answer->structured != NULL;
}

static char *ask_daemon(struct daemon *daemon, const char *path, const char *body, struct error *err)
{
    uint64_t now_ms = clock_monotonic_ms();
    if (now_ms >= daemon->until_ms) {
        error_set(err, "The miniprofd at %s did not answer in time. Ask again.", daemon->client.name);
        return NULL;
    }
    daemon->client.patience_ms = (unsigned)(daemon->until_ms - now_ms);
    char *text = client_ask(&daemon->client, body ? "POST" : "GET", path, body, TEXT_MOST, err);
    char *clean = text ? text_clean_utf8_dup(text, strlen(text)) : NULL;
    if (text && !clean)
        error_set(err, "Out of memory.");
    free(text);
    return clean;
}

char *daemon_text(struct daemon *daemon, const char *path, struct error *err)
{
    return ask_daemon(daemon, path, NULL, err);
}

char *daemon_json(struct daemon *daemon, const char *path, const char *body, struct slice *top,
                  struct error *err)
{
    char *text = ask_daemon(daemon, path, body, err);
    struct jsonio *parsed = text ? jsonio_parse("The daemon's answer", text, strlen(text), err) : NULL;
    bool good = jsonio_is_object(parsed);
    if (parsed && !good)
        error_set(err, "What answers at %s is no miniprofd.", daemon->client.name);
    jsonio_free(parsed);
    if (good) {
        *top = slice_of(text, strlen(text));
        return text;
    }
    free(text);
    return NULL;
}

static bool argument_fits(const struct tool_argument *argument, const struct jsonio *value, struct error *err)
{
    uint64_t number;
    bool is_text = !strcmp(argument->type, "string");
    if (!value && !argument->must)
        return true;
    if (is_text ? jsonio_text(value) != NULL : jsonio_u64(value, &number))
        return true;
    return error_set(err, "%s takes %s: %s", argument->name,
                     is_text ? "a text" : "a whole number from 0 up to 2^53", argument->description);
}

bool tools_call(const struct client *client, const char *name, const struct jsonio *arguments,
                struct tool_answer *answer, struct error *err)
{
    *answer = (struct tool_answer){NULL};
    for (const struct tool *tool = tools; tool->name; tool++) {
        if (strcmp(tool->name, name) != 0)
            continue;
        for (const struct tool_argument *argument = tool->arguments; argument->name; argument++)
            if (!argument_fits(argument, jsonio_member(arguments, argument->name), err))
                return false;
        struct daemon daemon = {*client, clock_monotonic_ms() + PATIENCE_MS};
        if (daemon.client.header == client->name) /* it points into itself */
            daemon.client.header = daemon.client.name;
        return tool->call(&daemon, arguments, answer, err);
    }
    return error_set(err, "There is no tool %.100s.", name);
}
