/* export_perfetto.c - a Perfetto trace: each call of the timeline as a slice on the track of its context, and
 * the load of each context.
 *
 * Field numbers are those of Perfetto's published trace.proto. Times are nanoseconds since the earliest call
 * that the timeline still holds. Where the tick rate is unknown, a tick counts as a microsecond. The trace is
 * gzipped, which Perfetto reads directly, and streamed.
 *
 * Perfetto sorts by time and keeps events of the same time in the order of the file. So all ends are written
 * first, inner calls before outer ones, in the order of the timeline. Then come all begins, outer calls before
 * inner ones, in one walk for each depth. The end of a call without length directly follows its begin. */
#include "export/export.h"

#include "base/zip.h"
#include "export/labels.h"
#include "export/protobuf.h"
#include "export/ticks.h"
#include "snapshot/turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_TRACK = 60,
};
enum { FLAG_STATE_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum { INTERNED_EVENT_NAME = 2, NAME_IID = 1, NAME_TEXT = 2 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_PARENT = 5, TRACK_COUNTER = 8 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, COUNTER_UNIT_NAME = 6 };
enum {
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK = 11,
    EVENT_CATEGORIES = 22,
    EVENT_NAME = 23,
    EVENT_COUNTER = 30
};
enum { SLICE_BEGIN = 1, SLICE_END = 2, COUNTER = 4 };

enum { SEQUENCE = 1, PROCESS = 1 };
enum { DEPTHS = 1 << TIMELINE_DEPTH_BITS };
enum { LOAD_COLUMNS = 500 };

struct trace {
    const struct snapshot *snapshot;
    struct labels labels;
    struct sink *sink;
    struct sink_buffer packet, part,
        inner; /* being written: a packet, a message in it, and a message in that message */
    uint64_t from_ticks;
    bool has_begun;      /* the first packet has been written */
    bool occurs[DEPTHS]; /* that depth has calls */
    uint16_t depth;      /* of the begins being written */
};

/* Returns the number of a context's track. The process, the windows and each context's load have tracks, too. */
static uint64_t track_of(uint32_t context)
{
    return (uint64_t)PROCESS + 1 + context;
}

static uint64_t track_of_windows(const struct snapshot *snapshot)
{
    return track_of(snapshot->context_count);
}

static uint64_t track_of_load(const struct snapshot *snapshot, uint32_t context)
{
    return track_of_windows(snapshot) + 1 + context;
}

static uint64_t time_of(const struct trace *trace, uint64_t ticks)
{
    uint64_t rate = trace->snapshot->target.ticks_per_second;
    uint64_t since = ticks > trace->from_ticks ? ticks - trace->from_ticks : 0;
    uint64_t ns = ticks_nanoseconds(since, rate ? rate : 1000000);
    return ns > INT64_MAX ? INT64_MAX : ns; /* readers use a signed type */
}

/* Appends `part` to `into` as a field, and empties `part`. */
static void put_perfetto_field(struct sink_buffer *into, unsigned field, struct sink_buffer *part)
{
    protobuf_bytes(&into->sink, field, part->bytes, part->n);
    into->sink.failed = into->sink.failed || part->sink.failed;
    sink_buffer_clear(part);
}

static void put_text(struct sink_buffer *into, unsigned field, const char *text)
{
    protobuf_bytes(&into->sink, field, text, strlen(text));
}

/* Ends the packet with its part as `field`. */
static void put_packet(struct trace *trace, unsigned field)
{
    struct sink_buffer *packet = &trace->packet;
    put_perfetto_field(packet, field, &trace->part);
    protobuf_field(&packet->sink, PACKET_SEQUENCE, SEQUENCE);
    protobuf_field(&packet->sink, PACKET_FLAGS,
                   FLAG_NEEDS_STATE | (trace->has_begun ? 0 : FLAG_STATE_CLEARED));
    trace->has_begun = true;
    if (packet->sink.failed)
        trace->sink->failed = true;
    else
        protobuf_bytes(trace->sink, TRACE_PACKET, packet->bytes, packet->n);
    sink_buffer_clear(packet);
}

/* Begins an event. A time of 0 is written, too: otherwise the previous packet's time would apply. */
static void begin_event(struct trace *trace, uint64_t time, uint64_t track, unsigned type)
{
    protobuf_number(&trace->packet.sink, PACKET_TIMESTAMP << 3);
    protobuf_number(&trace->packet.sink, time);
    protobuf_field(&trace->part.sink, EVENT_TYPE, type);
    protobuf_field(&trace->part.sink, EVENT_TRACK, track);
}

static void write_end(struct trace *trace, uint64_t time, uint64_t track)
{
    begin_event(trace, time, track, SLICE_END);
    put_packet(trace, PACKET_EVENT);
}

/* Writes a call's end. That of a call without length is written with its begin instead. */
static void write_end_of(void *user, const struct snapshot_span *span)
{
    struct trace *trace = user;
    uint64_t from = time_of(trace, span->start_ticks);
    uint64_t to = time_of(trace, span->start_ticks + span->duration_ticks);
    trace->occurs[span->depth % DEPTHS] = true;
    if (to > from)
        write_end(trace, to, track_of(span->context));
}

static void write_begin_of(void *user, const struct snapshot_span *span)
{
    struct trace *trace = user;
    if (span->depth % DEPTHS != trace->depth)
        return;
    uint64_t from = time_of(trace, span->start_ticks);
    begin_event(trace, from, track_of(span->context), SLICE_BEGIN);
    protobuf_field(&trace->part.sink, EVENT_NAME_IID, (uint64_t)span->function + 1);
    if (span->is_cut)
        put_text(&trace->part, EVENT_CATEGORIES, "cut by the edge of a window");
    put_packet(trace, PACKET_EVENT);
    if (time_of(trace, span->start_ticks + span->duration_ticks) <= from)
        write_end(trace, from, track_of(span->context));
}

static void write_calls(struct trace *trace)
{
    snapshot_timeline_each(trace->snapshot, write_end_of, trace);
    for (trace->depth = 0; trace->depth < DEPTHS; trace->depth++)
        if (trace->occurs[trace->depth])
            snapshot_timeline_each(trace->snapshot, write_begin_of, trace);
}

/* Writes each name once. Its number is the function's id + 1. */
static void write_names(struct trace *trace)
{
    for (uint32_t id = 0; id < trace->snapshot->function_count; id++) {
        protobuf_field(&trace->inner.sink, NAME_IID, (uint64_t)id + 1);
        put_text(&trace->inner, NAME_TEXT, labels_of(&trace->labels, id));
        put_perfetto_field(&trace->part, INTERNED_EVENT_NAME, &trace->inner);
        put_packet(trace, PACKET_INTERNED);
    }
}

static void write_process(struct trace *trace)
{
    char name[sizeof trace->snapshot->source.port + sizeof " (incomplete)"];
    bool complete = snapshot_incomplete(trace->snapshot).n == 0;
    snprintf(name, sizeof name, "%s%s", trace->snapshot->source.port, complete ? "" : " (incomplete)");
    protobuf_field(&trace->inner.sink, PROCESS_PID, PROCESS);
    put_text(&trace->inner, PROCESS_NAME, name);
    protobuf_field(&trace->part.sink, TRACK_UUID, PROCESS);
    put_perfetto_field(&trace->part, TRACK_PROCESS, &trace->inner);
    put_packet(trace, PACKET_TRACK);
}

/* Writes a track below the process. With a unit it is a counter. */
static void write_track(struct trace *trace, uint64_t uuid, const char *name, const char *unit)
{
    protobuf_field(&trace->part.sink, TRACK_UUID, uuid);
    put_text(&trace->part, TRACK_NAME, name);
    protobuf_field(&trace->part.sink, TRACK_PARENT, PROCESS);
    if (unit) {
        put_text(&trace->inner, COUNTER_UNIT_NAME, unit);
        put_perfetto_field(&trace->part, TRACK_COUNTER, &trace->inner);
    }
    put_packet(trace, PACKET_TRACK);
}

/* Writes a window on a separate track, which shows where calls were reported. Between windows there are none,
 * which does not mean that the target was idle. */
static void write_window(struct trace *trace, const struct snapshot_kept *row)
{
    const struct snapshot_range *range = &trace->snapshot->range;
    uint64_t from = row->from_ticks, to = row->to_ticks;
    if (range->is_set && from < range->from_ticks)
        from = range->from_ticks;
    if (range->is_set && to > range->to_ticks)
        to = range->to_ticks;
    if (!row->is_excerpt || to <= from || to <= trace->from_ticks) /* the timeline has no earlier calls */
        return;
    begin_event(trace, time_of(trace, from), track_of_windows(trace->snapshot), SLICE_BEGIN);
    put_text(&trace->part, EVENT_NAME, "window");
    put_packet(trace, PACKET_EVENT);
    write_end(trace, time_of(trace, to), track_of_windows(trace->snapshot));
}

static void write_windows(struct trace *trace)
{
    const struct snapshot *snapshot = trace->snapshot;
    if (!snapshot->windows.are_all)
        return;
    write_track(trace, track_of_windows(snapshot), "windows: calls are known inside of them only", NULL);
    for (uint32_t i = 0; i < snapshot->windows.count; i++)
        write_window(trace, &snapshot->windows.rows[i]);
}

/* Writes the load of the contexts from `from` to `to`, one column, in whole percent. */
static void write_load(struct trace *trace, const struct turns_columns *load, uint32_t column, uint64_t to)
{
    const struct snapshot *snapshot = trace->snapshot;
    uint64_t from = load->from_ticks + column * load->step_ticks;
    uint64_t ticks = to - from < load->step_ticks ? to - from : load->step_ticks;
    for (uint32_t i = 0; i < load->contexts; i++) {
        if (!snapshot->contexts[i].has_times)
            continue;
        double percent = 100.0 * (double)load->ran_ticks[(size_t)load->columns * i + column] / (double)ticks;
        begin_event(trace, time_of(trace, from), track_of_load(snapshot, i), COUNTER);
        protobuf_number(&trace->part.sink, EVENT_COUNTER << 3); /* 0 is written, too */
        protobuf_number(&trace->part.sink, percent > 100 ? 100 : (uint64_t)(percent + 0.5));
        put_packet(trace, PACKET_EVENT);
    }
}

static void write_load_tracks(struct trace *trace)
{
    const struct snapshot *snapshot = trace->snapshot;
    for (uint32_t i = 0; i < snapshot->context_count; i++) {
        char name[sizeof snapshot->contexts->name + sizeof "load of "];
        snprintf(name, sizeof name, "load of %s", snapshot->contexts[i].name);
        if (snapshot->contexts[i].has_times)
            write_track(trace, track_of_load(snapshot, i), name, "%");
    }
}

/* Writes counters of the contexts' load, if the target reports which context runs. */
static void write_loads(struct trace *trace, uint64_t from, uint64_t to)
{
    if (to <= from)
        return;
    struct turns_columns *load = turns_over_time(trace->snapshot, from, to, LOAD_COLUMNS);
    trace->sink->failed |= !load;
    if (load && load->has_some) {
        write_load_tracks(trace);
        for (uint32_t column = 0; column < load->columns && column * load->step_ticks < to - load->from_ticks;
             column++)
            write_load(trace, load, column, to);
    }
    free(load);
}

static void write_trace(struct trace *trace)
{
    const struct snapshot *snapshot = trace->snapshot;
    uint64_t from, to;
    if (!snapshot_timeline_range(snapshot, &from, &to))
        from = to = 0;
    trace->from_ticks = from;
    write_process(trace);
    for (uint32_t context = 0; context < snapshot->context_count; context++)
        write_track(trace, track_of(context), snapshot->contexts[context].name, NULL);
    write_names(trace);
    write_windows(trace);
    if (snapshot->range.is_set && from < snapshot->range.from_ticks)
        from = snapshot->range.from_ticks;
    if (snapshot->range.is_set && to > snapshot->range.to_ticks)
        to = snapshot->range.to_ticks;
    write_loads(trace, from, to);
    write_calls(trace);
}

static void write_perfetto(const struct snapshot *snapshot, struct sink *sink)
{
    struct trace trace = {.snapshot = snapshot, .sink = zip_sink_new(sink)};
    if (!trace.sink) {
        sink->failed = true;
        return;
    }
    labels_init(&trace.labels, snapshot);
    sink_buffer_init(&trace.packet);
    sink_buffer_init(&trace.part);
    sink_buffer_init(&trace.inner);
    write_trace(&trace);
    sink_buffer_fini(&trace.inner);
    sink_buffer_fini(&trace.part);
    sink_buffer_fini(&trace.packet);
    labels_fini(&trace.labels);
    zip_sink_end(trace.sink);
}

const struct exporter exporter_perfetto = {
    .id = "perfetto",
    .title = "Perfetto",
    .summary = "the last calls one by one and each context's load, gzipped, for ui.perfetto.dev",
    .media_type = "application/octet-stream",
    .extension = "pftrace.gz",
    .needs = PROVIDES_TIMELINE,
    .write = write_perfetto,
};
