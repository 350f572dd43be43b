/* routes.c - the table of what can be asked. */
#include "http/routes.h"

#include "exchange/mailbox.h"
#include "http/api.h"

#include <stdio.h>
#include <string.h>

#define JSON       "application/json"
#define RANGE_FROM "First tick of the stretch; the oldest of the timeline when only 'to' is given."
#define RANGE_TO   "Last tick of the stretch; the newest when only 'from' is given."

const struct route routes[] = {
    {.method = "GET",
     .path = "/",
     .answer = api_page,
     .id = "page",
     .summary = "The page that shows the profile live.",
     .media_type = "text/html"},
    {.method = "GET",
     .path = "/healthz",
     .answer = api_healthz,
     .id = "health",
     .summary = "Whether the process can serve. Asks for no token.",
     .media_type = "text/plain"},
    {.method = "GET",
     .path = "/metrics",
     .answer = api_metrics,
     .id = "metrics",
     .summary = "Counters of link, target and functions in the Prometheus text format.",
     .media_type = "text/plain",
     .errors = {503}},
    {.method = "GET",
     .path = "/api/v1/openapi.json",
     .answer = api_openapi,
     .id = "openapi",
     .summary = "This document.",
     .media_type = JSON},
    {.method = "GET",
     .path = "/api/v1/status",
     .answer = api_status,
     .id = "status",
     .summary = "Source, target, link, version, and the exports and dialects there are. Small and cheap.",
     .media_type = JSON,
     .errors = {503}},
    {.method = "GET",
     .path = "/api/v1/snapshot",
     .answer = api_snapshot,
     .id = "snapshot",
     .summary = "The whole snapshot; with from or to only what ran in that stretch of time, as far as the "
                "timeline still holds it. It then has the member range.",
     .media_type = JSON,
     .query = {{"from", RANGE_FROM}, {"to", RANGE_TO}},
     .errors = {400, 503}},
    {.method = "GET",
     .path = "/api/v1/functions/{id}",
     .answer = api_function,
     .id = "function",
     .summary = "One function: its row of the snapshot, the spread of its durations, callers and callees.",
     .media_type = JSON,
     .argument = {"id", "The function's id in the snapshot."},
     .query = {{"from", RANGE_FROM}, {"to", RANGE_TO}},
     .errors = {400, 404, 503}},
    {.method = "GET",
     .path = "/api/v1/functions/{id}/source",
     .answer = api_source,
     .id = "functionSource",
     .summary =
         "The source lines and instructions of one function, with the samples of each where the target takes "
         "samples. 'available' says what there is and 'reason', in a sentence, why not; 'lines' are the "
         "function's own, 'inlined' those of elsewhere; 'file' is an index into 'files'; 'left_out' counts "
         "bytes "
         "of code past what one answer holds; 'bin_bytes' is how much code one sample may stand for.",
     .media_type = JSON,
     .argument = {"id", "The function's id in the snapshot."},
     .errors = {400, 404, 503}},
    {.method = "GET",
     .path = "/api/v1/timeline",
     .answer = api_timeline,
     .id = "timeline",
     .summary =
         "The calls of a window of time, in columns. A row with calls above 1 stands for several calls "
         "too short to tell apart. Gaps: where records are missing, with how many when that is known. "
         "Markers: "
         "reset, reconnect, overflow (of the target's buffer), checkpoint and message, those of one kind "
         "that "
         "share a column of the screen counted as one.",
     .media_type = JSON,
     .query = {{"from", "First tick of the window; the oldest that is kept when left out."},
               {"to", "Last tick of the window; the newest when left out."},
               {"max", "How many rows at most: 1 to 100000, 5000 when left out."}},
     .errors = {400, 503}},
    {.method = "GET",
     .path = "/debug/pprof/profile",
     .answer = api_pprof,
     .id = "pprof",
     .summary =
         "What the next seconds bring, for pprof and go tool pprof. The answer comes when they are over.",
     .media_type = "application/octet-stream",
     .query = {{"seconds", "How long to listen: 1 to 3600, 30 when left out."}},
     .errors = {400, 409, 503}},
    {.method = "GET",
     .path = "/api/v1/export/{format}",
     .answer = api_export,
     .id = "export",
     .summary = "The profile in another tool's format, as a file. The status lists the formats.",
     .media_type = "application/octet-stream",
     .argument = {"format", "The id of the format."},
     .query = {{"from", RANGE_FROM}, {"to", RANGE_TO}},
     .errors = {400, 404, 409, 503}},
    {.method = "GET",
     .path = "/api/v1/events",
     .answer = api_events,
     .id = "events",
     .summary =
         "Server-sent events: hello (versions), status, snapshot (a whole one, on connecting and after the "
         "profile was cleared), delta (what changed since the sequence it names in 'since', new messages of "
         "the "
         "target among it), and comments as heartbeat. The id of snapshot and delta is SEQUENCE-RUN, where "
         "RUN tells this run of the daemon "
         "from others; whoever sends it back as Last-Event-ID goes on with a delta from there.",
     .media_type = "text/event-stream",
     .errors = {503}},
    {.method = "POST",
     .path = "/api/v1/device/start",
     .answer = api_device,
     .id = "deviceStart",
     .summary = "Tells the device to profile.",
     .media_type = JSON,
     .errors = {400, 409, 503, 504},
     .command = COMMAND_START},
    {.method = "POST",
     .path = "/api/v1/device/stop",
     .answer = api_device,
     .id = "deviceStop",
     .summary = "Tells the device to stop profiling.",
     .media_type = JSON,
     .errors = {400, 409, 503, 504},
     .command = COMMAND_STOP},
    {.method = "POST",
     .path = "/api/v1/device/reset",
     .answer = api_device,
     .id = "deviceReset",
     .summary = "Tells the device to empty its buffers.",
     .media_type = JSON,
     .errors = {400, 409, 503, 504},
     .command = COMMAND_RESET},
    {.method = "POST",
     .path = "/api/v1/device/status",
     .answer = api_device,
     .id = "deviceStatus",
     .summary = "Asks the device how its buffers are.",
     .media_type = JSON,
     .errors = {400, 409, 503, 504},
     .command = COMMAND_STATUS},
    {.method = "POST",
     .path = "/api/v1/device/metadata",
     .answer = api_device,
     .id = "deviceMetadata",
     .summary = "Asks the device who it is.",
     .media_type = JSON,
     .errors = {400, 409, 503, 504},
     .command = COMMAND_METADATA},
    {.method = "POST",
     .path = "/api/v1/device/config",
     .answer = api_device,
     .id = "deviceConfig",
     .summary = "Sends the device a configuration: {\"payload\": \"up to 8 bytes in hex digits\"}.",
     .media_type = JSON,
     .errors = {400, 409, 503, 504},
     .command = COMMAND_CONFIG},
    {.method = "POST",
     .path = "/api/v1/profile/clear",
     .answer = api_clear,
     .id = "profileClear",
     .summary = "Forgets what was aggregated.",
     .media_type = JSON,
     .errors = {400, 503}},
    {.method = "POST",
     .path = "/api/v1/record/start",
     .answer = api_record_start,
     .id = "recordStart",
     .summary =
         "Records what comes from now on, into a new file of the folder for recordings: its path, and the "
         "bytes so far. 409 when that makes no sense now, 500 when the file cannot be made.",
     .media_type = JSON,
     .errors = {400, 409, 500, 503}},
    {.method = "POST",
     .path = "/api/v1/record/stop",
     .answer = api_record_stop,
     .id = "recordStop",
     .summary =
         "Ends the recording: its path and bytes. 409 when there is none, 500 when it is not whole since "
         "it broke off.",
     .media_type = JSON,
     .errors = {400, 409, 500, 503}},
    {0},
};

static const struct route any_file = {.method = "GET", .path = "/{path}", .answer = api_page, .id = "file"};

static bool path_matches(const char *pattern, const char *path, const char **argument)
{
    size_t fixed = strcspn(pattern, "{");
    *argument = NULL;
    if (pattern[fixed] == '\0')
        return strcmp(pattern, path) == 0;
    if (strncmp(pattern, path, fixed) != 0)
        return false;
    size_t segment = strcspn(path + fixed, "/");
    if (segment == 0 || strcmp(strchr(pattern, '}') + 1, path + fixed + segment) != 0)
        return false;
    *argument = path + fixed;
    return true;
}

static bool is_file_path(const char *path)
{
    const char *argument;
    for (const struct route *route = routes; route->method; route++)
        if (path_matches(route->path, path, &argument))
            return false;
    return strncmp(path, "/api/", 5) != 0;
}

const struct route *route_find(const char *method, const char *path, const char **argument)
{
    for (const struct route *route = routes; route->method; route++)
        if (strcmp(route->method, method) == 0 && path_matches(route->path, path, argument))
            return route;
    *argument = NULL;
    return strcmp(method, any_file.method) == 0 && is_file_path(path) ? &any_file : NULL;
}

bool route_allowed(const char *path, char allowed[static ROUTE_ALLOWED_SIZE])
{
    const char *argument;
    bool get = is_file_path(path), post = false;
    for (const struct route *route = routes; route->method; route++) {
        if (path_matches(route->path, path, &argument)) {
            get |= strcmp(route->method, "GET") == 0;
            post |= strcmp(route->method, "POST") == 0;
        }
    }
    snprintf(allowed, ROUTE_ALLOWED_SIZE, "%s%s%s", get ? "GET, HEAD" : "", get && post ? ", " : "",
             post ? "POST" : "");
    return get || post;
}
