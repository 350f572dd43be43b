/* clock.c - converts the times of several clocks to one time line. */
#include "dialect/syst/clock.h"

#define HZ_MAX UINT64_C(1000000000000) /* higher rates are not valid */

/* Returns base + (to - from) * hz / per, limited to 0 and 2^63, so that later subtractions cannot
 * overflow. */
static uint64_t scaled(uint64_t base, uint64_t from, uint64_t to, uint64_t hz, uint64_t per)
{
    bool back = to < from;
    unsigned __int128 distance = (unsigned __int128)(back ? from - to : to - from) * hz / per;
    if (back)
        return distance > base ? 0 : base - (uint64_t)distance;
    return distance > INT64_MAX || base + distance > INT64_MAX ? INT64_MAX : base + (uint64_t)distance;
}

static uint64_t on_line(const struct syst_line *line, const struct syst_clock *clock, uint64_t stamp)
{
    return clock->is_known ? scaled(clock->ticks, clock->reading, stamp, line->hz, clock->hz) : stamp;
}

/* Converts the transport's time. Returns false when the relation between the two clocks is unknown. */
static bool by_transport(const struct syst_line *line, const struct syst_moment *moment, uint64_t *ticks)
{
    if (!moment->has_transport)
        return false;
    if (line->is_transport) {
        *ticks = moment->transport;
        return true;
    }
    if (!line->has_anchor || !line->hz || !moment->transport_hz)
        return false;
    *ticks =
        scaled(line->anchor_ticks, line->anchor_transport, moment->transport, line->hz, moment->transport_hz);
    return true;
}

static void decide(struct syst_line *line, const struct syst_moment *moment)
{
    if (line->is_decided || (!moment->has_stamp && !moment->has_transport))
        return;
    line->is_decided = true;
    line->is_transport = !moment->has_stamp;
}

uint64_t syst_line_place(struct syst_line *line, const struct syst_clock *clock,
                         const struct syst_moment *moment, bool *estimated)
{
    uint64_t ticks;
    decide(line, moment);
    *estimated = false;
    if (moment->has_stamp && (!line->is_transport || clock->is_known)) {
        ticks = on_line(line, clock, moment->stamp);
    } else if (!by_transport(line, moment, &ticks)) {
        *estimated = true;
        return line->newest;
    }
    if (line->restarted) {
        line->restarted = false;
        line->moved = ticks < line->newest ? line->newest - ticks : 0;
    }
    ticks += line->moved;
    if (ticks > line->newest)
        line->newest = ticks;
    return ticks;
}

bool syst_line_sync(struct syst_line *line, struct syst_clock *clock, const struct syst_moment *moment,
                    uint64_t reading, uint64_t hz)
{
    if (line->is_fixed || hz == 0 || hz > HZ_MAX)
        return false;
    bool news = false;
    uint64_t ticks;
    if (!line->is_decided) { /* the first message decides it */
        line->is_decided = true;
        line->is_transport = moment->has_transport && !moment->has_stamp;
    }
    if (line->is_transport) {
        ticks = moment->has_transport ? moment->transport : line->newest;
        if (!line->hz)
            line->hz = moment->transport_hz;
        if (!line->hz)
            return false;
    } else if (!line->hz) {
        line->hz = hz;
        news = true;
        ticks = reading;
    } else if (clock->is_known) {
        ticks = on_line(line, clock, reading);
    } else if (!by_transport(line, moment, &ticks)) {
        ticks = line->newest - line->moved;
    }
    *clock = (struct syst_clock){.is_known = true, .reading = reading, .ticks = ticks, .hz = hz};
    if (!line->is_transport && !line->has_anchor && moment->has_transport) {
        line->has_anchor = true;
        line->anchor_ticks = ticks;
        line->anchor_transport = moment->transport;
    }
    return news;
}

void syst_line_restart(struct syst_line *line)
{
    *line = (struct syst_line){.is_fixed = line->is_fixed,
                               .hz = line->is_fixed ? line->hz : 0,
                               .newest = line->newest,
                               .moved = line->moved,
                               .restarted = true};
}
