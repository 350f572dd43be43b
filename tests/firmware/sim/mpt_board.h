/* mpt_board.h - a port to a simulated board, in the test's own hands: time stands unless a test moves it, and
 * an interrupt may come at every place where a real one can, which is just before interrupts are locked out
 * and just after. */
#ifndef FIRMWARE_SIM_MPT_BOARD_H
#define FIRMWARE_SIM_MPT_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MPT_TICK_HZ     25000000u
#define MPT_PORT_NOINIT /* nothing clears it but the start of the program */
#ifndef MPT_TICK_BITS
#define MPT_TICK_BITS 32
#endif

struct sim {
    uint64_t ticks;
    uint32_t ticks_per_reading; /* time that passes with each look at the counter */
    bool is_locked;
    uint32_t exception;      /* whose handler runs; 0: none */
    void (*interrupt)(void); /* called at every place where an interrupt may come; NULL: none */
    uint32_t core;           /* that runs; only with SIM_CORES another than 0 counts */
    uint32_t stack;          /* pointer of the function whose hook runs */
    size_t tx_room;          /* bytes that the port still takes */
    uint32_t baud;           /* that the agent has set */
    bool is_sending;         /* bytes are on their way out */
    void (*note)(uint32_t function, bool is_enter,
                 bool is_over);                          /* of each hook, before and after it; or NULL */
    void (*window)(const uint8_t *payload, size_t n);    /* packets of windows; NULL: none may come */
    void (*extension)(const uint8_t *payload, size_t n); /* packets of EXTENSION; NULL: none may come */
};

extern struct sim sim;

void sim_interrupt(void);

/* A line whose rate may be changed, in programs that are built so. */
#ifdef SIM_BAUD
#define MPT_PORT_BAUD       SIM_BAUD
#define MPT_PORT_BAUD_LEAST 9600u
#define MPT_PORT_BAUD_MOST  3000000u
#endif

/* Other cores, in programs that are built so. */
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

/* What is above the counter's width is noise, for the agent to mask. */
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
