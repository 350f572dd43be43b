/* mpt_board.h - the part of the microbit port that the hooks need inline: Nordic nRF51, a Cortex-M0. The
 * counter is TIMER0, 32 bits at 16 MHz; to read it, it is copied into a register. An interrupt in between
 * copies a later time, which does no harm. */
#ifndef PORT_MICROBIT_MPT_BOARD_H
#define PORT_MICROBIT_MPT_BOARD_H

#include <stdint.h>

#define MPT_PORT_NOINIT __attribute__((section(".noinit")))
#define MPT_TICK_HZ     16000000u
#define MPT_TICK_BITS   32
#define MPT_RAM_BYTES   0x4000u

static inline uint32_t mpt_port_lock(void)
{
    uint32_t primask;

    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask)::"memory");
    return primask;
}

static inline void mpt_port_unlock(uint32_t key)
{
    __asm__ volatile("msr primask, %0" ::"r"(key) : "memory");
}

static inline uint32_t mpt_port_ticks(void)
{
    *(volatile uint32_t *)0x40008040u = 1;    /* capture, into */
    return *(volatile uint32_t *)0x40008540u; /* compare register 0 */
}

#endif
