/* workload.h - the instrumented part of the example: the firmware of a motor controller, in outline.
 *
 * One control_cycle() is one round. Its calls never depend on data; counts.h lists them. Its cost drifts
 * slowly, so that a live view has something to show. */
#ifndef EXAMPLE_WORKLOAD_H
#define EXAMPLE_WORKLOAD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void control_cycle(void); /* main.c */

/* sensors.c */
enum { ADC_CHANNELS = 4 };
void adc_scan(int32_t millivolts[ADC_CHANNELS]);

/* motor.c */
struct motor {
    int32_t angle, speed, current_d, current_q, voltage_d, voltage_q;
};
int32_t clamp_q15(int32_t value);
void clarke_park(struct motor *motor, const int32_t millivolts[ADC_CHANNELS]);
void current_loop(struct motor *motor);
void speed_loop(struct motor *motor);
void svpwm_update(const struct motor *motor);

/* vibration.cpp */
int32_t speed_estimate(int32_t angle);
int32_t vibration_check(const int32_t millivolts[ADC_CHANNELS]);

/* telemetry.c */
void fault_monitor(const struct motor *motor);
void telemetry_send(const struct motor *motor, int32_t vibration);
void watchdog_kick(void);

/* Not instrumented (schedule.c): waits until the next round is due, while the agent works. */
void schedule_open(int argc, char **argv);
void schedule_wait(void);

/* Not instrumented either: takes about `us` microseconds, and half as much again at the top of the drift. */
void work_us(uint32_t us);

#ifdef __cplusplus
}
#endif

#endif
