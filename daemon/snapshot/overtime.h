/* overtime.h - a function's figures over time, in columns of a time range. */
#ifndef SNAPSHOT_OVERTIME_H
#define SNAPSHOT_OVERTIME_H

#include "snapshot/snapshot.h"

/* The calls that began in one column. Durations are those of whole calls, wherever they ended. */
struct overtime_column {
    uint32_t column;
    uint64_t calls;
    /* Of 100 calls p99 is the 99th, rounded as in the function's histogram (histogram_reported()). */
    uint64_t min_ticks, p50_ticks, p99_ticks, max_ticks;
    /* Periods (see struct period) that end in the column and begin in the time range: how many, their sum,
     * and, if there are any, the shortest, the longest and their standard deviation, rounded to a tick. */
    uint64_t periods, period_ticks;
    uint64_t period_min_ticks, period_max_ticks, period_jitter_ticks;
    uint64_t start_ticks; /* of its longest call; of equal ones, the first */
    uint16_t context, depth;
};

/* The function and the time range. Column n begins at from_ticks + n * step_ticks. */
struct overtime_stretch {
    uint32_t function;
    uint64_t from_ticks, to_ticks; /* both included, in order */
    uint64_t step_ticks;           /* at least 1 */
};

/* Returns the step that divides a range into at most `columns` (at least 1). */
uint64_t overtime_step(uint64_t from_ticks, uint64_t to_ticks, uint32_t columns);

/* Computes the columns, in order, in which buffered calls began; sets *n to their number. The caller frees
 * the columns. Returns NULL when memory is used up. Reads all buffered calls, and sorts those of the
 * function. */
struct overtime_column *snapshot_over_time(const struct snapshot *snapshot,
                                           const struct overtime_stretch *stretch, size_t *n);

#endif
