/* workload.h - the instrumented part of the example with tasks: three tasks and two nested interrupts.
 *
 * A round lasts four ticks. In its first one, `timers_expire` wakes the reporter and starts the timer, whose
 * first interrupt occurs within that of the tick. Every second sample wakes the sampler, which interrupts the
 * reporter, finds the bus locked by it, and waits; the last one wakes the control task, which sleeps until
 * the next tick. counts.h lists the calls. */
#ifndef EXAMPLE_TASKS_WORKLOAD_H
#define EXAMPLE_TASKS_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

enum { ROUND_TICKS = 4 };

/* Tasks; they never return. */
void reporter_task(void);
void control_task(void);
void sampler_task(void);

/* Runs in the tick's interrupt: tick 0 to ROUND_TICKS - 1 of a round. */
void timers_expire(uint32_t tick);

/* The interrupt of TIMER0, which interrupts that of the tick. */
void TIMER0_IRQHandler(void);

/* Returns the number of rounds that all tasks have completed. */
__attribute__((no_instrument_function)) uint32_t rounds_done(void);

/* Not instrumented (main.c): keeps the processor busy for about that time. */
void work_us(uint32_t us);

#endif
