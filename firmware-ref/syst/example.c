/* example.c - SyS-T messages on ARM's MPS2 board, as QEMU emulates it: alone on the line, or beside call
 * records.
 *
 * The first byte that arrives selects the form: 'h' lines of text, 'r' back to back, 's' an STP stream; then
 * the messages of all rounds are sent and the emulator ends. Any other byte, such as the first of a command,
 * starts the agent: the messages are sent in EXTENSION packets from each start of profiling on. Not
 * instrumented. */
#include "example_work.h"

#include "mpt.h"
#include "mpt_extension.h"
#include "mpt_port.h"
#include "mpt_syst.h"
#include "machine.h"
#include "nvic.h"
#include "protocol/packet.h"
#include "uart.h"

enum { INTERRUPT_TICKS = 7777 }; /* several occur while a round sends messages */

extern const uint8_t __text_start[], __text_end[];

int main(int argc, char **argv);
void SysTick_Handler(void);
void TIMER0_IRQHandler(void);

static struct {
    volatile bool is_on;
    volatile uint32_t n;
} interrupts;

static volatile uint32_t *const systick = (volatile uint32_t *)0xE000E010u; /* control, reload, value */
static volatile uint32_t *const timer0 = (volatile uint32_t *)0x40000000u; /* control, value, reload, clear */

/* Runs once per wrap of the counter. */
void SysTick_Handler(void)
{
    mpt_keep_time();
    mpt_syst_keep_time();
}

void TIMER0_IRQHandler(void)
{
    timer0[3] = 1;
    if (interrupts.is_on) {
        work_interrupt(interrupts.n);
        interrupts.n = interrupts.n + 1;
    }
}

static void open_board(void)
{
    systick[1] = 0xFFFFFF;
    systick[2] = 0;
    systick[0] = 7; /* processor clock, interrupt, on */
    timer0[2] = timer0[1] = INTERRUPT_TICKS - 1;
    timer0[0] = 9; /* interrupt, on */
    nvic_set_priority(IRQ_UART0_RX, 0x40);
    nvic_set_priority(IRQ_UART0_TX, 0x40);
    nvic_enable(IRQ_TIMER0);
    uart_open();
}

/* ---- the line ---- */

/* Sends what waits as far as the line takes it. Returns true when there may be more. */
static bool send_alone(void)
{
    static uint8_t some[200];
    static size_t n, at;

    if (at == n) {
        n = mpt_syst_take(some, sizeof some);
        at = 0;
    }
    at += mpt_port_write(some + at, n - at);
    return n > 0;
}

static bool has_agent;

static void send_all(void)
{
    if (has_agent)
        for (uint32_t i = 0; i < 1000 || mpt_poll(); i++)
            mpt_poll();
    else
        while (send_alone())
            ;
}

/* ---- the program ---- */

static void run(void)
{
    interrupts.n = 0;
    work_begin();
    for (uint32_t round = 0; round < ROUNDS; round++) {
        interrupts.is_on = true;
        work_round(round);
        interrupts.is_on = false;
        send_all();
    }
    work_burst();
    send_all();
    work_end(interrupts.n);
    send_all();
}

/* Ends the emulator, once the line has sent all. */
static void leave(void)
{
    while (!mpt_port_is_sent())
        ;
    register uint32_t operation __asm__("r0") = 0x18;
    register uint32_t reason __asm__("r1") = 0x20026;
    __asm__ volatile("bkpt 0xAB" ::"r"(operation), "r"(reason) : "memory");
}

static void run_with_agent(void)
{
    static struct mpt_target target = {
        .clock_hz = MPT_TICK_HZ, .fw_version = "syst-demo 1.0", .text = __text_start};
    bool was_profiling = false;

    has_agent = true;
    target.text_bytes = (uint32_t)(__text_end - __text_start);
    mpt_syst_frame(MPT_SYST_AS_RAW);
    mpt_init(&target);
    mpt_extension(MP_EXTENSION_SYST, mpt_syst_take);
    for (;;) {
        mpt_poll();
        if (mpt_is_profiling() && !was_profiling)
            run();
        was_profiling = mpt_is_profiling();
    }
}

int main(int argc, char **argv)
{
    uint8_t how;

    open_board();
    while (mpt_port_read(&how, 1) == 0)
        __asm__ volatile("wfi");
    switch (how) {
    case 'h': mpt_syst_frame(MPT_SYST_AS_HEX); break;
    case 'r': mpt_syst_frame(MPT_SYST_AS_RAW); break;
    case 's': mpt_syst_frame(MPT_SYST_AS_STP); break;
    default: run_with_agent();
    }
    run();
    leave();
    return 0;
}
