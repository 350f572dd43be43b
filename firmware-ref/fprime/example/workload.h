/* workload.h - the part of the F-Prime example that its profiler sees. What a round calls never depends on
 * data. */
#ifndef FPRIME_EXAMPLE_WORKLOAD_H
#define FPRIME_EXAMPLE_WORKLOAD_H

/* Calls of a round: rate_group 1, read_sensor 3, scale 6, fold 2 * 4 (recursive, from 4 down to 1),
 * send_telemetry 1. */
void rate_group(void);

/* Of a round, too, and the agent's to see: pid_step 2. */
void control_step(void);

/* What SysTick calls, once per interrupt. */
void rate_tick(void);

#endif
