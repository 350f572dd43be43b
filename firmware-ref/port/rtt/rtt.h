/* rtt.h - a line through the debug probe, for boards without a free UART: two rings in memory. J-Link,
 * OpenOCD, pyOCD and probe-rs find them by the control block's id, and read and write them while the
 * processor runs.
 *
 * Channel 0 carries the agent's packets both ways; the daemon reaches it through the probe's server
 * (docs/rtt.md). rtt.c provides mpt_port_write() and mpt_port_read(); mpt_board.h, with the counter, comes
 * from another port. With MPT_RTT_NO_PORT it provides neither; pass its two functions to mpt_cmsis_open(). A
 * program that has its own control block must not have this one as well: probes take the first that they
 * find.
 *
 * The rings must lie in memory that the probe sees as the processor does: with a data cache (Cortex-M7), put
 * them into memory that is not cached, by -DMPT_RTT_SECTION='".name"'. */
#ifndef PORT_RTT_RTT_H
#define PORT_RTT_RTT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of RAM of the rings, one of which always stays free. The probe polls, and moves at most one ring per
 * poll. Sizes need not be powers of two. */
#ifndef MPT_RTT_UP
#define MPT_RTT_UP 1024
#endif
#ifndef MPT_RTT_DOWN
#define MPT_RTT_DOWN 32
#endif

/* Makes the control block, before mpt_init(); a second call empties the rings. Until then no probe finds a
 * block, even if RAM still has one from before a reset, since its id is cleared first. */
void mpt_rtt_open(void);

/* Puts up to `n` bytes where the probe fetches them; returns how many found room. Never waits. */
size_t mpt_rtt_put(const uint8_t *bytes, size_t n);

/* Takes up to `n` bytes from the probe; returns how many there were. Never waits. */
size_t mpt_rtt_get(uint8_t *bytes, size_t n);

#ifdef __cplusplus
}
#endif

#endif
