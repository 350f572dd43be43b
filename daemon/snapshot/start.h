/* start.h - start times of a function's calls, for measuring the time from start to start.
 *
 * Times from start to start (period.h, the period of a limit, a function over time) are only measured inside
 * of a run: calls that were reported one after the other with nothing missing between them. */
#ifndef SNAPSHOT_START_H
#define SNAPSHOT_START_H

#include <stdbool.h>
#include <stdint.h>

/* The last start of a run. All zero: none. */
struct start {
    uint64_t run; /* number of the run; 0: nothing has begun */
    uint64_t ticks;
};

/* True when a start at `ticks` is before the last one of the same run. Calls are reported in the order in
 * which they end, so the earlier reported call then ran inside of it or beside it. */
static inline bool start_is_early(const struct start *last, uint64_t run, uint64_t ticks)
{
    return last->run == run && ticks < last->ticks;
}

/* Records a start in `run`, which is not 0. Returns true if *since is the time since the last start: not if
 * that was in another run, or was later. */
static inline bool start_follows(struct start *last, uint64_t run, uint64_t ticks, uint64_t *since)
{
    bool goes_on = last->run == run && ticks >= last->ticks;
    *since = ticks - last->ticks;
    *last = (struct start){run, ticks};
    return goes_on;
}

#endif
