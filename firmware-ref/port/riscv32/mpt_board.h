/* mpt_board.h - the part of the riscv32 port that the hooks need inline. The counter is the lower half of
 * mtime, 10 MHz on QEMU's virt board. The rest fits any RV32 in machine mode without nested interrupts. */
#ifndef PORT_RISCV32_MPT_BOARD_H
#define PORT_RISCV32_MPT_BOARD_H

#include <stdint.h>

#define MPT_PORT_NOINIT __attribute__((section(".noinit")))
#define MPT_TICK_HZ     10000000u
#define MPT_TICK_BITS   32
#define MPT_RAM_BYTES   0x400000u

/* The core does not show which interrupt runs: the handler notes its cause (board.c). */
extern volatile uint32_t riscv_interrupt;
#define MPT_PORT_EXCEPTION() riscv_interrupt

static inline uint32_t mpt_port_lock(void)
{
    uint32_t status;

    __asm__ volatile(".option push\n\t.option arch, +zicsr\n\tcsrrci %0, mstatus, 8\n\t.option pop"
                     : "=r"(status)::"memory");
    return status & 8;
}

static inline void mpt_port_unlock(uint32_t key)
{
    __asm__ volatile(".option push\n\t.option arch, +zicsr\n\tcsrs mstatus, %0\n\t.option pop" ::"r"(key)
                     : "memory");
}

static inline uint32_t mpt_port_ticks(void)
{
    return *(volatile uint32_t *)0x0200BFF8u;
}

#endif
