/* mpt_board.h - the part of the POSIX port that the hooks need inline.
 *
 * Signals are this board's interrupts. Masking them costs two system calls, so the mask is a flag instead,
 * like PRIMASK: a handler that finds it set marks itself pending and returns, and unlock runs the pending
 * handler. One thread only, as on a single core. */
#ifndef PORT_HOST_MPT_BOARD_H
#define PORT_HOST_MPT_BOARD_H

#include "uart.h"

#include <signal.h>
#include <stdint.h>
#include <time.h>

#define MPT_TICK_HZ   1000000u
#define MPT_TICK_BITS 32
#define MPT_RAM_BYTES 0x400000u /* there is more, but the tree takes no more by default */

#define MPT_PORT_BAUD       (mpt_uart_baud())
#define MPT_PORT_BAUD_LEAST 300u
#define MPT_PORT_BAUD_MOST  12000000u

extern volatile sig_atomic_t board_masked;
extern volatile sig_atomic_t board_pending;
extern volatile sig_atomic_t board_exception; /* 1 in the interrupt handler */

#define MPT_PORT_EXCEPTION() ((uint32_t)board_exception)

void board_take_interrupt(void);

static inline uint32_t mpt_port_lock(void)
{
    uint32_t key = (uint32_t)board_masked;

    board_masked = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return key;
}

static inline void mpt_port_unlock(uint32_t key)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    board_masked = (sig_atomic_t)key;
    if (!key && board_pending)
        board_take_interrupt();
}

static inline uint32_t mpt_port_ticks(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u);
}

/* A number of this process. */
static inline uint32_t mpt_board_boot(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint32_t)now.tv_sec * 1000003u + (uint32_t)now.tv_nsec;
}
#define MPT_PORT_BOOT() mpt_board_boot()

#endif
