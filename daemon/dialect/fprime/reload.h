/* reload.h - learns what the F-Prime profiler's down-counter starts from again after 0.
 *
 * The events do not tell it. F-Prime's default is 0xFFFFFE, the document's 0xFFFFFF; a deployment whose rate
 * groups run on SysTick has clock / rate - 1, and with another value than that every time across a wrap is
 * wrong by the difference. What the readings say:
 *
 *  - Two of them within 1/256 of 0xFFFFFE: that is it, or 0xFFFFFF where one of them equals that.
 *  - The largest is lower than that by more than the counter ever went down from one event to the next: a
 *    period that much longer would need a pause at each wrap such as there was nowhere else. So it is the
 *    largest, likely when two turns and a quarter of all began as near to it as those of one handler do,
 * 1/4096 of it and 64 ticks: code that runs there, an interrupt's as a rule, runs soon after the wrap. It is
 * sure when half of all did, and these are six, or nearer to one another than chance brings three. As near to
 * it as these turns are to each other, the next period that divides the clock, or is a round number, is taken
 *    in its place.
 *  - Neither: 0xFFFFFE is assumed, which is not sure.
 *
 * What was learnt is an estimate: a larger reading refutes it and is no damage, except for one that comes
 * after 8 turns that all were lower. */
#ifndef DIALECT_FPRIME_RELOAD_H
#define DIALECT_FPRIME_RELOAD_H

#include "dialect/fprime/item.h"

enum { FPRIME_RELOAD_USUAL = 0xFFFFFE, FPRIME_PEAKS = 3 };

/* How the value is known. */
enum fprime_reload_origin {
    FPRIME_RELOAD_ASSUMED,
    FPRIME_RELOAD_LEARNT,
    FPRIME_RELOAD_CONFIRMED, /* the readings reach up to the usual one */
    FPRIME_RELOAD_GIVEN,     /* by the user */
};

/* What is known so far. */
struct fprime_reload {
    enum fprime_reload_origin origin;
    uint32_t value; /* as far as is known */
    uint64_t clock_hz;

    bool begun;
    uint32_t before;              /* the reading before */
    uint32_t most;                /* the largest one */
    uint32_t step_most;           /* the longest way down from one to the next */
    uint32_t at_top;              /* turns that began at the largest reading, as one handler's do */
    uint32_t steps, turns, usual; /* ways down; wraps; readings near the usual value; up to UINT32_MAX */
    uint32_t peaks[FPRIME_PEAKS]; /* the largest first readings of turns, in falling order */
};

/* Begins; `given` is what the user says that it is, 0: it is to be learnt. clock_hz: 0 is not known. */
void fprime_reload_open(struct fprime_reload *reload, uint32_t given, uint64_t clock_hz);

/* Takes in the next reading. What `value` is then holds for the way from the reading before to this one. */
void fprime_reload_see(struct fprime_reload *reload, uint32_t reading);

/* The counter was started again: what comes next does not follow on what came before. */
void fprime_reload_restart(struct fprime_reload *reload);

/* Tells what no reading can be above. */
uint32_t fprime_reload_bound(const struct fprime_reload *reload);

/* Tells whether times may be wrong since the value is not sure: the counter wrapped. */
bool fprime_reload_is_in_doubt(const struct fprime_reload *reload);

#endif
