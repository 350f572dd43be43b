/* board.c - the emulated board: a polled UART, timer 0 with a period of 10,000 ticks, and timer 1 with all of 32 bits.
 * Both count down. */
#include "board.h"

static volatile uint32_t *const uart = (volatile uint32_t *)0x40004000;
static volatile uint32_t *const timer = (volatile uint32_t *)0x40000000;
static volatile uint32_t *const timer1 = (volatile uint32_t *)0x40001000;
static volatile uint32_t *const systick = (volatile uint32_t *)0xE000E010;
static volatile uint32_t *const interrupts = (volatile uint32_t *)0xE000E100;

void board_start(void)
{
    uart[4] = 16; /* the divisor of its rate */
    uart[2] = 1;  /* sends */
    systick[1] = 0xFFFFFF;
    systick[0] = 5; /* runs, by the processor's clock */
    timer[2] = 9999;
    timer[0] = 9; /* runs, and interrupts */
    interrupts[0] = 1u << 8;
    timer1[2] = UINT32_MAX;
    timer1[0] = 1;
}

void uart_send(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        while (uart[1] & 1)
            ;
        uart[0] = bytes[i];
    }
}

size_t mpt_port_write(const uint8_t *bytes, size_t n);

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    uart_send(bytes, n);
    return n;
}

bool a_tenth_of_a_second_has_passed(void)
{
    static unsigned steps;
    return ++steps % 64 == 0;
}

void TIMER0_IRQHandler(void);

__attribute__((weak)) void TIMER0_IRQHandler(void)
{
    timer[3] = 1;
}
