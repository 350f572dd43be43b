/* noise.h - estimates how much a figure varies between runs because durations of calls vary. */
#ifndef CHECK_NOISE_H
#define CHECK_NOISE_H

#include "check/measured.h"

/* Returns three standard errors of the difference of a figure between two profiles, in its unit. For means it uses
 * the standard deviation, for p50, p90 and p99 the distance of neighbouring percentiles. 0 if a profile lacks these,
 * and for other figures. */
double spread_of(enum measured_figure figure, const struct measured_function *before,
                 const struct measured_function *after);

#endif
