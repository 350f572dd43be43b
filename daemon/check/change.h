/* change.h - by how much a figure of a function changed, and whether noise explains it: rounding to ticks,
 * interrupts, what runs of one build differ by. */
#ifndef CHECK_CHANGE_H
#define CHECK_CHANGE_H

#include "check/gate.h"

/* What all changes of a comparison are judged by. */
struct change_rules {
    const struct gate *gate;
    const struct gate_sides *sides;
    double tick; /* ns, the longer one of both sides */
    double
        interrupts; /* ns that interrupts may add to all calls of a function together; 0: not let through */
};

struct change_rules change_rules(const struct gate *gate, const struct gate_sides *sides);

/* One figure of a function on both sides, a call each. */
struct change {
    double was, is;
    double most;       /* what it was at most, in all runs of that time */
    double apart;      /* by how much it may differ from run to run */
    double delta;      /* what is let through */
    double rounding;   /* what rounding to ticks explains */
    bool is_rounding;  /* ... and very likely is: few calls, or ones that take no longer with their callees */
    double calls;      /* that the new figure is of */
    double cost;       /* what is let through of all of these together */
    bool is_one_call;  /* one call explains it */
    bool is_each_call; /* the shortest call took as much longer: that explains no interrupt */
};

/* The change of a row that was compared. Another run that lacks the function is taken as it is. */
struct change change_of(const struct change_rules *rules, const struct gate_row *row,
                        enum measured_figure figure);

/* It grew by more than is let through, and noise does not explain that; it does; it fell by so much. */
bool change_is_worse(const struct gate *gate, const struct change *change);
bool change_is_unclear(const struct gate *gate, const struct change *change);
bool change_is_better(const struct gate *gate, const struct change *change);

#endif
