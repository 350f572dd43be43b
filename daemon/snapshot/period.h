/* period.h - measures how regularly functions begin: the times from the start of a call to that of the next.
 *
 * Calls are reported in the order in which they end. Calls of a function that does not call itself do not
 * overlap in one context, so they also begin in this order. Which calls of a recursive function are outermost
 * may be known only later, so it has no period. No period is measured across a break, where something may be
 * missing or the target stood still. */
#ifndef SNAPSHOT_PERIOD_H
#define SNAPSHOT_PERIOD_H

#include "base/map.h"
#include "snapshot/start.h"

#include <stdbool.h>
#include <stdint.h>

/* Periods of one function. All zero: none yet. */
struct period {
    struct start last;               /* last start of the current run: period_key() */
    uint64_t min_ticks, range_ticks; /* the shortest period, and the difference to the longest */
    unsigned __int128 squares;
    uint64_t n;         /* number of periods */
    uint64_t sum_ticks; /* their sum */
};

/* Of all functions: the rows belong to the caller. Zero is none. */
struct periods {
    uint64_t epoch; /* breaks so far */
    struct map by_place;
    struct start *runs; /* of functions that have begun in another context since */
    uint32_t run_count, run_room;
};

/* Limit of saved runs: 4 MiB. When it is reached, a run ends when its function begins in another context. */
enum { PERIOD_RUNS_MAX = 262144 };

/* Longer periods are not counted: the sum of their squares would overflow. */
#define PERIOD_MOST_TICKS (UINT64_C(1) << 52)

void periods_fini(struct periods *periods);

/* Forgets the runs. */
void periods_clear(struct periods *periods);

/* No period is measured from a call before this to a call after it. */
static inline void periods_break(struct periods *periods)
{
    periods->epoch++;
}

/* Returns a key that is unique to a context and the time between two breaks. */
static inline uint64_t period_key(const struct periods *periods, uint16_t context)
{
    return (periods->epoch + 1) << 16 | context;
}

/* The slow path of period_count(): a run begins or continues after another context, or the period is shorter
 * or longer than all before. */
void period_count_rare(struct periods *periods, struct period *period, uint32_t function, uint64_t key,
                       uint64_t ticks);

/* Counts one period, unless it is longer than PERIOD_MOST_TICKS. */
void period_add(struct period *period, uint64_t since);

/* Records that an outermost call of `function`, whose row is `period`, began at `ticks`. */
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

/* Writes the figures of `period` to the row, and marks them as known, unless nothing was measured or the
 * function may be recursive. */
struct snapshot_function;
void period_tell(const struct period *period, struct snapshot_function *row);

#endif
