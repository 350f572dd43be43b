/* start.h - when a call of a function began, which the time to the next start is measured from.
 *
 * What is measured from start to start (period.h, a limit's period, a function over time) is so inside of a
 * run: the calls that are reported one after the other with nothing missing between them. */
#ifndef SNAPSHOT_START_H
#define SNAPSHOT_START_H

#include <stdbool.h>
#include <stdint.h>

/* The last start of a run. Zero is none. */
struct start {
    uint64_t run; /* which run; 0: nothing has begun */
    uint64_t ticks;
};

/* True when a start at `ticks` lies before the last one of the same run: calls are reported in the order in
 * which they end, so that what was reported before then ran inside of it or beside it. */
static inline bool start_is_early(const struct start *last, uint64_t run, uint64_t ticks)
{
    return last->run == run && ticks < last->ticks;
}

/* Takes in a start of `run`, which is not 0. True when *since has the time from the last one to it; none is
 * measured from another run, nor backwards. */
static inline bool start_follows(struct start *last, uint64_t run, uint64_t ticks, uint64_t *since)
{
    bool goes_on = last->run == run && ticks >= last->ticks;
    *since = ticks - last->ticks;
    *last = (struct start){run, ticks};
    return goes_on;
}

#endif
