/* mpt_gprof.h - the target side of gprof over a UART: what an application calls.
 *
 * Functions that are compiled with gcc's -pg report each of their calls to __gnu_mcount_nc
 * (mpt_gprof_mcount.c): an arc, from the place of the call to the function. A timer's interrupt samples the
 * program counter. Both go to the host as records (protocol/SPEC.md section 15), oldest first, in one of two
 * forms:
 *
 *  - raw, with MPT_GPROF_ARCS 0: each arc and each sample is a record of its own, of 7 and 4 bytes;
 *  - counted: a cache of arcs and samples counts them, and sends counts when mpt_gprof_flush() asks for them,
 * and for what leaves the cache; an arc that has been sent once is sent by a number.
 *
 * Code must lie within the 16 MB from MPT_GPROF_BASE: three bytes of an address are sent. An arc or a sample
 * that lies elsewhere, or for which the ring has no room, is dropped as a whole, counted, and reported
 * missing. */
#ifndef MPT_GPROF_H
#define MPT_GPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Records that may wait for mpt_gprof_take(), a power of two up to 32768. 8 bytes of RAM each. */
#ifndef MPT_GPROF_RING
#define MPT_GPROF_RING 16
#endif

/* Arcs in the cache, a power of two, 4 to 64, 8 bytes of RAM each; 0: there is no cache, and
 * records are raw. */
#ifndef MPT_GPROF_ARCS
#define MPT_GPROF_ARCS 32
#endif

/* Addresses in the cache where the program counter was sampled: the same limits, 8 bytes of RAM each. */
#ifndef MPT_GPROF_PLACES
#define MPT_GPROF_PLACES (MPT_GPROF_ARCS ? 16 : 0)
#endif

/* Samples a second, up to 65535, for the host; 0: the host has another source (--dialect-opt hz=), as with
 * raw records. */
#ifndef MPT_GPROF_HZ
#define MPT_GPROF_HZ 0u
#endif

/* The base of code, a multiple of 0x1000000. With raw records the host has another source (--dialect-opt
 * base=). */
#ifndef MPT_GPROF_BASE
#define MPT_GPROF_BASE 0u
#endif

/* mpt_gprof_poll() passes on up to this many bytes at once, 9 to 255; the same number of bytes of RAM. */
#ifndef MPT_GPROF_LINE
#define MPT_GPROF_LINE 16
#endif

#if MPT_GPROF_RING < 1 || MPT_GPROF_RING > 32768 || (MPT_GPROF_RING & (MPT_GPROF_RING - 1))
#error "MPT_GPROF_RING must be a power of two, 1..32768"
#endif
#if (MPT_GPROF_ARCS && MPT_GPROF_ARCS < 4) || MPT_GPROF_ARCS > 64 || (MPT_GPROF_ARCS & (MPT_GPROF_ARCS - 1))
#error "MPT_GPROF_ARCS must be 0 or a power of two, 4..64"
#endif
#if (MPT_GPROF_PLACES && MPT_GPROF_PLACES < 4) || MPT_GPROF_PLACES > 64 ||                                   \
    (MPT_GPROF_PLACES & (MPT_GPROF_PLACES - 1))
#error "MPT_GPROF_PLACES must be 0 or a power of two, 4..64"
#endif
#if MPT_GPROF_BASE & 0xFFFFFFu
#error "MPT_GPROF_BASE must be a multiple of 0x1000000"
#endif
#if MPT_GPROF_HZ > 65535
#error "MPT_GPROF_HZ must be 0..65535"
#endif
#if MPT_GPROF_LINE < 9 || MPT_GPROF_LINE > 255
#error "MPT_GPROF_LINE must be 9..255"
#endif

/* The longest record. mpt_gprof_take() returns none if it has less room than that. */
enum { MPT_GPROF_RECORD_MAX = 9 };

/* Counts arcs and samples from now on, until mpt_gprof_stop(); off at power-up. Any context may call it. */
void mpt_gprof_start(void);

/* Stops counting; what was counted can still be taken. Call it in the context that takes. */
void mpt_gprof_stop(void);

/* Sends all counts that have accumulated since they were last sent: call it about ten times a second. If it
 * is rarely or never called, counts are sent when they leave the cache. Does nothing while the previous flush
 * is still being sent, or without a cache. Call it in the context that takes. */
void mpt_gprof_flush(void);

/* Moves whole records, oldest first, to `to`, at most `room` bytes. Returns how many bytes these are: 0 when
 * none waits, or `room` is less than MPT_GPROF_RECORD_MAX. Call it from one context: the main loop, or
 * mpt_poll() by mpt_extension(). */
size_t mpt_gprof_take(uint8_t *to, size_t room);

/* Takes records and passes them to mpt_port_write(), as far as that accepts them. Returns true when more
 * waits. For a line that carries nothing else; call it in the context that takes. */
bool mpt_gprof_poll(void);

/* Returns the number of arcs and samples that were dropped and not reported yet, at most 65535. */
uint16_t mpt_gprof_lost(void);

/* For __gnu_mcount_nc: a call from before `from`, a return address, to the function at `to`. Any context may
 * call it. */
void mpt_gprof_arc(uint32_t from, uint32_t to);

/* The program counter was sampled at `pc`: for a timer's interrupt. Any context may call it. */
void mpt_gprof_sample(uint32_t pc);

/* Defines an interrupt handler that calls `body`, a void function with the interrupted program counter as its
 * argument. It must clear the timer's interrupt and call mpt_gprof_sample(). With the most urgent priority,
 * other interrupts are sampled as well. For a Cortex-M; the interrupted program may use either stack. */
#define MPT_GPROF_SAMPLER(handler, body)                                                                     \
    void handler(void);                                                                                      \
    __attribute__((naked, no_instrument_function)) void handler(void)                                        \
    {                                                                                                        \
        __asm__ volatile(".syntax unified\n\t"                                                               \
                         "mov r0, lr\n\t"                                                                    \
                         "lsls r0, r0, #29\n\t" /* EXC_RETURN bit 2: the process stack */                    \
                         "mrs r0, msp\n\t"                                                                   \
                         "bpl 1f\n\t"                                                                        \
                         "mrs r0, psp\n"                                                                     \
                         "1:\tldr r0, [r0, #24]\n\t"                                                         \
                         "ldr r1, =%c0\n\t"                                                                  \
                         "bx r1\n\t"                                                                         \
                         ".ltorg" ::"i"(body));                                                              \
    }

#ifdef __cplusplus
}
#endif

#endif
