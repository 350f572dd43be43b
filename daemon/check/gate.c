/* gate.c - compares two profiles function by function. */
#include "check/gate.h"

#include <stdlib.h>

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

static bool is_slower(const struct gate *gate, const struct measured_function *before,
                      const struct measured_function *after)
{
    double was = before->ns[gate->metric], is = after->ns[gate->metric];
    return is > was * (1 + gate->regress) && is - was > gate->delta_ns;
}

static bool is_chosen(const struct gate *gate, const char *name)
{
    return (!gate->only || regexec(gate->only, name, 0, NULL, 0) == 0) &&
           (!gate->ignore || regexec(gate->ignore, name, 0, NULL, 0) != 0);
}

static void compare_pair(const struct gate *gate, const struct measured_function *before,
                         const struct measured_function *after, struct gate_result *result)
{
    if (!is_chosen(gate, before->name))
        return;
    if (before->is_ambiguous || after->is_ambiguous || !before->is_known[gate->metric] ||
        !after->is_known[gate->metric]) {
        result->untold++;
        return;
    }
    if (before->calls < gate->calls || after->calls < gate->calls)
        return;
    result->compared++;
    if (is_slower(gate, before, after))
        result->findings[result->n++] = (struct gate_finding){before, after};
}

/* Both are in order, so each is walked once; of those that share a key the first stands for all. */
static void compare_all(const struct gate *gate, const struct measured *before, const struct measured *after,
                        struct gate_result *result)
{
    for (size_t b = 0, a = 0; b < before->n || a < after->n;) {
        const struct measured_function *was = b < before->n ? &before->functions[b] : NULL;
        const struct measured_function *is = a < after->n ? &after->functions[a] : NULL;
        int order = !was ? 1 : !is ? -1 : measured_order(was, is);
        if (order < 0)
            result->gone++;
        else if (order > 0)
            result->added++;
        else
            compare_pair(gate, was, is, result);
        for (; order <= 0 && b < before->n && measured_order(was, &before->functions[b]) == 0; b++)
            ;
        for (; order >= 0 && a < after->n && measured_order(is, &after->functions[a]) == 0; a++)
            ;
    }
}

bool gate_compare(const struct gate *gate, const struct measured *before, const struct measured *after,
                  struct gate_result *result, struct error *err)
{
    *result = (struct gate_result){0};
    if (!can_tell(gate, before, "baseline", err) || !can_tell(gate, after, "new profile", err))
        return false;
    result->findings = calloc(before->n + 1, sizeof *result->findings);
    if (!result->findings)
        return error_set(err, "Memory is used up.");
    compare_all(gate, before, after, result);
    if (result->compared > 0)
        return true;
    gate_result_fini(result);
    return error_set(err, "No function is in both profiles often enough to be compared.");
}

void gate_result_fini(struct gate_result *result)
{
    free(result->findings);
    *result = (struct gate_result){0};
}
