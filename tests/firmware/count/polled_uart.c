/* polled_uart.c - UART0 of the mps2 boards without interrupts, instead of port/mps2/uart.c, so that nothing else
 * runs during a measurement. */
#include "uart.h"

#include "mpt_baud.h"
#include "mpt_port.h"

struct cmsdk_uart {
    uint32_t data, state, control, interrupts, baud_divisor;
};

enum { STATE_TX_FULL = 1, STATE_RX_FULL = 2, CONTROL_TX = 1, CONTROL_RX = 2 };

static volatile struct cmsdk_uart *const uart = (volatile struct cmsdk_uart *)0x40004000u;

void UART0_TX_IRQHandler(void);
void UART0_RX_IRQHandler(void);

void UART0_TX_IRQHandler(void) {}

void UART0_RX_IRQHandler(void) {}

void uart_open(void)
{
    uart->baud_divisor = MPT_TICK_HZ / 921600u;
    uart->control = CONTROL_TX | CONTROL_RX;
}

bool uart_ran_dry(void)
{
    return true;
}

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        while (uart->state & STATE_TX_FULL)
            ;
        uart->data = bytes[i];
    }
    return n;
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    size_t got = 0;

    while (got < n && uart->state & STATE_RX_FULL)
        bytes[got++] = (uint8_t)uart->data;
    return got;
}

#if MPT_BAUD /* where the agent was built for the board's own UART */
bool mpt_port_has_baud(uint32_t baud)
{
    (void)baud;
    return false;
}

bool mpt_port_is_sent(void)
{
    return true;
}

void mpt_port_set_baud(uint32_t baud)
{
    (void)baud;
}
#endif
