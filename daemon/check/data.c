/* data.c - writes a result for programs: as JSON, and in the Bencher Metric Format. */
#include "base/json.h"
#include "base/text.h"
#include "check/report.h"

#include <string.h>

static const char *const verdicts[] = {
    [GATE_HOLDS] = "holds", [GATE_FAILS] = "broken", [GATE_UNKNOWN] = "unknown"};

/* Writes `file` as in the profile, and `place`, its path below the root. */
static void write_place(const struct gate_row *row, struct json *json)
{
    const struct measured_function *function = row->after ? row->after : row->before;
    json_text(json, "name", row->name);
    json_text(json, "file", function && *function->file ? function->file : NULL);
    json_u64(json, "line", function ? function->line : 0);
    json_text(json, "place", row->place);
}

/* Members for times end in _ns, for compatibility. */
static void write_figures(const struct gate_row *row, struct json *json)
{
    static const char *const causes[] = {
        [GATE_ITSELF] = "itself", [GATE_CALLS] = "calls", [GATE_CALLEE] = "callee"};
    bool is_time = measured_unit_of(row->figure) == MEASURED_IN_NS;
    json_text(json, "figure", measured_word(row->figure));
    json_text(json, "cause", causes[row->cause]);
    json_double(json, is_time ? "before_ns" : "before", row->was, 3);
    json_double(json, is_time ? "after_ns" : "after", row->is, 3);
}

static void write_path(const struct gate_result *result, struct json *json)
{
    const char *names[REPORT_PATH_MOST];
    size_t n = report_path(result, names, REPORT_PATH_MOST);
    json_array_open(json, "path");
    for (size_t i = 0; i < n && i < REPORT_PATH_MOST; i++)
        json_text(json, NULL, names[i]);
    json_array_close(json);
}

/* Writes functions with this verdict in the order of their cost. */
static void write_told(const struct gate_result *result, enum gate_verdict verdict, const char *name,
                       struct json *json)
{
    json_array_open(json, name);
    for (size_t i = 0; i < result->told_n; i++) {
        const struct gate_row *row = result->told[i];
        if (row->kind == GATE_LIMIT || row->verdict != verdict)
            continue;
        json_object_open(json, NULL);
        write_place(row, json);
        json_bool(json, "gone", row->kind == GATE_GONE);
        if (row->kind == GATE_COMPARED)
            write_figures(row, json);
        json_object_close(json);
    }
    json_array_close(json);
}

static void write_names(const struct gate_result *result, enum report_list list, const char *name,
                        struct json *json)
{
    json_array_open(json, name);
    for (size_t i = 0; i < result->n; i++)
        if (report_is_listed(&result->rows[i], list))
            json_text(json, NULL, result->rows[i].name);
    json_array_close(json);
}

static void write_limits(const struct gate_result *result, struct json *json)
{
    json_array_open(json, "limits");
    for (size_t i = 0; i < result->n; i++) {
        const struct gate_row *row = &result->rows[i];
        if (!row->limit)
            continue;
        json_object_open(json, NULL);
        json_text(json, "limit", row->limit);
        json_text(json, "verdict", verdicts[row->verdict]);
        json_text(json, "value", *row->value ? row->value : NULL);
        json_text(json, "reason", row->verdict == GATE_UNKNOWN ? row->why : NULL);
        write_place(row, json);
        json_object_close(json);
    }
    json_array_close(json);
}

static void write_json(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    struct json json = {.sink = sink};
    json_object_open(&json, NULL);
    json_text(&json, "schema", "miniprofd.check");
    json_u64(&json, "schema_version", 1);
    json_text(&json, "metric", measured_word(gate->metric));
    json_text(&json, "inconclusive", result->inconclusive);
    json_u64(&json, "compared", result->compared);
    json_u64(&json, "gone", result->gone);
    json_u64(&json, "added", result->added);
    json_u64(&json, "untold", result->untold);
    write_names(result, REPORT_GONE, "gone_names", &json);
    write_names(result, REPORT_NEW, "added_names", &json);
    write_names(result, REPORT_UNCLEAR, "unclear_names", &json);
    write_told(result, GATE_FAILS, "findings", &json);
    write_told(result, GATE_WARNS, "warnings", &json);
    write_path(result, &json);
    write_limits(result, &json);
    json_object_close(&json);
    sink_char(sink, '\n');
}

/* Writes an object of benchmarks by name: bencher.dev/docs/reference/bencher-metric-format. Of functions with the
 * same name only the first is written, since names must be unique. */
static void write_bmf(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    static const char *const measures[] = {
        [MEASURED_IN_NS] = "latency", [MEASURED_IN_CALLS] = "calls", [MEASURED_IN_BYTES] = "stack"};
    struct json json = {.sink = sink};
    const char *last = NULL;
    sink_char(sink, '{');
    for (size_t i = 0; i < result->n; i++) {
        const struct gate_row *row = &result->rows[i];
        if (row->kind != GATE_COMPARED || (last && !strcmp(last, row->after->name)))
            continue;
        sink_text(sink, last ? "," : "");
        last = row->after->name;
        text_write_json(sink, last);
        sink_char(sink, ':');
        json.has_comma = false;
        json_object_open(&json, NULL);
        json_object_open(&json, measures[measured_unit_of(gate->metric)]);
        json_double(&json, "value", row->after->figure[gate->metric], 3);
        json_object_close(&json);
        json_object_close(&json);
    }
    sink_text(sink, "}\n");
}

const struct report report_json = {"json", write_json}, report_bmf = {"bmf", write_bmf};
