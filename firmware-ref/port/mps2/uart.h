/* uart.h - UART0 of the mps2 boards, interrupt-driven both ways. Provides mpt_port_write and mpt_port_read.
 */
#ifndef PORT_MPS2_UART_H
#define PORT_MPS2_UART_H

#include <stdint.h>

void uart_open(uint32_t clock_hz, uint32_t baud);

#endif
