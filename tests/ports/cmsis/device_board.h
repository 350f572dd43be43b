/* device_board.h - replaces the mps2 board's mpt_board.h when port/cmsis is used. It is included before all other
 * headers. */
#ifndef PORTS_CMSIS_DEVICE_BOARD_H
#define PORTS_CMSIS_DEVICE_BOARD_H

/* Starts the counter and the line, with the functions of port/cmsis. */
void mpt_board_open(void);

#endif
