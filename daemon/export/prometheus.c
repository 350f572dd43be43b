/* prometheus.c - the text format of Prometheus (version 0.0.4), which is also what /metrics answers.
 *
 * A series for each function of a large firmware would be a burden on whoever collects them, so only those
 * with most time of their own are told, and how many are not. */
#include "export/export.h"

#include "export/ticks.h"

#include <stddef.h>
#include <stdlib.h>

enum { FUNCTIONS_MOST = 500 };

static void head(struct sink *sink, const char *name, const char *type, const char *help)
{
    sink_printf(sink, "# HELP miniprofd_%s %s\n# TYPE miniprofd_%s %s\n", name, help, name, type);
}

static void counter(struct sink *sink, const char *name, const char *help, uint64_t value)
{
    head(sink, name, "counter", help);
    sink_printf(sink, "miniprofd_%s %llu\n", name, (unsigned long long)value);
}

static void gauge(struct sink *sink, const char *name, const char *help, double value)
{
    head(sink, name, "gauge", help);
    sink_printf(sink, "miniprofd_%s %.17g\n", name, value);
}

static void label_value(struct sink *sink, const char *text)
{
    for (; *text; text++) {
        if (*text == '\n') {
            sink_text(sink, "\\n");
        } else {
            if (*text == '"' || *text == '\\')
                sink_char(sink, '\\');
            sink_char(sink, *text);
        }
    }
}

static void write_link(const struct snapshot_link *link, struct sink *sink)
{
    counter(sink, "link_bytes_total", "Bytes received.", link->bytes);
    counter(sink, "link_packets_total", "Good packets received.", link->packets);
    counter(sink, "link_records_total", "Records received.", link->records);
    counter(sink, "link_crc_errors_total", "Packets with a wrong checksum.", link->crc_errors);
    counter(sink, "link_framing_errors_total", "Packets with a wrong frame.", link->framing_errors);
    counter(sink, "link_malformed_total", "Packets whose content makes no sense.", link->malformed);
    counter(sink, "link_bytes_skipped_total", "Bytes that were part of no good packet.", link->bytes_skipped);
    counter(sink, "link_unsupported_version_total", "Packets of a version not known.",
            link->unsupported_version);
    counter(sink, "link_unknown_types_total", "Packets of a type not known.", link->unknown_types);
    counter(sink, "link_records_lost_total", "Records lost on the target or on the way.", link->records_lost);
    counter(sink, "link_unplaced_calls_total", "Calls whose caller was lost.", link->unplaced_calls);
    counter(sink, "link_over_limit_total", "Rows that a ceiling merged.", link->over_limit);
    counter(sink, "link_reconnects_total", "Times the source came back.", link->reconnects);
    counter(sink, "link_target_resets_total", "Times the target started anew.", link->target_resets);
}

static void write_target(const struct snapshot_target *target, struct sink *sink)
{
    if (target->has_status) {
        gauge(sink, "target_profiling", "1 while the target profiles.", target->profiling);
        gauge(sink, "target_buffer_usage_ratio", "How full the target's buffer is, 0 to 1.",
              target->buffer_usage_percent / 100.0);
        counter(sink, "target_buffer_overflows_total", "Times the target's buffer was full.",
                target->buffer_overflows);
        counter(sink, "target_records_captured_total", "Records that the target captured.",
                target->records_captured);
    }
    if (target->ticks_per_second)
        gauge(sink, "target_ticks_per_second", "Ticks of the target's clock in a second.",
              (double)target->ticks_per_second);
}

static int busiest_first(const void *a, const void *b)
{
    const struct snapshot_function *left = *(const struct snapshot_function *const *)a;
    const struct snapshot_function *right = *(const struct snapshot_function *const *)b;
    if (left->self_ticks != right->self_ticks)
        return left->self_ticks < right->self_ticks ? 1 : -1;
    if (left->samples != right->samples)
        return left->samples < right->samples ? 1 : -1;
    return left < right ? -1 : left > right;
}

struct functions {
    const struct snapshot *snapshot;
    const struct snapshot_function **rows;
    uint32_t n;
};

static void write_series(const struct functions *functions, const char *name, const char *help,
                         uint32_t known, size_t offset, uint64_t ticks_per_second, struct sink *sink)
{
    head(sink, name, "counter", help);
    for (uint32_t i = 0; i < functions->n; i++) {
        const struct snapshot_function *function = functions->rows[i];
        if (!(function->known & known))
            continue;
        uint64_t value = *(const uint64_t *)(const void *)((const char *)function + offset);
        sink_printf(sink, "miniprofd_%s{id=\"%u\",function=\"", name,
                    (unsigned)(function - functions->snapshot->functions));
        label_value(sink, function->name);
        sink_text(sink, "\"} ");
        if (ticks_per_second) {
            uint64_t ns = ticks_nanoseconds(value, ticks_per_second);
            sink_printf(sink, "%llu.%09llu\n", (unsigned long long)(ns / 1000000000),
                        (unsigned long long)(ns % 1000000000));
        } else {
            sink_printf(sink, "%llu\n", (unsigned long long)value);
        }
    }
}

static void write_functions(const struct snapshot *snapshot, struct sink *sink)
{
    struct functions functions = {.snapshot = snapshot, .n = snapshot->function_count};
    functions.rows = malloc((functions.n ? functions.n : 1) * sizeof *functions.rows);
    if (!functions.rows) {
        sink->failed = true;
        return;
    }
    for (uint32_t i = 0; i < functions.n; i++)
        functions.rows[i] = &snapshot->functions[i];
    qsort(functions.rows, functions.n, sizeof *functions.rows, busiest_first);
    if (functions.n > FUNCTIONS_MOST)
        functions.n = FUNCTIONS_MOST;
    gauge(sink, "functions", "Functions met so far.", snapshot->function_count);
    gauge(sink, "functions_not_shown", "Functions with too little time of their own to be listed here.",
          snapshot->function_count - functions.n);

    uint64_t rate = snapshot->target.ticks_per_second;
    if (snapshot->source.provides & PROVIDES_SAMPLES)
        write_series(&functions, "function_samples_total",
                     "Times the program counter was found in the function.", FUNCTION_SAMPLES,
                     offsetof(struct snapshot_function, samples), 0, sink);
    write_series(&functions, "function_calls_total", "Calls of the function.", FUNCTION_CALLS,
                 offsetof(struct snapshot_function, calls), 0, sink);
    write_series(&functions, rate ? "function_seconds_total" : "function_ticks_total",
                 "Time inside the function, callees included.", FUNCTION_TIMES,
                 offsetof(struct snapshot_function, total_ticks), rate, sink);
    write_series(&functions, rate ? "function_self_seconds_total" : "function_self_ticks_total",
                 "Time inside the function, callees not included.", FUNCTION_TIMES,
                 offsetof(struct snapshot_function, self_ticks), rate, sink);
    free(functions.rows);
}

static void write_prometheus(const struct snapshot *snapshot, struct sink *sink)
{
    head(sink, "info", "gauge", "Always 1.");
    sink_text(sink, "miniprofd_info{version=\"" MINIPROFD_VERSION "\",port=\"");
    label_value(sink, snapshot->source.port);
    sink_text(sink, "\",dialect=\"");
    label_value(sink, snapshot->source.dialect ? snapshot->source.dialect : "");
    sink_text(sink, "\"} 1\n");
    gauge(sink, "source_connected", "1 while the source is there.",
          snapshot->source.state == STATE_CONNECTED);
    gauge(sink, "profile_complete", "1 while nothing of the profile is known to be missing.",
          snapshot_incomplete(snapshot).n == 0);
    write_link(&snapshot->link, sink);
    write_target(&snapshot->target, sink);
    write_functions(snapshot, sink);
}

const struct exporter exporter_prometheus = {
    .id = "prometheus",
    .title = "Prometheus metrics",
    .summary = "counters of link, target and the busiest functions; what /metrics answers",
    .media_type = "text/plain; version=0.0.4; charset=utf-8",
    .extension = "prom",
    .write = write_prometheus,
};
