/* noise.c - computes standard errors of means and percentiles. */
#include "check/noise.h"

#include <math.h>
#include <stddef.h>

/* Three standard errors: one mean in 370 deviates more by chance. */
static const double factor = 3;

static double mean_spread(const struct measured_function *before, const struct measured_function *after)
{
    if (before->deviation < 0 || after->deviation < 0)
        return 0;
    double error = before->deviation * before->deviation / (double)before->calls +
                   after->deviation * after->deviation / (double)after->calls;
    return factor * sqrt(error);
}

/* ---- percentiles ---- */

enum { POINTS = 4 };

static const struct {
    enum measured_figure figure;
    double above; /* share of the calls that take longer; 0: one of all calls */
} points[POINTS] = {{MEASURED_P50, 0.5}, {MEASURED_P90, 0.1}, {MEASURED_P99, 0.01}, {MEASURED_MAX, 0}};

static double share_above(const struct measured_function *function, size_t point)
{
    double one = 1 / (double)function->calls;
    return fmax(points[point].above, one);
}

static bool has_percentiles(const struct measured_function *function)
{
    for (size_t i = 0; i < POINTS; i++)
        if (!function->is_known[points[i].figure])
            return false;
    return function->calls > 0;
}

/* Returns the duration that this share of the calls exceeds. Interpolates between two percentiles as in an
 * exponential tail, so that one outlier does not look like a spread. Below p50 it extrapolates from above. */
static double duration_exceeded_by(const struct measured_function *function, double share)
{
    size_t at = 0;
    while (at + 2 < POINTS && share < share_above(function, at + 1))
        at++;
    double from = function->figure[points[at].figure], to = function->figure[points[at + 1].figure];
    double begin = log(share_above(function, at)), end = log(share_above(function, at + 1));
    double part = begin > end ? (begin - log(share)) / (begin - end) : 1;
    return from + (to - from) * fmin(part, 1);
}

static double percentile_error(const struct measured_function *function, enum measured_figure figure,
                               double above)
{
    double off = factor * sqrt(above * (1 - above) / (double)function->calls);
    double least = 1 / (double)function->calls, value = function->figure[figure];
    double longer = duration_exceeded_by(function, fmax(above - off, least)) - value;
    double shorter = value - duration_exceeded_by(function, fmin(above + off, 1));
    return fmax(fmax(longer, shorter), 0);
}

double spread_of(enum measured_figure figure, const struct measured_function *before,
                 const struct measured_function *after)
{
    if (measured_is_mean(figure))
        return mean_spread(before, after);
    for (size_t i = 0; i < POINTS; i++)
        if (points[i].figure == figure && points[i].above > 0 && has_percentiles(before) &&
            has_percentiles(after))
            return hypot(percentile_error(before, figure, points[i].above),
                         percentile_error(after, figure, points[i].above));
    return 0;
}
