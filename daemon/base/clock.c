/* clock.c - the host's clocks. */
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

static uint64_t now_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t clock_monotonic_ns(void)
{
    return now_ns(CLOCK_MONOTONIC);
}

uint64_t clock_monotonic_ms(void)
{
    return now_ns(CLOCK_MONOTONIC) / 1000000u;
}

uint64_t clock_wall_ns(void)
{
    return now_ns(CLOCK_REALTIME);
}

void clock_iso8601(uint64_t wall_ns, char out[static CLOCK_ISO8601_SIZE])
{
    time_t seconds = (time_t)(wall_ns / 1000000000u);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    size_t n = strftime(out, CLOCK_ISO8601_SIZE, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(out + n, CLOCK_ISO8601_SIZE - n, ".%03uZ", (unsigned)(wall_ns / 1000000u % 1000u));
}
