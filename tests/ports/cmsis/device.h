/* device.h - replaces a vendor's CMSIS device header: defines the names that port/cmsis uses at the architecture's
 * addresses. -DDEVICE_CORTEX_M is the core. */
#ifndef PORTS_CMSIS_DEVICE_H
#define PORTS_CMSIS_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#define __CORTEX_M DEVICE_CORTEX_M

#define SysTick                    ((volatile struct { uint32_t CTRL, LOAD, VAL, CALIB; } *)0xE000E010u)
#define SysTick_CTRL_ENABLE_Msk    1u
#define SysTick_CTRL_TICKINT_Msk   2u
#define SysTick_CTRL_CLKSOURCE_Msk 4u
#define SysTick_LOAD_RELOAD_Msk    0xFFFFFFu

#if DEVICE_CORTEX_M >= 3 && DEVICE_CORTEX_M != 23
#define DWT                        ((volatile struct { uint32_t CTRL, CYCCNT, other[1002], LAR; } *)0xE0001000u)
#define DWT_CTRL_CYCCNTENA_Msk     1u
#define CoreDebug                  ((volatile struct { uint32_t DHCSR, DCRSR, DCRDR, DEMCR; } *)0xE000EDF0u)
#define CoreDebug_DEMCR_TRCENA_Msk 0x01000000u
#endif

/* Timer 1 of the emulated board. */
#define TIM ((volatile struct { uint32_t CTRL, VALUE, RELOAD; } *)0x40001000u)

static inline uint32_t __get_PRIMASK(void)
{
    uint32_t primask;

    __asm__ volatile("mrs %0, primask" : "=r"(primask)::"memory");
    return primask;
}

static inline void __set_PRIMASK(uint32_t primask)
{
    __asm__ volatile("msr primask, %0" ::"r"(primask) : "memory");
}

static inline void __disable_irq(void)
{
    __asm__ volatile("cpsid i" ::: "memory");
}

#endif
