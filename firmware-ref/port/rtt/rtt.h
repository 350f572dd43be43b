/* rtt.h - a line through the debug probe: two rings in memory, which J-Link, OpenOCD, pyOCD and probe-rs find
 * by themselves, by the control block's id, and read and write while the processor runs. For boards without a
 * free UART.
 *
 * Channel 0 carries the agent's packets both ways; the daemon reaches it through the probe's server
 * (docs/rtt.md). rtt.c is the port's mpt_port_write() and mpt_port_read(); mpt_board.h, with the counter, is
 * another port's. With MPT_RTT_NO_PORT it is neither, and its two functions go to mpt_cmsis_open(). A program
 * that has a control block of its own must not have this one as well: probes take the first that they find.
 *
 * The rings lie in memory that the probe sees as the processor does: where it has a data cache (Cortex-M7),
 * put them into memory that is not cached, by -DMPT_RTT_SECTION='".name"'. */
#ifndef PORT_RTT_RTT_H
#define PORT_RTT_RTT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of RAM of the rings, one of which always stays free. The probe looks now and then, and no more
 * than a ring goes through in that time. Powers of two are as good as any. */
#ifndef MPT_RTT_UP
#define MPT_RTT_UP 1024
#endif
#ifndef MPT_RTT_DOWN
#define MPT_RTT_DOWN 32
#endif

/* Makes the control block; before mpt_init(), and again it empties the rings. Until then no probe finds it,
 * also where RAM still has one from before a reset: it is taken away first. */
void mpt_rtt_open(void);

/* Puts up to `n` bytes where the probe fetches them, returns how many there was room for. Never waits. */
size_t mpt_rtt_put(const uint8_t *bytes, size_t n);

/* Takes up to `n` bytes that the probe has put, returns how many there were. Never waits. */
size_t mpt_rtt_get(uint8_t *bytes, size_t n);

#ifdef __cplusplus
}
#endif

#endif
