/* board.c - the example on ARM's MPS2 boards (images an385, an386, an500 and an505: machine.h), as QEMU
 * emulates them. */
#include "board.h"

#include "machine.h"
#include "mpt.h"
#include "mpt_baud.h"
#include "mpt_port.h"
#include "nvic.h"

/* The line is UART0, or two rings in memory that a debug probe reads and fills (port/rtt). */
#ifdef MPT_BOARD_RTT
#include "port/rtt/rtt.h"
#define line_open    mpt_rtt_open
#define line_ran_dry false /* RTT cannot know it */
#else
#include "uart.h"
#define line_open    uart_open
#define line_ran_dry uart_ran_dry()
#endif

#ifndef EXAMPLE_ROUNDS
#define EXAMPLE_ROUNDS 0
#endif
#ifndef EXAMPLE_PACE_MS
#define EXAMPLE_PACE_MS 20
#endif

enum { WAKE_MS = 5 };

struct cmsdk_timer {
    uint32_t control, value, reload, interrupts;
};

static volatile struct cmsdk_timer *const timer0 = (volatile struct cmsdk_timer *)MPS2_TIMER0;
static volatile uint32_t millis;

extern const uint8_t __text_start[], __text_end[];

void TIMER0_IRQHandler(void);

#ifndef MPT_BOARD_TIMER1
struct systick {
    uint32_t control, reload, value;
};

static volatile struct systick *const systick = (volatile struct systick *)0xE000E010u;

void SysTick_Handler(void);

/* The counter runs freely through all its bits; it interrupts once per wrap, 2^24 ticks (0.67 s at 25 MHz). */
void SysTick_Handler(void)
{
    mpt_keep_time();
}

static void mpt_board_open(void)
{
    systick->reload = 0xFFFFFF;
    systick->value = 0;
    systick->control = 7; /* processor clock, interrupt, on */
}
#endif

/* The heartbeat that paces the rounds and ends board_idle. */
void TIMER0_IRQHandler(void)
{
    timer0->interrupts = 1;
    millis = millis + WAKE_MS;
}

void board_open(int argc, char **argv)
{
    mpt_board_open();
    timer0->reload = MPT_TICK_HZ / 1000 * WAKE_MS - 1;
    timer0->value = timer0->reload;
    timer0->control = 9; /* interrupt, on */
    nvic_enable(IRQ_TIMER0);
    nvic_enable(IRQ_ADC);
    line_open();
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

uint32_t board_millis(void)
{
    return millis;
}

/* Any interrupt ends the sleep, at the latest that of the heartbeat, so `limit_ms` is not needed. */
void board_idle(uint32_t limit_ms)
{
    uint32_t key = mpt_port_lock();

    /* Masked, so that the last byte's interrupt is not taken between the check and the sleep: it stays
     * pending, which ends wfi although masked. */
    if (!line_ran_dry)
        __asm__ volatile("wfi" ::: "memory");
    mpt_port_unlock(key);
}

bool board_is_sending(void)
{
#if MPT_BAUD
    return !mpt_port_is_sent();
#else
    return false;
#endif
}

/* Six iterations take a microsecond at 25 MHz. */
void board_spin(uint32_t us)
{
    for (uint32_t turns = us * 6; turns; turns--)
        __asm__ volatile("nop");
}

void board_request_adc_interrupt(void)
{
    nvic_request(IRQ_ADC);
}
