/* clock.c - the STM32F405's clocks and pins. */
#include "usart.h"

#define RCC             ((volatile uint32_t *)0x40023800u)
#define FLASH_WAIT      (*(volatile uint32_t *)0x40023C00u)
#define GPIOA           ((volatile uint32_t *)0x40020000u)
#define BITS(n, of, at) ((uint32_t)(n) << (of) * (at))

enum {
    RCC_CONTROL = 0,
    RCC_PLL = 1,
    RCC_CONFIG = 2,
    RCC_ENABLE_PORTS = 12,
    RCC_ENABLE_APB2 = 17
}; /* words */
enum { CRYSTAL_ON = 1 << 16, CRYSTAL_READY = 1 << 17, PLL_ON = 1 << 24, PLL_READY = 1 << 25 };
enum { GPIO_MODE = 0, GPIO_ALTERNATE_HIGH = 9 }; /* words */

void clock_open(void)
{
    RCC[RCC_CONTROL] |= CRYSTAL_ON;
    while (!(RCC[RCC_CONTROL] & CRYSTAL_READY))
        ;
    RCC[RCC_PLL] = 25 | 336 << 6 | 0 << 16 | 1 << 22 | 7 << 24; /* 25 MHz / 25 * 336 / 2, and / 7 for USB */
    RCC[RCC_CONTROL] |= PLL_ON;
    FLASH_WAIT = 5 | 7 << 8;             /* 5 cycles; prefetch and caches on */
    RCC[RCC_CONFIG] = 5 << 10 | 4 << 13; /* APB1 a quarter, APB2 half */
    while (!(RCC[RCC_CONTROL] & PLL_READY))
        ;
    RCC[RCC_CONFIG] |= 2;
    while ((RCC[RCC_CONFIG] >> 2 & 3) != 2)
        ;
}

/* PA9 sends, PA10 receives: alternate function 7. */
void usart_pins_open(void)
{
    RCC[RCC_ENABLE_PORTS] |= 1;
    RCC[RCC_ENABLE_APB2] |= 1 << 4;
    (void)RCC[RCC_ENABLE_APB2]; /* the clock is there two cycles later */
    GPIOA[GPIO_MODE] =
        (GPIOA[GPIO_MODE] & ~(BITS(3, 2, 9) | BITS(3, 2, 10))) | BITS(2, 2, 9) | BITS(2, 2, 10);
    GPIOA[GPIO_ALTERNATE_HIGH] =
        (GPIOA[GPIO_ALTERNATE_HIGH] & ~(BITS(15, 4, 1) | BITS(15, 4, 2))) | BITS(7, 4, 1) | BITS(7, 4, 2);
}
