/* reload.h - learns the reload value of the F-Prime profiler's down-counter.
 *
 * The events do not have it. F-Prime's default is 0xFFFFFE, the document's 0xFFFFFF; a deployment whose rate
 * groups run on SysTick has clock / rate - 1, and with another value than that every time across a wrap is
 * wrong by the difference. What the readings say:
 *
 *  - Two of them are within 1/256 of 0xFFFFFE: that is the value, or 0xFFFFFF if one of them equals that.
 *  - The largest reading is lower than that by more than the counter ever went down between two events. A
 *    longer period would need such a pause at each wrap and nowhere else, so the largest reading is taken as
 *    the value. It is likely right when at least two turns, and a quarter of all, began as near to it as turns of one
 *    handler do: within 1/4096 of it and 64 ticks. Code that runs there, usually an interrupt, runs soon after
 *    the wrap. It is sure when half of all did, and these are six, or nearer together than three would be by
 *    coincidence. Then the next period that divides the clock or is a round number is taken, if it is as near
 *    as these turns are to each other.
 *  - Otherwise, 0xFFFFFE is assumed, which is not sure.
 *
 * A learned value is an estimate: a larger reading refutes it and is not damage, unless it follows 8 turns that
 * were all lower. */
#ifndef DIALECT_FPRIME_RELOAD_H
#define DIALECT_FPRIME_RELOAD_H

#include "dialect/fprime/item.h"

enum { FPRIME_RELOAD_USUAL = 0xFFFFFE, FPRIME_PEAKS = 3 };

/* Where the value comes from. */
enum fprime_reload_origin {
    FPRIME_RELOAD_ASSUMED,
    FPRIME_RELOAD_LEARNT,
    FPRIME_RELOAD_CONFIRMED, /* the readings reach the usual value */
    FPRIME_RELOAD_GIVEN,     /* by the user */
};

/* What is known so far. */
struct fprime_reload {
    enum fprime_reload_origin origin;
    uint32_t value; /* the best value so far */
    uint64_t clock_hz;

    bool begun;
    uint32_t before;              /* the last reading */
    uint32_t most;                /* the largest one */
    uint32_t step_most;           /* the longest step down between two readings */
    uint32_t at_top;              /* turns that began at the largest reading, as those of one handler do */
    uint32_t steps, turns, usual; /* steps down; wraps; readings near the usual value; saturating */
    uint32_t peaks[FPRIME_PEAKS]; /* the largest first readings of turns, descending */
};

/* Begins. `given` is the user's value, or 0 to learn it. clock_hz is 0 when unknown. */
void fprime_reload_open(struct fprime_reload *reload, uint32_t given, uint64_t clock_hz);

/* Reads the next reading. Afterwards, `value` is valid for the step from the last reading to this one. */
void fprime_reload_see(struct fprime_reload *reload, uint32_t reading);

/* The counter was restarted: the next reading does not continue the last one. */
void fprime_reload_restart(struct fprime_reload *reload);

/* Returns the largest possible reading. */
uint32_t fprime_reload_bound(const struct fprime_reload *reload);

/* True when times may be wrong: the counter wrapped, and the value is not sure. */
bool fprime_reload_is_in_doubt(const struct fprime_reload *reload);

#endif
