/* description.h - reads DESCRIPTION packets, in which a target describes itself (protocol/SPEC.md section
 * 11). */
#ifndef DIALECT_MINIPROF_DESCRIPTION_H
#define DIALECT_MINIPROF_DESCRIPTION_H

#include "dialect/dialect.h"

/* Reports to `out` what a DESCRIPTION's payload of n bytes says. One of another form counts as of a version that
 * is not known, one that is cut short as malformed; then nothing is reported. Else *tick_hz becomes the ticks
 * per second of version 2 that it has. */
void miniprof_describe(const uint8_t *payload, size_t n, uint32_t *tick_hz, struct dialect_health *health,
                       const struct event_out *out);

#endif
