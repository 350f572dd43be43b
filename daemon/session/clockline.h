/* clockline.h - fits a line through pairs (arrival, tick): the rate of the target's clock by the host's, the
 * time passed in a silence, and whether the timer stands still.
 *
 * A tick is reported some time after it happened, never before: the target buffers, the line is slow, the
 * host reads late. So the earliest pairs are used, which lie along the line of the target's clock. The caller
 * knows how late these may be; divided by the time between two pairs, that is the error of the rate. Memory
 * is limited: 48 stretches of time, which grow from 0.1 s to 12.8 s, with the earliest pair of each. So after
 * ten minutes the oldest pairs are dropped, and the line follows a rate that changes. All host times are in
 * microseconds. */
#ifndef SESSION_CLOCKLINE_H
#define SESSION_CLOCKLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state after some bytes were decoded. */
struct clock_reading {
    uint64_t arrival_us;     /* of the last of these bytes, by a monotonic clock */
    uint64_t ticks;          /* the newest tick received */
    uint64_t same;           /* events in a row with this very tick, except the first */
    uint64_t lines;          /* changes when the ticks do not continue those before */
    uint64_t hz;             /* ticks per second, as sent by the target; 0: unknown */
    bool rests;              /* the target has stopped, so its ticks do not advance */
    uint64_t bytes, records; /* so far, see clockline_use() */
};

enum { CLOCKLINE_POINTS = 48 };

/* Zero is the start state. */
struct clockline {
    bool has_one; /* reading at least */
    uint64_t lines, hz;
    struct clock_point {
        uint64_t us, ticks, bytes, records;
    } points[CLOCKLINE_POINTS]; /* the earliest of each stretch, in order of time */
    uint32_t n;
    uint64_t stretch_us, stretch_begin_us; /* length of a stretch; start of the last one */
    struct clock_point newest;             /* where the ticks last advanced */
    double ratio;                          /* last result of clockline_rate() on this line; 0: none */

    bool stands;      /* events arrive, but ticks do not advance */
    uint64_t same;    /* in the last reading */
    uint64_t counted; /* part of these that is in `untimed` */
    uint64_t untimed; /* events with a time while ticks did not advance, on all lines */
};

/* Adds a reading. The timer stands still if more than `crowd` events have one tick, which is more than can
 * have waited in the target, and they took more than a second, and more than a thousand ticks, to arrive. */
void clockline_see(struct clockline *line, const struct clock_reading *reading, uint64_t crowd);

/* Adds a reading of unknown arrival time, as in most recordings: it has no information on the rate. The timer
 * stands still if more than `crowd` events had one tick; `crowd` must be more than a target can make in one
 * tick. */
void clockline_see_undated(struct clockline *line, const struct clock_reading *reading, uint64_t crowd);

/* Real ticks per second, by the host's clock, divided by those that the target sent. */
struct clock_rate {
    bool is_known;      /* else the rest is invalid: the time was too short, or the rate changed */
    double ratio;       /* 1: the clocks agree */
    double least, most; /* error bounds */
};

/* Computes the rate if a tick may be reported up to `late_us` later at one end of the line than at the other.
 * Takes time in proportion to CLOCKLINE_POINTS. */
struct clock_rate clockline_rate(struct clockline *line, uint64_t late_us);

/* True if the rate is wrong by more than 5 %, beyond its possible error. */
bool clock_rate_is_off(const struct clock_rate *rate);

/* Bytes and records of the line's last ten minutes or so, and the time in which they came. */
struct clock_use {
    uint64_t us, bytes, records;
};
struct clock_use clockline_use(const struct clockline *line);

/* Estimates the ticks from the newest one until `arrival_us`, by the known rate; 0 if it is unknown. */
uint64_t clockline_passed(const struct clockline *line, uint64_t arrival_us);

#endif
