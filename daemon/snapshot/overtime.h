/* overtime.h - how one function did over time: its calls in columns of a stretch. */
#ifndef SNAPSHOT_OVERTIME_H
#define SNAPSHOT_OVERTIME_H

#include "snapshot/snapshot.h"

/* The calls that began in one column. Durations are whole, wherever the call ended. */
struct overtime_column {
    uint32_t column;
    uint64_t calls;
    /* Of 100 calls p99 is the 99th, as the function's histogram would report it (histogram_reported()). */
    uint64_t min_ticks, p50_ticks, p99_ticks, max_ticks;
    /* Times from the start of a call to that of the next in the same context, both inside the stretch, that
     * end in the column, as of struct period (see there): how many, their sum, and where there are any the
     * shortest, the longest and their standard deviation, rounded to a tick. */
    uint64_t periods, period_ticks;
    uint64_t period_min_ticks, period_max_ticks, period_jitter_ticks;
    uint64_t start_ticks; /* of its longest call, the first of equals */
    uint16_t context, depth;
};

/* Which calls are looked at, and how the stretch is cut: column n begins at from_ticks + n * step_ticks. */
struct overtime_stretch {
    uint32_t function;
    uint64_t from_ticks, to_ticks; /* both included, in order */
    uint64_t step_ticks;           /* at least 1 */
};

/* The step that cuts a stretch into `columns` (at least 1) at most. */
uint64_t overtime_step(uint64_t from_ticks, uint64_t to_ticks, uint32_t columns);

/* Tells the columns in which calls began that the timeline holds, in order; *n becomes how many. The caller
 * frees them. NULL when memory is used up. It takes a look at each call that is held, and sorts those of the
 * function. */
struct overtime_column *snapshot_over_time(const struct snapshot *snapshot,
                                           const struct overtime_stretch *stretch, size_t *n);

#endif
