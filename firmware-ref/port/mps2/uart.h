/* uart.h - UART0 of the mps2 boards, interrupt-driven both ways. Provides mpt_port_write and mpt_port_read.
 */
#ifndef PORT_MPS2_UART_H
#define PORT_MPS2_UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_open(uint32_t clock_hz, uint32_t baud);

/* Whether a write found no room and everything before it has been sent since: whoever wants to send on should
 * not sleep now. Call with interrupts masked. */
bool uart_ran_dry(void);

#endif
