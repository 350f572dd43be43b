/* mpt_board.h - the mps2 port's part that the hooks need inline. It holds for any Cortex-M that gives SysTick
 * away.
 *
 * SysTick runs freely through its 24 bits, down, so its negative counts up; its interrupt at each wrap keeps
 * the time (board.c). */
#ifndef PORT_MPS2_MPT_BOARD_H
#define PORT_MPS2_MPT_BOARD_H

#include <stdint.h>

#define MPT_TICK_HZ   25000000u
#define MPT_TICK_BITS 24

#define SYSTICK_VALUE (*(volatile uint32_t *)0xE000E018u)

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
    return 0u - SYSTICK_VALUE;
}

#endif
