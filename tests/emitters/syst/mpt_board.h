/* mpt_board.h - a port to a simulated board: time passes only when a test advances it, and an interrupt may come just
 * before interrupts are locked and just after. */
#ifndef EMITTERS_SYST_MPT_BOARD_H
#define EMITTERS_SYST_MPT_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MPT_TICK_HZ 1000000u
#ifndef MPT_TICK_BITS
#define MPT_TICK_BITS 32
#endif

struct board {
    uint64_t ticks;
    uint32_t ticks_per_reading;
    bool is_locked;
    void (*interrupt)(void); /* NULL: none; it is not interrupted itself */
};

extern struct board board;

/* Drops everything sent before; time begins again from the present counter. */
void board_start(void);

static inline void board_interrupt(void)
{
    void (*interrupt)(void) = board.interrupt;

    board.interrupt = NULL;
    if (interrupt) {
        interrupt();
        board.interrupt = interrupt;
    }
}

static inline uint32_t mpt_port_lock(void)
{
    uint32_t key = board.is_locked;

    if (!key)
        board_interrupt();
    board.is_locked = true;
    return key;
}

static inline void mpt_port_unlock(uint32_t key)
{
    board.is_locked = key;
    if (!key)
        board_interrupt();
}

static inline uint32_t mpt_port_ticks(void)
{
    board.ticks += board.ticks_per_reading;
    return (uint32_t)board.ticks | (MPT_TICK_BITS < 32 ? 0xA5000000u : 0); /* higher bits mean nothing */
}

#endif
