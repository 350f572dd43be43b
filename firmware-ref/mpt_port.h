/* mpt_port.h - what the agent needs from a board: five functions and two numbers, and three more where the
 * host may change the rate of the line.
 *
 * A port is a folder with a mpt_board.h, found through the include path, that defines the two numbers and,
 * inline because they run twice in every instrumented call, the first three functions; and a .c file with the
 * other two. Nothing in a port may be compiled with -finstrument-functions.
 *
 *   MPT_TICK_HZ     rate of mpt_port_ticks(), a constant; whole multiples of 1 MHz convert fastest
 *   MPT_TICK_BITS   width of the counter, 16..32. A counter of less than 32 bits must be seen at least once
 * per period by a hook or by mpt_keep_time(), which its wrap interrupt is the place to call. */
#ifndef MPT_PORT_H
#define MPT_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For what the hooks call: they must not call themselves, even when a build instruments everything. */
#define MPT_NOT_INSTRUMENTED __attribute__((no_instrument_function))

#ifdef __cplusplus
extern "C" {
#endif

/* Keeps interrupts out, and returns what unlock needs to restore how it was before: they nest. Also a
 * compiler barrier. */
MPT_NOT_INSTRUMENTED static inline uint32_t mpt_port_lock(void);
MPT_NOT_INSTRUMENTED static inline void mpt_port_unlock(uint32_t key);

/* A free-running counter that counts UP through MPT_TICK_BITS bits and wraps; higher bits are ignored, so
 * that a counter that runs down is simply negated. One load, since where the processor has exclusive access
 * it is called with interrupts on. */
MPT_NOT_INSTRUMENTED static inline uint32_t mpt_port_ticks(void);

/* Hands up to `n` bytes to the UART without waiting; returns how many it took, in order. A port that waits
 * and takes all is allowed, it only stops the caller of mpt_poll() for that long. */
size_t mpt_port_write(const uint8_t *bytes, size_t n);

/* Fetches up to `n` received bytes without waiting; returns how many there were. */
size_t mpt_port_read(uint8_t *bytes, size_t n);

/* So that the host can tell a restart from a silence, mpt_board.h may define one of these:
 *
 *   MPT_PORT_NOINIT  puts a variable where the start-up code leaves it as it is, for example
 *                    __attribute__((section(".noinit"))), if the linker script has that section
 *   MPT_PORT_BOOT()  a number that differs from one start to the next, where the board has one
 *
 * Four bytes of RAM; without either the number is not sent. */

/* One core is measured: core 0, which also calls mpt_poll(). On a chip with more mpt_board.h defines
 *
 *   MPT_PORT_CORE()  the number of the core that runs this, inline like mpt_port_ticks()
 *
 * and whatever the others call of the agent returns at once; their hooks are counted, and the host reports
 * that. Without it their calls end up among those of core 0, with callers that never called them. Tasks
 * with instrumented code are to be pinned to core 0: a call that changes core is sent in part. */

/* Three more for a UART whose rate the host may change (protocol/SPEC.md section 14). mpt_board.h defines
 *
 *   MPT_PORT_BAUD        the rate at mpt_init(), bits per second; 0, where it is no constant: there is none
 *   MPT_PORT_BAUD_LEAST  the least rate that the UART can have
 *   MPT_PORT_BAUD_MOST   the greatest
 *
 * Where it does not, none of them is called, and nothing is compiled for it. */

/* True when the UART can have that rate, within 1 %. */
bool mpt_port_has_baud(uint32_t baud);

/* True when all that mpt_port_write() took has left the UART, stop bit included. */
bool mpt_port_is_sent(void);

/* Has the UART send and receive at that rate, one that it can have, from now on. */
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
