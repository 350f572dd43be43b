/* board.c - the example on the Netduino Plus 2 (STM32F405), as QEMU emulates it: SysTick counts, USART1
 * sends. */
#include "board.h"

#include "mpt.h"
#include "mpt_port.h"
#include "port/mps2/nvic.h"
#include "usart.h"

#ifndef EXAMPLE_ROUNDS
#define EXAMPLE_ROUNDS 0
#endif
#ifndef EXAMPLE_PACE_MS
#define EXAMPLE_PACE_MS 20
#endif

struct systick {
    uint32_t control, reload, value;
};

static volatile struct systick *const systick = (volatile struct systick *)0xE000E010u;

extern const uint8_t __text_start[], __text_end[];

void SysTick_Handler(void);

/* The counter runs freely through all its bits; it interrupts once per wrap, 0.1 s. */
void SysTick_Handler(void)
{
    mpt_keep_time();
}

void board_open(int argc, char **argv)
{
    usart_open();
    systick->reload = 0xFFFFFF;
    systick->value = 0;
    systick->control = 7; /* processor clock, interrupt, on */
    nvic_enable(IRQ_ADC);
}

uint32_t board_clock_hz(void)
{
    return MPT_TICK_HZ;
}

const void *board_text(uint32_t *bytes)
{
    *bytes = (uint32_t)(__text_end - __text_start);
    return __text_start;
}

uint32_t board_rounds(void)
{
    return EXAMPLE_ROUNDS;
}

uint32_t board_pace_ms(void)
{
    return EXAMPLE_PACE_MS;
}

/* Derived from the counter, which the main loop reads far more often than it wraps. */
uint32_t board_millis(void)
{
    static uint32_t before, ticks, millis;
    uint32_t now = mpt_port_ticks() & 0xFFFFFF;

    ticks += (now - before) & 0xFFFFFF;
    before = now;
    millis += ticks / (MPT_TICK_HZ / 1000);
    ticks %= MPT_TICK_HZ / 1000;
    return millis;
}

/* It does not sleep: nothing would end a sleep before the counter wraps. */
void board_idle(uint32_t limit_ms) {}

/* A turn takes four instructions. */
void board_spin(uint32_t us)
{
    for (uint32_t turns = us * 42; turns; turns--)
        __asm__ volatile("nop");
}

void board_request_adc_interrupt(void)
{
    nvic_request(IRQ_ADC);
}
