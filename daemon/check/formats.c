/* formats.c - how findings are told: to people, to programs, and to those that mark lines of source code. */
#include "base/json.h"
#include "check/gate.h"

#include <stdio.h>

/* Names are a file's that nobody vouches for, and a terminal takes control bytes for orders. */
static void plain(struct sink *sink, const char *text)
{
    for (; *text; text++)
        sink_char(sink, (unsigned char)*text < 0x20 || *text == 0x7F ? '?' : *text);
}

/* As GitHub's workflow commands want a message, or with `is_property` the value of a property. */
static void escaped(struct sink *sink, const char *text, bool is_property)
{
    for (; *text; text++) {
        if (*text == '%' || *text == '\r' || *text == '\n' || (is_property && (*text == ':' || *text == ',')))
            sink_printf(sink, "%%%02X", (unsigned)*text);
        else
            sink_char(sink, *text);
    }
}

static void numbers(const struct gate *gate, const struct gate_finding *finding, struct sink *sink)
{
    double was = finding->before->ns[gate->metric], is = finding->after->ns[gate->metric];
    sink_printf(sink, " became slower: %s %.3f us, was %.3f us", measured_metrics[gate->metric], is / 1e3,
                was / 1e3);
    if (was > 0)
        sink_printf(sink, " (+%.1f %%)", 100 * (is - was) / was);
}

static void write_text(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    for (size_t i = 0; i < result->n; i++) {
        plain(sink, result->findings[i].after->name);
        numbers(gate, &result->findings[i], sink);
        sink_char(sink, '\n');
    }
    sink_printf(sink,
                "%zu of %zu functions became slower; %zu are gone, %zu are new, %zu cannot be compared\n",
                result->n, result->compared, result->gone, result->added, result->untold);
}

static void write_gcc(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    for (size_t i = 0; i < result->n; i++) {
        const struct measured_function *function = result->findings[i].after;
        plain(sink, *function->file ? function->file : "unknown");
        sink_printf(sink, ":%llu:1: warning: ", (unsigned long long)(function->line ? function->line : 1));
        plain(sink, function->name);
        numbers(gate, &result->findings[i], sink);
        sink_char(sink, '\n');
    }
}

static void write_github(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    for (size_t i = 0; i < result->n; i++) {
        const struct measured_function *function = result->findings[i].after;
        sink_text(sink, "::error ");
        if (*function->file) {
            sink_text(sink, "file=");
            escaped(sink, function->file, true);
            sink_printf(sink, ",line=%llu", (unsigned long long)(function->line ? function->line : 1));
            sink_char(sink, ',');
        }
        sink_text(sink, "title=Slower::");
        escaped(sink, function->name, false);
        numbers(gate, &result->findings[i], sink);
        sink_char(sink, '\n');
    }
}

static void write_json(const struct gate *gate, const struct gate_result *result, struct sink *sink)
{
    struct json json = {.sink = sink};
    json_object_open(&json, NULL);
    json_text(&json, "schema", "miniprofd.check");
    json_u64(&json, "schema_version", 1);
    json_text(&json, "metric", measured_metrics[gate->metric]);
    json_u64(&json, "compared", result->compared);
    json_u64(&json, "gone", result->gone);
    json_u64(&json, "added", result->added);
    json_u64(&json, "untold", result->untold);
    json_array_open(&json, "findings");
    for (size_t i = 0; i < result->n; i++) {
        const struct gate_finding *finding = &result->findings[i];
        json_object_open(&json, NULL);
        json_text(&json, "name", finding->after->name);
        json_text(&json, "file", *finding->after->file ? finding->after->file : NULL);
        json_u64(&json, "line", finding->after->line);
        json_double(&json, "before_ns", finding->before->ns[gate->metric], 3);
        json_double(&json, "after_ns", finding->after->ns[gate->metric], 3);
        json_object_close(&json);
    }
    json_array_close(&json);
    json_object_close(&json);
    sink_char(sink, '\n');
}

const struct gate_format gate_formats[] = {
    {"text", write_text}, {"json", write_json}, {"gcc", write_gcc}, {"github", write_github}, {NULL, NULL}};
