/* board.h - what the example needs from a board besides mpt_port.h. Each port/BOARD/board.c provides it. */
#ifndef EXAMPLE_BOARD_H
#define EXAMPLE_BOARD_H

#include <stdbool.h>
#include <stdint.h>

/* Starts clocks, interrupts and the link. The arguments are main's; boards without a command line ignore
 * them. */
void board_open(int argc, char **argv);

uint32_t board_clock_hz(void);

/* The .text section in memory, exactly as long as in the ELF. */
const void *board_text(uint32_t *bytes);

/* Milliseconds since board_open. */
uint32_t board_millis(void);

/* Sleeps until something happens, at most `limit_ms`; may return early. */
void board_idle(uint32_t limit_ms);

/* Returns true while the line's interrupts still have bytes to send. Optional: a board whose line has no
 * interrupts need not define it. */
bool board_is_sending(void);

/* Keeps the processor busy for about that time. */
void board_spin(uint32_t us);

/* Requests the interrupt whose handler is ADC_IRQHandler. It is taken before this returns, unless interrupts
 * are masked. */
void board_request_adc_interrupt(void);

/* The example's interrupt handler; boards put it into their vector table. */
void ADC_IRQHandler(void);

/* Return the rounds to run after each start of profiling, and milliseconds from one round to the next, as set
 * when the board was started. 0 rounds: run without end, profiled or not. */
uint32_t board_rounds(void);
uint32_t board_pace_ms(void);

#endif
