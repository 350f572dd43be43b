/* mpt_board.h - a port for any Cortex-M with a CMSIS device header. The build defines its name and the rate
 * of the counter, which is the processor's clock:
 *
 *     -DMPT_CMSIS_HEADER='"stm32f4xx.h"' -DMPT_TICK_HZ=168000000u
 *
 * The counter is DWT's CYCCNT, 32 bits, where the core has one (Cortex-M3, M4, M7, M33, M55 and up). A
 * Cortex-M0, M0+, M1 or M23 has none: there it is SysTick through all its 24 bits, and SysTick_Handler calls
 * mpt_keep_time(). MPT_CMSIS_SYSTICK 0 or 1 selects one of them. MPT_CMSIS_TICKS is any other counter that
 * counts up, for example a timer of 32 bits, which the program starts itself:
 *
 *     -DMPT_CMSIS_TICKS='TIM2->CNT' -DMPT_TICK_HZ=84000000u
 *
 * Where the linker script has a section that the start-up code leaves as it is, miniprofd can distinguish a restart
 * from a silence. This is not the default, since in other scripts that section may lie where the heap begins:
 *
 *     -DMPT_PORT_NOINIT='__attribute__((section(".noinit")))'
 */
#ifndef PORT_CMSIS_MPT_BOARD_H
#define PORT_CMSIS_MPT_BOARD_H

#include <stdint.h>

#ifndef MPT_CMSIS_HEADER
#error "MPT_CMSIS_HEADER must name the device header, in quotes: -DMPT_CMSIS_HEADER='\"stm32f4xx.h\"'"
#endif
#include MPT_CMSIS_HEADER

#ifndef MPT_CMSIS_SYSTICK
#define MPT_CMSIS_SYSTICK (__CORTEX_M < 3 || __CORTEX_M == 23)
#endif

#if defined MPT_CMSIS_TICKS
#ifndef MPT_TICK_BITS
#define MPT_TICK_BITS 32
#endif
#elif MPT_CMSIS_SYSTICK
#define MPT_TICK_BITS         24
#define MPT_CMSIS_TICKS       (0u - SysTick->VAL) /* it counts down */
#define MPT_CMSIS_HAS_SYSTICK 1
#else
#define MPT_TICK_BITS     32
#define MPT_CMSIS_TICKS   (DWT->CYCCNT)
#define MPT_CMSIS_HAS_DWT 1
#endif

static inline uint32_t mpt_port_lock(void)
{
    uint32_t primask = __get_PRIMASK();

    __disable_irq();
    return primask;
}

static inline void mpt_port_unlock(uint32_t key)
{
    __set_PRIMASK(key);
}

static inline uint32_t mpt_port_ticks(void)
{
    return MPT_CMSIS_TICKS;
}

#endif
