/* calls_told.h - reads output of an agent with the host's reader, for tests not in C. */
#ifndef PORTS_CALLS_TOLD_H
#define PORTS_CALLS_TOLD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the number of finished calls of `function` (0: of all functions) in these bytes, from PROFILE_DATA of
 * version 1, or -1 if anything is damaged or malformed. */
int calls_told(const uint8_t *bytes, size_t n, uint32_t function);

#ifdef __cplusplus
}
#endif

#endif
