/* bound.h - "control_cycle:p99<500us": what a figure of a function is to keep to, as people write it. */
#ifndef BASE_BOUND_H
#define BASE_BOUND_H

#include "base/error.h"
#include "base/limit.h"

#include <stddef.h>
#include <stdint.h>

/* What is held against a bound. The first two are told by each call, the others by what calls add up to. */
enum bound_figure {
    BOUND_MAX,    /* how long each call takes, callees included */
    BOUND_PERIOD, /* from the begin of a call to the begin of the next */
    BOUND_MEAN,
    BOUND_P50,
    BOUND_P90,
    BOUND_P99,
    BOUND_CALLS, /* how many there are */
    BOUND_RATE,  /* of them in a second */
    BOUND_LOAD,  /* share of the time that it runs, callees included */
    BOUND_SELF,  /* the same without callees */
    BOUND_FIGURES,
};

enum bound_relation { BOUND_BELOW, BOUND_AT_MOST, BOUND_ABOVE, BOUND_AT_LEAST, BOUND_WITHIN };

/* In which unit a figure's values are. */
enum bound_unit {
    BOUND_NS,    /* nanoseconds */
    BOUND_COUNT, /* calls */
    BOUND_MILLI_HZ,
    BOUND_MILLI_PERCENT,
};

enum { BOUND_TEXT_SIZE = LIMIT_NAME_SIZE + 64 };

/* A figure of the function, its relation, and the value in the figure's unit. */
struct bound {
    char name[LIMIT_NAME_SIZE]; /* valid UTF-8 without control characters */
    enum bound_figure figure;
    enum bound_relation relation;
    uint64_t value;
    uint64_t tolerance; /* WITHIN: so much less or more will do */
};

/* Reads FUNCTION:FIGURE<VALUE, also with <=, > and >=, or =VALUE±TOLERANCE ("+-" will do), with spaces where
 * they help. Names may have a ':' and a '<' of their own: the last colon counts. Times take ns, us, µs, ms or
 * s, up to an hour; a rate may end in /s, Hz or kHz; load and self end in %; calls are a bare number. Above
 * is only for what can fall short of something: period, mean, rate, load and self. False with a sentence that
 * shows the place. */
bool bound_parse(const char *text, struct bound *bound, struct error *err);

/* Writes it in one way, whatever way it was written in, such as "adc:period=50us±5us". It reads back. */
void bound_write(const struct bound *bound, char *out, size_t size);

/* Writes such a value of the figure with its unit, such as "512.5us" or "81.2%". */
void bound_write_value(enum bound_figure figure, double value, char *out, size_t size);

/* Its name as people write it; static. */
const char *bound_figure_name(enum bound_figure figure);
enum bound_unit bound_unit_of(enum bound_figure figure);

/* Whether each call tells the figure. */
bool bound_is_of_calls(enum bound_figure figure);

/* Whether a value of its figure keeps to it. */
bool bound_holds(const struct bound *bound, double value);

/* How far a value is from that: 1 is just at the edge, 2 twice as much (or half as much) as is allowed; more
 * is worse. */
double bound_excess(const struct bound *bound, double value);

/* The durations in ticks of a clock, of `hz` a second, that keep to a bound on times: [least, most]. None do
 * where least is above most. */
struct bound_ticks {
    uint64_t least, most;
};
struct bound_ticks bound_in_ticks(const struct bound *bound, uint64_t hz);

#endif
