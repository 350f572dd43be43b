/* device_board.h - what the mps2 board's code asks of its mpt_board.h, with port/cmsis in its place: included
 * before everything else. */
#ifndef PORTS_CMSIS_DEVICE_BOARD_H
#define PORTS_CMSIS_DEVICE_BOARD_H

/* Starts the counter and the line, with the functions of port/cmsis. */
void mpt_board_open(void);

#endif
