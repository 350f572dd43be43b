/* open.c - opens port/cmsis as a program does; its line is the mps2 board's UART. */
#include "device_board.h"

#include "mpt.h"
#include "mpt_cmsis.h"
#include "mpt_port.h"

size_t uart_write(const uint8_t *bytes, size_t n);
size_t uart_read(uint8_t *bytes, size_t n);

void mpt_board_open(void)
{
#ifdef OPEN_TIMER
    TIM->RELOAD = TIM->VALUE = 0xFFFFFFFFu;
    TIM->CTRL = 1;
#endif
    /* Without a counter the example must stay silent here, which its test checks. */
    while (!mpt_cmsis_open(uart_write, uart_read))
        ;
}
