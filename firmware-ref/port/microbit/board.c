/* board.c - the example on the BBC micro:bit (nRF51822), as QEMU emulates it: TIMER0 counts, TIMER1 is the
 * heartbeat, UART0 sends at 1 Mbaud over the pins that the board wires to its USB chip. */
#include "board.h"

#include "mpt_port.h"
#include "port/mps2/nvic.h"

#ifndef EXAMPLE_ROUNDS
#define EXAMPLE_ROUNDS 0
#endif
#ifndef EXAMPLE_PACE_MS
#define EXAMPLE_PACE_MS 20
#endif

enum { WAKE_MS = 2, IRQ_UART0 = 2, IRQ_TIMER1 = 9, IRQ_SOFTWARE0 = 20 };
enum { CLOCK = 0x40000000, UART = 0x40002000, TIMER0 = 0x40008000, TIMER1 = 0x40009000 };
enum { TX_SIZE = 512, RX_SIZE = 64 }; /* powers of two */

/* The registers of all devices have the same layout: tasks, events from 0x100 on, then settings. */
#define REGISTER(device, offset) (*(volatile uint32_t *)((uint32_t)(device) + (offset)))

enum { CLOCK_START = 0x000, CLOCK_STARTED = 0x100 };
enum {
    TIMER_START = 0x000,
    TIMER_COMPARED = 0x140,
    TIMER_SHORTS = 0x200,
    TIMER_INTERRUPTS = 0x304,
    TIMER_BITS = 0x508,
    TIMER_PRESCALER = 0x510,
    TIMER_COMPARE = 0x540
};
enum {
    UART_START_RX = 0x000,
    UART_START_TX = 0x008,
    UART_RECEIVED = 0x108,
    UART_SENT = 0x11C,
    UART_INTERRUPTS = 0x304,
    UART_ENABLE = 0x500,
    UART_PIN_TX = 0x50C,
    UART_PIN_RX = 0x514,
    UART_RXD = 0x518,
    UART_TXD = 0x51C,
    UART_BAUD = 0x524
};

static struct {
    uint8_t tx[TX_SIZE], rx[RX_SIZE];
    volatile uint32_t tx_head, tx_tail, rx_head, rx_tail;
    volatile bool is_sending; /* a byte is being sent: its interrupt will fetch the next */
} line;
static volatile uint32_t millis;

extern const uint8_t __text_start[], __text_end[];

void TIMER1_IRQHandler(void);
void UART0_IRQHandler(void);

/* The heartbeat that paces the rounds and ends board_idle. */
void TIMER1_IRQHandler(void)
{
    REGISTER(TIMER1, TIMER_COMPARED) = 0;
    millis = millis + WAKE_MS;
}

static void send_next(void)
{
    line.is_sending = line.tx_tail != line.tx_head;
    if (line.is_sending) {
        REGISTER(UART, UART_TXD) = line.tx[line.tx_tail % TX_SIZE];
        line.tx_tail = line.tx_tail + 1;
    }
}

/* An event is cleared before the data register is accessed, since that raises the next one. */
void UART0_IRQHandler(void)
{
    while (REGISTER(UART, UART_RECEIVED)) {
        REGISTER(UART, UART_RECEIVED) = 0;
        uint8_t byte = (uint8_t)REGISTER(UART, UART_RXD);

        if (line.rx_head - line.rx_tail < RX_SIZE) {
            line.rx[line.rx_head % RX_SIZE] = byte;
            line.rx_head = line.rx_head + 1;
        }
    }
    if (REGISTER(UART, UART_SENT)) {
        REGISTER(UART, UART_SENT) = 0;
        send_next();
    }
}

/* Begins to send, and continues where an interrupt is missing: QEMU raises none for a byte that its reader
 * took late. */
static void look_at_uart(void)
{
    uint32_t key = mpt_port_lock();

    UART0_IRQHandler();
    if (!line.is_sending)
        send_next();
    mpt_port_unlock(key);
}

static void uart_open(void)
{
    REGISTER(UART, UART_PIN_TX) = 24;
    REGISTER(UART, UART_PIN_RX) = 25;
    REGISTER(UART, UART_BAUD) = 0x10000000u; /* 1 Mbaud */
    REGISTER(UART, UART_ENABLE) = 4;
    REGISTER(UART, UART_INTERRUPTS) = 1u << 2 | 1u << 7; /* received, sent */
    REGISTER(UART, UART_START_RX) = 1;
    REGISTER(UART, UART_START_TX) = 1;
    nvic_enable(IRQ_UART0);
}

void board_open(int argc, char **argv)
{
    REGISTER(CLOCK, CLOCK_START) = 1; /* the crystal's clock, which UART and timers need */
    while (!REGISTER(CLOCK, CLOCK_STARTED))
        ;
    REGISTER(TIMER0, TIMER_BITS) = 3; /* 32 */
    REGISTER(TIMER0, TIMER_PRESCALER) = 0;
    REGISTER(TIMER0, TIMER_START) = 1;
    REGISTER(TIMER1, TIMER_BITS) = 0; /* 16 */
    REGISTER(TIMER1, TIMER_PRESCALER) = 0;
    REGISTER(TIMER1, TIMER_COMPARE) = MPT_TICK_HZ / 1000 * WAKE_MS;
    REGISTER(TIMER1, TIMER_SHORTS) = 1;            /* restarts from 0 when it is reached */
    REGISTER(TIMER1, TIMER_INTERRUPTS) = 1u << 16; /* and interrupts */
    REGISTER(TIMER1, TIMER_START) = 1;
    nvic_enable(IRQ_TIMER1);
    nvic_enable(IRQ_SOFTWARE0);
    uart_open();
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

/* Any interrupt ends the sleep. If one occurs just before the sleep, the heartbeat ends it within its
 * period. */
void board_idle(uint32_t limit_ms)
{
    __asm__ volatile("wfi" ::: "memory");
}

/* A turn takes four instructions. */
void board_spin(uint32_t us)
{
    for (uint32_t turns = us * 4; turns; turns--)
        __asm__ volatile("nop");
}

void board_request_adc_interrupt(void)
{
    nvic_request(IRQ_SOFTWARE0);
}

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    size_t taken = 0;

    while (taken < n && line.tx_head - line.tx_tail < TX_SIZE) {
        line.tx[line.tx_head % TX_SIZE] = bytes[taken++];
        line.tx_head = line.tx_head + 1;
    }
    look_at_uart();
    return taken;
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    size_t got = 0;

    look_at_uart();

    while (got < n && line.rx_tail != line.rx_head) {
        bytes[got++] = line.rx[line.rx_tail % RX_SIZE];
        line.rx_tail = line.rx_tail + 1;
    }
    return got;
}
