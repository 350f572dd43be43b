/* convert.c - makes figures of profiles that were measured differently comparable, where the user allows it. */
#include "check/convert.h"

#include "check/alike.h"

#include <string.h>

static bool has_other_mode(const struct measured *one, const struct measured *other)
{
    return one->mode && other->mode && strcmp(one->mode, other->mode) != 0;
}

/* Copies the value of one figure to another. */
static void copy_figure(struct measured_function *function, enum measured_figure figure,
                        enum measured_figure from)
{
    function->figure[figure] = function->figure[from];
    function->is_known[figure] = function->is_known[from];
}

/* Replaces means by corrected ones. Percentiles and the longest call become unknown, since they have no corrected
 * values. So does the total if modes differ: an interrupt is a callee of the interrupted function in only one of
 * them. */
static bool apply_corrected_figures(struct measured *side, enum measured_figure metric, bool has_other_mode)
{
    const enum measured_figure total = has_other_mode ? MEASURED_CORRECTED_SELF : MEASURED_CORRECTED_TOTAL;
    bool has_some = side->n == 0;
    for (size_t i = 0; i < side->n; i++) {
        struct measured_function *function = &side->functions[i];
        has_some |= function->is_known[MEASURED_CORRECTED_TOTAL];
        copy_figure(function, MEASURED_TOTAL_MEAN, total);
        copy_figure(function, MEASURED_TIME, total);
        copy_figure(function, MEASURED_SELF_MEAN, MEASURED_CORRECTED_SELF);
        if (has_other_mode && metric == MEASURED_TOTAL_MEAN)
            function->is_known[MEASURED_TOTAL_MEAN] = false;
        for (int figure = MEASURED_P50; figure <= MEASURED_MAX; figure++)
            function->is_known[figure] = false;
        function->is_known[MEASURED_SHORTEST] = false;
        function->error = function->corrected_error;
        if (function->is_rough) /* the remaining time is too inaccurate */
            for (int figure = 0; figure < MEASURED_FIGURES; figure++)
                function->is_known[figure] &= !measured_is_mean((enum measured_figure)figure);
    }
    return has_some;
}

static bool correct_all(struct measured *const *sides, size_t n, enum measured_figure metric,
                        struct error *err)
{
    bool is_other = false;
    for (size_t i = 1; i < n; i++)
        is_other |= has_other_mode(sides[0], sides[i]);
    for (size_t i = 0; i < n; i++) {
        if (!apply_corrected_figures(sides[i], metric, is_other))
            return error_set(err,
                             "Figures of mode %.20s cannot be converted: the profile does not say what "
                             "measuring added; measure both with the same --mode.",
                             sides[i]->mode ? sides[i]->mode : "unknown");
    }
    return true;
}

static void scale_times(struct measured *side, double factor)
{
    for (size_t i = 0; i < side->n; i++) {
        struct measured_function *function = &side->functions[i];
        for (int figure = 0; figure < MEASURED_FIGURES; figure++)
            if (measured_unit_of((enum measured_figure)figure) == MEASURED_IN_NS)
                function->figure[figure] *= factor;
        if (function->deviation > 0)
            function->deviation *= factor;
        function->corrected_error *= factor;
    }
    side->tick *= factor;
    for (size_t i = 0; i < side->nodes_n; i++)
        side->nodes[i].self *= factor;
}

bool convert(const struct gate *gate, struct measured *const *sides, size_t n, struct error *err)
{
    bool is_time = measured_unit_of(gate->metric) == MEASURED_IN_NS, is_other = false;
    for (size_t i = 1; i < n; i++) {
        is_other |= gate->allowed & GATE_ALLOW_MODE && has_other_mode(sides[0], sides[i]);
        is_other |= gate->allowed & GATE_ALLOW_AGENT && !alike_agents(sides[0], sides[i]);
        if (gate->allowed & GATE_ALLOW_CLOCK && sides[0]->clock_hz && sides[i]->clock_hz) {
            scale_times(sides[i], (double)sides[i]->clock_hz / (double)sides[0]->clock_hz);
            sides[i]->clock_hz = sides[0]->clock_hz;
        }
    }
    /* Numbers of calls and bytes do not depend on the mode. */
    if (is_other && is_time && !correct_all(sides, n, gate->metric, err))
        return false;
    for (size_t i = 1; is_other && i < n; i++) {
        sides[i]->mode = sides[0]->mode;
        sides[i]->versions = sides[0]->versions;
        sides[i]->hook_ticks = sides[0]->hook_ticks;
    }
    return true;
}
