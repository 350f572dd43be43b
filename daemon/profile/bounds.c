/* bounds.c - limits: matches them with functions, and judges calls and figures. */
#include "profile/bounds.h"

#include "base/clock.h"
#include "base/digits.h"
#include "base/scarcity.h"
#include "snapshot/figures.h"
#include "symbol/nearest.h"
#include "symbol/symtab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bounds_fini(struct bounds *bounds)
{
    free(bounds->firsts);
}

/* ---- matching limits with functions ---- */

/* True when single calls are compared with the limit as they arrive. */
static bool is_watched(const struct bound *bound)
{
    return bound_figure_info(bound->figure)->judged != BOUND_AT_SNAPSHOT;
}

bool bounds_name_means(const char *name, const struct snapshot_function *function)
{
    uint64_t address;
    if (function->kind != KIND_FUNCTION)
        return false;
    if (function->has_address && digits_read_address(name, &address))
        return (address & ~UINT64_C(1)) == (function->address & ~UINT64_C(1)) ||
               (address >= function->address && address - function->address < function->size);
    return !strcmp(name, function->name) || !strcmp(name, function->raw_name);
}

/* Writes why the function has no figures yet. */
static void explain_absence(struct snapshot_bound *told, const struct symtab *symtab)
{
    uint64_t address;
    const char *name = told->bound.name;
    uint32_t nearest = SYMTAB_NONE;
    bool may_come =
        !symtab || digits_read_address(name, &address) || symtab_find_name(symtab, name) != SYMTAB_NONE;
    if (!may_come)
        nearest = symtab_nearest(symtab, name);
    told->is_missing = !may_come;
    if (may_come)
        snprintf(told->detail, sizeof told->detail, "No call of it has been received yet.");
    else if (nearest == SYMTAB_NONE)
        snprintf(told->detail, sizeof told->detail, "The firmware's ELF has no function of that name.");
    else
        snprintf(told->detail, sizeof told->detail,
                 "The firmware's ELF has no function of that name; the nearest is '%.120s'.",
                 symtab_at(symtab, nearest)->name);
}

static bool reserve_firsts(struct bounds *bounds, uint32_t functions)
{
    if (functions <= bounds->room)
        return true;
    uint32_t room = bounds->room ? bounds->room : 256;
    while (room < functions)
        room *= 2;
    uint8_t *firsts = scarcity_watch(realloc(bounds->firsts, room));
    if (!firsts)
        return false;
    bounds->firsts = firsts;
    bounds->room = room;
    return true;
}

/* Matches the function with its limits. Of several functions with the same name, only the first counts. */
static void tie_function(struct bounds *bounds, const struct functions *functions, uint32_t id)
{
    bounds->firsts[id] = 0;
    for (uint32_t i = bounds->count; i-- > 0;) {
        struct bounds_row *row = &bounds->rows[i];
        if (row->told.function != BOUNDS_NO_FUNCTION ||
            !bounds_name_means(row->told.bound.name, &functions->rows[id]))
            continue;
        row->told.function = (int32_t)id;
        row->told.detail[0] = '\0';
        row->told.is_missing = false;
        row->next = 0;
        if (!is_watched(&row->told.bound))
            continue;
        row->next = bounds->firsts[id];
        bounds->firsts[id] = (uint8_t)(i + 1);
    }
}

void bounds_look(struct bounds *bounds, const struct functions *functions)
{
    if (!reserve_firsts(bounds, functions->count))
        return;
    while (bounds->looked < functions->count)
        tie_function(bounds, functions, bounds->looked++);
}

void bounds_rename(struct bounds *bounds, const struct functions *functions)
{
    bounds->looked = 0;
    bounds->watches = false;
    for (uint32_t i = 0; i < bounds->count; i++) {
        bounds->rows[i].told.function = BOUNDS_NO_FUNCTION;
        bounds->watches |= is_watched(&bounds->rows[i].told.bound);
    }
    if (bounds->count == 0)
        return;
    bounds_look(bounds, functions);
    for (uint32_t i = 0; i < bounds->count; i++)
        if (bounds->rows[i].told.function == BOUNDS_NO_FUNCTION)
            explain_absence(&bounds->rows[i].told, functions->symtab);
    bounds->changed = functions->sequence;
}

/* ---- adding and removing limits ---- */

static bool is_same(const struct bound *a, const struct bound *b)
{
    return !strcmp(a->name, b->name) && a->figure == b->figure && a->relation == b->relation &&
           a->value == b->value && a->tolerance == b->tolerance;
}

/* Removes the oldest limit that is not kept, so that no user of limits can block others. */
static bool make_room(struct bounds *bounds, const struct functions *functions)
{
    uint32_t at = 0;
    while (at < bounds->count && bounds->rows[at].is_kept)
        at++;
    return at < bounds->count && bounds_remove(bounds, bounds->rows[at].told.id, functions);
}

void bounds_keep(struct bounds *bounds, uint32_t id)
{
    for (uint32_t i = 0; i < bounds->count; i++)
        if (bounds->rows[i].told.id == id)
            bounds->rows[i].is_kept = true;
}

bool bounds_add(struct bounds *bounds, const struct bound *bound, const struct functions *functions,
                uint32_t *id, struct error *err)
{
    char text[BOUND_TEXT_SIZE];
    bound_write(bound, text, sizeof text);
    for (uint32_t i = 0; i < bounds->count; i++)
        if (is_same(&bounds->rows[i].told.bound, bound))
            return error_set(err, "The limit '%.300s' is set already.", text);
    if (bounds->count == BOUNDS_MAX && !make_room(bounds, functions))
        return error_set(err,
                         "There are %d limits already, which were given at the start, and no room for "
                         "'%.300s'.",
                         BOUNDS_MAX, text);
    struct bounds_row *row = &bounds->rows[bounds->count++];
    *row = (struct bounds_row){.told = {.bound = *bound, .id = ++bounds->next_id},
                               .ticks = bound_in_ticks(bound, bounds->hz)};
    *id = row->told.id;
    bounds_rename(bounds, functions);
    return true;
}

bool bounds_remove(struct bounds *bounds, uint32_t id, const struct functions *functions)
{
    uint32_t at = 0;
    while (at < bounds->count && bounds->rows[at].told.id != id)
        at++;
    if (at == bounds->count)
        return false;
    bounds->count--;
    memmove(&bounds->rows[at], &bounds->rows[at + 1], (bounds->count - at) * sizeof bounds->rows[0]);
    bounds_rename(bounds, functions);
    bounds->changed = functions->sequence;
    return true;
}

void bounds_clear(struct bounds *bounds, uint64_t sequence)
{
    bounds->looked = 0;
    bounds->has_first = bounds->is_tree = false;
    bounds->breaches.first = bounds->breaches.count = bounds->breaches.worst_count = 0;
    bounds->breaches.told = 0;
    bounds->changed = sequence;
    for (uint32_t i = 0; i < bounds->count; i++) {
        const struct snapshot_bound before = bounds->rows[i].told;
        const bool is_kept = bounds->rows[i].is_kept;
        bounds->rows[i] = (struct bounds_row){.told = {.bound = before.bound,
                                                       .id = before.id,
                                                       .function = BOUNDS_NO_FUNCTION,
                                                       .is_missing = before.is_missing},
                                              .is_kept = is_kept,
                                              .ticks = bounds->rows[i].ticks};
        snprintf(bounds->rows[i].told.detail, sizeof before.detail, "%s",
                 *before.detail ? before.detail : "No call of it has been received yet.");
    }
}

void bounds_set_clock(struct bounds *bounds, uint64_t hz)
{
    if (hz == bounds->hz)
        return;
    bounds->hz = hz;
    for (uint32_t i = 0; i < bounds->count; i++)
        bounds->rows[i].ticks = bound_in_ticks(&bounds->rows[i].told.bound, hz);
    bounds_break(bounds);
}

/* ---- judging calls ---- */

void bounds_break(struct bounds *bounds)
{
    for (uint32_t i = 0; i < bounds->count; i++) {
        bounds->rows[i].is_open = false;
        bounds->rows[i].last = (struct start){0};
    }
}

void bounds_begin(struct bounds *bounds, const struct event *events, size_t n)
{
    for (size_t i = 0; i < n && !bounds->has_first; i++) {
        enum event_kind kind = events[i].kind;
        bounds->has_first = kind == EVENT_CALL || kind == EVENT_ENTER || kind == EVENT_EXIT ||
                            kind == EVENT_SWITCH || kind == EVENT_NODE;
        bounds->first_ticks = events[i].ticks;
    }
}

/* Records a breach of the limit at `row`. `is_again`: it is still the last breach, and does not count
 * again. */
static void record_breach(struct bounds *bounds, struct bounds_row *row, struct snapshot_breach breach,
                          bool is_again)
{
    struct snapshot_bound *told = &row->told;
    breach.bound = told->id;
    breach.figure = told->bound.figure;
    breach.wall_ns = clock_wall_ns();
    breach.excess = bound_excess(&told->bound, breach.value);
    if (!is_again) {
        breaches_add(&bounds->breaches, &breach);
        if (told->breaches++ == 0)
            told->first = told->worst = breach;
        told->last = breach;
    }
    if (breach.excess > told->worst.excess)
        told->worst = breach;
}

static double nanoseconds_of_ticks(const struct bounds *bounds, uint64_t ticks)
{
    return (double)ticks * 1e9 / (double)bounds->hz;
}

/* Compares a duration or period, from one tick to another, with the limit. */
static void judge_time(struct bounds *bounds, struct bounds_row *row, uint64_t from_ticks, uint64_t to_ticks)
{
    uint64_t ticks = to_ticks - from_ticks;
    row->told.judged++;
    if (ticks >= row->ticks.least && ticks <= row->ticks.most)
        return;
    const struct snapshot_breach breach = {
        .from_ticks = from_ticks, .ticks = to_ticks, .value = nanoseconds_of_ticks(bounds, ticks)};
    record_breach(bounds, row, breach, false);
}

/* For the period of a limit, the calls of all contexts are one run, until something is missing. */
enum { ANY_RUN = 1 };

/* A call that began before the last one either contains it or ran in another context at the same time. It is
 * left out. */
static void judge_period(struct bounds *bounds, struct bounds_row *row, uint64_t start_ticks)
{
    uint64_t since;
    if (!start_is_early(&row->last, ANY_RUN, start_ticks) &&
        start_follows(&row->last, ANY_RUN, start_ticks, &since))
        judge_time(bounds, row, start_ticks - since, start_ticks);
}

/* Compares the calls of the second that ended at `to_ticks` with the limit. Returns true if it is kept. */
static bool judge_second(struct bounds *bounds, struct bounds_row *row, uint64_t to_ticks, uint64_t calls)
{
    const struct snapshot_breach breach = {
        .from_ticks = to_ticks - bounds->hz, .ticks = to_ticks, .value = (double)calls * 1000};
    row->told.judged++;
    row->told.is_now_known = true;
    row->told.now = breach.value;
    if (bound_holds(&row->told.bound, breach.value))
        return true;
    record_breach(bounds, row, breach, false);
    return false;
}

/* Judges `seconds` without a call, the last of which ended at `to_ticks`. The first and the last are listed,
 * the others are only counted. */
static void judge_silence(struct bounds *bounds, struct bounds_row *row, uint64_t to_ticks, uint64_t seconds)
{
    if (seconds == 0)
        return;
    bool is_kept = judge_second(bounds, row, to_ticks - (seconds - 1) * bounds->hz, 0);
    if (seconds > 2) {
        row->told.judged += seconds - 2;
        row->told.breaches += is_kept ? 0 : seconds - 2;
        bounds->breaches.told += is_kept ? 0 : seconds - 2;
    }
    if (seconds > 1)
        judge_second(bounds, row, to_ticks, 0);
}

/* RATE: judges the seconds that ended by `ticks`, including those without a call. */
static void bounds_pass(struct bounds *bounds, struct bounds_row *row, uint64_t ticks)
{
    uint64_t seconds = ticks > row->from_ticks ? (ticks - row->from_ticks) / bounds->hz : 0;
    if (!row->is_open || seconds == 0)
        return;
    judge_second(bounds, row, row->from_ticks + bounds->hz, row->calls);
    row->from_ticks += seconds * bounds->hz;
    row->calls = 0;
    judge_silence(bounds, row, row->from_ticks, seconds - 1);
}

static void count_rate(struct bounds *bounds, struct bounds_row *row, uint64_t end_ticks)
{
    bounds_pass(bounds, row, end_ticks);
    if (!row->is_open) {
        row->is_open = true;
        row->from_ticks = end_ticks;
        row->calls = 0;
    }
    row->calls++;
}

void bounds_judge_call(struct bounds *bounds, uint32_t function, uint64_t start_ticks,
                       uint64_t duration_ticks)
{
    bounds->is_tree = false;
    if (bounds->hz == 0)
        return;
    for (uint8_t next = bounds->firsts[function]; next;) {
        struct bounds_row *row = &bounds->rows[next - 1];
        uint64_t end_ticks = start_ticks + duration_ticks;
        switch (bound_figure_info(row->told.bound.figure)->judged) {
        case BOUND_AT_CALL: judge_time(bounds, row, start_ticks, end_ticks); break;
        case BOUND_AT_PERIOD: judge_period(bounds, row, start_ticks); break;
        case BOUND_AT_SECOND: count_rate(bounds, row, end_ticks); break;
        case BOUND_AT_SNAPSHOT: break; /* not judged here */
        }
        next = row->next;
    }
}

/* ---- judging sums, at each snapshot ---- */

static const char no_clock[] = "The target has not reported how long its ticks are.";
static const char no_calls[] =
    "The target counts its calls itself (mode tree), which has no periods and no percentiles.";
static const char not_told[] = "The target does not report that for this function.";

/* Returns the ticks since the first record. In mode tree, counting began before the first record arrived. */
static uint64_t elapsed_ticks(const struct bounds *bounds, const struct bounds_figures *figures)
{
    uint64_t elapsed = bounds->has_first && figures->newest_ticks > bounds->first_ticks
                           ? figures->newest_ticks - bounds->first_ticks
                           : 0;
    return figures->counted_ticks > elapsed ? figures->counted_ticks : elapsed;
}

static bool share_of_elapsed(const struct bounds *bounds, const struct bounds_figures *figures, double ticks,
                             double *value)
{
    uint64_t elapsed = elapsed_ticks(bounds, figures);
    if (bounds->hz == 0 || elapsed < bounds->hz) /* in less than a second, a single call is a large share */
        return false;
    *value = ticks / (double)elapsed * 100 * 1000;
    return true;
}

/* In mode tree there is no sum of durations, and recursion counts once. */
static bool mean_duration(const struct snapshot_function *row, double *ticks)
{
    if (row->calls == 0 || !(row->known & FUNCTION_TIMES))
        return false;
    *ticks = (double)(row->known & FUNCTION_EACH ? row->sum_ticks : row->total_ticks) / (double)row->calls;
    return true;
}

/* Returns the column of a snapshot's functions for the limit's figure. */
static const struct figure *column_of(enum bound_figure bounded)
{
    const char *key = bound_figure_info(bounded)->most;
    for (const struct figure *figure = figures_function; key && figure->key; figure++)
        if (!strcmp(figure->key, key))
            return figure;
    return NULL;
}

/* Reads the column's value. Returns false when it is unknown: a running call cannot be judged yet. */
static bool column_value(const struct figure *column, const struct snapshot_function *row, double *value)
{
    uint32_t known = column ? row->known & column->known & ~(uint32_t)FUNCTION_RUNNING : 0;
    bool needs_call = !(known & ~(uint32_t)FUNCTION_EACH);
    if (known == 0 || (needs_call && row->calls == 0))
        return false;
    *value = column->type == FIGURE_U64 ? (double)figure_u64(column, row) : figure_double(column, row);
    return true;
}

/* Computes the value in the figure's unit. Returns false when it is not known yet. */
static bool figure_now(const struct bounds *bounds, const struct bounds_figures *figures,
                       const struct snapshot_bound *told, double *value)
{
    const struct snapshot_function *row = &figures->functions[told->function];
    const struct bound_figure_info *info = bound_figure_info(told->bound.figure);
    const struct figure *column = column_of(told->bound.figure);
    switch (info->way) {
    case BOUND_SHARE:
        return column_value(column, row, value) && share_of_elapsed(bounds, figures, *value, value);
    case BOUND_PER_CALL:
        if (!mean_duration(row, value))
            return false;
        break;
    case BOUND_VALUE:
        if (!column_value(column, row, value))
            return false;
        break;
    }
    if (info->unit == BOUND_COUNT)
        return true;
    *value = bounds->hz ? *value * 1e9 / (double)bounds->hz : 0;
    return bounds->hz > 0;
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
        record_breach(bounds, row,
                      (struct snapshot_breach){.from_ticks = figures->newest_ticks,
                                               .ticks = figures->newest_ticks,
                                               .value = value},
                      was_broken);
}

/* In mode tree: each new longest call that exceeds the limit is a breach of its own. */
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

/* In mode tree: judges the calls of at least a second as a rate per second. */
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
            record_breach(bounds, row,
                          (struct snapshot_breach){
                              .from_ticks = row->from_ticks, .ticks = figures->newest_ticks, .value = value},
                          false);
    }
    row->is_open = true;
    row->from_ticks = figures->newest_ticks;
    row->calls = function->calls;
}

static void judge_row(struct bounds *bounds, struct bounds_row *row, const struct bounds_figures *figures)
{
    switch (bound_figure_info(row->told.bound.figure)->judged) {
    case BOUND_AT_SNAPSHOT: judge_figure(bounds, row, figures); break;
    case BOUND_AT_CALL:
        if (bounds->is_tree)
            judge_longest(bounds, row, figures);
        break;
    case BOUND_AT_SECOND:
        if (bounds->is_tree)
            judge_counted_rate(bounds, row, figures);
        else if (bounds->hz > 0)
            bounds_pass(bounds, row, figures->newest_ticks);
        break;
    case BOUND_AT_PERIOD: break;
    }
}

/* True for figures that need single calls, so mode tree does not have them. */
static bool needs_single_calls(enum bound_figure bounded)
{
    const struct bound_figure_info *info = bound_figure_info(bounded);
    const struct figure *column = column_of(bounded);
    return info->judged == BOUND_AT_PERIOD ||
           (info->way == BOUND_VALUE && column && column->known == FUNCTION_EACH);
}

/* Returns why the limit cannot be judged; NULL when it can. */
static const char *why_not_judged(const struct bounds *bounds, const struct snapshot_bound *told,
                                  const struct bounds_figures *figures)
{
    enum bound_figure figure = told->bound.figure;
    const struct snapshot_function *row = &figures->functions[told->function];
    if (bound_unit_of(figure) != BOUND_COUNT && bounds->hz == 0)
        return no_clock;
    if (needs_single_calls(figure) && bounds->is_tree)
        return no_calls;
    bool is_told = bounds->is_tree || row->known & FUNCTION_EACH || row->running > 0 ||
                   (figure == BOUND_CALLS && row->known & FUNCTION_CALLS) ||
                   (figure == BOUND_SELF && row->known & FUNCTION_SELF);
    return is_told || row->known == 0 ? NULL : not_told;
}

static void update_bound_state(const struct bounds *bounds, struct snapshot_bound *told,
                               const struct bounds_figures *figures)
{
    const char *why = NULL;
    bool is_met = told->function != BOUNDS_NO_FUNCTION;
    if (is_met)
        why = why_not_judged(bounds, told, figures);
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
            judge_row(bounds, row, figures);
        update_bound_state(bounds, &row->told, figures);
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
