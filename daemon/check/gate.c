/* gate.c - compares a profile with older ones and with limits, if they are comparable. */
#include "check/gate.h"

#include "check/alike.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct gate gate_usual(enum measured_figure metric)
{
    return (struct gate){.metric = metric,
                         .regress = 0.05,
                         .delta = measured_unit_of(metric) == MEASURED_IN_NS ? 500 : 0,
                         .is_usual_delta = true,
                         .calls = 1,
                         .loss = 0.001};
}

bool gate_is_chosen(const struct gate *gate, const char *name)
{
    return (!gate->only || regexec(gate->only, name, 0, NULL, 0) == 0) &&
           (!gate->ignore || regexec(gate->ignore, name, 0, NULL, 0) != 0);
}

static bool can_tell(const struct gate *gate, const struct measured *side, const char *what,
                     struct error *err)
{
    if (side->elf_differs)
        return error_set(err, "The ELF of the %s is not that of the program that ran; give the right one.",
                         what);
    if (side->loses_unknown)
        return error_set(err, "It is unknown how much of the %s was lost; measure again, with a faster line.",
                         what);
    if (side->lacks_more)
        return error_set(err, "The %s is incomplete, and says why in incomplete_because; measure again.",
                         what);
    if (side->lacks_work && !(gate->allowed & GATE_ALLOW_WORK))
        return error_set(err,
                         "The %s ended when %.100s had been called %" PRIu64 " of %" PRIu64
                         " times (--work); measure again with more --duration, or give --allow work.",
                         what, side->work, side->work_counted, side->work_calls);
    if (side->lost > gate->loss)
        return error_set(
            err,
            "Of the %s %.3f %% was lost, and --max-loss is %.3f %%; measure again, where the line was too slow "
            "with --mode tree, a faster line, or less that is instrumented.",
            what, 100 * side->lost, 100 * gate->loss);
    return true;
}

/* Makes the name of a further run of the baseline for an error. */
enum { OTHER_SIZE = 256 };
static const char *name_other(const struct measured *other, char name[static OTHER_SIZE])
{
    snprintf(name, OTHER_SIZE, "baseline's other run %.200s", other->path ? other->path : "");
    return name;
}

static bool can_compare(const struct gate *gate, const struct gate_sides *sides, struct error *err)
{
    static const char old[] = "baseline";
    char other[OTHER_SIZE];
    const struct measured *after = sides->after;
    if (sides->before && !can_tell(gate, sides->before, old, err))
        return false;
    for (size_t i = 0; i < sides->others_n; i++)
        if (!can_tell(gate, &sides->others[i], name_other(&sides->others[i], other), err))
            return false;
    if (!can_tell(gate, after, "new profile", err) ||
        (sides->before && !alike(sides->before, old, after, gate->metric, err)))
        return false;
    for (size_t i = 0; i < sides->others_n; i++)
        if (!alike(&sides->others[i], name_other(&sides->others[i], other), after, gate->metric, err))
            return false;
    return true;
}

/* Checks the work of a further run: other work would look like variation between runs. */
static bool is_of_same_work(const struct gate *gate, const struct measured *other,
                            const struct measured *after, struct error *err)
{
    char name[OTHER_SIZE];
    struct gate_result pairs = {.rows = calloc(other->n + after->n + 1, sizeof *pairs.rows)};
    bool is_paired = pairs.rows && gate_pair(gate, other, after, &pairs);
    bool is_same = is_paired ? gate_has_same_work(gate, name_other(other, name), &pairs, err)
                             : error_set(err, "Out of memory.");
    gate_result_fini(&pairs);
    return is_same;
}

static bool has_said_something(const struct gate *gate, const struct measured *before,
                               const struct gate_result *result, struct error *err)
{
    if (before && result->compared == 0 && result->figureless > 0)
        return error_set(err, "No function has %s in both profiles; use another --metric.",
                         measured_word(gate->metric));
    if (before && result->compared == 0)
        return error_set(
            err, "No function is in both profiles often enough to be compared; measure longer, or give a "
                 "lower --min-calls or other --only and --ignore.");
    if (!before && result->limits == 0)
        return error_set(err, "There is neither a --baseline nor a limit to hold the profile against.");
    return true;
}

static bool judge_sides(const struct gate *gate, const struct gate_sides *sides, struct gate_result *result,
                        struct error *err)
{
    const struct measured *before = sides->before, *after = sides->after;
    size_t limits = gate->limits_n + after->limits_n;
    result->rows = calloc((before ? before->n + after->n : 0) + limits + 1, sizeof *result->rows);
    result->texts = calloc(limits + 1, sizeof *result->texts);
    if (!result->rows || !result->texts || (before && !gate_pair(gate, before, after, result)))
        return error_set(err, "Out of memory.");
    if (before && !gate_has_same_work(gate, "baseline", result, err))
        return false;
    for (size_t i = 0; i < sides->others_n; i++)
        if (!is_of_same_work(gate, &sides->others[i], after, err))
            return false;
    gate_judge(gate, sides, result);
    gate_hold_limits(gate, after, result);
    if (!has_said_something(gate, before, result, err))
        return false;
    if (!gate_order(sides, result))
        return error_set(err, "Out of memory.");
    return !before || gate_has_same_amount(gate, sides, result, err);
}

bool gate_hold(const struct gate *gate, const struct gate_sides *sides, struct gate_result *result,
               struct error *err)
{
    *result = (struct gate_result){.grown = MEASURED_NO_NODE};
    if (can_compare(gate, sides, err) && judge_sides(gate, sides, result, err))
        return true;
    gate_result_fini(result);
    return false;
}

void gate_result_fini(struct gate_result *result)
{
    for (size_t i = 0; i < result->n; i++)
        free(result->rows[i].place);
    free(result->rows);
    free(result->told);
    free(result->texts);
    free(result->merged);
    *result = (struct gate_result){0};
}
