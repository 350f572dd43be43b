/* table.c - sorts the functions of a reading as the user wants, with shares. */
#include "top/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const sort_names[SORTS] = {
    [SORT_OWN] = "own", [SORT_TOTAL] = "total", [SORT_RATE] = "rate",   [SORT_MEAN] = "mean",
    [SORT_P99] = "p99", [SORT_MAX] = "max",     [SORT_CALLS] = "calls", [SORT_NAME] = "name"};

const char *table_sort_name(enum table_sort sort)
{
    return sort_names[sort];
}

bool table_sort_named(const char *name, enum table_sort *sort)
{
    for (int i = 0; i < SORTS; i++)
        if (!strcmp(sort_names[i], name)) {
            *sort = (enum table_sort)i;
            return true;
        }
    return false;
}

/* The readings to subtract. */
struct span {
    const struct reading *before, *now; /* before: NULL for a table since the start */
    double whole;                       /* 100 % of the shares */
    bool has_idle;
};

static const struct reading_function *function_before(const struct span *span, size_t id)
{
    static const struct reading_function none;
    return span->before && id < span->before->functions_n ? &span->before->functions[id] : &none;
}

static double at_least_0(double value)
{
    return value < 0 ? 0 : value;
}

/* Returns the running time of all contexts. NAN when one of them is new, so that it has no difference. */
static double running_since(const struct reading *before, const struct reading *now)
{
    double sum = 0;
    for (size_t i = 0; i < now->contexts_n; i++) {
        if (isnan(now->contexts[i].running))
            continue;
        sum +=
            now->contexts[i].running - (before && i < before->contexts_n ? before->contexts[i].running : 0);
    }
    return sum;
}

/* True when the difference is meaningful. A main loop is detected only after a while; then earlier busy time becomes
 * idle at once, and the difference is not. */
static bool span_is_sound(const struct reading *before, const struct reading *now)
{
    return reading_follows(now, before) && now->all >= before->all && now->idle >= before->idle &&
           now->idle - before->idle <= now->all - before->all && running_since(before, now) >= 0;
}

static double span_seconds(const struct span *span)
{
    double ticks = running_since(span->before, span->now), hz = span->now->ticks_per_second;
    if (ticks > 0 && hz > 0)
        return ticks / hz;
    /* A recording's pace is not real time. */
    if (!span->before || reading_has_ended(span->now) ||
        (span->now->port && !strncmp(span->now->port, "file:", 5)))
        return NAN;
    double seconds = span->now->captured_s - span->before->captured_s;
    return seconds > 0 ? seconds : NAN;
}

static struct table_row row_of(const struct span *span, size_t id, double seconds)
{
    const struct reading_function *now = &span->now->functions[id], *before = function_before(span, id);
    double own = now->own - before->own, total = now->total - before->total;
    if (!span->has_idle) {
        own -= now->idle_own - before->idle_own;
        total -= now->idle_total - before->idle_total;
    }
    return (struct table_row){.name = now->name,
                              .own = at_least_0(own), /* still in ticks */
                              .total = at_least_0(total),
                              .rate = at_least_0(now->calls - before->calls) / seconds,
                              .calls = now->calls,
                              .mean = now->mean,
                              .p99 = now->p99,
                              .max = now->max};
}

static bool row_has_run(const struct span *span, size_t id, const struct table_row *row)
{
    const struct reading_function *now = &span->now->functions[id];
    return row->own > 0 || row->total > 0 || now->calls - function_before(span, id)->calls > 0;
}

static double row_key(const struct table_row *row, enum table_sort sort)
{
    const double keys[SORTS] = {row->own, row->total, row->rate, row->mean, row->p99, row->max, row->calls};
    return isnan(keys[sort]) ? -1 : keys[sort];
}

/* Sorts the largest first, or names alphabetically. Equal ones are sorted by self time and name. */
static int rows_in_order(const void *a, const void *b, enum table_sort sort)
{
    const struct table_row *left = a, *right = b;
    double one = row_key(left, sort), other = row_key(right, sort);
    if (sort != SORT_NAME && one != other)
        return one < other ? 1 : -1;
    one = row_key(left, SORT_OWN);
    other = row_key(right, SORT_OWN);
    if (sort != SORT_NAME && one != other)
        return one < other ? 1 : -1;
    return strcmp(left->name, right->name);
}

static int compare_rows(const void *a, const void *b, void *user)
{
    const struct table_view *view = user;
    int order = rows_in_order(a, b, view->sort);
    return view->is_reversed ? -order : order;
}

static void make_rows(struct table *table, const struct span *span)
{
    double sum = 0;
    for (size_t id = 0; id < span->now->functions_n; id++) {
        struct table_row row = row_of(span, id, table->seconds);
        if (!row_has_run(span, id, &row))
            continue;
        sum += row.own > 0 ? row.own : 0;
        table->rows[table->n++] = row;
    }
    double whole = span->whole > 0 ? span->whole : sum;
    for (size_t i = 0; i < table->n; i++) {
        table->rows[i].own = whole > 0 ? table->rows[i].own / whole : NAN;
        table->rows[i].total =
            whole > 0 ? fmin(table->rows[i].total / whole, 1) + 0 * table->rows[i].total : NAN;
    }
}

static void make_tasks(struct table *table, const struct span *span)
{
    double running = running_since(span->before, span->now);
    for (size_t i = 0; i < span->now->contexts_n; i++) {
        static const struct reading_context none;
        const struct reading_context *now = &span->now->contexts[i];
        const struct reading_context *before =
            span->before && i < span->before->contexts_n ? &span->before->contexts[i] : &none;
        double ran = now->running - before->running;
        if (!span->has_idle)
            ran -= now->idle - before->idle;
        if (isnan(now->running))
            continue;
        table->tasks[table->tasks_n++] = (struct table_task){
            now->name, now->kind, running > 0 ? at_least_0(ran) / running : NAN, now->stack, i};
    }
}

static int compare_tasks(const void *a, const void *b)
{
    const struct table_task *left = a, *right = b;
    if (left->load != right->load)
        return left->load < right->load ? 1 : -1;
    return left->id < right->id ? -1 : 1;
}

bool table_make(struct table *table, const struct reading *before, const struct reading *now,
                const struct table_view *view)
{
    bool differs = !view->is_since_start && before && !reading_has_ended(now) && span_is_sound(before, now);
    struct span span = {.before = differs ? before : NULL, .now = now, .has_idle = view->has_idle};
    double all = now->all - (differs ? before->all : 0), idle = now->idle - (differs ? before->idle : 0);
    span.whole = now->is_sampled ? 0 : view->has_idle ? all : all - idle;
    *table = (struct table){.rows = calloc(now->functions_n + 1, sizeof *table->rows),
                            .tasks = calloc(now->contexts_n + 1, sizeof *table->tasks),
                            .seconds = span_seconds(&span),
                            .busy = now->idle > 0 && all > 0 ? 1 - idle / all : NAN,
                            .is_since_start = !differs};
    if (!table->rows || !table->tasks) {
        table_fini(table);
        return false;
    }
    make_rows(table, &span);
    make_tasks(table, &span);
    struct table_view order = *view;
    qsort_r(table->rows, table->n, sizeof *table->rows, compare_rows, &order);
    qsort(table->tasks, table->tasks_n, sizeof *table->tasks, compare_tasks);
    return true;
}

void table_fini(struct table *table)
{
    free(table->rows);
    free(table->tasks);
    *table = (struct table){0};
}
