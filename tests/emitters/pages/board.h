/* board.h - the board of a reader who follows a page, before the first step. */
#ifndef TESTS_EMITTERS_PAGES_BOARD_H
#define TESTS_EMITTERS_PAGES_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void board_start(void);
bool a_tenth_of_a_second_has_passed(void);

/* Waits until the UART has taken all of it. */
void uart_send(const uint8_t *bytes, size_t n);
#define uart_write_all uart_send

/* The program itself: a function, and one that it calls three times. */
void application_step(void);
#define handle_request application_step

#endif
