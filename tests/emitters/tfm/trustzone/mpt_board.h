/* mpt_board.h - the secure side of ARM's AN505 image: a 32-bit timer that runs down, at 20 MHz. */
#ifndef MPT_BOARD_H
#define MPT_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MPT_TICK_HZ     20000000u
#define MPT_TICK_BITS   32
#define TIMER_VALUE     (*(volatile uint32_t *)0x50000004u)
#define MPT_TFM_COUNT() TIMER_VALUE
#define MPT_TFM_COUNTS_DOWN

static inline uint32_t mpt_port_ticks(void)
{
    return 0 - TIMER_VALUE;
}

static inline uint32_t mpt_port_lock(void)
{
    uint32_t key;
    __asm volatile("mrs %0, primask\n cpsid i" : "=r"(key)::"memory");
    return key;
}

static inline void mpt_port_unlock(uint32_t key)
{
    __asm volatile("msr primask, %0" ::"r"(key) : "memory");
}

#endif
