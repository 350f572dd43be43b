/* limits.c - holds a profile to limits: to the gate's by its figures, and to those that the daemon judged
 * while it was measured by what it said of them.
 *
 * What is judged second by second (rate, load, self) cannot be judged afterwards. */
#include "check/gate.h"

#include <string.h>

static const char per_second[] = "it is judged while a profile is measured; give it to the daemon that does";

static const struct measured_function *function_named(const struct measured *measured, const char *name,
                                                      const char **why)
{
    const struct measured_function *found = NULL;
    for (size_t i = 0; i < measured->n; i++) {
        if (strcmp(measured->functions[i].name, name) != 0)
            continue;
        if (found) {
            *why = "several functions have that name";
            return NULL;
        }
        found = &measured->functions[i];
    }
    *why = "no function of that name was called";
    return found;
}

/* The least and the most that a figure was, in the bound's unit: as it was read, since a limit is of this
 * program, whatever --allow converts to compare it. False where the profile does not tell. */
static bool figure_extremes(const struct measured_function *function, enum bound_figure figure, double out[2])
{
    static const struct {
        enum measured_figure least, most;
    } of[BOUND_FIGURES] = {
        [BOUND_MAX] = {MEASURED_MAX, MEASURED_MAX},
        [BOUND_PERIOD] = {MEASURED_PERIOD_MIN, MEASURED_PERIOD_MAX},
        [BOUND_MEAN] = {MEASURED_TOTAL_MEAN, MEASURED_TOTAL_MEAN},
        [BOUND_P50] = {MEASURED_P50, MEASURED_P50},
        [BOUND_P90] = {MEASURED_P90, MEASURED_P90},
        [BOUND_P99] = {MEASURED_P99, MEASURED_P99},
        [BOUND_CALLS] = {MEASURED_CALLS, MEASURED_CALLS},
    };
    out[0] = function->read[of[figure].least];
    out[1] = function->read[of[figure].most];
    return function->is_read[of[figure].least] && function->is_read[of[figure].most];
}

static bool is_per_second(enum bound_figure figure)
{
    return figure == BOUND_RATE || figure == BOUND_LOAD || figure == BOUND_SELF;
}

/* An armed trigger makes calls take longer, so a time that is too long proves nothing. One that is kept even
 * so is kept. */
static void doubt_time_under_trigger(enum bound_figure figure, const struct measured *measured,
                                     struct gate_row *row)
{
    bool is_time = figure != BOUND_PERIOD && figure != BOUND_CALLS && figure != BOUND_RATE;
    if (row->verdict != GATE_FAILS || !is_time || !measured_has_trigger(measured))
        return;
    row->verdict = GATE_UNKNOWN;
    row->why =
        "a trigger was armed (setting window), which makes calls take longer; measure without --trigger";
}

static void judge_bound(const struct bound *bound, const struct measured *measured, struct gate_row *row)
{
    double values[2];
    const char *why;
    row->after = function_named(measured, bound->name, &why);
    row->verdict = GATE_UNKNOWN;
    if (is_per_second(bound->figure)) {
        row->why = per_second;
    } else if (!row->after) {
        row->why = why;
    } else if (!figure_extremes(row->after, bound->figure, values)) {
        row->why = "the profile does not tell that figure";
    } else {
        bool low = bound_holds(bound, values[0]), high = bound_holds(bound, values[1]);
        row->verdict = low && high ? GATE_HOLDS : GATE_FAILS;
        bound_write_value(bound->figure, values[high ? 0 : 1], row->value, sizeof row->value);
        doubt_time_under_trigger(bound->figure, measured, row);
    }
}

/* What the daemon found. */
static void take_over(const struct measured_limit *limit, const struct measured *measured,
                      struct gate_row *row)
{
    const char *why;
    row->after = function_named(measured, limit->name, &why);
    row->verdict = limit->is_broken ? GATE_FAILS : limit->is_kept ? GATE_HOLDS : GATE_UNKNOWN;
    row->why = row->after ? "there was nothing to judge it by" : why;
    if (limit->is_broken)
        bound_write_value(limit->figure, limit->worst, row->value, sizeof row->value);
    doubt_time_under_trigger(limit->figure, measured, row);
}

/* The daemon's verdict of a limit, which saw each call; NULL when it did not hold the profile to that. */
static const struct measured_limit *find_daemon_verdict(const struct measured *measured, const char *text)
{
    for (size_t i = 0; i < measured->limits_n; i++)
        if (!strcmp(measured->limits[i].text, text))
            return &measured->limits[i];
    return NULL;
}

static void count_limit_verdict(struct gate_result *result, const struct gate_row *row)
{
    result->limits++;
    result->broken += row->verdict == GATE_FAILS;
    result->unjudged += row->verdict == GATE_UNKNOWN;
}

void gate_hold_limits(const struct gate *gate, const struct measured *after, struct gate_result *result)
{
    for (size_t i = 0; i < after->limits_n; i++) {
        struct gate_row *row = &result->rows[result->n++];
        *row = (struct gate_row){
            .kind = GATE_LIMIT, .name = after->limits[i].name, .limit = after->limits[i].text};
        take_over(&after->limits[i], after, row);
        count_limit_verdict(result, row);
    }
    for (size_t i = 0; i < gate->limits_n; i++) {
        bound_write(&gate->limits[i], result->texts[i], sizeof *result->texts);
        if (find_daemon_verdict(after, result->texts[i]))
            continue;
        struct gate_row *row = &result->rows[result->n++];
        *row = (struct gate_row){.kind = GATE_LIMIT, .name = gate->limits[i].name, .limit = result->texts[i]};
        judge_bound(&gate->limits[i], after, row);
        count_limit_verdict(result, row);
    }
}
