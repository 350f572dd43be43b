/* limits.c - judges limits: the gate's own by the profile's figures, the daemon's by the verdict stored in the profile.
 *
 * Figures that a finished profile does not have (rate, load, self) cannot be judged afterwards. */
#include "check/gate.h"

#include <string.h>

static const char only_live[] =
    "it is judged only while a profile is measured; give it as --limit to the miniprofd that measures";

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

/* Changes a failed limit on a duration or a share of time to unknown if a trigger was armed, since that makes calls
 * longer. A limit that was kept stays kept, as does one on periods. */
static void doubt_time_under_trigger(enum bound_figure figure, const struct measured *measured,
                                     struct gate_row *row)
{
    const struct bound_figure_info *info = bound_figure_info(figure);
    bool is_time = info->way == BOUND_SHARE || (info->unit == BOUND_NS && info->judged != BOUND_AT_PERIOD);
    if (row->verdict != GATE_FAILS || !is_time || !measured_has_trigger(measured))
        return;
    row->verdict = GATE_UNKNOWN;
    row->why =
        "a trigger was armed (setting window), which makes calls take longer; measure without --trigger";
}

static void judge_bound(const struct bound *bound, const struct measured *measured, struct gate_row *row)
{
    const char *why;
    row->after = function_named(measured, bound->name, &why);
    const struct measured_extremes *extremes = row->after ? &row->after->extremes[bound->figure] : NULL;
    row->verdict = GATE_UNKNOWN;
    if (!bound_figure_info(bound->figure)->least) {
        row->why = only_live;
    } else if (!row->after) {
        row->why = why;
    } else if (!extremes->is_known) {
        row->why = "the profile does not have that figure";
    } else {
        bool low = bound_holds(bound, extremes->least), high = bound_holds(bound, extremes->most);
        row->verdict = low && high ? GATE_HOLDS : GATE_FAILS;
        bound_write_value(bound->figure, high ? extremes->least : extremes->most, row->value,
                          sizeof row->value);
        doubt_time_under_trigger(bound->figure, measured, row);
    }
}

/* Takes over the daemon's verdict. */
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

/* Returns the verdict of the daemon that measured, on a limit. NULL when it did not have that limit. */
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
