/* gate.h - what a profile is compared with: older ones of the program, and limits. */
#ifndef CHECK_GATE_H
#define CHECK_GATE_H

#include "base/bound.h"
#include "check/measured.h"

#include <regex.h>

enum { GATE_LIMITS_MAX = 64 };

/* Differences of two measurements that the user allows (--allow). */
enum gate_allowed {
    GATE_ALLOW_MODE = 1 << 0,  /* figures without what measuring added are compared */
    GATE_ALLOW_CLOCK = 1 << 1, /* cycles are compared */
    GATE_ALLOW_AGENT = 1 << 2, /* as for the mode */
    GATE_ALLOW_WORK = 1 << 3,  /* calls need not be in proportion */
};

/* What is let through. A function must exceed both, since a share of little is noise, and so is little of
 * much. */
struct gate {
    enum measured_figure metric;
    double regress;      /* a share of what it was: 0.05 is 5 % */
    double delta;        /* in the metric's unit */
    bool is_usual_delta; /* the default: of a time a tick is let through, too, which rounding may add */
    uint64_t calls;      /* at least this many, on both sides; 1 or more */
    double loss;         /* share of records that may be missing on each side */
    unsigned allowed;
    bool by_spread; /* what the durations of single calls differ by explains a part of a mean, too */
    bool warns_gone, fails_gone; /* of functions that are not called any more */
    bool warns_faster;
    const regex_t *only,
        *ignore; /* names that are compared, and those of them that are not; NULL: any, none */
    struct bound limits[GATE_LIMITS_MAX];
    size_t limits_n;
};

/* What is let through by default. */
struct gate gate_usual(enum measured_figure metric);

/* The profiles: what was (NULL: there is none), further runs of that time, what is. */
struct gate_sides {
    const struct measured *before;
    const struct measured *others;
    size_t others_n;
    const struct measured *after;
};

enum gate_verdict {
    GATE_HOLDS,
    GATE_FAILS,
    GATE_WARNS,   /* worth a line, and no failure */
    GATE_UNKNOWN, /* a limit that nobody can judge by what the profile says */
};

enum gate_kind {
    GATE_COMPARED,
    GATE_GONE, /* a function that is not called any more */
    GATE_NEW,  /* one that was not called before */
    GATE_LIMIT,
};

/* Why a function takes longer, as far as its own time and that of its callees tell. */
enum gate_cause {
    GATE_NO_CAUSE,
    GATE_ITSELF,
    GATE_CALLS, /* it is called more often: that makes its callers slower */
    GATE_CALLEE,
};

/* A function that was compared, is gone or new, or a limit that one is held to. Texts are the profiles'. */
struct gate_row {
    enum gate_kind kind;
    enum gate_verdict verdict;
    enum gate_cause cause;
    bool is_unclear;  /* it holds, and took so much longer as would be a failure in more calls */
    bool is_chosen;   /* of a function: --only, --ignore and --min-calls leave it; others are only known */
    const char *name; /* of the function, whether there is one or not */
    const struct measured_function
        *before;                           /* NULL: the older profile has no such function, or is not asked */
    const struct measured_function *after; /* NULL: the profile has no such function */
    enum measured_figure figure;           /* of a comparison: which decided; never MEASURED_TIME */
    double was, is;                        /* ... in its unit */
    double cost;                           /* ... what that makes for all calls of the new profile */
    char *place;       /* its file, below a root that the caller knows; NULL: not there. Owned */
    const char *limit; /* as people write it; NULL: no limit */
    char value[64];    /* of a limit: what the figure is, with its unit; "" where there is none */
    const char *why;   /* of a limit that is unknown: a sentence's end */
};

struct gate_result {
    struct gate_row *rows; /* n of them: comparisons, gone and new in order of name and file, then limits */
    size_t n;
    /* Those rows that are worth a line, told_n of them, in the order in which people want them: functions
     * that are slower themselves, then those slower by a callee, each by cost; limits; warnings. */
    const struct gate_row **told;
    size_t told_n;
    const struct measured *profile; /* the new one, and of its tree: */
    uint32_t grown; /* the node along which the first function that is slower itself grew; MEASURED_NO_NODE */
    size_t slower, compared;  /* functions */
    size_t itself, by_callee; /* of the slower ones; the others have no cause that is known */
    size_t more_calls;        /* 1: one is called more often, which made its callers slower */
    bool is_led;              /* one of these causes was found, in a function that was chosen or not */
    size_t gone, added;       /* those that are no more, or were not before, are not compared */
    size_t untold;     /* nor are those that share name and file with another, or whose figure is not known */
    size_t figureless; /* ... of which this is the latter */
    size_t failed_gone; /* of the gone ones that are a failure */
    size_t unclear;     /* of the compared ones: interrupts or ticks may explain what they took longer */
    size_t limits, broken, unjudged;
    double ratio; /* how many calls there are now for each call before, of all functions: work.c */
    char (*texts)[BOUND_TEXT_SIZE];   /* of limits */
    struct measured_function *merged; /* copies of a function, taken together */
    size_t merged_n;
    /* Why nobody can tell, a sentence of the caller's, valid UTF-8; NULL: rows say what there is. */
    const char *inconclusive;
};

/* Holds the new profile against the older ones, and against the limits, the gate's and those that the daemon
 * held it to while it was measured. False with a sentence, and nothing to free, when that says nothing: too
 * much was lost, names are of another program, they were measured otherwise, no function could be compared,
 * or there is neither a profile nor a limit to hold it against. */
bool gate_hold(const struct gate *gate, const struct gate_sides *sides, struct gate_result *result,
               struct error *err);
void gate_result_fini(struct gate_result *result);

/* True when the name is one that the user wants compared. */
bool gate_is_chosen(const struct gate *gate, const char *name);

/* Adds the limits, the gate's and the profile's, to the result's rows, which have room. In limits.c. */
void gate_hold_limits(const struct gate *gate, const struct measured *after, struct gate_result *result);

/* Adds a row for each function that is in both profiles, or in one, chosen or not; judges none, and counts
 * those that were chosen. Rows have room. In pairs.c.
 * False when memory is used up. */
bool gate_pair(const struct gate *gate, const struct measured *before, const struct measured *after,
               struct gate_result *result);

/* True when both profiles are of the same work, once or several times, or the metric is no time. False with a
 * sentence. In work.c. */
bool gate_has_same_work(const struct gate *gate, const char *what, const struct gate_result *result,
                        struct error *err);

/* False with a sentence where functions fail and the runs are of more or less of the same work, by more than a
 * fifth, and did not wait for the same: what a program does later in a run may take longer. After
 * gate_order(). In work.c. */
bool gate_has_same_amount(const struct gate *gate, const struct gate_sides *sides,
                          const struct gate_result *result, struct error *err);

/* How many calls there are now for each call before, by and large; 1 where that is not known. In work.c. */
double gate_work_ratio(const struct gate_result *result);

/* Judges all comparisons, and those that are gone; then only rows that were chosen are left. In judge.c. */
void gate_judge(const struct gate *gate, const struct gate_sides *sides, struct gate_result *result);

/* Puts what is worth a line in order, and finds the chain of callers of the first. In judge.c. False when
 * memory is used up. */
bool gate_order(const struct gate_sides *sides, struct gate_result *result);

#endif
