/* pulse.h - tells other threads whether one gets on with its work. A thread that sleeps until something comes
 * is alive; one that has been at one piece of work for seconds is stuck, whatever the cause. */
#ifndef PROCESS_PULSE_H
#define PROCESS_PULSE_H

#include <stdatomic.h>
#include <stdint.h>

struct pulse {
    atomic_uint_least64_t busy_since_ms; /* of the monotonic clock; 0: it sleeps, or has not been started */
    uint32_t most_ms;                    /* that one piece of work may take; does not change */
};

/* Both are for the thread itself: it begins a piece of work, or goes to sleep. */
void pulse_begin(struct pulse *pulse, uint64_t now_ms);
void pulse_rest(struct pulse *pulse);

/* For any thread: when it began the piece of work that it is at; 0 when it sleeps. */
uint64_t pulse_since_ms(const struct pulse *pulse);

/* For any thread: for how many milliseconds it has been at one piece of work, if that is too long; 0: it is
 * well. */
uint64_t pulse_stuck_ms(const struct pulse *pulse, uint64_t now_ms);

#endif
