/* noise.h - estimates how much a figure varies between runs because durations of calls vary. */
#ifndef CHECK_NOISE_H
#define CHECK_NOISE_H

#include "check/measured.h"

/* Three standard errors of what the figure of two profiles differs by, in its unit: of means by the standard
 * deviation, of p50, p90 and p99 by the distance of the percentiles around them. 0 where a profile does not
 * have these, and of other figures. */
double spread_of(enum measured_figure figure, const struct measured_function *before,
                 const struct measured_function *after);

#endif
