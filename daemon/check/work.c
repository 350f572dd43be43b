/* work.c - checks whether two runs did the same work. Otherwise means of calls cannot be compared.
 *
 * A run that is twice as long calls everything twice as often. If a fifth of the functions deviates from that ratio
 * by more than a twentieth, the runs did different work. If a changed function calls others more often, only these
 * deviate. */
#include "check/gate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_LEAST = 10, FUNCTIONS_LEAST = 4 };

static const double tolerance = 0.05, tolerated = 0.2;

static bool has_enough_calls(const struct gate_row *row)
{
    return row->kind == GATE_COMPARED && row->before->calls >= CALLS_LEAST &&
           row->after->calls >= CALLS_LEAST;
}

static double ratio_of(const struct gate_row *row)
{
    return (double)row->after->calls / (double)row->before->calls;
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

/* Computes the median ratio of functions with some calls. */
double gate_work_ratio(const struct gate_result *result)
{
    double *ratios = calloc(result->n + 1, sizeof *ratios);
    size_t n = 0;
    for (size_t i = 0; ratios && i < result->n; i++)
        if (has_enough_calls(&result->rows[i]))
            ratios[n++] = ratio_of(&result->rows[i]);
    if (n > 0)
        qsort(ratios, n, sizeof *ratios, by_size);
    double median = n > 0 ? ratios[n / 2] : 1;
    free(ratios);
    return median;
}

static bool is_off(const struct gate_row *row, double ratio)
{
    double expected = ratio * (double)row->before->calls, off = fabs((double)row->after->calls - expected);
    return off > tolerance * expected && off > 2;
}

bool gate_has_same_work(const struct gate *gate, const char *what, const struct gate_result *result,
                        struct error *err)
{
    double ratio = gate_work_ratio(result), most = 0;
    const struct gate_row *worst = NULL;
    size_t n = 0, off = 0;
    if (gate->allowed & GATE_ALLOW_WORK || measured_unit_of(gate->metric) != MEASURED_IN_NS)
        return true;
    for (size_t i = 0; i < result->n; i++) {
        const struct gate_row *row = &result->rows[i];
        if (!has_enough_calls(row))
            continue;
        n++;
        if (!is_off(row, ratio))
            continue;
        off++;
        double apart = fabs(log(ratio_of(row) / ratio));
        if (apart > most) {
            most = apart;
            worst = row;
        }
    }
    if (n < FUNCTIONS_LEAST || !worst || (double)off <= tolerated * (double)n)
        return true;
    return error_set(
        err,
        "The %s and the new profile are of different work: calls of %zu of %zu functions are not "
        "in proportion (%.60s: %" PRIu64 " and %" PRIu64
        ", most functions %.3g times as often as before); measure both with --work FUNCTION=CALLS, "
        "or give --allow work.",
        what, off, n, worst->name, worst->before->calls, worst->after->calls, ratio);
}

/* True when both waited for the same work. Calls may still differ a little, since a measurement ends shortly after. */
static bool waited_for_the_same(const struct measured *one, const struct measured *other)
{
    return one->work && other->work && !strcmp(one->work, other->work) &&
           one->work_calls == other->work_calls;
}

bool gate_has_same_amount(const struct gate *gate, const struct gate_sides *sides,
                          const struct gate_result *result, struct error *err)
{
    static const double most = 1.2;
    double ratio = result->ratio; /* of all functions: the rows now have only the chosen ones */
    if (gate->allowed & GATE_ALLOW_WORK || measured_unit_of(gate->metric) != MEASURED_IN_NS ||
        result->slower + result->more_calls == 0 || (ratio <= most && ratio >= 1 / most) ||
        waited_for_the_same(sides->before, sides->after))
        return true;
    size_t n = result->slower + result->more_calls;
    return error_set(err,
                     "The new profile is of %.3g times as much work as the baseline, and %zu function%s took "
                     "longer (%.60s%s), which may be because of that; measure both with the same "
                     "--work FUNCTION=CALLS, or give --allow work.",
                     result->ratio, n, n == 1 ? "" : "s", result->told[0]->name, n == 1 ? "" : " and others");
}
