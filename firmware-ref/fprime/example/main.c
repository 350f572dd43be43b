/* main.c - F-Prime's profiler on ARM's MPS2 board. FORM selects how its events are sent: FORM_DUMP, the table
 * once the capture has ended; FORM_STREAM, while it fills; FORM_TEXT, the same as lines; FORM_BESIDE, inside
 * packets of the agent.
 *
 * SysTick is the profiler's counter, and its interrupt is the one that rate groups run on in a deployment:
 * then RELOAD is clock / rate - 1. The agent and this program use timer 1. */
#include "fprime/mpt_fprime.h"

#include "nvic.h"
#include "uart.h"
#include "workload.h"

#define FORM_DUMP   1
#define FORM_STREAM 2
#define FORM_TEXT   3
#define FORM_BESIDE 4

#ifndef FORM
#define FORM FORM_BESIDE
#endif
#ifndef RELOAD
#define RELOAD 0xFFFFFFu
#endif
#ifndef ROUNDS
#define ROUNDS 200
#endif
#ifndef ROUND_TICKS
#define ROUND_TICKS 300000u /* from one round to the next */
#endif
#ifndef STORM_TICKS
#define STORM_TICKS                                                                                          \
    0 /* period of timer 0's interrupts, within which SysTick's interrupts may occur; 0: there are none */
#endif

#if FORM == FORM_BESIDE
#include "mpt.h"
#include "mpt_extension.h"
#include "protocol/packet.h"
#endif

enum { EVENTS_OF_ROUND = 2 * (1 + 3 + 6 + 8 + 1) };

struct systick {
    uint32_t control, reload, value;
};

struct cmsdk_timer {
    uint32_t control, value, reload, interrupts;
};

static volatile struct systick *const systick = (volatile struct systick *)0xE000E010u;
static volatile struct cmsdk_timer *const timer0 = (volatile struct cmsdk_timer *)0x40000000u;

int main(void);
void SysTick_Handler(void);
void TIMER0_IRQHandler(void);

void SysTick_Handler(void)
{
    rate_tick();
}

void TIMER0_IRQHandler(void)
{
    timer0->interrupts = 1;
    rate_tick();
}

static void open_board(void)
{
    mpt_board_open();
    uart_open();
    if (STORM_TICKS) {
        timer0->reload = timer0->value = STORM_TICKS;
        timer0->control = 9; /* interrupt, on */
        nvic_set_priority(IRQ_TIMER0, 0x80);
        nvic_enable(IRQ_TIMER0);
    }
}

static bool captures = true; /* from the beginning of the rounds on */

/* The capture begins with the counter, as in the original. */
static void begin(void)
{
    systick->reload = RELOAD;
    systick->value = 0;
    systick->control = RELOAD < 0xFFFFFFu ? 7 : 5; /* processor clock, on; the interrupt, if it is a rate's */
    if (captures)
        mpt_fprime_enable(FORM != FORM_DUMP);
}

#if FORM == FORM_BESIDE
enum { CONFIG_ROUNDS = MPT_CONFIG_APPLICATION, CONFIG_CAPTURE };

static uint32_t wanted; /* rounds */

/* SET_CONFIG with the application's keys: the number of rounds to run, from now on; and, like the original's
 * command ENABLE, begins (1) or ends (0) a capture. */
static bool configure(uint8_t key, uint32_t value)
{
    if (key == CONFIG_ROUNDS)
        wanted = value;
    else if (key != CONFIG_CAPTURE || value > 1)
        return false;
    else if (!value)
        mpt_fprime_disable();
    else if (wanted)
        mpt_fprime_enable(true);
    captures = key == CONFIG_CAPTURE ? value : captures;
    return true;
}

static void open_line(void)
{
    static const struct mpt_target target = {
        .clock_hz = MPT_TICK_HZ, .fw_version = "fprime-demo 1.0", .configure = configure};

    mpt_init(&target);
    mpt_extension(MP_EXTENSION_FPRIME, mpt_fprime_take);
}

static uint32_t rounds_wanted(void)
{
    return wanted;
}

static void send(void)
{
    mpt_poll();
}
#else
static void open_line(void) {}

static uint32_t rounds_wanted(void)
{
    return ROUNDS;
}

/* Sends what was taken as far as the line takes it. */
static void send(void)
{
    static uint8_t bytes[64];
    static size_t n, sent;

    if (sent == n) {
        sent = 0;
        n = FORM == FORM_TEXT ? mpt_fprime_take_text(bytes, sizeof bytes)
                              : mpt_fprime_take(bytes, sizeof bytes);
    }
    sent += mpt_port_write(bytes + sent, n - sent);
}
#endif

/* Rounds wait for room, except in a dump, which ends with a full table. */
static bool has_room(void)
{
    return FORM == FORM_DUMP || mpt_fprime_room() >= 2 * EVENTS_OF_ROUND;
}

int main(void)
{
    uint32_t last, rounds = 0;

    open_board();
    open_line();
    while (!rounds_wanted())
        send();
    begin();
    for (last = mpt_port_ticks() - ROUND_TICKS; rounds < rounds_wanted(); send()) {
        if (mpt_port_ticks() - last < ROUND_TICKS || !has_room())
            continue;
        last += ROUND_TICKS;
        rate_group();
        control_step();
        rounds++;
    }
    systick->control = 5; /* no more interrupts */
    timer0->control = 0;
    mpt_fprime_disable();
    for (;;)
        send();
}
