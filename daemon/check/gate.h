/* gate.h - compares a profile with older ones of the program, and with limits. */
#ifndef CHECK_GATE_H
#define CHECK_GATE_H

#include "base/bound.h"
#include "check/measured.h"

#include <regex.h>

enum { GATE_LIMITS_MAX = 64 };

/* Differences of two measurements that the user allows (--allow). */
enum gate_allowed {
    GATE_ALLOW_MODE = 1 << 0,  /* compare corrected figures */
    GATE_ALLOW_CLOCK = 1 << 1, /* compare cycles */
    GATE_ALLOW_AGENT = 1 << 2, /* compare corrected figures */
    GATE_ALLOW_WORK = 1 << 3,  /* numbers of calls need not be in proportion */
};

/* The tolerances. A slowdown must exceed both `regress` and `delta`: a large share of a short time is noise, and so
 * is a small share of a long time. */
struct gate {
    enum measured_figure metric;
    double regress;      /* as a share of the older value: 0.05 is 5 % */
    double delta;        /* in the metric's unit */
    bool is_usual_delta; /* delta is the default; then ticks and interrupts are tolerated, too */
    uint64_t calls;      /* minimum number of calls on both sides; at least 1 */
    double loss;         /* allowed share of missing records on each side */
    unsigned allowed;
    bool by_spread;              /* tolerate the standard error that results from the spread of durations */
    bool warns_gone, fails_gone; /* about functions that are no longer called */
    bool warns_faster;
    const regex_t *only, *ignore; /* names to compare (NULL: all), and names to leave out (NULL: none) */
    struct bound limits[GATE_LIMITS_MAX];
    size_t limits_n;
};

/* Returns the default tolerances. */
struct gate gate_usual(enum measured_figure metric);

/* The profiles: the older one (NULL: none), further runs of it, and the new one. */
struct gate_sides {
    const struct measured *before;
    const struct measured *others;
    size_t others_n;
    const struct measured *after;
};

enum gate_verdict {
    GATE_HOLDS,
    GATE_FAILS,
    GATE_WARNS,   /* worth a line, but no failure */
    GATE_UNKNOWN, /* a limit that cannot be judged from the profile */
};

enum gate_kind {
    GATE_COMPARED,
    GATE_GONE, /* a function that is no longer called */
    GATE_NEW,  /* a function that was not called before */
    GATE_LIMIT,
};

/* Why a function takes longer, judged by its self time and its callees. */
enum gate_cause {
    GATE_NO_CAUSE,
    GATE_ITSELF,
    GATE_CALLS, /* it is called more often, which makes its callers slower */
    GATE_CALLEE,
};

/* A function that was compared, is gone or is new, or a limit. The profiles own the texts. */
struct gate_row {
    enum gate_kind kind;
    enum gate_verdict verdict;
    enum gate_cause cause;
    bool is_unclear; /* it holds, but with more calls the increase would be a failure */
    /* function selected by --only, --ignore and --min-calls; others are used for causes only */
    bool is_chosen;
    const char *name;                       /* of the function, even if it does not exist */
    const struct measured_function *before; /* NULL: not in the older profile, or that is not used */
    const struct measured_function *after;  /* NULL: not in the new profile */
    enum measured_figure figure;            /* of a comparison: the decisive one; never MEASURED_TIME */
    double was, is;                         /* ... old and new value in its unit */
    double cost;                            /* ... the difference for all calls of the new profile */
    char *place;       /* path of its file below the caller's root; NULL: not found. Owned */
    const char *limit; /* as users write it; NULL: no limit */
    char value[64];    /* of a limit: the figure's value with unit; "" if unknown */
    const char *why;   /* of a limit that cannot be judged: the end of a sentence */
};

struct gate_result {
    struct gate_row *rows; /* n of them: comparisons, gone and new in order of name and file, then limits */
    size_t n;
    /* The told_n rows worth a line, the most important first: functions that are slower themselves, then those
     * slower by a callee, each by cost; limits; warnings. */
    const struct gate_row **told;
    size_t told_n;
    const struct measured *profile; /* the new one */
    /* in its tree, the node of the first slower function that grew most, or MEASURED_NO_NODE */
    uint32_t grown;
    size_t slower, compared;  /* functions */
    size_t itself, by_callee; /* of the slower ones by cause; the others have no known cause */
    size_t more_calls;        /* 1: a function is called more often, which made its callers slower */
    bool is_led;              /* a cause was found, in any function */
    size_t gone, added;       /* functions in only one profile, which are not compared */
    size_t untold;            /* not compared, either: name and file not unique, or figure unknown */
    size_t figureless;        /* of untold: figure unknown */
    size_t failed_gone;       /* of the gone ones: failures */
    size_t unclear;           /* of the compared ones: interrupts or ticks may explain the increase */
    size_t limits, broken, unjudged;
    double ratio;                     /* new calls per old call, of all functions: work.c */
    char (*texts)[BOUND_TEXT_SIZE];   /* of limits */
    struct measured_function *merged; /* merged copies of a function */
    size_t merged_n;
    /* Why the result is inconclusive: a sentence of the caller in valid UTF-8; NULL: see the rows. */
    const char *inconclusive;
};

/* Compares the new profile with the older ones, and with the limits of the gate and of the daemon. False with an
 * error, and nothing to free, when that is inconclusive: too many losses, names of another program, different ways
 * of measuring, no function in common, or neither an older profile nor a limit. */
bool gate_hold(const struct gate *gate, const struct gate_sides *sides, struct gate_result *result,
               struct error *err);
void gate_result_fini(struct gate_result *result);

/* True when the user wants this name compared. */
bool gate_is_chosen(const struct gate *gate, const char *name);

/* Adds the limits of the gate and of the profile to the result's rows, which have room. In limits.c. */
void gate_hold_limits(const struct gate *gate, const struct measured *after, struct gate_result *result);

/* Adds a row for each function of either profile, and counts those that were chosen. Does not judge them. Rows have
 * room. False when memory is used up. In pairs.c. */
bool gate_pair(const struct gate *gate, const struct measured *before, const struct measured *after,
               struct gate_result *result);

/* True when both profiles did the same work, once or several times, or the metric is not a time. False with an
 * error. In work.c. */
bool gate_has_same_work(const struct gate *gate, const char *what, const struct gate_result *result,
                        struct error *err);

/* False with an error when functions fail, but the amounts of work differ by more than a fifth and the runs did not
 * wait for the same work: later parts of a run may take longer. Called after gate_order(). In work.c. */
bool gate_has_same_amount(const struct gate *gate, const struct gate_sides *sides,
                          const struct gate_result *result, struct error *err);

/* Returns the typical number of new calls per old call, 1 when unknown. In work.c. */
double gate_work_ratio(const struct gate_result *result);

/* Judges all comparisons and gone functions, then removes rows that were not chosen. In judge.c. */
void gate_judge(const struct gate *gate, const struct gate_sides *sides, struct gate_result *result);

/* Sorts the rows worth a line, and finds the chain of callers of the first. False when memory is used up. In
 * judge.c. */
bool gate_order(const struct gate_sides *sides, struct gate_result *result);

#endif
