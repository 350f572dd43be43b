/* uart.h - UART0 of the mps2 boards, interrupt-driven both ways. Provides mpt_port_write, mpt_port_read and
 * the functions that change the rate. */
#ifndef PORT_MPS2_UART_H
#define PORT_MPS2_UART_H

#include <stdbool.h>
#include <stdint.h>

/* Opens it at MPT_PORT_BAUD, with the board's clock at MPT_TICK_HZ. */
void uart_open(void);

/* True when a write found no room and everything before it has been sent since: a caller that wants to send more
 * should not sleep now. Call with interrupts masked. */
bool uart_ran_dry(void);

#endif
