/* mpt_board.h - a port to a simulated board that the test controls: time passes only when a test advances it, and
 * an interrupt may come wherever a real one has an effect: just before interrupts are locked and just after. */
#ifndef FIRMWARE_SIM_MPT_BOARD_H
#define FIRMWARE_SIM_MPT_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MPT_TICK_HZ     25000000u
#define MPT_PORT_NOINIT /* only the start of the program clears it */
#ifndef MPT_TICK_BITS
#define MPT_TICK_BITS 32
#endif

struct sim {
    uint64_t ticks;
    uint32_t ticks_per_reading; /* ticks that pass with each reading of the counter */
    bool is_locked;
    uint32_t exception;      /* of the running handler; 0 for none */
    void (*interrupt)(void); /* called wherever an interrupt may come; NULL for none */
    uint32_t core;           /* the running core; always 0 without SIM_CORES */
    uint32_t stack;          /* stack pointer of the function whose hook runs */
    size_t tx_room;          /* bytes that the port still accepts */
    uint32_t baud;           /* that the agent has set */
    bool is_sending;         /* bytes are on their way out */
    void (*note)(uint32_t function, bool is_enter,
                 bool is_over); /* of each hook, before and after it; or NULL */
    void (*window)(const uint8_t *payload,
                   size_t n); /* called with packets of windows; NULL when none is allowed */
    void (*extension)(const uint8_t *payload,
                      size_t n); /* called with packets of EXTENSION; NULL when none is allowed */
};

extern struct sim sim;

void sim_interrupt(void);

/* A line whose rate may be changed, in programs built with SIM_BAUD. */
#ifdef SIM_BAUD
#define MPT_PORT_BAUD       SIM_BAUD
#define MPT_PORT_BAUD_LEAST 9600u
#define MPT_PORT_BAUD_MOST  3000000u
#endif

/* Other cores, in programs built with SIM_CORES. */
#ifdef SIM_CORES
#define MPT_PORT_CORE() (sim.core)
#endif

#define MPT_PORT_EXCEPTION() (sim.exception)
#define MPT_PORT_STACK()     (sim.stack)

static inline uint32_t mpt_port_lock(void)
{
    uint32_t key = sim.is_locked;

    if (!sim.is_locked)
        sim_interrupt();
    sim.is_locked = true;
    return key;
}

static inline void mpt_port_unlock(uint32_t key)
{
    sim.is_locked = key;
    if (!sim.is_locked)
        sim_interrupt();
}

/* Bits above the counter's width are noise, which the agent must mask. */
static inline uint32_t mpt_port_ticks(void)
{
    sim.ticks += sim.ticks_per_reading;
#if MPT_TICK_BITS < 32
    return (uint32_t)sim.ticks ^ 0xA5000000u;
#else
    return (uint32_t)sim.ticks;
#endif
}

#endif
