/* export_chrome.c - trace event JSON with each call of the timeline, for Perfetto, chrome://tracing and
 * speedscope.
 *
 * Complete events ("X") in microseconds since the earliest call that the timeline still holds. Readers keep
 * times in doubles, which are then exact to the nanosecond for a hundred days. Where the tick rate is unknown,
 * ticks are written as microseconds, and otherData has a note. args has the ticks as the target sent them. */
#include "export/export.h"

#include "base/json.h"
#include "export/labels.h"
#include "export/ticks.h"

struct trace {
    const struct snapshot *snapshot;
    struct labels labels;
    struct json *json;
    uint64_t from_ticks;
};

enum { PROCESS = 1 };

static void member_time(const struct trace *trace, const char *key, uint64_t from_ticks, uint64_t to_ticks)
{
    uint64_t rate = trace->snapshot->target.ticks_per_second;
    if (rate == 0)
        json_u64(trace->json, key, to_ticks - from_ticks);
    else /* both ends are rounded separately, so that rounding keeps the nesting */
        json_decimal(trace->json, key,
                     ticks_nanoseconds(to_ticks, rate) - ticks_nanoseconds(from_ticks, rate), 3);
}

static void write_call(void *user, const struct snapshot_span *span)
{
    const struct trace *trace = user;
    struct json *json = trace->json;
    uint64_t start = span->start_ticks - trace->from_ticks;
    json_object_open(json, NULL);
    json_text(json, "ph", "X");
    json_text(json, "name", labels_of(&trace->labels, span->function));
    json_text(json, "cat", "call");
    json_u64(json, "pid", PROCESS);
    json_u64(json, "tid", span->context + 1); /* Perfetto takes 0 for the idle task */
    member_time(trace, "ts", 0, start);
    member_time(trace, "dur", start, start + span->duration_ticks);
    json_object_open(json, "args");
    json_u64(json, "start_ticks", span->start_ticks);
    json_u64(json, "ticks", span->duration_ticks);
    json_u64(json, "depth", span->depth);
    if (span->is_cut)
        json_bool(json, "cut", true);
    json_object_close(json);
    json_object_close(json);
    sink_char(json->sink, '\n');
}

/* Names the process (tid 0) or one of its threads. */
static void write_name(struct json *json, const char *what, uint32_t tid, const char *name)
{
    json_object_open(json, NULL);
    json_text(json, "ph", "M");
    json_text(json, "name", what);
    json_u64(json, "pid", PROCESS);
    json_u64(json, "tid", tid);
    json_object_open(json, "args");
    json_text(json, "name", name);
    json_object_close(json);
    json_object_close(json);
    sink_char(json->sink, '\n');
}

/* Writes a window on a separate track, which shows where calls were reported. Between windows there are none,
 * which does not mean that the target was idle. */
static void write_window(const struct trace *trace, const struct snapshot_kept *row)
{
    const struct snapshot_range *range = &trace->snapshot->range;
    struct json *json = trace->json;
    uint64_t from = row->from_ticks, to = row->to_ticks;
    if (from < trace->from_ticks) /* the timeline has no earlier calls */
        from = trace->from_ticks;
    if (range->is_set && from < range->from_ticks)
        from = range->from_ticks;
    if (range->is_set && to > range->to_ticks)
        to = range->to_ticks;
    if (!row->is_excerpt || to <= from)
        return;
    json_object_open(json, NULL);
    json_text(json, "ph", "X");
    json_text(json, "name", "window");
    json_text(json, "cat", "window");
    json_u64(json, "pid", PROCESS);
    json_u64(json, "tid", trace->snapshot->context_count + 1);
    member_time(trace, "ts", 0, from - trace->from_ticks);
    member_time(trace, "dur", from - trace->from_ticks, to - trace->from_ticks);
    json_object_open(json, "args");
    if (row->reason == WINDOW_SLOW) {
        json_text(json, "slow", labels_of(&trace->labels, row->function));
        json_u64(json, "ticks", row->duration_ticks);
    }
    json_u64(json, "number", row->number);
    json_object_close(json);
    json_object_close(json);
    sink_char(json->sink, '\n');
}

static void write_windows(const struct trace *trace)
{
    const struct snapshot *snapshot = trace->snapshot;
    if (!snapshot->windows.are_all)
        return;
    write_name(trace->json, "thread_name", snapshot->context_count + 1,
               "windows: calls are known inside of them only");
    for (uint32_t i = 0; i < snapshot->windows.count; i++)
        write_window(trace, &snapshot->windows.rows[i]);
}

static void write_chrome(const struct snapshot *snapshot, struct sink *sink)
{
    struct json json = {.sink = sink};
    struct trace trace = {.snapshot = snapshot, .json = &json};
    uint64_t to_ticks;
    labels_init(&trace.labels, snapshot);
    if (!snapshot_timeline_range(snapshot, &trace.from_ticks, &to_ticks))
        trace.from_ticks = 0;
    json_object_open(&json, NULL);
    json_text(&json, "displayTimeUnit", "ns");
    json_object_open(&json, "otherData");
    json_text(&json, "producer", "miniprofd " MINIPROFD_VERSION);
    json_text(&json, "port", snapshot->source.port);
    json_u64(&json, "start_ticks", trace.from_ticks);
    if (snapshot->target.ticks_per_second)
        json_u64(&json, "ticks_per_second", snapshot->target.ticks_per_second);
    else
        json_text(&json, "note", "The tick rate is unknown: a microsecond stands for a tick.");
    export_complete(snapshot, &json);
    json_object_close(&json);
    json_array_open(&json, "traceEvents");
    write_name(&json, "process_name", 0, snapshot->source.port);
    for (uint32_t context = 0; context < snapshot->context_count; context++)
        write_name(&json, "thread_name", context + 1, snapshot->contexts[context].name);
    write_windows(&trace);
    snapshot_timeline_each(snapshot, write_call, &trace);
    json_array_close(&json);
    json_object_close(&json);
    sink_char(sink, '\n');
    labels_fini(&trace.labels);
}

const struct exporter exporter_chrome = {
    .id = "chrome",
    .title = "Trace events",
    .summary = "the last calls one by one, for Perfetto, chrome://tracing and speedscope",
    .media_type = "application/json",
    .extension = "trace.json",
    .needs = PROVIDES_TIMELINE,
    .write = write_chrome,
};
