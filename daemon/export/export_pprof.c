/* export_pprof.c - a gzipped profile.proto, for pprof and `go tool pprof`.
 *
 * There are two sample types: calls, and self time in nanoseconds (in ticks where their rate is unknown). Each
 * node of the call tree is one sample, so recursion is visible. Strings are written when they first occur:
 * readers number them by their order, also between other fields. Values are signed in this format, so they
 * saturate at 2^63 - 1. */
#include "export/export.h"

#include "base/map.h"
#include "base/zip.h"
#include "export/protobuf.h"
#include "export/ticks.h"
#include "snapshot/elf_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Field numbers of profile.proto. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_TIME_NANOS = 9,
    PROFILE_DURATION_NANOS = 10,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_SAMPLE_TYPE = 14,

    VALUE_TYPE = 1,
    VALUE_UNIT = 2,

    SAMPLE_LOCATIONS = 1,
    SAMPLE_VALUES = 2,
    SAMPLE_LABEL = 3,

    LABEL_KEY = 1,
    LABEL_TEXT = 2,

    MAPPING_ID = 1,
    MAPPING_START = 2,
    MAPPING_LIMIT = 3,
    MAPPING_FILE = 5,
    MAPPING_BUILD_ID = 6,
    MAPPING_HAS_FUNCTIONS = 7,
    MAPPING_HAS_FILES = 8,
    MAPPING_HAS_LINES = 9,

    LOCATION_ID = 1,
    LOCATION_MAPPING = 2,
    LOCATION_ADDRESS = 3,
    LOCATION_LINE = 4,

    LINE_FUNCTION = 1,
    LINE_LINE = 2,

    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILE = 4,
    FUNCTION_START_LINE = 5,
};

enum { THE_MAPPING = 1 };

struct pprof {
    const struct snapshot *snapshot;
    struct sink_buffer out;         /* the whole message */
    struct sink_buffer part, inner; /* being written: a message of `out`, and one in that */
    struct map strings;             /* pointer to the text -> index */
    uint64_t string_count;
};

/* Returns the index of a text that lives as long as the export. Equal texts at different addresses are written
 * twice, which only costs bytes. */
static uint64_t string_of(struct pprof *pprof, const char *text)
{
    if (!text || !*text)
        return 0;
    uint32_t known = map_find(&pprof->strings, (uintptr_t)text);
    if (known != MAP_NONE)
        return known;
    protobuf_bytes(&pprof->out.sink, PROFILE_STRING, text, strlen(text));
    if (!map_set(&pprof->strings, (uintptr_t)text, (uint32_t)pprof->string_count))
        pprof->out.sink.failed = true;
    return pprof->string_count++;
}

static uint64_t limit_to_int64(uint64_t value)
{
    return value > INT64_MAX ? INT64_MAX : value;
}

static void put_pprof_field(struct sink_buffer *into, unsigned field, struct sink_buffer *part)
{
    protobuf_bytes(&into->sink, field, part->bytes, part->n);
    into->sink.failed |= part->sink.failed;
    sink_buffer_clear(part);
}

static void write_value_type(struct pprof *pprof, unsigned field, const char *type, const char *unit)
{
    protobuf_field(&pprof->part.sink, VALUE_TYPE, string_of(pprof, type));
    protobuf_field(&pprof->part.sink, VALUE_UNIT, string_of(pprof, unit));
    put_pprof_field(&pprof->out, field, &pprof->part);
}

static void write_types(struct pprof *pprof)
{
    static const char calls[] = "calls", count[] = "count", time[] = "time", nanoseconds[] = "nanoseconds",
                      ticks[] = "ticks";
    uint64_t rate = pprof->snapshot->target.ticks_per_second;
    write_value_type(pprof, PROFILE_SAMPLE_TYPE, calls, count);
    write_value_type(pprof, PROFILE_SAMPLE_TYPE, time, rate ? nanoseconds : ticks);
    protobuf_field(&pprof->out.sink, PROFILE_DEFAULT_SAMPLE_TYPE, string_of(pprof, time));
    /* The period is the resolution of the clock. */
    write_value_type(pprof, PROFILE_PERIOD_TYPE, time, rate ? nanoseconds : ticks);
    uint64_t period = rate ? ticks_nanoseconds(1, rate) : 1;
    protobuf_field(&pprof->out.sink, PROFILE_PERIOD, period ? period : 1);
}

/* Writes the ELF file as a mapping of the range of its functions that ran. */
static void write_mapping(struct pprof *pprof, char build_id[9])
{
    const struct snapshot *snapshot = pprof->snapshot;
    uint64_t start = UINT64_MAX, limit = 0;
    for (uint32_t id = 0; id < snapshot->function_count; id++) {
        const struct snapshot_function *function = &snapshot->functions[id];
        if (!function->has_address)
            continue;
        uint64_t end = function->address + (function->size ? function->size : 1);
        if (function->address < start)
            start = function->address;
        if (end > limit)
            limit = end;
    }
    if (limit == 0)
        start = 0;
    struct sink *part = &pprof->part.sink;
    protobuf_field(part, MAPPING_ID, THE_MAPPING);
    protobuf_field(part, MAPPING_START, start);
    protobuf_field(part, MAPPING_LIMIT, limit);
    protobuf_field(part, MAPPING_FILE, string_of(pprof, snapshot_elf_path(snapshot)));
    if (snapshot->target.has_metadata && snapshot->target.elf_build_id) {
        snprintf(build_id, 9, "%08x", (unsigned)snapshot->target.elf_build_id);
        protobuf_field(part, MAPPING_BUILD_ID, string_of(pprof, build_id));
    }
    /* Names, files and lines are complete, so pprof need not open the file. */
    protobuf_field(part, MAPPING_HAS_FUNCTIONS, true);
    protobuf_field(part, MAPPING_HAS_FILES, true);
    protobuf_field(part, MAPPING_HAS_LINES, true);
    put_pprof_field(&pprof->out, PROFILE_MAPPING, &pprof->part);
}

/* Writes each function, and one location with the same number. */
static void write_functions(struct pprof *pprof)
{
    const struct snapshot *snapshot = pprof->snapshot;
    struct sink *part = &pprof->part.sink, *inner = &pprof->inner.sink;
    for (uint32_t id = 0; id < snapshot->function_count; id++) {
        const struct snapshot_function *function = &snapshot->functions[id];
        protobuf_field(part, FUNCTION_ID, id + 1);
        protobuf_field(part, FUNCTION_NAME, string_of(pprof, function->name));
        protobuf_field(part, FUNCTION_SYSTEM_NAME, string_of(pprof, function->raw_name));
        protobuf_field(part, FUNCTION_FILE, string_of(pprof, function->file));
        protobuf_field(part, FUNCTION_START_LINE, function->line);
        put_pprof_field(&pprof->out, PROFILE_FUNCTION, &pprof->part);

        protobuf_field(inner, LINE_FUNCTION, id + 1);
        protobuf_field(inner, LINE_LINE, function->line);
        protobuf_field(part, LOCATION_ID, id + 1);
        if (function->has_address) {
            protobuf_field(part, LOCATION_MAPPING, THE_MAPPING);
            protobuf_field(part, LOCATION_ADDRESS, function->address);
        }
        put_pprof_field(&pprof->part, LOCATION_LINE, &pprof->inner);
        put_pprof_field(&pprof->out, PROFILE_LOCATION, &pprof->part);
    }
}

static void write_label(struct pprof *pprof, const char *key, const char *text)
{
    protobuf_field(&pprof->inner.sink, LABEL_KEY, string_of(pprof, key));
    protobuf_field(&pprof->inner.sink, LABEL_TEXT, string_of(pprof, text));
    put_pprof_field(&pprof->part, SAMPLE_LABEL, &pprof->inner);
}

static void write_sample(struct pprof *pprof, const struct snapshot_node *node)
{
    static const char context_key[] = "context";
    const struct snapshot *snapshot = pprof->snapshot;
    struct sink *inner = &pprof->inner.sink;
    for (const struct snapshot_node *at = node; at->function >= 0; at = &snapshot->nodes[at->parent])
        protobuf_number(inner, (uint64_t)at->function + 1);
    put_pprof_field(&pprof->part, SAMPLE_LOCATIONS, &pprof->inner);

    uint64_t rate = snapshot->target.ticks_per_second;
    protobuf_number(inner, limit_to_int64(node->calls));
    protobuf_number(inner,
                    limit_to_int64(rate ? ticks_nanoseconds(node->self_ticks, rate) : node->self_ticks));
    put_pprof_field(&pprof->part, SAMPLE_VALUES, &pprof->inner);
    if (snapshot->context_count > 1 && node->context < snapshot->context_count)
        write_label(pprof, context_key, snapshot->contexts[node->context].name);
    put_pprof_field(&pprof->out, PROFILE_SAMPLE, &pprof->part);
}

/* Returns the time of the busiest context, a lower limit of the profile's duration. 0 when memory is used up,
 * which is reported. */
static uint64_t busiest_ticks(struct pprof *pprof)
{
    const struct snapshot *snapshot = pprof->snapshot;
    uint32_t n = snapshot->context_count ? snapshot->context_count : 1;
    uint64_t *busy = calloc(n, sizeof *busy), most = 0;
    if (!busy) {
        pprof->out.sink.failed = true;
        return 0;
    }
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        uint64_t *of = &busy[node->context < n ? node->context : 0];
        *of = node->self_ticks > UINT64_MAX - *of ? UINT64_MAX : *of + node->self_ticks;
        most = *of > most ? *of : most;
    }
    free(busy);
    return most;
}

/* Returns the duration of the profile: in the host's time if it is the difference of two, else in the
 * target's. The timeline may hold only the newest calls. 0: unknown. */
static uint64_t duration_ns(struct pprof *pprof)
{
    const struct snapshot *snapshot = pprof->snapshot;
    uint64_t rate = snapshot->target.ticks_per_second;
    uint64_t from_ticks = 0, to_ticks = 0, busy_ticks = busiest_ticks(pprof);
    if (snapshot->range.is_set) {
        from_ticks = snapshot->range.from_ticks;
        to_ticks = snapshot->range.to_ticks;
    } else if (snapshot->between_ns == 0 && !snapshot_timeline_range(snapshot, &from_ticks, &to_ticks)) {
        from_ticks = to_ticks = 0;
    }
    uint64_t ticks = to_ticks > from_ticks ? to_ticks - from_ticks : 0;
    uint64_t told_ns = rate ? ticks_nanoseconds(ticks > busy_ticks ? ticks : busy_ticks, rate) : 0;
    return told_ns > snapshot->between_ns ? told_ns : snapshot->between_ns;
}

static void write_message(struct pprof *pprof, const struct snapshot_reasons *reasons, char build_id[9])
{
    static const char producer[] = "miniprofd " MINIPROFD_VERSION;
    static const char estimated[] = "Stacks are estimated from arcs and samples.";
    const struct snapshot *snapshot = pprof->snapshot;
    protobuf_bytes(&pprof->out.sink, PROFILE_STRING, "", 0); /* the first string is always empty */
    pprof->string_count = 1;
    write_types(pprof);
    write_mapping(pprof, build_id);
    write_functions(pprof);
    for (uint32_t node = 1; node < snapshot->node_count; node++)
        if (snapshot->nodes[node].calls > 0 || snapshot->nodes[node].self_ticks > 0)
            write_sample(pprof, &snapshot->nodes[node]);
    protobuf_field(&pprof->out.sink, PROFILE_TIME_NANOS, limit_to_int64(snapshot->captured_at_wall_ns));
    protobuf_field(&pprof->out.sink, PROFILE_DURATION_NANOS, limit_to_int64(duration_ns(pprof)));
    protobuf_field(&pprof->out.sink, PROFILE_COMMENT, string_of(pprof, producer));
    protobuf_field(&pprof->out.sink, PROFILE_COMMENT, string_of(pprof, snapshot->source.port));
    if (snapshot->call_tree_estimated)
        protobuf_field(&pprof->out.sink, PROFILE_COMMENT, string_of(pprof, estimated));
    for (unsigned i = 0; i < reasons->n; i++)
        protobuf_field(&pprof->out.sink, PROFILE_COMMENT, string_of(pprof, reasons->text[i]));
}

static void write_pprof(const struct snapshot *snapshot, struct sink *sink)
{
    struct pprof pprof = {.snapshot = snapshot};
    /* kept until the end: texts are identified by address */
    const struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
    char build_id[9];
    sink_buffer_init(&pprof.out);
    sink_buffer_init(&pprof.part);
    sink_buffer_init(&pprof.inner);
    write_message(&pprof, &reasons, build_id);

    size_t packed_n;
    char *packed = pprof.out.sink.failed ? NULL : zip_gzip(pprof.out.bytes, pprof.out.n, &packed_n);
    if (packed)
        sink_write(sink, packed, packed_n);
    else
        sink->failed = true;
    free(packed);
    map_fini(&pprof.strings);
    sink_buffer_fini(&pprof.inner);
    sink_buffer_fini(&pprof.part);
    sink_buffer_fini(&pprof.out);
}

const struct exporter exporter_pprof = {
    .id = "pprof",
    .title = "pprof",
    .summary = "calls and time of each stack, gzipped, for pprof and go tool pprof",
    .media_type = "application/octet-stream",
    .extension = "pb.gz",
    .needs = PROVIDES_TREE,
    .write = write_pprof,
};
