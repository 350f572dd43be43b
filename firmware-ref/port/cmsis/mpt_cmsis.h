/* mpt_cmsis.h - starts the cmsis port, before mpt_init(). */
#ifndef PORT_CMSIS_MPT_CMSIS_H
#define PORT_CMSIS_MPT_CMSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The line that the program provides, such as a UART of its HAL, USB CDC or port/rtt. Neither function may
 * wait.
 *
 *   put   takes up to `n` bytes, returns how many it took
 *   get   fetches up to `n` bytes that were received, returns how many there were
 */
typedef size_t (*mpt_cmsis_put)(const uint8_t *bytes, size_t n);
typedef size_t (*mpt_cmsis_get)(uint8_t *bytes, size_t n);

/* Starts the counter, and sends and receives by these two functions from now on. Returns false when the
 * counter does not count, so that every time would be 0: this core has no CYCCNT, a debugger holds it, or the
 * timer of MPT_CMSIS_TICKS was not started. */
bool mpt_cmsis_open(mpt_cmsis_put put, mpt_cmsis_get get);

#ifdef __cplusplus
}
#endif

#endif
