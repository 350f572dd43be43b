/* mpt_board.h - the part of the netduinoplus2 port that the hooks need inline: ST's STM32F405, a Cortex-M4 at
 * 168 MHz. The counter is SysTick with 24 bits, since QEMU has no DWT; its interrupt at each wrap keeps the
 * time (board.c). */
#ifndef PORT_NETDUINOPLUS2_MPT_BOARD_H
#define PORT_NETDUINOPLUS2_MPT_BOARD_H

#include <stdint.h>

#define MPT_PORT_NOINIT __attribute__((section(".noinit")))
#define MPT_TICK_HZ     168000000u
#define MPT_TICK_BITS   24
#define MPT_RAM_BYTES   0x20000u

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
    return 0u - *(volatile uint32_t *)0xE000E018u;
}

#endif
