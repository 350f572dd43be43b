/* mpt_board.h - a port without a board: an interrupt may come wherever a real one has an effect: just before interrupts
 * are locked and just after. */
#ifndef EMITTERS_GPROF_MPT_BOARD_H
#define EMITTERS_GPROF_MPT_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#define MPT_TICK_HZ   1000000u
#define MPT_TICK_BITS 32

struct board {
    bool is_locked;
    void (*interrupt)(void); /* called wherever an interrupt may come; NULL for none */
    size_t tx_room;          /* bytes that the port still accepts */
};

extern struct board board;

void board_interrupt(void);

static inline uint32_t mpt_port_lock(void)
{
    uint32_t key = board.is_locked;

    if (!board.is_locked)
        board_interrupt();
    board.is_locked = true;
    return key;
}

static inline void mpt_port_unlock(uint32_t key)
{
    board.is_locked = key;
    if (!board.is_locked)
        board_interrupt();
}

static inline uint32_t mpt_port_ticks(void)
{
    return 0;
}

#endif
