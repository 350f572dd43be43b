/* uart.c - renames the functions of the mps2 board's UART, since port/cmsis defines the agent's names. */
#define mpt_port_write uart_write
#define mpt_port_read  uart_read
#include "port/mps2/uart.c"
