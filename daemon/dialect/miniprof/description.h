/* description.h - reads DESCRIPTION packets, in which a target describes itself (protocol/SPEC.md section
 * 11). */
#ifndef DIALECT_MINIPROF_DESCRIPTION_H
#define DIALECT_MINIPROF_DESCRIPTION_H

#include "dialect/dialect.h"

/* Sends the event for a DESCRIPTION payload of n bytes to `out`, and sets *tick_hz to the ticks per second of
 * version 2. An unknown form is counted as an unknown version, a truncated payload as malformed; then nothing
 * is sent. */
void miniprof_describe(const uint8_t *payload, size_t n, uint32_t *tick_hz, struct dialect_health *health,
                       const struct event_out *out);

#endif
