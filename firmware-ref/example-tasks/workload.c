/* workload.c - three tasks and two interrupts. All of it except rounds_done is instrumented. */
#include "workload.h"

#include "kernel.h"
#include "machine.h"
#include "nvic.h"

enum { SAMPLES = 8, SAMPLES_PER_STEP = 2, FIRST_US = 100, PERIOD_US = 300, TICKS_PER_US = 25 };

struct cmsdk_timer {
    uint32_t control, value, reload, interrupts;
};

static volatile struct cmsdk_timer *const timer0 = (volatile struct cmsdk_timer *)0x40000000u;

static struct semaphore samples_wait, control_is_due, report_is_due;
static struct mutex bus;
static struct {
    uint32_t at[SAMPLES];
    volatile uint32_t put, got;
} samples;
static volatile uint32_t reports, actuations;
static volatile uint32_t sink; /* receives results */

uint32_t rounds_done(void)
{
    return reports < actuations ? reports : actuations;
}

/* ---- interrupts ---- */

static void sampling_start(void)
{
    timer0->reload = PERIOD_US * TICKS_PER_US - 1;
    timer0->value = FIRST_US * TICKS_PER_US;
    timer0->control = 9; /* interrupt, on */
}

static void wheel_turn(void)
{
    work_us(10);
}

void timers_expire(uint32_t tick)
{
    if (tick == 0) {
        semaphore_give(&report_is_due);
        sampling_start();
        work_us(2 * FIRST_US);
    }
    wheel_turn();
}

static uint32_t adc_read(void)
{
    work_us(3);
    return samples.put * 17 % 64;
}

static void sample_put(uint32_t sample)
{
    samples.at[samples.put % SAMPLES] = sample;
    samples.put = samples.put + 1;
}

void TIMER0_IRQHandler(void)
{
    timer0->interrupts = 1;
    sample_put(adc_read());
    if (samples.put % SAMPLES == 0) {
        timer0->control = 0;
        nvic_clear(IRQ_TIMER0); /* it may have expired once more in the meantime */
    }
    if (samples.put % SAMPLES_PER_STEP == 0)
        semaphore_give(&samples_wait);
}

/* ---- tasks ---- */

static uint32_t scale(uint32_t value)
{
    work_us(4);
    return value * 3 / 4;
}

static void bus_lock(void)
{
    mutex_lock(&bus);
}

static void bus_unlock(void)
{
    mutex_unlock(&bus);
}

static void bus_publish(uint32_t value)
{
    bus_lock();
    sink = value;
    bus_unlock();
}

static uint32_t sample_get(void)
{
    uint32_t sample = samples.at[samples.got % SAMPLES];

    samples.got = samples.got + 1;
    return sample;
}

static void sampler_step(void)
{
    uint32_t sum = 0;

    for (int i = 0; i < SAMPLES_PER_STEP; i++)
        sum += scale(sample_get());
    bus_publish(sum);
}

void sampler_task(void)
{
    for (;;) {
        semaphore_take(&samples_wait);
        sampler_step();
        if (samples.got % SAMPLES == 0)
            semaphore_give(&control_is_due);
    }
}

static uint32_t pid_step(uint32_t error)
{
    work_us(20);
    return scale(error);
}

static void settle(void)
{
    kernel_sleep(1);
}

static void actuate(uint32_t value)
{
    work_us(10);
    sink = value;
}

static void control_step(void)
{
    uint32_t value = 1000;

    for (int i = 0; i < 3; i++)
        value = pid_step(value);
    settle();
    actuate(value);
}

void control_task(void)
{
    for (;;) {
        semaphore_take(&control_is_due);
        control_step();
        actuations = actuations + 1;
    }
}

/* Returns a sum of four digits; the deepest call handles the first. */
static uint32_t format_decimal(uint32_t value, int digits)
{
    work_us(60);
    return (digits > 1 ? format_decimal(value / 10, digits - 1) : 0) + value % 10;
}

static uint32_t checksum(uint32_t sum, uint32_t byte)
{
    work_us(15);
    return sum * 31 + byte;
}

static void report(void)
{
    uint32_t sum;

    bus_lock();
    sum = format_decimal(sink, 4);
    for (uint32_t i = 0; i < 12; i++)
        sum = checksum(sum, i);
    sink = sum;
    bus_unlock();
}

void reporter_task(void)
{
    for (;;) {
        semaphore_take(&report_is_due);
        report();
        reports = reports + 1;
    }
}
