/* change.h - computes by how much a figure of a function changed, and whether noise explains that: rounding to ticks,
 * interrupts, variation between runs of one build. */
#ifndef CHECK_CHANGE_H
#define CHECK_CHANGE_H

#include "check/gate.h"

/* The rules by which all changes of a comparison are judged. */
struct change_rules {
    const struct gate *gate;
    const struct gate_sides *sides;
    double tick;       /* ns, the longer of both sides */
    double interrupts; /* ns that interrupts may add to all calls of a function together; 0: not tolerated */
};

struct change_rules change_rules(const struct gate *gate, const struct gate_sides *sides);

/* One figure of a function on both sides, per call. */
struct change {
    double was, is;
    double most;       /* the largest value in all older runs */
    double apart;      /* expected variation between runs */
    double delta;      /* tolerated increase */
    double rounding;   /* increase that rounding to ticks explains */
    bool is_rounding;  /* rounding is very likely: few calls, or their totals did not grow */
    double calls;      /* number of calls in the new figure */
    double cost;       /* tolerated increase of all calls together */
    bool is_one_call;  /* one call explains the increase */
    bool is_each_call; /* even the shortest call is slower, which interrupts do not explain */
};

/* Computes the change of a row. Further runs that lack the function are skipped. */
struct change change_of(const struct change_rules *rules, const struct gate_row *row,
                        enum measured_figure figure);

/* True when the figure grew by more than tolerated: worse if noise does not explain it, unclear if it may.
 * Better: it fell by more. */
bool change_is_worse(const struct gate *gate, const struct change *change);
bool change_is_unclear(const struct gate *gate, const struct change *change);
bool change_is_better(const struct gate *gate, const struct change *change);

#endif
