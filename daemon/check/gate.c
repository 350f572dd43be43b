/* gate.c - compares two profiles function by function. */
#include "check/gate.h"

#include "check/alike.h"

#include <math.h>
#include <stdlib.h>

struct gate gate_usual(enum measured_figure metric)
{
    return (struct gate){.metric = metric,
                         .regress = 0.05,
                         .delta = measured_unit_of(metric) == MEASURED_IN_NS ? 500 : 0,
                         .calls = 1,
                         .loss = 0.001};
}

static bool can_tell(const struct gate *gate, const struct measured *side, const char *what,
                     struct error *err)
{
    if (side->elf_differs)
        return error_set(err, "The ELF of the %s is not that of the program that ran; give the right one.",
                         what);
    if (side->loses_unknown)
        return error_set(err, "Nobody knows how much of the %s was lost; measure again, with a faster line.",
                         what);
    if (side->lacks_more)
        return error_set(err, "The %s is incomplete, and says why in incomplete_because; measure again.",
                         what);
    if (side->lost > gate->loss)
        return error_set(err, "Of the %s %.3f %% was lost, and --max-loss is %.3f %%; measure again.", what,
                         100 * side->lost, 100 * gate->loss);
    return true;
}

static bool is_chosen(const struct gate *gate, const char *name)
{
    return (!gate->only || regexec(gate->only, name, 0, NULL, 0) == 0) &&
           (!gate->ignore || regexec(gate->ignore, name, 0, NULL, 0) != 0);
}

/* By how much a function may differ from run to run, as the two runs of the baseline do, and from where that
 * counts: the slower of them. A function that the second run lacks is taken as it is. */
static double noise(const struct gate *gate, const struct measured *again,
                    const struct measured_function *before, double *was)
{
    const struct measured_function *other = again ? measured_find(again, before) : NULL;
    if (!other || other->is_ambiguous || !other->is_known[gate->metric])
        return 0;
    double figure = other->figure[gate->metric], apart = fabs(figure - *was);
    *was = fmax(*was, figure);
    return apart;
}

static enum gate_verdict judge(const struct gate *gate, const struct measured *again,
                               const struct gate_row *row)
{
    double was = row->was, apart = noise(gate, again, row->before, &was);
    bool is_worse = row->is > was * (1 + gate->regress) && row->is - was > gate->delta;
    return is_worse && row->is - was > apart ? GATE_FAILS : GATE_HOLDS;
}

static void compare_pair(const struct gate *gate, const struct measured *again,
                         const struct measured_function *before, const struct measured_function *after,
                         struct gate_result *result)
{
    if (!is_chosen(gate, before->name))
        return;
    bool is_known = before->is_known[gate->metric] && after->is_known[gate->metric];
    if (before->is_ambiguous || after->is_ambiguous || !is_known) {
        result->untold++;
        result->figureless += !is_known;
        return;
    }
    if (before->calls < gate->calls || after->calls < gate->calls)
        return;
    struct gate_row *row = &result->rows[result->n++];
    *row = (struct gate_row){.name = after->name,
                             .before = before,
                             .after = after,
                             .was = before->figure[gate->metric],
                             .is = after->figure[gate->metric]};
    row->verdict = judge(gate, again, row);
    result->compared++;
    result->slower += row->verdict == GATE_FAILS;
}

/* A stretch of a profile's functions, in their order. */
struct stretch {
    const struct measured_function *at, *end;
};

static struct stretch namesakes(const struct measured *measured, size_t at)
{
    const struct measured_function *first = &measured->functions[at];
    return (struct stretch){first, first + measured_namesakes(measured, at)};
}

/* Each is walked once; of those that share name and file the first stands for all. */
static void compare_by_file(const struct gate *gate, struct stretch before, const struct measured *again,
                            struct stretch after, struct gate_result *result)
{
    while (before.at < before.end || after.at < after.end) {
        const struct measured_function *was = before.at < before.end ? before.at : NULL;
        const struct measured_function *is = after.at < after.end ? after.at : NULL;
        int order = !was ? 1 : !is ? -1 : measured_order(was, is);
        if (order < 0)
            result->gone++;
        else if (order > 0)
            result->added++;
        else
            compare_pair(gate, again, was, is, result);
        for (; order <= 0 && before.at < before.end && measured_order(was, before.at) == 0; before.at++)
            ;
        for (; order >= 0 && after.at < after.end && measured_order(is, after.at) == 0; after.at++)
            ;
    }
}

/* Who built the two may have done so in different folders. So where a name stands once on both sides, with a
 * file of one name, folders do not count. */
static void compare_all(const struct gate *gate, const struct measured *before, const struct measured *again,
                        const struct measured *after, struct gate_result *result)
{
    for (size_t b = 0, a = 0; b < before->n || a < after->n;) {
        int order = b == before->n  ? 1
                    : a == after->n ? -1
                                    : measured_order_namesakes(&before->functions[b], &after->functions[a]);
        struct stretch was = {0}, is = {0};
        if (order <= 0)
            was = namesakes(before, b);
        if (order >= 0)
            is = namesakes(after, a);
        if (was.end - was.at == 1 && is.end - is.at == 1)
            compare_pair(gate, again, was.at, is.at, result);
        else
            compare_by_file(gate, was, again, is, result);
        b += (size_t)(was.end - was.at);
        a += (size_t)(is.end - is.at);
    }
}

static bool has_said_something(const struct gate *gate, const struct measured *before,
                               const struct gate_result *result, struct error *err)
{
    if (before && result->compared == 0 && result->figureless > 0)
        return error_set(err, "Of no function do both profiles tell %s; use another --metric.",
                         measured_word(gate->metric));
    if (before && result->compared == 0)
        return error_set(err, "No function is in both profiles often enough to be compared.");
    if (!before && result->limits == 0)
        return error_set(err, "There is neither a --baseline nor a limit to hold the profile against.");
    return true;
}

bool gate_hold(const struct gate *gate, const struct measured *before, const struct measured *again,
               const struct measured *after, struct gate_result *result, struct error *err)
{
    *result = (struct gate_result){0};
    if ((before && !can_tell(gate, before, "baseline", err)) ||
        (again && !can_tell(gate, again, "baseline's second run", err)) ||
        !can_tell(gate, after, "new profile", err) ||
        (before && !alike(before, "baseline", after, gate->metric, err)) ||
        (again && !alike(again, "baseline's second run", after, gate->metric, err)))
        return false;
    size_t limits = gate->limits_n + after->limits_n;
    result->rows = calloc((before ? before->n : 0) + limits + 1, sizeof *result->rows);
    result->texts = calloc(limits + 1, sizeof *result->texts);
    if (!result->rows || !result->texts) {
        gate_result_fini(result);
        return error_set(err, "Memory is used up.");
    }
    if (before)
        compare_all(gate, before, again, after, result);
    gate_hold_limits(gate, after, result);
    if (has_said_something(gate, before, result, err))
        return true;
    gate_result_fini(result);
    return false;
}

void gate_result_fini(struct gate_result *result)
{
    free(result->rows);
    free(result->texts);
    *result = (struct gate_result){0};
}
