/* mpt_board.h - a port without a clock: each reading of the counter adds seven ticks, so that two builds of the
 * agent send the same bytes. */
#ifndef FIRMWARE_ALL_MPT_BOARD_H
#define FIRMWARE_ALL_MPT_BOARD_H

#include <stdint.h>

#define MPT_TICK_HZ   1000000u
#define MPT_TICK_BITS 32

extern uint32_t board_ticks, board_stack, board_exception;

#define MPT_PORT_EXCEPTION() board_exception
#define MPT_PORT_STACK()     board_stack

static inline uint32_t mpt_port_lock(void)
{
    return 0;
}

static inline void mpt_port_unlock(uint32_t key)
{
    (void)key;
}

static inline uint32_t mpt_port_ticks(void)
{
    return board_ticks += 7;
}

#endif
