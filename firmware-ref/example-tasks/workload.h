/* workload.h - the instrumented part of the example with tasks: three tasks and two interrupts, one of which
 * interrupts the other.
 *
 * A round lasts four ticks. In its first one, `timers_expire` wakes the reporter and starts the timer, whose
 * first interrupt comes within that of the tick. Every second sample wakes the sampler, which interrupts the
 * reporter, finds the bus locked by it, and waits; the last one wakes the control task, which sleeps until
 * the next tick. What is called, and how often, is in counts.h. */
#ifndef EXAMPLE_TASKS_WORKLOAD_H
#define EXAMPLE_TASKS_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

enum { ROUND_TICKS = 4 };

/* Tasks; they never return. */
void reporter_task(void);
void control_task(void);
void sampler_task(void);

/* In the tick's interrupt: tick 0 to ROUND_TICKS - 1 of a round. */
void timers_expire(uint32_t tick);

/* Of TIMER0, which interrupts the tick. */
void TIMER0_IRQHandler(void);

/* Rounds that all tasks have done their part of. */
__attribute__((no_instrument_function)) uint32_t rounds_done(void);

/* Not instrumented (main.c): keeps the processor busy for about that long. */
void work_us(uint32_t us);

#endif
