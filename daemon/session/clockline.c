/* clockline.c - fits a line through pairs (arrival, tick). */
#include "session/clockline.h"

#include <math.h>
#include <string.h>

enum {
    STRETCH_LEAST_US = 100 * 1000,
    STRETCH_MOST_US = 12800 * 1000,
    FORGOTTEN = CLOCKLINE_POINTS / 3, /* dropped at once if there is no space for another stretch */
    SPAN_LEAST_US = 2000 * 1000,      /* a shorter line has no rate */
    STAND_US = 1000 * 1000,
    STAND_TICKS = 1000,
    ROUNDS = 3, /* the earliest pairs depend on the rate, and the rate on them */
};
#define WIDTH_MOST 0.2  /* an error of 10 % to either side is the most that is accepted */
#define OFF_LEAST  0.05 /* clocks that agree within that are said to */
#define TICKS_MOST ((double)(UINT64_C(1) << 62))

/* ---- stored points ---- */

/* Converts ticks to microseconds, at the rate that the target sent. */
static double told_us(const struct clockline *line, uint64_t ticks)
{
    return (double)ticks * 1e6 / (double)line->hz;
}

/* The lateness of `point`, plus a constant, if the target's clock runs at `ratio`. */
static double point_lateness(const struct clockline *line, const struct clock_point *point, double ratio)
{
    const struct clock_point *first = &line->points[0];
    return (double)(int64_t)(point->us - first->us) - told_us(line, point->ticks - first->ticks) / ratio;
}

static double ratio_so_far(const struct clockline *line)
{
    return line->ratio > 0 ? line->ratio : 1;
}

static bool is_earlier(const struct clockline *line, const struct clock_point *a, const struct clock_point *b)
{
    double ratio = ratio_so_far(line);
    return point_lateness(line, a, ratio) < point_lateness(line, b, ratio);
}

/* Makes space for another stretch: doubles their length, or drops the oldest. */
static void make_room(struct clockline *line)
{
    if (line->stretch_us >= STRETCH_MOST_US) {
        line->n -= FORGOTTEN;
        memmove(line->points, line->points + FORGOTTEN, line->n * sizeof *line->points);
        return;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < line->n; i += 2) {
        const struct clock_point *one = &line->points[i], *other = &line->points[i + 1];
        line->points[n++] = is_earlier(line, other, one) ? *other : *one;
    }
    line->n = n;
    line->stretch_us *= 2;
}

static void keep_point(struct clockline *line, const struct clock_point *point)
{
    struct clock_point *last = line->n > 0 ? &line->points[line->n - 1] : NULL;
    if (last && point->us - line->stretch_begin_us < line->stretch_us) {
        if (is_earlier(line, point, last))
            *last = *point;
        return;
    }
    if (line->n == CLOCKLINE_POINTS)
        make_room(line);
    line->points[line->n++] = *point;
    line->stretch_begin_us = point->us;
}

/* ---- readings ---- */

static void start_clock_line(struct clockline *line, const struct clock_reading *reading,
                             const struct clock_point *point)
{
    *line = (struct clockline){.has_one = true,
                               .lines = reading->lines,
                               .hz = reading->hz,
                               .stretch_us = STRETCH_LEAST_US,
                               .newest = *point,
                               .untimed = line->untimed};
    if (line->hz > 0)
        keep_point(line, point);
}

/* Counts events at an unchanged tick, once this lasts so long that more than `crowd` are too many. */
static void follow_stand(struct clockline *line, const struct clock_reading *reading, bool is_long,
                         uint64_t crowd)
{
    if (reading->same < line->same) { /* another tick came in between */
        line->stands = false;
        line->counted = 0;
    }
    if (reading->rests || !is_long || reading->same <= crowd || reading->same <= line->counted)
        return;
    line->stands = true;
    line->untimed += reading->same - line->counted;
    line->counted = reading->same;
}

/* True if the tick has not advanced for longer than a target may take to send the events of one tick. */
static bool is_long_since_newest(const struct clockline *line, const struct clock_reading *reading)
{
    uint64_t since_us = reading->arrival_us - line->newest.us;
    return since_us > STAND_US && line->hz > 0 && (double)since_us > told_us(line, STAND_TICKS);
}

void clockline_see_undated(struct clockline *line, const struct clock_reading *reading, uint64_t crowd)
{
    bool is_first = !line->has_one, is_other = reading->lines != line->lines;
    if (is_first || is_other)
        *line = (struct clockline){.has_one = true,
                                   .lines = reading->lines,
                                   .newest = {.ticks = reading->ticks},
                                   .same = is_first ? 0 : reading->same,
                                   .untimed = line->untimed};
    if (reading->ticks != line->newest.ticks) {
        line->newest.ticks = reading->ticks;
        line->counted = line->same = 0;
        line->stands = false;
    }
    if (reading->same != line->same)
        follow_stand(line, reading, true, crowd);
    line->same = reading->same;
}

void clockline_see(struct clockline *line, const struct clock_reading *reading, uint64_t crowd)
{
    const struct clock_point point = {reading->arrival_us, reading->ticks, reading->bytes, reading->records};
    bool is_same = line->has_one && reading->lines == line->lines && reading->hz == line->hz &&
                   reading->arrival_us >= line->newest.us && reading->ticks >= line->newest.ticks;
    if (!is_same) {
        start_clock_line(line, reading, &point);
    } else if (reading->ticks > line->newest.ticks) {
        line->newest = point;
        line->counted = 0;
        line->stands = false;
        if (line->hz > 0)
            keep_point(line, &point);
    } else if (reading->same != line->same) {
        follow_stand(line, reading, is_long_since_newest(line, reading), crowd);
    }
    line->same = reading->same;
}

/* ---- results ---- */

/* The earliest point between two parts of the line, given as shares of its time; NULL if there is none. */
static const struct clock_point *earliest_point(const struct clockline *line, double from, double to,
                                                double ratio)
{
    const struct clock_point *found = NULL;
    uint64_t begin_us = line->points[0].us;
    double span = (double)(line->points[line->n - 1].us - begin_us);
    for (uint32_t i = 0; i < line->n; i++) {
        const struct clock_point *point = &line->points[i];
        double at = (double)(point->us - begin_us) / span;
        if (at >= from && at <= to &&
            (!found || point_lateness(line, point, ratio) < point_lateness(line, found, ratio)))
            found = point;
    }
    return found;
}

static double line_slope(const struct clockline *line, const struct clock_point *a,
                         const struct clock_point *b)
{
    return told_us(line, b->ticks - a->ticks) / (double)(b->us - a->us);
}

/* True if a part of the line deviates in the same direction as all of it, and by at least half as much. A
 * stop of the clock (for example under a debugger) or calls that waited once affect one part only. */
static bool is_off_too(double part, double whole)
{
    return fabs(whole - 1) <= OFF_LEAST ||
           ((part < 1) == (whole < 1) && fabs(part - 1) >= fabs(whole - 1) / 2);
}

struct clock_rate clockline_rate(struct clockline *line, uint64_t late_us)
{
    struct clock_rate rate = {.ratio = ratio_so_far(line)};
    const struct clock_point *first = NULL, *middle = NULL, *last = NULL;
    if (line->n < 3 || line->points[line->n - 1].us - line->points[0].us < SPAN_LEAST_US)
        return rate;
    for (int round = 0; round < ROUNDS; round++) {
        first = earliest_point(line, 0, 0.2, rate.ratio);
        middle = earliest_point(line, 0.4, 0.6, rate.ratio);
        last = earliest_point(line, 0.8, 1, rate.ratio);
        if (!middle)
            return rate;
        rate.ratio = line_slope(line, first, last);
    }
    double span = (double)(last->us - first->us), told = told_us(line, last->ticks - first->ticks);
    double late = (double)late_us;
    rate.least = told / (span + late);
    rate.most = late < span ? told / (span - late) : INFINITY;
    rate.is_known = rate.most - rate.least <= WIDTH_MOST * rate.ratio &&
                    is_off_too(line_slope(line, first, middle), rate.ratio) &&
                    is_off_too(line_slope(line, middle, last), rate.ratio);
    if (rate.is_known)
        line->ratio = rate.ratio;
    return rate;
}

bool clock_rate_is_off(const struct clock_rate *rate)
{
    return rate->is_known && (rate->most < 1 - OFF_LEAST || rate->least > 1 + OFF_LEAST);
}

struct clock_use clockline_use(const struct clockline *line)
{
    const struct clock_point *first = &line->points[0], *newest = &line->newest;
    if (line->n == 0)
        return (struct clock_use){0};
    return (struct clock_use){newest->us - first->us, newest->bytes - first->bytes,
                              newest->records - first->records};
}

uint64_t clockline_passed(const struct clockline *line, uint64_t arrival_us)
{
    if (!line->has_one || arrival_us < line->newest.us)
        return 0;
    double ticks = (double)(arrival_us - line->newest.us) * (double)line->hz * 1e-6 * ratio_so_far(line);
    return ticks < TICKS_MOST ? (uint64_t)ticks : (uint64_t)TICKS_MOST;
}
