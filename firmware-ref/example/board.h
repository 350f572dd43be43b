/* board.h - what the example needs from a board besides mpt_port.h. Each port/<board>/board.c provides it. */
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

/* Sleeps until something happens, `limit_ms` at the longest; may return early. */
void board_idle(uint32_t limit_ms);

/* True while the line's interrupts have still bytes to send. A board whose line has none need
 * not have this. */
bool board_is_sending(void);

/* Keeps the processor busy for about that long. */
void board_spin(uint32_t us);

/* Requests the interrupt whose handler is ADC_IRQHandler. It is taken before this returns, unless interrupts
 * are masked. */
void board_request_adc_interrupt(void);

/* The example's interrupt handler; boards put it into their vector table. */
void ADC_IRQHandler(void);

/* Rounds to run after each start of profiling, and milliseconds from one round to the next, as the board was
 * given at its start. 0 rounds: run for ever, profiled or not. */
uint32_t board_rounds(void);
uint32_t board_pace_ms(void);

#endif
