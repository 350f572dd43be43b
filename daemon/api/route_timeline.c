/* route_timeline.c - the handler for the calls in a window of time. */
#include "api/query.h"
#include "api/range.h"
#include "api/routes.h"
#include "api/site.h"
#include "snapshot/moments.h"
#include "snapshot/turns.h"

#include <stdlib.h>

enum { TIMELINE_ROWS = 5000, TIMELINE_ROWS_MOST = 100000, TIMELINE_LOADS_MOST = 2000 };

/* Rows are written as parallel columns; `cell` writes the value of one row. */
struct column {
    const char *key;
    void (*cell)(const void *row, struct json *json);
};

static void write_columns(const char *key, const struct column *columns, const void *rows, size_t n,
                          size_t row_size, struct json *json)
{
    json_object_open(json, key);
    for (; columns->key; columns++) {
        json_array_open(json, columns->key);
        for (size_t i = 0; i < n; i++)
            columns->cell((const char *)rows + i * row_size, json);
        json_array_close(json);
    }
    json_object_close(json);
}

static void span_start(const void *row, struct json *json)
{
    const struct snapshot_span *span = row;
    json_u64(json, NULL, span->start_ticks);
}

static void span_duration(const void *row, struct json *json)
{
    const struct snapshot_span *span = row;
    json_u64(json, NULL, span->duration_ticks);
}

static void span_function(const void *row, struct json *json)
{
    const struct snapshot_span *span = row;
    json_u64(json, NULL, span->function);
}

static void span_context(const void *row, struct json *json)
{
    const struct snapshot_span *span = row;
    json_u64(json, NULL, span->context);
}

static void span_depth(const void *row, struct json *json)
{
    const struct snapshot_span *span = row;
    json_u64(json, NULL, span->depth);
}

static void span_calls(const void *row, struct json *json)
{
    const struct snapshot_span *span = row;
    json_u64(json, NULL, span->calls);
}

static void span_busy(const void *row, struct json *json)
{
    const struct snapshot_span *span = row;
    json_u64(json, NULL, span->busy_ticks);
}

static void span_longest(const void *row, struct json *json)
{
    const struct snapshot_span *span = row;
    json_u64(json, NULL, span->longest_ticks);
}

static void span_cut(const void *row, struct json *json)
{
    const struct snapshot_span *span = row;
    json_u64(json, NULL, span->is_cut);
}

static const struct column span_columns[] = {{"start", span_start},       {"duration", span_duration},
                                             {"function", span_function}, {"context", span_context},
                                             {"depth", span_depth},       {"calls", span_calls},
                                             {"busy", span_busy},         {"longest", span_longest},
                                             {"cut", span_cut},           {0}};

static void away_kind(const void *row, struct json *json)
{
    const struct snapshot_span *span = row;
    json_text(json, NULL, span->function == AWAY_BLOCKED ? "blocked" : "preempted");
}

static const struct column away_columns[] = {
    {"start", span_start}, {"duration", span_duration}, {"kind", away_kind}, {"context", span_context},
    {"depth", span_depth}, {"count", span_calls},       {"busy", span_busy}, {0}};

static void gap_from(const void *row, struct json *json)
{
    const struct snapshot_gap *gap = row;
    json_u64(json, NULL, gap->from_ticks);
}

static void gap_to(const void *row, struct json *json)
{
    const struct snapshot_gap *gap = row;
    json_u64(json, NULL, gap->to_ticks);
}

static void gap_records(const void *row, struct json *json)
{
    const struct snapshot_gap *gap = row;
    json_known_u64(json, NULL, gap->records > 0, gap->records);
}

static const struct column gap_columns[] = {
    {"from", gap_from}, {"to", gap_to}, {"records", gap_records}, {0}};

static void marker_ticks(const void *row, struct json *json)
{
    const struct snapshot_marker *marker = row;
    json_u64(json, NULL, marker->ticks);
}

static void marker_kind(const void *row, struct json *json)
{
    static const char *const kinds[MARKER_KINDS] = {
        [MARKER_RESET] = "reset",           [MARKER_RECONNECT] = "reconnect", [MARKER_OVERFLOW] = "overflow",
        [MARKER_CHECKPOINT] = "checkpoint", [MARKER_MESSAGE] = "message",     [MARKER_BREACH] = "breach",
        [MARKER_START] = "start",           [MARKER_STOP] = "stop",           [MARKER_CLEAR] = "clear",
        [MARKER_DISCARD] = "discard",
    };
    const struct snapshot_marker *marker = row;
    json_text(json, NULL, kinds[marker->kind]);
}

static void marker_text(const void *row, struct json *json)
{
    const struct snapshot_marker *marker = row;
    json_text(json, NULL, *marker->text ? marker->text : NULL);
}

static void marker_count(const void *row, struct json *json)
{
    const struct snapshot_marker *marker = row;
    json_u64(json, NULL, marker->count);
}

static const struct column marker_columns[] = {
    {"ticks", marker_ticks}, {"kind", marker_kind}, {"text", marker_text}, {"count", marker_count}, {0}};

enum load_of { LOAD_COLUMN, LOAD_CONTEXT, LOAD_RAN };

/* Writes one member of the load: the column, the context or the ticks, where a context ran in a column. */
static void write_load_member(const char *key, enum load_of member, const struct turns_columns *load,
                              struct json *json)
{
    json_array_open(json, key);
    for (uint32_t context = 0; context < load->contexts; context++)
        for (uint32_t column = 0; column < load->columns; column++) {
            uint64_t ran_ticks = load->ran_ticks[(size_t)load->columns * context + column];
            if (ran_ticks > 0)
                json_u64(json, NULL,
                         member == LOAD_RAN       ? ran_ticks
                         : member == LOAD_CONTEXT ? context
                                                  : column);
        }
    json_array_close(json);
}

static void write_load(const struct snapshot *snapshot, const struct query_range *range, uint64_t columns,
                       struct json *json)
{
    struct turns_columns *load =
        columns > 0 ? turns_over_time(snapshot, range->from, range->to, (uint32_t)columns) : NULL;
    json->sink->failed |= columns > 0 && !load;
    if (load && load->has_some) {
        json_object_open(json, "load");
        json_u64(json, "from", load->from_ticks);
        json_u64(json, "to", range->to);
        json_u64(json, "step", load->step_ticks);
        write_load_member("column", LOAD_COLUMN, load, json);
        write_load_member("context", LOAD_CONTEXT, load, json);
        write_load_member("ran", LOAD_RAN, load, json);
        json_object_close(json);
    } else {
        json_null(json, "load");
    }
    free(load);
}

struct timeline_wish {
    struct query_range range;
    uint64_t rows, loads; /* at most, of calls and of columns of the load */
};

static void write_timeline(const struct snapshot *snapshot, const struct timeline_wish *wish,
                           struct response *response)
{
    uint64_t from = wish->range.from, to = wish->range.to, max = wish->rows;
    uint64_t oldest, newest, first;
    bool holds = snapshot_told_range(snapshot, &oldest, &newest);
    bool has_first = snapshot_first_ticks(snapshot, &first);
    struct snapshot_span *spans = malloc(max * sizeof *spans);
    struct snapshot_span *away = malloc(max * sizeof *away);
    struct snapshot_gap *gaps = malloc(SNAPSHOT_GAPS_MAX * sizeof *gaps);
    struct snapshot_marker *markers = malloc(SNAPSHOT_MARKERS_MAX * sizeof *markers);
    response->body.sink.failed = !spans || !away || !gaps || !markers;
    if (!response->body.sink.failed) {
        size_t span_n = holds ? snapshot_timeline_window(snapshot, from, to, spans, max) : 0;
        size_t away_n = holds ? snapshot_timeline_away(snapshot, from, to, away, max) : 0;
        size_t gap_n = snapshot_gaps(snapshot, from, to, gaps);
        size_t marker_n = snapshot_markers(snapshot, from, to, markers);
        struct json json = response_json(response);
        json_object_open(&json, NULL);
        json_u64(&json, "sequence", snapshot->sequence);
        json_known_u64(&json, "from", holds, from);
        json_known_u64(&json, "to", holds, to);
        json_known_u64(&json, "first", has_first, first);
        json_known_u64(&json, "oldest", holds, oldest);
        json_known_u64(&json, "newest", holds, newest);
        write_columns("rows", span_columns, spans, span_n, sizeof *spans, &json);
        write_columns("away", away_columns, away, away_n, sizeof *away, &json);
        write_columns("gaps", gap_columns, gaps, gap_n, sizeof *gaps, &json);
        write_columns("markers", marker_columns, markers, marker_n, sizeof *markers, &json);
        write_load(snapshot, &wish->range, wish->loads, &json);
        json_object_close(&json);
    }
    free(markers);
    free(gaps);
    free(away);
    free(spans);
}

static void answer_timeline(struct site *site, const struct request *request, struct response *response)
{
    struct snapshot *snapshot = range_whole(site, request, response);
    if (!snapshot)
        return;
    struct timeline_wish wish = {.rows = TIMELINE_ROWS};
    const struct request_number more[] = {{"max", &wish.rows}, {"load", &wish.loads}};
    if (!query_range(request, snapshot, more, 2, &wish.range, response)) {
        snapshot_unref(snapshot);
        return;
    }
    if (wish.rows < 1 || wish.rows > TIMELINE_ROWS_MOST)
        response_problem(response, 400, "The parameter 'max' must be 1 to %d.", TIMELINE_ROWS_MOST);
    else if (wish.loads > TIMELINE_LOADS_MOST)
        response_problem(response, 400, "The parameter 'load' must be 0 to %d.", TIMELINE_LOADS_MOST);
    else
        write_timeline(snapshot, &wish, response);
    snapshot_unref(snapshot);
}

const struct route routes_timeline[] = {
    {.method = "GET",
     .path = "/api/v1/timeline",
     .answer = answer_timeline,
     .id = "timeline",
     .summary =
         "The calls of a window of time, in columns. A row with calls above 1 stands for several calls "
         "too short to tell apart; busy is what they took together, longest the longest of them, whose "
         "function is known; cut is 1 where that call runs at the edge of a window, so that it took longer "
         "than is "
         "reported, and 0 otherwise. Away: stretches, as many at most, in which a context was preempted or "
         "blocked with "
         "calls on its stack, at the depth below the innermost of them; a count above 1 stands for several. "
         "Gaps: where records are missing, with how many when that is known. "
         "Markers: "
         "reset, reconnect, overflow (of the target's buffer), checkpoint, message, breach (of a limit), "
         "start "
         "and stop (of profiling), clear (by the user) and discard (what was counted before does not add up "
         "with "
         "what follows, and is not shown), those of one kind "
         "that "
         "share a column of the screen counted as one. "
         "Load: how long each context ran in each column of the window, if asked for. "
         "First: the tick of the first record since miniprofd began or was cleared, also when what is held "
         "begins "
         "later; oldest and newest: what is held.",
     .media_type = ROUTE_JSON,
     .schema = "timeline",
     .query = {{"from", "First tick of the window; the oldest that is kept when left out."},
               {"to", "Last tick of the window; the newest when left out."},
               {"max", "How many rows at most: 1 to 100000, 5000 when left out."},
               {"load", "How many columns of the load at most: 0, when left out, to 2000."},
               QUERY_PAUSE},
     .errors = {400, 410, 503}},
    {0},
};
