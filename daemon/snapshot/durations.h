/* durations.h - what the histogram of a function's calls tells of them. */
#ifndef SNAPSHOT_DURATIONS_H
#define SNAPSHOT_DURATIONS_H

#include "snapshot/histogram.h"
#include "snapshot/snapshot.h"

/* Sets percentiles and standard deviation of a row, whose calls, sum and extremes are known; it has calls. */
void durations_tell(const struct histogram *histogram, struct snapshot_function *row);

#endif
