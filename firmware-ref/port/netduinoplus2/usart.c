/* usart.c - USART1, interrupt-driven both ways. */
#include "usart.h"

#include "mpt_port.h"
#include "port/mps2/nvic.h"

enum { TX_SIZE = 512, RX_SIZE = 64 }; /* powers of two */

static struct {
    uint8_t tx[TX_SIZE], rx[RX_SIZE];
    volatile uint32_t tx_head, tx_tail, rx_head, rx_tail;
} line;

void USART1_IRQHandler(void);

void usart_open(void)
{
    uint32_t hz = clock_open();

    usart_pins_open();
    USART1->baud = (hz + USART_BAUD / 2) / USART_BAUD;
    USART1->control1 = USART_ON | USART_RECEIVED;
    nvic_enable(IRQ_USART1);
}

/* Call it with interrupts masked or in the interrupt. While something waits, its interrupt is on. */
static void send_next(void)
{
    while (line.tx_tail != line.tx_head && USART1->state & USART_SENT) {
        USART1->data = line.tx[line.tx_tail % TX_SIZE];
        line.tx_tail = line.tx_tail + 1;
    }
    USART1->control1 = USART_ON | USART_RECEIVED | (line.tx_tail != line.tx_head ? USART_SENT : 0);
}

void USART1_IRQHandler(void)
{
    if (USART1->state & USART_RECEIVED) {
        uint8_t byte = (uint8_t)USART1->data;

        if (line.rx_head - line.rx_tail < RX_SIZE) {
            line.rx[line.rx_head % RX_SIZE] = byte;
            line.rx_head = line.rx_head + 1;
        }
    }
    send_next();
}

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    size_t taken = 0;

    while (taken < n && line.tx_head - line.tx_tail < TX_SIZE) {
        line.tx[line.tx_head % TX_SIZE] = bytes[taken++];
        line.tx_head = line.tx_head + 1;
    }
    uint32_t key = mpt_port_lock();

    send_next();
    mpt_port_unlock(key);
    return taken;
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
