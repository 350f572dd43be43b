/* data.c - a result for programs: our own JSON, and the Bencher Metric Format. */
#include "base/json.h"
#include "base/text.h"
#include "check/report.h"

#include <string.h>

static const char *const verdicts[] = {
    [GATE_HOLDS] = "holds", [GATE_FAILS] = "broken", [GATE_UNKNOWN] = "unknown"};

static void write_place(const struct gate_row *row, struct json *json)
{
    json_text(json, "name", row->name);
    json_text(json, "file", *report_file(row) ? report_file(row) : NULL);
    json_u64(json, "line", row->after ? row->after->line : 0);
}

/* Times have members that end in _ns, as they always had. */
static void write_figures(const struct gate *gate, const struct gate_row *row, struct json *json)
{
    bool is_time = measured_unit_of(gate->metric) == MEASURED_IN_NS;
    json_double(json, is_time ? "before_ns" : "before", row->was, 3);
    json_double(json, is_time ? "after_ns" : "after", row->is, 3);
}

static void write_findings(const struct gate *gate, const struct gate_result *result, struct json *json)
{
    json_array_open(json, "findings");
    for (size_t i = 0; i < result->n; i++) {
        const struct gate_row *row = &result->rows[i];
        if (row->limit || row->verdict != GATE_FAILS)
            continue;
        json_object_open(json, NULL);
        write_place(row, json);
        write_figures(gate, row, json);
        json_object_close(json);
    }
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
    write_findings(gate, result, &json);
    write_limits(result, &json);
    json_object_close(&json);
    sink_char(sink, '\n');
}

/* An object of benchmarks by name: bencher.dev/docs/reference/bencher-metric-format. Of functions of one name
 * in several files the first is told, since a name stands there once. */
static void write_bmf(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    static const char *const measures[] = {
        [MEASURED_IN_NS] = "latency", [MEASURED_IN_CALLS] = "calls", [MEASURED_IN_BYTES] = "stack"};
    struct json json = {.sink = sink};
    const char *last = NULL;
    sink_char(sink, '{');
    for (size_t i = 0; i < result->n; i++) {
        const struct gate_row *row = &result->rows[i];
        if (row->limit || (last && !strcmp(last, row->after->name)))
            continue;
        sink_text(sink, last ? "," : "");
        last = row->after->name;
        text_write_json(sink, last);
        sink_char(sink, ':');
        json.comma = false;
        json_object_open(&json, NULL);
        json_object_open(&json, measures[measured_unit_of(gate->metric)]);
        json_double(&json, "value", row->is, 3);
        json_object_close(&json);
        json_object_close(&json);
    }
    sink_text(sink, "}\n");
}

const struct report report_json = {"json", write_json}, report_bmf = {"bmf", write_bmf};
