/* route_recordings.c - the handlers that list the recordings of this run, and open one. An opened recording is read
 * completely and kept like a pause, so that every view and export can show it. */
#include "base/bound.h"
#include "base/clock.h"
#include "base/jsonio.h"
#include "handoff/replay.h"
#include "api/query.h"
#include "api/routes.h"
#include "api/site.h"

#include <stdio.h>
#include <string.h>

enum {
    READ_MS = 20000,
    READERS_MOST = 1, /* each needs memory for a profile and its calls */
    ROWS_MOST = KEEPING_FILES_MAX + 1 + 1 + RECORDED_MOST,
};

struct recording_row {
    char path[sizeof((struct snapshot_keeping *)NULL)->dir + 1 +
              sizeof((struct snapshot_keeping_row *)NULL)->name];
    uint64_t bytes, wall_ns;
    uint32_t limit;
    bool is_kept; /* made by the keeper around a breach */
    bool is_open; /* still being written; the part on disk can be read */
};

static size_t recording_rows(struct site *site, const struct snapshot *snapshot,
                             struct recording_row rows[static ROWS_MOST])
{
    const struct snapshot_keeping *keeping = &snapshot->source.keeping;
    const struct snapshot_recording *recording = &snapshot->source.recording;
    struct recorded_row ended[RECORDED_MOST];
    size_t n = 0, ended_n = recorded_list(&site->recorded, ended);
    if (*recording->path) {
        rows[n] = (struct recording_row){
            .bytes = recording->bytes, .wall_ns = recording->since_wall_ns, .is_open = !*recording->failure};
        snprintf(rows[n++].path, sizeof rows[0].path, "%s", recording->path);
    }
    for (size_t i = 0; i < ended_n; i++) {
        rows[n] = (struct recording_row){.bytes = ended[i].bytes, .wall_ns = ended[i].wall_ns};
        snprintf(rows[n++].path, sizeof rows[0].path, "%.*s", (int)sizeof ended[0].path - 1, ended[i].path);
    }
    for (uint32_t i = keeping->count; i-- > 0;) {
        const struct snapshot_keeping_row *kept = &keeping->rows[i];
        rows[n] = (struct recording_row){"", kept->bytes, kept->wall_ns, kept->limit, true, kept->is_open};
        snprintf(rows[n++].path, sizeof rows[0].path, "%s/%s", keeping->dir, kept->name);
    }
    return n;
}

static void write_recording_row(const struct recording_row *row, struct json *json)
{
    char at[CLOCK_ISO8601_SIZE];
    clock_iso8601(row->wall_ns, at);
    json_object_open(json, NULL);
    json_text(json, "path", row->path);
    json_text(json, "at", at);
    json_known_u64(json, "bytes", !row->is_kept || !row->is_open, row->bytes);
    json_known_u64(json, "limit", row->is_kept, row->limit);
    json_bool(json, "open", row->is_open);
    json_object_close(json);
}

static void answer_list(struct site *site, const struct request *request, struct response *response)
{
    struct snapshot *snapshot = query_none(request, response) ? site_snapshot(site, response) : NULL;
    if (!snapshot)
        return;
    struct recording_row rows[ROWS_MOST];
    size_t n = recording_rows(site, snapshot, rows);
    struct json json = response_json(response);
    json_object_open(&json, NULL);
    json_array_open(&json, "recordings");
    for (size_t i = 0; i < n; i++)
        write_recording_row(&rows[i], &json);
    json_array_close(&json);
    json_object_close(&json);
    snapshot_unref(snapshot);
}

/* Finds the recording that the body, {"path": PATH}, names. Only those of this run can be read. False after
 * answering. */
static bool find_recording(struct site *site, const struct snapshot *snapshot, const struct request *request,
                           struct recording_row *found, struct response *response)
{
    struct error err;
    struct recording_row rows[ROWS_MOST];
    struct jsonio *body = jsonio_parse("The body", request->body, request->body_n, &err);
    const char *path = body && jsonio_is_object(body) && jsonio_count(body) == 1
                           ? jsonio_text(jsonio_member(body, "path"))
                           : NULL;
    size_t i = 0, n = recording_rows(site, snapshot, rows);
    while (path && i < n && strcmp(rows[i].path, path) != 0)
        i++;
    if (!body)
        response_problem(response, 400, "%s", err.text);
    else if (!path)
        response_problem(
            response, 400,
            "The body must be {\"path\": PATH}, with a path as GET /api/v1/recordings lists it.");
    else if (i == n)
        response_problem(response, 404,
                         "%.300s is no recording of this run, or has been deleted to make room: replay it "
                         "with miniprofd --port file:PATH.",
                         path);
    else
        *found = rows[i];
    jsonio_free(body);
    return path && i < n;
}

/* Returns the current limits, by which breaches are found again. */
static size_t limits_of(const struct snapshot *snapshot, struct bound limits[static BOUNDS_MAX])
{
    size_t n = 0;
    for (uint32_t i = 0; i < snapshot->bounds.count && n < BOUNDS_MAX; i++)
        limits[n++] = snapshot->bounds.rows[i].bound;
    return n;
}

static void read_recording(struct site *site, const struct snapshot *live, const struct recording_row *row,
                           struct response *response)
{
    struct error err;
    struct bound limits[BOUNDS_MAX];
    const struct replay *replay = site->settings.replay;
    const struct replay_order order = {.path = row->path,
                                       .limits = limits,
                                       .limits_n = limits_of(live, limits),
                                       .board = site->settings.board,
                                       .most_ms = READ_MS};
    struct snapshot *snapshot = replay->read(replay->user, &order, &err);
    if (!snapshot) {
        response_problem(response, 500, "%s", err.text);
        return;
    }
    pause_answer(site, snapshot, response);
    snapshot_unref(snapshot);
}

static void answer_open(struct site *site, const struct request *request, struct response *response)
{
    struct recording_row row;
    struct snapshot *snapshot = query_none(request, response) ? site_snapshot(site, response) : NULL;
    if (!snapshot)
        return;
    if (find_recording(site, snapshot, request, &row, response)) {
        if (!site->settings.replay)
            response_problem(response, 409,
                             "This server reads no recordings: replay it with miniprofd --port "
                             "file:PATH.");
        else if (response_take_slot(response, &site->replays, READERS_MOST, "recordings"))
            read_recording(site, snapshot, &row, response);
    }
    snapshot_unref(snapshot);
}

const struct route routes_recordings[] = {
    {.method = "GET",
     .path = "/api/v1/recordings",
     .answer = answer_list,
     .id = "recordings",
     .summary =
         "The recordings of this run: the one that is under way, those that viewers have ended, and the "
         "time around broken limits.",
     .media_type = ROUTE_JSON,
     .schema = "recordings",
     .errors = {400, 503}},
    {.method = "POST",
     .path = "/api/v1/recordings/open",
     .answer = answer_open,
     .id = "recordingOpen",
     .summary =
         "Reads a recording of this run, {\"path\": PATH}, held to the limits as they are now, and keeps "
         "the snapshot of it as a pause: its id is what other routes take as a parameter. 404 when it is "
         "none of this run, 500 when it cannot be read, or not in 20 seconds.",
     .media_type = ROUTE_JSON,
     .schema = "pause",
     .takes = "takes_recording",
     .errors = {400, 404, 409, 500, 503}},
    {0},
};
