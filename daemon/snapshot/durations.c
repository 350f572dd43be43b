/* durations.c - computes percentiles and standard deviation of a function from its histogram. */
#include "snapshot/durations.h"

void durations_tell(const struct histogram *histogram, struct snapshot_function *row)
{
    static const double shares[] = {0.50, 0.90, 0.99};
    uint64_t values[3];
    histogram_percentiles(histogram, row->calls, row->min_ticks, row->max_ticks, shares, values, 3);
    row->p50_ticks = values[0];
    row->p90_ticks = values[1];
    row->p99_ticks = values[2];
    row->stddev_ticks = histogram_deviation(histogram, (double)row->sum_ticks / (double)row->calls,
                                            row->min_ticks, row->max_ticks);
}
