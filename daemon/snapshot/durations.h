/* durations.h - computes percentiles and standard deviation of a function from its histogram. */
#ifndef SNAPSHOT_DURATIONS_H
#define SNAPSHOT_DURATIONS_H

#include "snapshot/histogram.h"
#include "snapshot/snapshot.h"

/* Sets percentiles and standard deviation of a row. Its calls (at least one), sum, minimum and maximum must
 * be set. */
void durations_tell(const struct histogram *histogram, struct snapshot_function *row);

#endif
