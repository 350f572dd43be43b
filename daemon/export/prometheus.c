/* prometheus.c - the text format of Prometheus (version 0.0.4), which is also what /metrics answers.
 *
 * A series for each function of a large firmware would be a burden on whoever collects them, so only those
 * with most time of their own are told, and how many are not. */
#include "export/export.h"

#include "export/ticks.h"
#include "snapshot/figures.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The HELP of a figure is a sentence, as that of the others. */
static void figure_head(struct sink *sink, const struct figure *figure, const char *name)
{
    sink_printf(sink, "# HELP miniprofd_%s %s.\n# TYPE miniprofd_%s %s\n", name, figure->help, name,
                figure->adds_up ? "counter" : "gauge");
}

enum { NAME_SIZE = 80 };

/* The name of a figure: what it is, in which unit, and "_total" of what adds up. */
static void name_figure(char name[static NAME_SIZE], const struct figure *figure, const char *unit)
{
    snprintf(name, NAME_SIZE, "%s%s%s", figure->metric, unit, figure->adds_up ? "_total" : "");
}

static void write_link(const struct snapshot_link *link, struct sink *sink)
{
    for (const struct figure *figure = figures_link; figure->key; figure++) {
        if (!figure->metric || !figure_link_known(figure, link))
            continue;
        char name[NAME_SIZE];
        name_figure(name, figure, "");
        figure_head(sink, figure, name);
        sink_printf(sink, "miniprofd_%s ", name);
        if (figure->type == FIGURE_DOUBLE)
            sink_printf(sink, "%.17g\n", figure_double(figure, link));
        else if (figure->offset == offsetof(struct snapshot_link, records_lost))
            /* Known losses may become fewer; a counter that falls is taken for one that began anew. */
            sink_printf(sink, "%llu\n", (unsigned long long)link->records_lost_most);
        else
            sink_printf(sink, "%llu\n", (unsigned long long)figure_u64(figure, link));
    }
}

/* Who the target says it is, as far as it has said so. */
static void write_identity(const struct snapshot_target *target, struct sink *sink)
{
    if (target->has_metadata) {
        head(sink, "target_info", "gauge", "Firmware of the target; always 1.");
        sink_text(sink, "miniprofd_target_info{firmware=\"");
        label_value(sink, target->fw_version);
        sink_text(sink, "\",build_id=\"");
        if (target->elf_build_id)
            sink_printf(sink, "%08x", (unsigned)target->elf_build_id);
        sink_text(sink, "\"} 1\n");
    }
    if (target->has_match)
        gauge(sink, "target_elf_match",
              "1 where the ELF is of the program that the target runs, 0 where not.", target->elf_match);
}

static void write_target(const struct snapshot_target *target, struct sink *sink)
{
    write_identity(target, sink);
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

/* What tells a function from others besides its name. Its place in the snapshot is no label: it changes from
 * one run to the next. */
enum { TOLD_BY_FILE = 1, TOLD_BY_ADDRESS = 2 };

struct functions {
    const struct snapshot *snapshot;
    const struct snapshot_function **rows;
    uint8_t *told_by; /* of each function of the snapshot, by its place there */
    uint32_t n;
};

static const char *file_of(const struct snapshot_function *function)
{
    return function->file ? function->file : "";
}

static int by_name_and_file(const void *a, const void *b)
{
    const struct snapshot_function *left = *(const struct snapshot_function *const *)a;
    const struct snapshot_function *right = *(const struct snapshot_function *const *)b;
    int order = strcmp(left->name, right->name);
    return order ? order : strcmp(file_of(left), file_of(right));
}

/* Sorts the rows by name. Functions of one name are told apart by file, and by address where that does not
 * do. */
static void tell_apart(struct functions *functions)
{
    qsort(functions->rows, functions->n, sizeof *functions->rows, by_name_and_file);
    for (uint32_t i = 1; i < functions->n; i++) {
        const struct snapshot_function *const pair[] = {functions->rows[i - 1], functions->rows[i]};
        if (strcmp(pair[0]->name, pair[1]->name) != 0)
            continue;
        bool one_file = strcmp(file_of(pair[0]), file_of(pair[1])) == 0;
        for (int side = 0; side < 2; side++) {
            bool has_file = *file_of(pair[side]) != 0;
            functions->told_by[pair[side] - functions->snapshot->functions] |=
                (uint8_t)((has_file ? TOLD_BY_FILE : 0) | (one_file || !has_file ? TOLD_BY_ADDRESS : 0));
        }
    }
}

static void write_labels(const struct functions *functions, const struct snapshot_function *function,
                         struct sink *sink)
{
    size_t place = (size_t)(function - functions->snapshot->functions);
    sink_text(sink, "{function=\"");
    label_value(sink, function->name);
    if (functions->told_by[place] & TOLD_BY_FILE) {
        sink_text(sink, "\",file=\"");
        label_value(sink, function->file);
    }
    /* Rows without an address are placeholders; two of one name are not to make the whole text invalid. */
    if (functions->told_by[place] & TOLD_BY_ADDRESS) {
        if (function->has_address)
            sink_printf(sink, "\",address=\"0x%llx", (unsigned long long)function->address);
        else
            sink_printf(sink, "\",row=\"%zu", place);
    }
    sink_text(sink, "\"}");
}

/* A value in ticks, in seconds where their length is known (ticks_per_second not 0), else as it is. */
static void ticks_value(struct sink *sink, uint64_t ticks, uint64_t ticks_per_second)
{
    if (!ticks_per_second) {
        sink_printf(sink, "%llu\n", (unsigned long long)ticks);
        return;
    }
    uint64_t ns = ticks_nanoseconds(ticks, ticks_per_second);
    sink_printf(sink, "%llu.%09llu\n", (unsigned long long)(ns / 1000000000),
                (unsigned long long)(ns % 1000000000));
}

/* `ticks_per_second`: of a figure in ticks, which is told in seconds then; 0: told as it is. */
static void write_series(const struct functions *functions, const struct figure *figure, const char *name,
                         uint64_t ticks_per_second, struct sink *sink)
{
    figure_head(sink, figure, name);
    for (uint32_t i = 0; i < functions->n; i++) {
        const struct snapshot_function *function = functions->rows[i];
        if (!(function->known & figure->known))
            continue;
        uint64_t value = figure_u64(figure, function);
        sink_printf(sink, "miniprofd_%s", name);
        write_labels(functions, function, sink);
        sink_char(sink, ' ');
        ticks_value(sink, value, ticks_per_second);
    }
}

static void write_figures(const struct functions *functions, struct sink *sink)
{
    const struct snapshot *snapshot = functions->snapshot;
    for (const struct figure *figure = figures_function; figure->key; figure++) {
        if (!figure->metric)
            continue;
        if (figure->known == FUNCTION_SAMPLES && !(snapshot->source.provides & PROVIDES_SAMPLES))
            continue;
        char name[NAME_SIZE];
        uint64_t rate = figure->unit == UNIT_TICKS ? snapshot->target.ticks_per_second : 0;
        name_figure(name, figure, rate ? "_seconds" : figure->unit == UNIT_TICKS ? "_ticks" : "");
        write_series(functions, figure, name, rate, sink);
    }
}

static void write_functions(const struct snapshot *snapshot, struct sink *sink)
{
    struct functions functions = {.snapshot = snapshot, .n = snapshot->function_count};
    functions.rows = malloc((functions.n ? functions.n : 1) * sizeof *functions.rows);
    functions.told_by = calloc(functions.n ? functions.n : 1, 1);
    if (!functions.rows || !functions.told_by) {
        sink->failed = true;
        free(functions.rows);
        free(functions.told_by);
        return;
    }
    for (uint32_t i = 0; i < functions.n; i++)
        functions.rows[i] = &snapshot->functions[i];
    tell_apart(&functions);
    qsort(functions.rows, functions.n, sizeof *functions.rows, busiest_first);
    if (functions.n > FUNCTIONS_MOST)
        functions.n = FUNCTIONS_MOST;
    gauge(sink, "functions", "Functions met so far.", snapshot->function_count);
    gauge(sink, "functions_not_shown", "Functions with too little time of their own to be listed here.",
          snapshot->function_count - functions.n);
    write_figures(&functions, sink);
    free(functions.rows);
    free(functions.told_by);
}

static uint64_t running(const struct snapshot_context *row)
{
    return row->running_ticks;
}

static uint64_t preempted(const struct snapshot_context *row)
{
    return row->preempted_ticks;
}

static uint64_t blocked(const struct snapshot_context *row)
{
    return row->blocked_ticks;
}

/* Nothing where the target does not tell which context runs. */
static void write_contexts(const struct snapshot *snapshot, struct sink *sink)
{
    static const struct {
        const char *name, *help;
        uint64_t (*of)(const struct snapshot_context *row);
    } times[] = {{"running", "In which the processor ran the context.", running},
                 {"preempted", "In which the context could have run, and another did.", preempted},
                 {"blocked", "In which the context waited for something.", blocked}};
    uint64_t rate = snapshot->target.ticks_per_second;
    if (snapshot->context_count == 0 || !snapshot->contexts[0].has_times)
        return;
    size_t known = snapshot->contexts[0].has_waits ? sizeof times / sizeof *times : 1;
    for (size_t i = 0; i < known; i++) {
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "context_%s_%s_total", times[i].name, rate ? "seconds" : "ticks");
        head(sink, name, "counter", times[i].help);
        for (uint32_t id = 0; id < snapshot->context_count; id++) {
            const struct snapshot_context *row = &snapshot->contexts[id];
            sink_printf(sink, "miniprofd_%s{id=\"%u\",context=\"", name, (unsigned)id);
            label_value(sink, row->name);
            sink_printf(sink, "\",kind=\"%s\"} ", row->kind);
            ticks_value(sink, times[i].of(row), rate);
        }
    }
}

static uint64_t judged(const struct snapshot_bound *row)
{
    return row->judged;
}

static uint64_t breaches(const struct snapshot_bound *row)
{
    return row->breaches;
}

/* Nothing where no limit is set. */
static void write_limits(const struct snapshot_bounds *bounds, struct sink *sink)
{
    static const struct {
        const char *name, *help;
        uint64_t (*of)(const struct snapshot_bound *row);
    } series[] = {{"limit_judged_total",
                   "Calls, periods, seconds or snapshots that were held against the limit.", judged},
                  {"limit_breaches_total", "Times that the limit was not kept.", breaches}};
    for (size_t i = 0; bounds->count > 0 && i < sizeof series / sizeof *series; i++) {
        head(sink, series[i].name, "counter", series[i].help);
        for (uint32_t at = 0; at < bounds->count; at++) {
            char text[BOUND_TEXT_SIZE];
            bound_write(&bounds->rows[at].bound, text, sizeof text);
            sink_printf(sink, "miniprofd_%s{limit=\"", series[i].name);
            label_value(sink, text);
            sink_printf(sink, "\"} %llu\n", (unsigned long long)series[i].of(&bounds->rows[at]));
        }
    }
}

static void write_prometheus(const struct snapshot *snapshot, struct sink *sink)
{
    head(sink, "build_info", "gauge", "Version of miniprofd; always 1.");
    sink_text(sink, "miniprofd_build_info{version=\"" MINIPROFD_VERSION "\"} 1\n");
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
    write_limits(&snapshot->bounds, sink);
    write_contexts(snapshot, sink);
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
