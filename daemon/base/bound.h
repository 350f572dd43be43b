/* bound.h - parses, writes and applies a limit on a figure of a function: "control_cycle:p99<500us". */
#ifndef BASE_BOUND_H
#define BASE_BOUND_H

#include "base/bound_figures.h"
#include "base/error.h"
#include "base/limit.h"

#include <stddef.h>
#include <stdint.h>

/* The figures that can have a limit: BOUND_MAX and so on, in the order of the rows. */
#define BOUND_FIGURE_ID(id, ...) BOUND_##id,
enum bound_figure { BOUND_FIGURE_ROWS(BOUND_FIGURE_ID, BOUND_FIGURE_ID) BOUND_FIGURES };
#undef BOUND_FIGURE_ID

/* The names of all figures, for a sentence: "max, period, ..., or self". BOUND_FIGURE_HINTS adds units that
 * are not times. */
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

/* The unit of a figure's values. */
enum bound_unit {
    BOUND_NS,    /* nanoseconds */
    BOUND_COUNT, /* calls */
    BOUND_MILLI_HZ,
    BOUND_MILLI_PERCENT,
};

/* When a figure is judged in the daemon. */
enum bound_judged {
    BOUND_AT_SNAPSHOT, /* at each snapshot */
    BOUND_AT_CALL,     /* each call by its duration */
    BOUND_AT_PERIOD,   /* each call by the time since the previous one */
    BOUND_AT_SECOND,   /* by the calls of each second */
};

/* How to compute a value from a column of the snapshot's functions. */
enum bound_way {
    BOUND_VALUE,    /* the column is the value */
    BOUND_PER_CALL, /* divided by the calls */
    BOUND_SHARE,    /* divided by the time in which the function could run */
};

/* A figure that can have a limit (base/bound_figures.h). */
struct bound_figure_info {
    const char *name;     /* as users write it */
    const char *help;     /* a short description */
    enum bound_unit unit; /* of its values */

    /* The JSON keys of the columns of the snapshot's functions that have its minimum and maximum. In a finished
     * profile a limit is kept when both keep to it. NULL: known only while a profile is measured. */
    const char *least, *most;
    enum bound_judged judged;
    enum bound_way way;
    bool may_fall_short; /* limits may also use >, >= and = */
};

enum { BOUND_TEXT_SIZE = LIMIT_NAME_SIZE + 64 };

/* A limit: function, figure, relation, and the value in the figure's unit. */
struct bound {
    char name[LIMIT_NAME_SIZE]; /* valid UTF-8 without control characters */
    enum bound_figure figure;
    enum bound_relation relation;
    uint64_t value;
    uint64_t tolerance; /* WITHIN: allowed difference from the value */
};

/* Reads FUNCTION:FIGURE<VALUE, also with <=, > and >=, or =VALUE±TOLERANCE (or "+-"). Spaces between the parts
 * are allowed. Names may contain ':' and '<': the last colon counts. Times end in ns, us, µs, ms or s, up to
 * an hour; rates in /s, Hz or kHz; load and self in %; calls are a bare number. >, >= and = are only for
 * figures with may_fall_short. False with an error that shows the position. */
bool bound_parse(const char *text, struct bound *bound, struct error *err);

/* Writes the limit in its canonical form, such as "adc:period=50us±5us", which bound_parse() reads. */
void bound_write(const struct bound *bound, char *out, size_t size);

/* Writes a value of the figure with its unit, such as "512.5us" or "81.2%". */
void bound_write_value(enum bound_figure figure, double value, char *out, size_t size);

/* Returns the row of a figure, which is static. */
const struct bound_figure_info *bound_figure_info(enum bound_figure figure);
enum bound_unit bound_unit_of(enum bound_figure figure);

/* True when the value keeps to the limit. */
bool bound_holds(const struct bound *bound, double value);

/* Returns the ratio of a value to the limit: 1 is just at the limit, 2 is twice (or half) the allowed value.
 * More is worse. */
double bound_excess(const struct bound *bound, double value);

/* The range [least, most] of durations that keep to a limit on times, in ticks of a clock of `hz` a second.
 * Empty if least > most. */
struct bound_ticks {
    uint64_t least, most;
};
struct bound_ticks bound_in_ticks(const struct bound *bound, uint64_t hz);

#endif
