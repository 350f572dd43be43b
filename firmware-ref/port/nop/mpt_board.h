/* mpt_board.h - a port to no board: to measure what the agent costs, and to check that it compiles for a
 * processor.
 *
 * Copy this folder to start a port (README.md). The build may set the two numbers, so that every path through
 * them is compiled. */
#ifndef PORT_NOP_MPT_BOARD_H
#define PORT_NOP_MPT_BOARD_H

#include <stdint.h>

#define MPT_PORT_NOINIT __attribute__((section(".noinit")))

#ifndef MPT_TICK_HZ
#define MPT_TICK_HZ 1000000u
#endif
#ifndef MPT_TICK_BITS
#define MPT_TICK_BITS 32
#endif

extern volatile uint32_t nop_counter;

static inline uint32_t mpt_port_lock(void)
{
#if defined __arm__
    uint32_t primask;

    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask)::"memory");
    return primask;
#else
    __asm__ volatile("" ::: "memory");
    return 0;
#endif
}

static inline void mpt_port_unlock(uint32_t key)
{
#if defined __arm__
    __asm__ volatile("msr primask, %0" ::"r"(key) : "memory");
#else
    __asm__ volatile("" ::: "memory");
#endif
}

static inline uint32_t mpt_port_ticks(void)
{
    return nop_counter;
}

#endif
