/* bound.h - "control_cycle:p99<500us": what a figure of a function is to keep to, as people write it. */
#ifndef BASE_BOUND_H
#define BASE_BOUND_H

#include "base/bound_figures.h"
#include "base/error.h"
#include "base/limit.h"

#include <stddef.h>
#include <stdint.h>

/* What is compared with a bound: BOUND_MAX and so on, in the order of the rows. */
#define BOUND_FIGURE_ID(id, ...) BOUND_##id,
enum bound_figure { BOUND_FIGURE_ROWS(BOUND_FIGURE_ID, BOUND_FIGURE_ID) BOUND_FIGURES };
#undef BOUND_FIGURE_ID

/* The names of all of them, for a sentence: "max, period, ..., or self". BOUND_FIGURE_HINTS adds the unit
 * where that is no time. */
#define BOUND_FIGURE_NAME(id, name, ...)            name ", "
#define BOUND_FIGURE_LAST_NAME(id, name, ...)       "or " name
#define BOUND_FIGURE_NAMES                          BOUND_FIGURE_ROWS(BOUND_FIGURE_NAME, BOUND_FIGURE_LAST_NAME)
#define BOUND_FIGURE_HINT(id, name, unit, ...)      name BOUND_HINT_##unit ", "
#define BOUND_FIGURE_LAST_HINT(id, name, unit, ...) "or " name BOUND_HINT_##unit
#define BOUND_FIGURE_HINTS                          BOUND_FIGURE_ROWS(BOUND_FIGURE_HINT, BOUND_FIGURE_LAST_HINT)
#define BOUND_HINT_NS                               ""
#define BOUND_HINT_COUNT                            ""
#define BOUND_HINT_MILLI_HZ                         ""
#define BOUND_HINT_MILLI_PERCENT                    " (%)"

enum bound_relation { BOUND_BELOW, BOUND_AT_MOST, BOUND_ABOVE, BOUND_AT_LEAST, BOUND_WITHIN };

/* In which unit a figure's values are. */
enum bound_unit {
    BOUND_NS,    /* nanoseconds */
    BOUND_COUNT, /* calls */
    BOUND_MILLI_HZ,
    BOUND_MILLI_PERCENT,
};

/* When a figure is judged in the daemon. */
enum bound_judged {
    BOUND_AT_SNAPSHOT, /* whenever there is one */
    BOUND_AT_CALL,     /* each call by its duration */
    BOUND_AT_PERIOD,   /* each call by the time since the one before */
    BOUND_AT_SECOND,   /* by the calls of that second */
};

/* How a value comes of a column of the snapshot's functions. */
enum bound_way {
    BOUND_VALUE,    /* it is the value */
    BOUND_PER_CALL, /* divided by the calls */
    BOUND_SHARE,    /* divided by the time in which the function could have run */
};

/* A figure that a limit can be put on (base/bound_figures.h). */
struct bound_figure_info {
    const char *name;     /* as people write it */
    const char *help;     /* what it is, in a few words */
    enum bound_unit unit; /* of its values */

    /* The columns of the snapshot's functions, by their key in JSON, that hold the least and the most of it.
     * A limit is kept afterwards when both keep to it. NULL: it is known only while a profile is measured. */
    const char *least, *most;
    enum bound_judged judged;
    enum bound_way way;
    bool may_fall_short; /* >, >= and = can be asked of it, too */
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
 * is only for figures that may fall short. False with a sentence that shows the place. */
bool bound_parse(const char *text, struct bound *bound, struct error *err);

/* Writes it in one way, whatever way it was written in, such as "adc:period=50us±5us". It reads back. */
void bound_write(const struct bound *bound, char *out, size_t size);

/* Writes such a value of the figure with its unit, such as "512.5us" or "81.2%". */
void bound_write_value(enum bound_figure figure, double value, char *out, size_t size);

/* The row of a figure; static. */
const struct bound_figure_info *bound_figure_info(enum bound_figure figure);
enum bound_unit bound_unit_of(enum bound_figure figure);

/* True when a value of its figure keeps to it. */
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
