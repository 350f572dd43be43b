/* pulse.h - lets other threads check whether a thread makes progress. A thread that sleeps until it has work is
 * alive. One that has spent seconds on one piece of work is stuck, whatever the cause. */
#ifndef PROCESS_PULSE_H
#define PROCESS_PULSE_H

#include <stdatomic.h>
#include <stdint.h>

struct pulse {
    atomic_uint_least64_t busy_since_ms; /* of the monotonic clock; 0: sleeping or not started */
    uint32_t most_ms;                    /* time limit for one piece of work; constant */
};

/* The thread itself calls these when it begins a piece of work, or goes to sleep. */
void pulse_begin(struct pulse *pulse, uint64_t now_ms);
void pulse_rest(struct pulse *pulse);

/* For any thread: returns when it began its current piece of work, 0 while it sleeps. */
uint64_t pulse_since_ms(const struct pulse *pulse);

/* For any thread: returns the milliseconds spent on the current piece of work if over the limit, else 0. */
uint64_t pulse_stuck_ms(const struct pulse *pulse, uint64_t now_ms);

#endif
