/* period.c - measures how regularly functions begin. */
#include "snapshot/period.h"

#include "base/scarcity.h"
#include "snapshot/snapshot.h"

#include <math.h>
#include <stdlib.h>

void periods_fini(struct periods *periods)
{
    free(periods->runs);
    map_fini(&periods->by_place);
}

void periods_clear(struct periods *periods)
{
    periods->run_count = 0;
    map_clear(&periods->by_place);
    periods_break(periods);
}

static uint64_t place_of(uint32_t function, uint64_t key)
{
    return (uint64_t)function << 16 | (key & UINT16_MAX);
}

static void put_away(struct periods *periods, uint32_t function, struct start last)
{
    uint64_t place = place_of(function, last.run);
    uint32_t at = map_find(&periods->by_place, place);
    if (at == MAP_NONE) {
        if (periods->run_count == PERIOD_RUNS_MAX)
            return;
        if (periods->run_count == periods->run_room) {
            uint32_t room = periods->run_room ? 2 * periods->run_room : 64;
            if (!scarcity_grow(&periods->runs, room, sizeof *periods->runs))
                return;
            periods->run_room = room;
        }
        at = periods->run_count;
        if (!map_set(&periods->by_place, place, at))
            return;
        periods->run_count++;
    }
    periods->runs[at] = last;
}

/* The function began in another context than last time: saves the last context's run and restores this one's. */
static void take_turn(struct periods *periods, struct period *period, uint32_t function, uint64_t key)
{
    uint32_t at = map_find(&periods->by_place, place_of(function, key));
    if (period->last.run)
        put_away(periods, function, period->last);
    period->last.run = 0;
    if (at != MAP_NONE && periods->runs[at].run == key)
        period->last = periods->runs[at];
}

void period_count_rare(struct periods *periods, struct period *period, uint32_t function, uint64_t key,
                       uint64_t ticks)
{
    uint64_t since;
    if ((period->last.run & UINT16_MAX) != (key & UINT16_MAX) || !period->last.run)
        take_turn(periods, period, function, key);
    if (start_follows(&period->last, key, ticks, &since))
        period_add(period, since);
}

void period_add(struct period *period, uint64_t since)
{
    if (since > PERIOD_MOST_TICKS)
        return;
    if (period->n == 0) {
        period->min_ticks = since;
    } else if (since < period->min_ticks) {
        period->range_ticks += period->min_ticks - since;
        period->min_ticks = since;
    } else if (since - period->min_ticks > period->range_ticks) {
        period->range_ticks = since - period->min_ticks;
    }
    period->n++;
    period->sum_ticks += since;
    period->squares += (unsigned __int128)since * since;
}

void period_tell(const struct period *period, struct snapshot_function *row)
{
    row->known &= ~(uint32_t)FUNCTION_PERIOD;
    if (period->n == 0 || row->may_recur)
        return;
    /* Squares are summed exactly, and so are their distances from a whole number near the mean. Intermediate
     * overflows cancel out. */
    unsigned __int128 whole = period->sum_ticks / period->n;
    unsigned __int128 apart =
        period->squares - 2 * whole * period->sum_ticks + whole * whole * (unsigned __int128)period->n;
    double rest = (double)(period->sum_ticks % period->n) / (double)period->n;
    double variance = (double)apart / (double)period->n - rest * rest;
    row->known |= FUNCTION_PERIOD;
    row->periods = period->n;
    row->period_min_ticks = period->min_ticks;
    row->period_max_ticks = period->min_ticks + period->range_ticks;
    row->period_mean_ticks = (double)(uint64_t)whole + rest;
    row->period_jitter_ticks = variance > 0 ? sqrt(variance) : 0;
}
