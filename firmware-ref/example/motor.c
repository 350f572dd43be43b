/* motor.c - field-oriented control in outline: transform, two control loops, modulation. */
#include "workload.h"

enum { QUARTER_TURN = 16384, FULL_TURN = 65536 };

static volatile int32_t timer_compare[3]; /* these stand in for the timer's registers */

struct pid {
    int32_t gain_p, gain_i, integral;
};

int32_t clamp_q15(int32_t value)
{
    work_us(1);
    if (value > 32767)
        return 32767;
    return value < -32767 ? -32767 : value;
}

/* A parabola through the zeros and the extremes of the sine: accurate enough for an example. */
static int32_t sin_q15(int32_t angle)
{
    int32_t x = angle & (FULL_TURN - 1);
    int32_t half = x & (FULL_TURN / 2 - 1);
    int32_t value =
        (int32_t)((int64_t)half * (FULL_TURN / 2 - half) * 32767 / ((int64_t)QUARTER_TURN * QUARTER_TURN));

    work_us(11);
    return x < FULL_TURN / 2 ? value : -value;
}

void clarke_park(struct motor *motor, const int32_t millivolts[ADC_CHANNELS])
{
    int32_t alpha = millivolts[0] - 1650;
    int32_t beta = (millivolts[0] + 2 * millivolts[1] - 3 * 1650) * 37837 / 65536;
    int32_t sine = sin_q15(motor->angle);
    int32_t cosine = sin_q15(motor->angle + QUARTER_TURN);

    work_us(8);
    motor->current_d = (alpha * cosine + beta * sine) / 32768;
    motor->current_q = (beta * cosine - alpha * sine) / 32768;
}

static int32_t pid_step(struct pid *pid, int32_t error)
{
    work_us(14);
    pid->integral = clamp_q15(pid->integral + error * pid->gain_i / 256);
    return clamp_q15(error * pid->gain_p / 256 + pid->integral);
}

void current_loop(struct motor *motor)
{
    static struct pid d = {.gain_p = 300, .gain_i = 20}, q = {.gain_p = 300, .gain_i = 20};

    work_us(5);
    motor->voltage_d = pid_step(&d, -motor->current_d);
    motor->voltage_q = pid_step(&q, 900 - motor->current_q);
}

void speed_loop(struct motor *motor)
{
    static struct pid speed = {.gain_p = 120, .gain_i = 4};

    work_us(6);
    motor->speed = speed_estimate(motor->angle);
    motor->angle = (motor->angle + 700 + pid_step(&speed, 700 - motor->speed) / 64) & (FULL_TURN - 1);
}

static void pwm_set_duty(uint32_t phase, int32_t duty)
{
    timer_compare[phase] = duty;
    work_us(2);
}

void svpwm_update(const struct motor *motor)
{
    int32_t half = motor->voltage_q / 2;

    work_us(16);
    pwm_set_duty(0, clamp_q15(motor->voltage_d));
    pwm_set_duty(1, clamp_q15(half - motor->voltage_d / 2));
    pwm_set_duty(2, clamp_q15(-half - motor->voltage_d / 2));
}
