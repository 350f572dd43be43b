/* mpt_port.h - what the agent needs from a board: five functions and two numbers, and three more functions
 * where the host may change the rate of the line.
 *
 * A port is a folder with two files. mpt_board.h, found through the include path, defines the two numbers and
 * the first three functions, inline because they run twice in every instrumented call. A .c file has the
 * other two. Nothing in a port may be compiled with -finstrument-functions.
 *
 *   MPT_TICK_HZ     rate of mpt_port_ticks(), a constant; whole multiples of 1 MHz convert fastest
 *   MPT_TICK_BITS   width of the counter, 16..32. A hook or mpt_keep_time() must read a counter of less than
 *                   32 bits at least once per period: call mpt_keep_time() in its wrap interrupt. */
#ifndef MPT_PORT_H
#define MPT_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For functions that the hooks call: these must not be instrumented, even when a build instruments
 * everything. */
#define MPT_NOT_INSTRUMENTED __attribute__((no_instrument_function))

#ifdef __cplusplus
extern "C" {
#endif

/* Locks interrupts out, and returns what unlock needs to restore the previous state: calls nest. Also a
 * compiler barrier. */
MPT_NOT_INSTRUMENTED static inline uint32_t mpt_port_lock(void);
MPT_NOT_INSTRUMENTED static inline void mpt_port_unlock(uint32_t key);

/* A free-running counter that counts UP through MPT_TICK_BITS bits and wraps; higher bits are ignored, so
 * that a counter that runs down is simply negated. It must be one load, since on processors with exclusive
 * access it is called with interrupts on. */
MPT_NOT_INSTRUMENTED static inline uint32_t mpt_port_ticks(void);

/* Hands up to `n` bytes to the UART without waiting; returns how many it took, in order. A port may wait
 * until it took all; this only blocks the caller of mpt_poll(). */
size_t mpt_port_write(const uint8_t *bytes, size_t n);

/* Fetches up to `n` received bytes without waiting; returns how many there were. */
size_t mpt_port_read(uint8_t *bytes, size_t n);

/* So that the host can distinguish a restart from a silence, mpt_board.h may define one of these:
 *
 *   MPT_PORT_NOINIT  puts a variable where the start-up code leaves it unchanged, for example
 *                    __attribute__((section(".noinit"))), if the linker script has that section
 *   MPT_PORT_BOOT()  a number that differs from one start to the next, where the board has one
 *
 * Four bytes of RAM; without either the number is not sent. */

/* One core is measured: core 0, which also calls mpt_poll(). On a chip with more mpt_board.h defines
 *
 *   MPT_PORT_CORE()  the number of the core that runs this, inline like mpt_port_ticks()
 *
 * Calls of the agent from other cores then return at once; their hooks are counted, and the host reports
 * that. Without it their calls are mixed with those of core 0, with callers that never called them. Pin tasks
 * with instrumented code to core 0: a call that changes cores is sent in part. */

/* For a UART whose rate the host may change (protocol/SPEC.md section 14), mpt_board.h defines
 *
 *   MPT_PORT_BAUD        the rate at mpt_init(), bits per second; a variable may be 0: no rate
 *   MPT_PORT_BAUD_LEAST  the least rate that the UART can have
 *   MPT_PORT_BAUD_MOST   the greatest
 *
 * Without these, the three functions below are not called, and nothing is compiled for them. */

/* Returns true when the UART can have that rate, within 1 %. */
bool mpt_port_has_baud(uint32_t baud);

/* Returns true when all that mpt_port_write() took has left the UART, stop bit included. */
bool mpt_port_is_sent(void);

/* Sets the rate in both directions; mpt_port_has_baud() has accepted it. */
void mpt_port_set_baud(uint32_t baud);

#ifdef __cplusplus
}
#endif

#include "mpt_board.h"

#if !defined MPT_TICK_HZ || !defined MPT_TICK_BITS
#error "mpt_board.h must define MPT_TICK_HZ and MPT_TICK_BITS"
#endif
#if MPT_TICK_BITS < 16 || MPT_TICK_BITS > 32
#error "MPT_TICK_BITS must be 16..32"
#endif

/* True on a core that is not measured; without MPT_PORT_CORE() a constant, which costs nothing. */
#ifdef MPT_PORT_CORE
#define MPT_ON_OTHER_CORE() __builtin_expect(MPT_PORT_CORE() != 0, 0)
#else
#define MPT_ON_OTHER_CORE() false
#endif

#endif
