/* uart.c - the mps2 board's UART by other names, for port/cmsis has the agent's. */
#define mpt_port_write uart_write
#define mpt_port_read  uart_read
#include "port/mps2/uart.c"
