/* mpt_board.h - the part of the mps2 port that the hooks need inline. It fits any Cortex-M whose SysTick is
 * free.
 *
 * SysTick runs freely through its 24 bits, down, so its negative counts up; its interrupt at each wrap keeps
 * the time (board.c). With MPT_BOARD_TIMER1 the counter is the board's timer 1, whose 32 bits need no
 * interrupt and leave SysTick to a kernel; mpt_board_open() starts it. */
#ifndef PORT_MPS2_MPT_BOARD_H
#define PORT_MPS2_MPT_BOARD_H

#include "machine.h"

#include <stdint.h>

#define MPT_PORT_NOINIT __attribute__((section(".noinit")))
#define MPT_TICK_HZ     MPS2_HZ
#define MPT_RAM_BYTES   MPS2_RAM

#if !defined MPT_BOARD_NO_UART && !defined MPT_BOARD_RTT /* not in programs with their own line */
#define MPT_PORT_BAUD       MPS2_BAUD
#define MPT_PORT_BAUD_LEAST 9600u
#define MPT_PORT_BAUD_MOST  (MPT_TICK_HZ / 16)
#endif

#ifdef MPT_BOARD_TIMER1
#define MPT_TICK_BITS 32
#define MPT_COUNTER   (*(volatile uint32_t *)(MPS2_TIMER1 + 4))

/* F-Prime's profiler counts with SysTick, whatever uses it (fprime/mpt_fprime.h). */
#define MPT_FPRIME_COUNTER() (*(volatile uint32_t *)0xE000E018u)

static inline void mpt_board_open(void)
{
    volatile uint32_t *const timer1 = (volatile uint32_t *)MPS2_TIMER1;

    timer1[2] = timer1[1] = 0xFFFFFFFFu; /* reload, value */
    timer1[0] = 1;                       /* on, no interrupt */
}
#else
#define MPT_TICK_BITS 24
#define MPT_COUNTER   (*(volatile uint32_t *)0xE000E018u)
#endif

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
    return 0u - MPT_COUNTER;
}

#endif
