/* period.h - how regularly functions begin: the times from the start of a call to that of the next one.
 *
 * Calls are reported in the order in which they end. Those of a function that does not call itself lie apart
 * in one context, so that is the order in which they begin, too. Which of a recursive function's are
 * outermost may show only later: it is reported no period. Nothing is measured across a break: something may
 * be missing there, or the target stood still. */
#ifndef SNAPSHOT_PERIOD_H
#define SNAPSHOT_PERIOD_H

#include "base/map.h"
#include "snapshot/start.h"

#include <stdbool.h>
#include <stdint.h>

/* Of one function. Zero has measured nothing. */
struct period {
    struct start last;               /* of the run of calls that goes on: period_key() */
    uint64_t min_ticks, range_ticks; /* the least time, and how much more the greatest is */
    unsigned __int128 squares;
    uint64_t n;         /* times measured, */
    uint64_t sum_ticks; /* added up */
};

/* Of all functions: the rows are whoever's has them. Zero is none. */
struct periods {
    uint64_t epoch; /* breaks so far */
    struct map by_place;
    struct start *runs; /* of functions that have begun in another context since */
    uint32_t run_count, run_room;
};

/* How many such runs are kept: 4 MiB. A further one ends when its function begins in another context. */
enum { PERIOD_RUNS_MAX = 262144 };

/* A time that is longer measures nothing: squares of such ones would not add up. */
#define PERIOD_MOST_TICKS (UINT64_C(1) << 52)

void periods_fini(struct periods *periods);

/* Forgets the runs. */
void periods_clear(struct periods *periods);

/* No time is measured from a call so far to one to come. */
static inline void periods_break(struct periods *periods)
{
    periods->epoch++;
}

/* What tells the runs of one context from all others. */
static inline uint64_t period_key(const struct periods *periods, uint16_t context)
{
    return (periods->epoch + 1) << 16 | context;
}

/* Does what period_count() does where a run begins or goes on again, or the time is shorter or longer than
 * all before. */
void period_count_rare(struct periods *periods, struct period *period, uint32_t function, uint64_t key,
                       uint64_t ticks);

/* Counts one time of start to start; not one that is longer than PERIOD_MOST_TICKS. */
void period_add(struct period *period, uint64_t since);

/* Takes in that an outermost call of `function`, whose row is `period`, began at `ticks`. */
static inline void period_count(struct periods *periods, struct period *period, uint32_t function,
                                uint64_t key, uint64_t ticks)
{
    uint64_t since = ticks - period->last.ticks;
    if (__builtin_expect(period->last.run != key || since - period->min_ticks > period->range_ticks, false)) {
        period_count_rare(periods, period, function, key, ticks);
        return;
    }
    period->last.ticks = ticks;
    period->n++;
    period->sum_ticks += since;
    period->squares += (unsigned __int128)since * since;
}

/* Writes the figures of `period` to the row, and that they are known; they are not where nothing was
 * measured, or the function may be recursive. */
struct snapshot_function;
void period_tell(const struct period *period, struct snapshot_function *row);

#endif
