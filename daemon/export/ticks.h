/* ticks.h - converts target ticks to the units of export formats. */
#ifndef EXPORT_TICKS_H
#define EXPORT_TICKS_H

#include <stdint.h>

/* Converts ticks to whole nanoseconds, rounded down. UINT64_MAX on overflow (584 years).
 * `ticks_per_second` is not 0. */
uint64_t ticks_nanoseconds(uint64_t ticks, uint64_t ticks_per_second);

#endif
