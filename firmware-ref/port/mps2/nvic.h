/* nvic.h - the few registers of the Cortex-M interrupt controller that ports use. */
#ifndef PORT_MPS2_NVIC_H
#define PORT_MPS2_NVIC_H

#include <stdint.h>

static inline void nvic_enable(uint32_t irq)
{
    *(volatile uint32_t *)(0xE000E100u + irq / 32 * 4) = 1u << irq % 32;
}

/* Cancels a request of the interrupt. */
__attribute__((no_instrument_function)) static inline void nvic_clear(uint32_t irq)
{
    *(volatile uint32_t *)(0xE000E280u + irq / 32 * 4) = 1u << irq % 32;
}

/* 0, the default, is the most urgent; otherwise a multiple of 0x20, below 0x100. */
static inline void nvic_set_priority(uint32_t irq, uint8_t priority)
{
    *(volatile uint8_t *)(0xE000E400u + irq) = priority;
}

/* The interrupt is taken before the next instruction, unless masked. */
static inline void nvic_request(uint32_t irq)
{
    *(volatile uint32_t *)(0xE000E200u + irq / 32 * 4) = 1u << irq % 32;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

#endif
