/* workload.h - the part of the F-Prime example that its profiler measures. The calls of a round never depend
 * on data. */
#ifndef FPRIME_EXAMPLE_WORKLOAD_H
#define FPRIME_EXAMPLE_WORKLOAD_H

/* Calls of a round: rate_group 1, read_sensor 3, scale 6, fold 2 * 4 (recursive, from 4 down to 1),
 * send_telemetry 1. */
void rate_group(void);

/* Also in a round, measured by the agent: pid_step 2. */
void control_step(void);

/* Called once per interrupt of SysTick or timer 0. */
void rate_tick(void);

#endif
