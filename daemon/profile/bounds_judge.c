/* bounds_judge.c - what calls add up to, held against the limits whenever there is a snapshot. */
#include "profile/bounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char no_clock[] = "The target has not told how long its ticks are.";
static const char no_calls[] =
    "The target counts its calls itself (mode tree), which tells no periods and no percentiles.";
static const char not_told[] = "The target does not tell that of this function.";

/* Since when everything is told, up to now. A tree was counted before its first part came. */
static uint64_t elapsed_ticks(const struct bounds *bounds, const struct bounds_figures *figures)
{
    uint64_t elapsed = bounds->has_first && figures->newest_ticks > bounds->first_ticks
                           ? figures->newest_ticks - bounds->first_ticks
                           : 0;
    return figures->counted_ticks > elapsed ? figures->counted_ticks : elapsed;
}

static bool share(const struct bounds *bounds, const struct bounds_figures *figures, uint64_t ticks,
                  double *value)
{
    uint64_t elapsed = elapsed_ticks(bounds, figures);
    if (bounds->hz == 0 || elapsed < bounds->hz) /* in less than a second any call is much */
        return false;
    *value = (double)ticks / (double)elapsed * 100 * 1000;
    return true;
}

/* Of a tree there is no sum of durations; recursion counts once there. */
static bool mean(const struct snapshot_function *row, double *ticks)
{
    if (row->calls == 0 || !(row->known & FUNCTION_TIMES))
        return false;
    *ticks = (double)(row->known & FUNCTION_EACH ? row->sum_ticks : row->total_ticks) / (double)row->calls;
    return true;
}

/* The value in the figure's unit; false where it is not known yet. */
static bool figure_now(const struct bounds *bounds, const struct bounds_figures *figures,
                       const struct snapshot_bound *told, double *value)
{
    const struct snapshot_function *row = &figures->functions[told->function];
    bool is_each = row->known & FUNCTION_EACH && row->calls > 0;
    switch (told->bound.figure) {
    case BOUND_MEAN:
        if (!mean(row, value))
            return false;
        break;
    case BOUND_P50: *value = (double)row->p50_ticks; break;
    case BOUND_P90: *value = (double)row->p90_ticks; break;
    case BOUND_P99: *value = (double)row->p99_ticks; break;
    case BOUND_MAX: *value = (double)row->max_ticks; break;
    case BOUND_CALLS: *value = (double)row->calls; return row->known & FUNCTION_CALLS;
    case BOUND_LOAD: return row->known & FUNCTION_TIMES && share(bounds, figures, row->total_ticks, value);
    case BOUND_SELF:
        return row->known & (FUNCTION_TIMES | FUNCTION_SELF) &&
               share(bounds, figures, row->self_ticks, value);
    default: return false;
    }
    *value = bounds->hz ? *value * 1e9 / (double)bounds->hz : 0;
    return bounds->hz > 0 && (is_each || told->bound.figure == BOUND_MEAN ||
                              (told->bound.figure == BOUND_MAX && row->known & FUNCTION_LONGEST));
}

static void judge_figure(struct bounds *bounds, struct bounds_row *row, const struct bounds_figures *figures)
{
    struct snapshot_bound *told = &row->told;
    double value;
    if (!figure_now(bounds, figures, told, &value))
        return;
    told->judged++;
    told->is_now_known = true;
    told->now = value;
    bool is_kept = bound_holds(&told->bound, value), was_broken = told->is_broken_now;
    told->is_broken_now = !is_kept;
    if (!is_kept)
        bounds_note(bounds, row,
                    (struct snapshot_breach){
                        .from_ticks = figures->newest_ticks, .ticks = figures->newest_ticks, .value = value},
                    was_broken);
}

/* Of a tree each longest call that is longer than those before is one that was too long. */
static void judge_longest(struct bounds *bounds, struct bounds_row *row, const struct bounds_figures *figures)
{
    struct snapshot_bound *told = &row->told;
    double value, before = told->now;
    bool was_known = told->is_now_known;
    if (!figure_now(bounds, figures, told, &value) || (was_known && value <= before))
        return;
    told->is_broken_now = false;
    judge_figure(bounds, row, figures);
}

/* Calls of a tree since a second ago or more, as so many in a second. */
static void judge_counted_rate(struct bounds *bounds, struct bounds_row *row,
                               const struct bounds_figures *figures)
{
    const struct snapshot_function *function = &figures->functions[row->told.function];
    uint64_t ticks = figures->newest_ticks > row->from_ticks ? figures->newest_ticks - row->from_ticks : 0;
    if (row->is_open && (bounds->hz == 0 || ticks < bounds->hz))
        return;
    if (row->is_open && function->calls >= row->calls) {
        double value = (double)(function->calls - row->calls) * (double)bounds->hz / (double)ticks * 1000;
        row->told.judged++;
        row->told.is_now_known = true;
        row->told.now = value;
        if (!bound_holds(&row->told.bound, value))
            bounds_note(bounds, row,
                        (struct snapshot_breach){
                            .from_ticks = row->from_ticks, .ticks = figures->newest_ticks, .value = value},
                        false);
    }
    row->is_open = true;
    row->from_ticks = figures->newest_ticks;
    row->calls = function->calls;
}

static void judge(struct bounds *bounds, struct bounds_row *row, const struct bounds_figures *figures)
{
    enum bound_figure figure = row->told.bound.figure;
    if (figure == BOUND_RATE && bounds->is_tree)
        judge_counted_rate(bounds, row, figures);
    else if (figure == BOUND_RATE && bounds->hz > 0)
        bounds_pass(bounds, row, figures->newest_ticks);
    else if (figure == BOUND_MAX && bounds->is_tree)
        judge_longest(bounds, row, figures);
    else if (!bound_is_of_calls(figure) && figure != BOUND_RATE)
        judge_figure(bounds, row, figures);
}

/* Why the limit cannot be judged; NULL: it can. */
static const char *obstacle(const struct bounds *bounds, const struct snapshot_bound *told,
                            const struct bounds_figures *figures)
{
    enum bound_figure figure = told->bound.figure;
    const struct snapshot_function *row = &figures->functions[told->function];
    bool needs_each =
        figure == BOUND_PERIOD || figure == BOUND_P50 || figure == BOUND_P90 || figure == BOUND_P99;
    if (figure != BOUND_CALLS && bounds->hz == 0)
        return no_clock;
    if (needs_each && bounds->is_tree)
        return no_calls;
    bool is_told = bounds->is_tree || row->known & FUNCTION_EACH || row->running > 0 ||
                   (figure == BOUND_CALLS && row->known & FUNCTION_CALLS) ||
                   (figure == BOUND_SELF && row->known & FUNCTION_SELF);
    return is_told || row->known == 0 ? NULL : not_told;
}

static void say_how_it_is(const struct bounds *bounds, struct snapshot_bound *told,
                          const struct bounds_figures *figures)
{
    const char *why = NULL;
    bool is_met = told->function != BOUNDS_NO_FUNCTION;
    if (is_met)
        why = obstacle(bounds, told, figures);
    if (told->breaches > 0)
        told->state = BOUND_BROKEN;
    else if (why)
        told->state = BOUND_UNKNOWN;
    else
        told->state = is_met && told->judged > 0 ? BOUND_KEPT : BOUND_WAITS;
    if (is_met)
        snprintf(told->detail, sizeof told->detail, "%s", why ? why : "");
}

void bounds_judge(struct bounds *bounds, const struct bounds_figures *figures)
{
    for (uint32_t i = 0; i < bounds->count && figures->functions; i++) {
        struct bounds_row *row = &bounds->rows[i];
        if (row->told.function != BOUNDS_NO_FUNCTION)
            judge(bounds, row, figures);
        say_how_it_is(bounds, &row->told, figures);
        if (memcmp(&row->shown, &row->told, sizeof row->told) != 0)
            bounds->changed = figures->sequence;
        memcpy(&row->shown, &row->told, sizeof row->told);
    }
}

struct snapshot_bound *bounds_freeze(const struct bounds *bounds)
{
    struct snapshot_bound *rows = malloc(bounds->count * sizeof *rows + 1);
    for (uint32_t i = 0; rows && i < bounds->count; i++)
        rows[i] = bounds->rows[i].told;
    return rows;
}
