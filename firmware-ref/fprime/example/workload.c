/* workload.c - rounds of a flight software in outline; compiled with -finstrument-functions. */
#include "workload.h"

#include <stdint.h>

static volatile uint32_t sensor, sink, ticks;

static __attribute__((noinline)) uint32_t scale(uint32_t value)
{
    return value * 3 + sensor;
}

static __attribute__((noinline)) uint32_t read_sensor(void)
{
    sensor = sensor + 7;
    return scale(sensor) + scale(sensor + 1);
}

static __attribute__((noinline)) uint32_t fold(uint32_t n)
{
    return n > 1 ? fold(n - 1) * 31 + sink : sink;
}

static __attribute__((noinline)) void send_telemetry(uint32_t value)
{
    for (uint32_t i = 0; i < 50; i++)
        sink = sink ^ value << (i & 7);
}

void rate_group(void)
{
    uint32_t sum = 0;

    for (int i = 0; i < 3; i++)
        sum += read_sensor();
    sum += fold(4) + fold(4);
    send_telemetry(sum);
}

void rate_tick(void)
{
    ticks = ticks + 1;
}
