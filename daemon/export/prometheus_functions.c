/* prometheus_functions.c - writes metrics of functions: a series for each that the roster lists, and one for
 * the sum of the others. */
#include "export/export_prometheus.h"

#include "base/text.h"
#include "export/metric.h"
#include "export/recent.h"

#include <stdlib.h>
#include <string.h>

/* The labels that distinguish functions with the same name. The index in the snapshot is no label, since it
 * changes between runs. */
enum { TOLD_BY_FILE = 1, TOLD_BY_ADDRESS = 2 };

struct functions {
    const struct snapshot *snapshot;
    const struct roster *roster;
    const struct snapshot_function **rows;
    uint8_t *told_by; /* of each function, by its index in the snapshot */
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
    int order = text_plain_compare(left->name, right->name);
    return order ? order : text_plain_compare(file_of(left), file_of(right));
}

/* Sorts the rows by name. Functions with the same name are distinguished by file, or by address if needed. */
static void distinguish_namesakes(struct functions *functions)
{
    qsort(functions->rows, functions->n, sizeof *functions->rows, by_name_and_file);
    for (uint32_t i = 1; i < functions->n; i++) {
        const struct snapshot_function *const pair[] = {functions->rows[i - 1], functions->rows[i]};
        if (text_plain_compare(pair[0]->name, pair[1]->name) != 0)
            continue;
        bool one_file = text_plain_compare(file_of(pair[0]), file_of(pair[1])) == 0;
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
    text_write_label(sink, function->name);
    if (functions->told_by[place] & TOLD_BY_FILE) {
        sink_text(sink, "\",file=\"");
        text_write_label(sink, function->file);
    }
    /* Rows without an address are placeholders. Two with the same labels would make the whole text invalid. */
    if (functions->told_by[place] & TOLD_BY_ADDRESS) {
        if (function->has_address)
            sink_printf(sink, "\",address=\"0x%llx", (unsigned long long)function->address);
        else
            sink_printf(sink, "\",row=\"%zu", place);
    }
    sink_text(sink, "\"}");
}

/* Writes the series of a figure. If ticks_per_second is not 0, ticks are written in seconds. */
static void write_series(const struct functions *functions, const struct figure *figure, const char *name,
                         uint64_t ticks_per_second, struct sink *sink)
{
    uint64_t sum;
    metric_figure_head(sink, figure, name);
    for (uint32_t i = 0; i < functions->n; i++) {
        const struct snapshot_function *function = functions->rows[i];
        if (!(function->known & figure->known))
            continue;
        sink_printf(sink, "miniprofd_%s", name);
        write_labels(functions, function, sink);
        sink_char(sink, ' ');
        metric_ticks(sink, figure_u64(figure, function), ticks_per_second);
    }
    /* The kind distinguishes it from a function with that name. */
    if (figure->adds_up && roster_sum(functions->roster, functions->snapshot, figure, &sum)) {
        sink_printf(sink, "miniprofd_%s{function=\"(other)\",kind=\"other\"} ", name);
        metric_ticks(sink, sum, ticks_per_second);
    }
}

/* Makes the name of a figure of functions. *rate is 0 where values are written unchanged. */
static void name_of(const struct snapshot *snapshot, const struct figure *figure,
                    char name[static METRIC_NAME_SIZE], uint64_t *rate)
{
    *rate = figure->unit == UNIT_TICKS ? snapshot->target.ticks_per_second : 0;
    metric_name(name, figure, *rate ? "_seconds" : figure->unit == UNIT_TICKS ? "_ticks" : "");
}

/* Returns the function of a limit on a period. NULL for another limit, for an unknown function, or when an
 * earlier limit has the same function. */
static const struct snapshot_function *function_of_period_limit(const struct snapshot *snapshot, uint32_t at)
{
    const struct snapshot_bound *rows = snapshot->bounds.rows;
    int32_t function = rows[at].function;
    if (rows[at].bound.figure != BOUND_PERIOD || function < 0 ||
        (uint32_t)function >= snapshot->function_count)
        return NULL;
    for (uint32_t i = 0; i < at; i++)
        if (rows[i].bound.figure == BOUND_PERIOD && rows[i].function == function)
            return NULL;
    const struct snapshot_function *row = &snapshot->functions[function];
    return row->known & FUNCTION_PERIOD ? row : NULL;
}

/* Writes periods only of functions with a limit on them, listed or not: most others have no regular period. */
static void write_periods(const struct functions *functions, const struct figure *figure, struct sink *sink)
{
    const struct snapshot *snapshot = functions->snapshot;
    bool has_head = false;
    uint64_t rate;
    char name[METRIC_NAME_SIZE];
    name_of(snapshot, figure, name, &rate);
    for (uint32_t i = 0; i < snapshot->bounds.count; i++) {
        const struct snapshot_function *function = function_of_period_limit(snapshot, i);
        if (!function)
            continue;
        if (!has_head)
            metric_figure_head(sink, figure, name);
        has_head = true;
        sink_printf(sink, "miniprofd_%s", name);
        write_labels(functions, function, sink);
        sink_char(sink, ' ');
        if (figure->type == FIGURE_DOUBLE)
            metric_part_ticks(sink, figure_double(figure, function), rate);
        else
            metric_ticks(sink, figure_u64(figure, function), rate);
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
        if (figure->known == FUNCTION_PERIOD) {
            write_periods(functions, figure, sink);
            continue;
        }
        char name[METRIC_NAME_SIZE];
        uint64_t rate;
        name_of(snapshot, figure, name, &rate);
        write_series(functions, figure, name, rate, sink);
    }
}

/* Writes the longest calls of the last minute. A function without a finished call has 0, since a series that
 * ends looks like a target that is gone. False when memory is used up. */
static bool write_recent(const struct functions *functions, struct sink *sink)
{
    const struct snapshot *snapshot = functions->snapshot;
    uint64_t rate = snapshot->target.ticks_per_second, known_ticks;
    uint64_t *longest_ticks = calloc(snapshot->function_count + 1, sizeof *longest_ticks);
    if (!longest_ticks)
        return false;
    if (recent_longest(snapshot, longest_ticks, &known_ticks)) {
        metric_head(sink, "recent_seconds", "gauge",
                    "How much of the target's last minute the _recent_max_ metrics are about.");
        sink_text(sink, "miniprofd_recent_seconds ");
        metric_ticks(sink, known_ticks, rate);
        metric_head(sink, "function_recent_max_seconds", "gauge",
                    "Longest call that ended in the target's last minute; 0: there was none.");
        for (uint32_t i = 0; i < functions->n; i++) {
            if (!(functions->rows[i]->known & FUNCTION_EACH))
                continue;
            sink_text(sink, "miniprofd_function_recent_max_seconds");
            write_labels(functions, functions->rows[i], sink);
            sink_char(sink, ' ');
            metric_ticks(sink, longest_ticks[functions->rows[i] - snapshot->functions], rate);
        }
    }
    free(longest_ticks);
    return true;
}

/* Removes functions that the roster does not list. */
static void leave_out_others(struct functions *functions)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < functions->n; i++)
        if (functions->roster->is_listed[functions->rows[i] - functions->snapshot->functions])
            functions->rows[kept++] = functions->rows[i];
    functions->n = kept;
}

static void write_listed(struct functions *functions, struct sink *sink)
{
    const struct snapshot *snapshot = functions->snapshot;
    for (uint32_t i = 0; i < functions->n; i++)
        functions->rows[i] = &snapshot->functions[i];
    distinguish_namesakes(functions);
    leave_out_others(functions);
    metric_gauge(sink, "functions", "Functions met so far.", snapshot->function_count);
    metric_gauge(sink, "functions_not_shown",
                 "Functions with too little time of their own to be listed here; (other) is their sum.",
                 snapshot->function_count - functions->n);
    write_figures(functions, sink);
    if (!write_recent(functions, sink))
        sink->failed = true;
}

void prometheus_write_functions(const struct snapshot *snapshot, struct roster *roster, struct sink *sink)
{
    struct functions functions = {.snapshot = snapshot, .roster = roster, .n = snapshot->function_count};
    functions.rows = malloc((functions.n ? functions.n : 1) * sizeof *functions.rows);
    functions.told_by = calloc(functions.n ? functions.n : 1, 1);
    if (functions.rows && functions.told_by && roster_follow(roster, snapshot))
        write_listed(&functions, sink);
    else
        sink->failed = true;
    free(functions.rows);
    free(functions.told_by);
}
