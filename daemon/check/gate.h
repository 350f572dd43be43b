/* gate.h - what a profile is held against: an older one of the program, and limits. */
#ifndef CHECK_GATE_H
#define CHECK_GATE_H

#include "base/bound.h"
#include "check/measured.h"

#include <regex.h>

enum { GATE_LIMITS_MAX = 64 };

/* What is let through. A function must exceed both, since a share of little is noise, and so is little of
 * much. */
struct gate {
    enum measured_figure metric;
    double regress; /* a share of what it was: 0.05 is 5 % */
    double delta;   /* in the metric's unit */
    uint64_t calls; /* so many at least, on both sides; 1 or more */
    double loss;    /* share of records that may be missing on each side */
    const regex_t *only,
        *ignore; /* names that are compared, and those of them that are not; NULL: any, none */
    struct bound limits[GATE_LIMITS_MAX];
    size_t limits_n;
};

/* What is let through when nobody says otherwise. */
struct gate gate_usual(enum measured_figure metric);

enum gate_verdict {
    GATE_HOLDS,
    GATE_FAILS,
    GATE_UNKNOWN, /* a limit that nobody can judge by what the profile says */
};

/* A function that was compared, or a limit that it is held to. Texts are the profiles'. */
struct gate_row {
    enum gate_verdict verdict;
    const char *name;                       /* of the function, whether there is one or not */
    const struct measured_function *before; /* of a comparison */
    const struct measured_function *after;  /* NULL: the profile has no such function */
    double was, is;                         /* of a comparison, in the metric's unit */
    const char *limit;                      /* as people write it; NULL: a comparison */
    char value[64];  /* of a limit: what the figure is, with its unit; "" where there is none */
    const char *why; /* of a limit that is unknown: a sentence's end */
};

struct gate_result {
    struct gate_row *rows; /* n of them: comparisons in order of name and file, then limits */
    size_t n;
    size_t slower, compared; /* functions */
    size_t gone, added;      /* those that are no more, or were not before, are not compared */
    size_t untold;     /* nor are those that share name and file with another, or whose figure is not known */
    size_t figureless; /* ... of which this is the latter */
    size_t limits, broken, unjudged;
    char (*texts)[BOUND_TEXT_SIZE]; /* of limits */
    /* Why nobody can tell, a sentence of the caller's, valid UTF-8; NULL: rows say what there is. */
    const char *inconclusive;
};

/* Holds `after` against `before` (NULL: there is none) and `again` (a second run of that; NULL: none), and
 * against the limits, the gate's and those that the daemon held it to while it was measured. False with a
 * sentence, and nothing to free, when that says nothing: too much was lost, names are of another program, no
 * function could be compared, or there is neither a profile nor a limit to hold it against. */
bool gate_hold(const struct gate *gate, const struct measured *before, const struct measured *again,
               const struct measured *after, struct gate_result *result, struct error *err);
void gate_result_fini(struct gate_result *result);

/* Adds the limits, the gate's and the profile's, to the result's rows, which have room. In limits.c. */
void gate_hold_limits(const struct gate *gate, const struct measured *after, struct gate_result *result);

#endif
