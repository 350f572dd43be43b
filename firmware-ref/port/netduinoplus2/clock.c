/* clock.c - the STM32F405's clocks and pins. Not run on silicon: written from the register descriptions of
 * ST's RM0090, and tested with a model of them. */
#include "usart.h"

#ifndef RCC /* a test defines its own registers */
#define RCC        ((volatile uint32_t *)0x40023800u)
#define FLASH_WAIT (*(volatile uint32_t *)0x40023C00u)
#define GPIOA      ((volatile uint32_t *)0x40020000u)
#endif
#define BITS(n, of, at) ((uint32_t)(n) << (of) * (at))

enum {
    RCC_CONTROL = 0,
    RCC_PLL = 1,
    RCC_CONFIG = 2,
    RCC_ENABLE_PORTS = 12,
    RCC_ENABLE_APB2 = 17
}; /* words */
enum { INTERNAL_ON = 1 << 0, INTERNAL_READY = 1 << 1, CRYSTAL_ON = 1 << 16, CRYSTAL_READY = 1 << 17 };
enum { PLL_ON = 1 << 24, PLL_READY = 1 << 25 };
enum { SWITCH = 3, SWITCH_DONE = 3 << 2, BY_PLL = 2 }; /* in RCC_CONFIG */
enum { HALF_AND_QUARTER = 5 << 10 | 4 << 13 };         /* APB1 a quarter, APB2 half */
enum { PLL_FROM_CRYSTAL = 1 << 22, PLL_336_BY_2 = 336 << 6 | 0 << 16 | 7 << 24 }; /* and / 7 for USB */
enum { GPIO_MODE = 0, GPIO_ALTERNATE_HIGH = 9 };                                  /* words */

/* A turn takes at least four cycles, so this is 100 ms or more at the 16 MHz after reset; a crystal takes
 * some 2 ms, the PLL 0.3. */
enum { TURNS_MOST = 400000 };

/* Returns true when the bits become `value` within that time. */
static int becomes(int word, uint32_t bits, uint32_t value)
{
    for (uint32_t turns = TURNS_MOST; turns; turns--)
        if ((RCC[word] & bits) == value)
            return 1;
    return 0;
}

/* Switches to the internal oscillator, which is active after a reset, but not after every boot loader. */
static void leave_pll(void)
{
    RCC[RCC_CONTROL] |= INTERNAL_ON;
    (void)becomes(RCC_CONTROL, INTERNAL_READY, INTERNAL_READY);
    RCC[RCC_CONFIG] &= ~(uint32_t)SWITCH;
    (void)becomes(RCC_CONFIG, SWITCH_DONE, 0);
    RCC[RCC_CONTROL] &= ~(uint32_t)PLL_ON;
    (void)becomes(RCC_CONTROL, PLL_READY, 0);
    RCC[RCC_CONFIG] = 0;
}

uint32_t clock_open(void)
{
    if (!RCC[RCC_CONTROL]) /* 0 in QEMU only: on a real part some oscillator is on */
        return USART_HZ;
    leave_pll();
    RCC[RCC_CONTROL] |= CRYSTAL_ON;
    if (becomes(RCC_CONTROL, CRYSTAL_READY, CRYSTAL_READY)) {
        RCC[RCC_PLL] = 25 | PLL_336_BY_2 | PLL_FROM_CRYSTAL; /* 25 MHz / 25 * 336 / 2 */
    } else {
        RCC[RCC_CONTROL] &= ~(uint32_t)CRYSTAL_ON;
        RCC[RCC_PLL] = 16 | PLL_336_BY_2; /* 16 MHz / 16 * 336 / 2 */
    }
    RCC[RCC_CONTROL] |= PLL_ON;
    if (!becomes(RCC_CONTROL, PLL_READY, PLL_READY)) {
        RCC[RCC_CONTROL] &= ~(uint32_t)PLL_ON;
        return INTERNAL_HZ;
    }
    FLASH_WAIT = 5 | 7 << 8; /* 5 cycles; prefetch and caches on */
    RCC[RCC_CONFIG] = HALF_AND_QUARTER;
    RCC[RCC_CONFIG] = HALF_AND_QUARTER | BY_PLL;
    return becomes(RCC_CONFIG, SWITCH_DONE, BY_PLL << 2) ? USART_HZ : INTERNAL_HZ / 2;
}

/* PA9 sends, PA10 receives: alternate function 7. */
void usart_pins_open(void)
{
    RCC[RCC_ENABLE_PORTS] |= 1;
    RCC[RCC_ENABLE_APB2] |= 1 << 4;
    (void)RCC[RCC_ENABLE_APB2]; /* the clock is on two cycles later */
    GPIOA[GPIO_MODE] =
        (GPIOA[GPIO_MODE] & ~(BITS(3, 2, 9) | BITS(3, 2, 10))) | BITS(2, 2, 9) | BITS(2, 2, 10);
    GPIOA[GPIO_ALTERNATE_HIGH] =
        (GPIOA[GPIO_ALTERNATE_HIGH] & ~(BITS(15, 4, 1) | BITS(15, 4, 2))) | BITS(7, 4, 1) | BITS(7, 4, 2);
}
