/* clockline.h - one line through (arrival, tick): how fast the target's time runs by the host's clock, how
 * much of it passed in a silence, and whether it stands still.
 *
 * A tick is reported some time after it happened, never before: the target buffers, the line is slow, the
 * host reads late. So of many pairs the earliest ones count, which lie along the line of the target's clock.
 * How late they may be all the same, somebody else knows; divided by the time between two of them, that is
 * the error of the rate. Memory is bounded: 48 stretches of time, which grow from a tenth of a second to 16
 * seconds, and of each the earliest pair. So after ten minutes the line forgets its begin, and
 * follows a rate that changes. All times of the host are microseconds. */
#ifndef SESSION_CLOCKLINE_H
#define SESSION_CLOCKLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is known after some bytes were decoded. */
struct clock_reading {
    uint64_t arrival_us;     /* of the last of these bytes, by a clock that never goes back */
    uint64_t ticks;          /* the newest tick received */
    uint64_t same;           /* events in a row with that very tick, except the first */
    uint64_t lines;          /* another number: the ticks have nothing to do with those before */
    uint64_t hz;             /* ticks a second, as the target sent it; 0: not known */
    bool rests;              /* the target has stopped, and its ticks are not to go on */
    uint64_t bytes, records; /* so far, see clockline_use() */
};

enum { CLOCKLINE_POINTS = 48 };

/* Zero is the start state. */
struct clockline {
    bool has_one; /* reading at least */
    uint64_t lines, hz;
    struct clock_point {
        uint64_t us, ticks, bytes, records;
    } points[CLOCKLINE_POINTS]; /* the earliest of each stretch, in the order of time */
    uint32_t n;
    uint64_t stretch_us, stretch_begin_us; /* length of a stretch; where the last one begins */
    struct clock_point newest;             /* where the ticks went on last */
    double ratio;                          /* as clockline_rate() found it last on this line; 0: never */

    bool stands;      /* events come, and the ticks do not go on */
    uint64_t same;    /* as it was read last */
    uint64_t counted; /* of these, in `untimed` */
    uint64_t untimed; /* events with a time while the ticks did not go on, of all lines */
};

/* Takes in a reading. More than `crowd` events at one tick are more than can have waited in the target since
 * one tick: its timer stands still if they also took more than a second, and more than a thousand ticks, to
 * come. */
void clockline_see(struct clockline *line, const struct clock_reading *reading, uint64_t crowd);

/* Takes in a reading whose time of arrival is not known, as of most recordings: it tells nothing of the rate.
 * The timer stands still if more than `crowd` events at one tick came, which is to be more than a target can
 * make in one. */
void clockline_see_undated(struct clockline *line, const struct clock_reading *reading, uint64_t crowd);

/* Real ticks per second of the host, divided by those that the target sent. */
struct clock_rate {
    bool is_known;      /* else the rest means nothing: the time was too short, or it was not one rate */
    double ratio;       /* 1: the clocks agree */
    double least, most; /* it is no less, and no more */
};

/* Works out the rate where a tick may have been reported up to `late_us` later at one end of the line than at
 * the other. Takes time in proportion to CLOCKLINE_POINTS. */
struct clock_rate clockline_rate(struct clockline *line, uint64_t late_us);

/* True when the rate is more than 5 % off, beyond what the error may be. */
bool clock_rate_is_off(const struct clock_rate *rate);

/* What came along the line, and in what time: bytes and records of its last ten minutes or so. */
struct clock_use {
    uint64_t us, bytes, records;
};
struct clock_use clockline_use(const struct clockline *line);

/* How many ticks are to have passed from the newest one until `arrival_us`, by the rate as far as it is
 * known; 0 where nothing is. */
uint64_t clockline_passed(const struct clockline *line, uint64_t arrival_us);

#endif
