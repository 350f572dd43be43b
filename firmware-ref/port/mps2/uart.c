/* uart.c - UART0 (CMSDK APB UART), interrupt-driven both ways.
 *
 * There is a ring each way; the interrupt handlers own the far ends. Both handlers clear the interrupt BEFORE
 * they access the data register: that access raises the next interrupt, which a later clear would lose. */
#include "uart.h"

#include "machine.h"
#include "mpt_port.h"
#include "nvic.h"

#include <stdbool.h>

struct cmsdk_uart {
    uint32_t data, state, control, interrupts, baud_divisor;
};

enum {
    STATE_TX_FULL = 1,
    STATE_RX_FULL = 2,
    CONTROL_TX = 1,
    CONTROL_RX = 2,
    CONTROL_TX_INTERRUPT = 4,
    CONTROL_RX_INTERRUPT = 8,
    INTERRUPT_TX = 1,
    INTERRUPT_RX = 2,
};

enum { TX_SIZE = 512, RX_SIZE = 64 }; /* powers of two */
enum { DIVISOR_LEAST = 16 };          /* the least that this UART allows */

#define TICK_MASK (MPT_TICK_BITS == 32 ? UINT32_MAX : (1u << (MPT_TICK_BITS % 32)) - 1)

static volatile struct cmsdk_uart *const uart = (volatile struct cmsdk_uart *)MPS2_UART0;

static struct {
    uint8_t tx[TX_SIZE];
    uint8_t rx[RX_SIZE];
    volatile uint32_t tx_head, tx_tail, rx_head, rx_tail;
    volatile bool is_sending; /* a byte is being sent: its interrupt will fetch the next */
    bool was_full;            /* the last write found no room for all its bytes */
    uint32_t last_ticks;      /* when the byte that is being sent, or was sent last, began */
    uint32_t byte_ticks;      /* ticks of a byte with its start and stop bit */
} line;

void UART0_TX_IRQHandler(void);
void UART0_RX_IRQHandler(void);

static uint32_t divisor_of(uint32_t baud)
{
    return (MPT_TICK_HZ + baud / 2) / baud;
}

bool mpt_port_has_baud(uint32_t baud)
{
    uint32_t divisor = divisor_of(baud), real = MPT_TICK_HZ / divisor;

    return divisor >= DIVISOR_LEAST && (real > baud ? real - baud : baud - real) <= baud / 100;
}

void mpt_port_set_baud(uint32_t baud)
{
    uart->baud_divisor = divisor_of(baud);
    line.byte_ticks = 10 * divisor_of(baud);
}

/* The last byte's interrupt only means that the data register is empty; the bits are still being sent, and
 * nothing reports when they have left. So it waits for the time of two bytes. */
bool mpt_port_is_sent(void)
{
    return !line.is_sending && line.tx_tail == line.tx_head &&
           ((mpt_port_ticks() - line.last_ticks) & TICK_MASK) >= 2 * line.byte_ticks;
}

void uart_open(void)
{
    mpt_port_set_baud(MPT_PORT_BAUD);
    uart->control = CONTROL_TX | CONTROL_RX | CONTROL_TX_INTERRUPT | CONTROL_RX_INTERRUPT;
    nvic_enable(IRQ_UART0_RX);
    nvic_enable(IRQ_UART0_TX);
}

static void send_next(void)
{
    line.is_sending = line.tx_tail != line.tx_head;
    if (line.is_sending) {
        line.last_ticks = mpt_port_ticks();
        uart->data = line.tx[line.tx_tail % TX_SIZE];
        line.tx_tail = line.tx_tail + 1;
    }
}

void UART0_TX_IRQHandler(void)
{
    uart->interrupts = INTERRUPT_TX;
    send_next();
}

void UART0_RX_IRQHandler(void)
{
    uart->interrupts = INTERRUPT_RX;
    while (uart->state & STATE_RX_FULL) {
        uint8_t byte = (uint8_t)uart->data;

        if (line.rx_head - line.rx_tail < RX_SIZE) {
            line.rx[line.rx_head % RX_SIZE] = byte;
            line.rx_head = line.rx_head + 1;
        }
    }
}

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    size_t taken = 0;

    while (taken < n && line.tx_head - line.tx_tail < TX_SIZE) {
        line.tx[line.tx_head % TX_SIZE] = bytes[taken++];
        line.tx_head = line.tx_head + 1;
    }
    uint32_t key = mpt_port_lock();

    if (!line.is_sending)
        send_next();
    mpt_port_unlock(key);
    line.was_full = taken < n;
    return taken;
}

bool uart_ran_dry(void)
{
    return line.was_full && !line.is_sending;
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    size_t got = 0;

    while (got < n && line.rx_tail != line.rx_head) {
        bytes[got++] = line.rx[line.rx_tail % RX_SIZE];
        line.rx_tail = line.rx_tail + 1;
    }
    return got;
}
