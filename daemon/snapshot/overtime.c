/* overtime.c - a function's figures over time, in columns. */
#include "snapshot/overtime.h"

#include "snapshot/begun.h"
#include "snapshot/histogram.h"

#include <math.h>
#include <stdlib.h>

/* One call, and the period that ends at its start. */
struct begun {
    uint64_t start_ticks, duration_ticks, period_ticks;
    uint16_t context, depth;
    bool has_period;
};

/* The calls in the time range. */
struct rows {
    struct begun *rows; /* NULL: they are only counted */
    size_t n;
};

static void collect_begun_call(void *user, const struct timeline_call *call,
                               const struct timeline_call *before)
{
    struct rows *rows = user;
    if (rows->rows)
        rows->rows[rows->n] =
            (struct begun){.start_ticks = call->start_ticks,
                           .duration_ticks = call->duration_ticks,
                           .period_ticks = before ? call->start_ticks - before->start_ticks : 0,
                           .context = call->context,
                           .depth = timeline_depth(call),
                           .has_period = before != NULL};
    rows->n++;
}

static bool find_begun_calls(struct rows *rows, const struct snapshot *snapshot,
                             const struct overtime_stretch *stretch)
{
    return begun_walk(snapshot, stretch->function, stretch->from_ticks, stretch->to_ticks, collect_begun_call,
                      rows);
}

uint64_t overtime_step(uint64_t from_ticks, uint64_t to_ticks, uint32_t columns)
{
    return (to_ticks - from_ticks) / columns + 1;
}

static int by_start(const void *left, const void *right)
{
    const struct begun *a = left, *b = right;
    return a->start_ticks < b->start_ticks ? -1 : a->start_ticks > b->start_ticks;
}

static int by_duration(const void *left, const void *right)
{
    const struct begun *a = left, *b = right;
    if (a->duration_ticks != b->duration_ticks)
        return a->duration_ticks < b->duration_ticks ? -1 : 1;
    return -by_start(left,
                     right); /* of equal durations the earliest is last, where the longest is taken from */
}

/* Adds the periods of the calls of one column to it. */
static void measure_periods(const struct begun *rows, size_t n, struct overtime_column *out)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t ticks = rows[i].period_ticks;
        if (!rows[i].has_period)
            continue;
        out->period_min_ticks =
            out->periods == 0 || ticks < out->period_min_ticks ? ticks : out->period_min_ticks;
        out->period_max_ticks = ticks > out->period_max_ticks ? ticks : out->period_max_ticks;
        out->period_ticks += ticks;
        out->periods++;
    }
    double squares = 0, mean = out->periods > 0 ? (double)out->period_ticks / (double)out->periods : 0;
    for (size_t i = 0; i < n; i++) {
        double off = (double)rows[i].period_ticks - mean;
        squares += rows[i].has_period ? off * off : 0;
    }
    if (out->periods > 0)
        out->period_jitter_ticks = (uint64_t)(sqrt(squares / (double)out->periods) + 0.5);
}

/* Returns the percentile of a column as the function's histogram would report it. */
static uint64_t percentile_of(const struct begun *sorted, size_t n, size_t percent)
{
    return histogram_reported(sorted[(n * percent + 99) / 100 - 1].duration_ticks, sorted[0].duration_ticks,
                              sorted[n - 1].duration_ticks);
}

/* Computes a column from its calls, which may be in any order. */
static struct overtime_column column_of(struct begun *rows, size_t n, uint32_t column)
{
    qsort(rows, n, sizeof *rows, by_duration);
    const struct begun *longest = &rows[n - 1];
    struct overtime_column out = {.column = column,
                                  .calls = n,
                                  .min_ticks = rows[0].duration_ticks,
                                  .p50_ticks = percentile_of(rows, n, 50),
                                  .p99_ticks = percentile_of(rows, n, 99),
                                  .max_ticks = longest->duration_ticks,
                                  .start_ticks = longest->start_ticks,
                                  .context = longest->context,
                                  .depth = longest->depth};
    measure_periods(rows, n, &out);
    return out;
}

static size_t cut_into_columns(struct begun *rows, size_t n, const struct overtime_stretch *stretch,
                               struct overtime_column *columns)
{
    size_t count = 0;
    qsort(rows, n, sizeof *rows, by_start);
    for (size_t i = 0, end; i < n; i = end) {
        uint64_t column = (rows[i].start_ticks - stretch->from_ticks) / stretch->step_ticks;
        for (end = i + 1;
             end < n && (rows[end].start_ticks - stretch->from_ticks) / stretch->step_ticks == column;)
            end++;
        columns[count++] = column_of(&rows[i], end - i, (uint32_t)column);
    }
    return count;
}

struct overtime_column *snapshot_over_time(const struct snapshot *snapshot,
                                           const struct overtime_stretch *stretch, size_t *n)
{
    *n = 0;
    struct overtime_column *columns = NULL;
    struct rows counted = {0}, all = {0};
    if (!find_begun_calls(&counted, snapshot, stretch))
        return NULL;
    uint64_t most = (stretch->to_ticks - stretch->from_ticks) / stretch->step_ticks + 1;
    all.rows = malloc((counted.n + 1) * sizeof *all.rows);
    columns = malloc(((most > 0 && most < counted.n ? most : counted.n) + 1) * sizeof *columns);
    if (all.rows && columns && find_begun_calls(&all, snapshot, stretch)) {
        *n = cut_into_columns(all.rows, all.n, stretch, columns);
    } else {
        free(columns);
        columns = NULL;
    }
    free(all.rows);
    return columns;
}
