/* clock.h - the host's clocks. Target time never comes from here. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/* Both return the time since an arbitrary start. It never decreases. */
uint64_t clock_monotonic_ns(void);
uint64_t clock_monotonic_ms(void);

/* Returns wall-clock time, in nanoseconds since 1970-01-01 UTC. */
uint64_t clock_wall_ns(void);

enum { CLOCK_ISO8601_SIZE = 32 };

/* Writes wall-clock time as "2026-11-20T12:00:00.123Z". */
void clock_iso8601(uint64_t wall_ns, char out[static CLOCK_ISO8601_SIZE]);

#endif
