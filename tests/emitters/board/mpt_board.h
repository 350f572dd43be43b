/* mpt_board.h - a simulated board for emitters: its counter advances with each reading, and interrupts come wherever
 * they are not locked. */
#ifndef EMITTERS_MPT_BOARD_H
#define EMITTERS_MPT_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#define MPT_TICK_HZ   1000000u
#define MPT_TICK_BITS 32

/* One board for each program, which defines it. */
extern struct board {
    uint32_t now; /* reading of the counter */
    bool is_locked;
    void (*interrupt)(void); /* runs before and after each time that interrupts are locked out; NULL: none */
} board;

static inline uint32_t mpt_port_lock(void)
{
    bool was_locked = board.is_locked;

    if (!was_locked && board.interrupt)
        board.interrupt();
    board.is_locked = true;
    return was_locked;
}

static inline void mpt_port_unlock(uint32_t key)
{
    board.is_locked = key;
    if (!key && board.interrupt)
        board.interrupt();
}

static inline uint32_t mpt_port_ticks(void)
{
    return board.now += 3;
}

#endif
