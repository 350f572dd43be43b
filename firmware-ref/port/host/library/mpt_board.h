/* mpt_board.h - the port to any program on Linux: the part that the hooks need inline.
 *
 * All of the agent runs with one mutex held (hooks.c, host.c), so that the agent sees one core,
 * and no interrupts: nothing is left to be locked out here. */
#ifndef PORT_HOST_LIBRARY_MPT_BOARD_H
#define PORT_HOST_LIBRARY_MPT_BOARD_H

#include <stdint.h>
#include <time.h>

/* 10 ns: fine enough for a short hook, and a program may be stopped for 40 s before it wraps. */
#define MPT_TICK_HZ   100000000u
#define MPT_TICK_BITS 32

/* gcc calls the functions of these names in hooks.c, which checks thread and address first. */
#define __cyg_profile_func_enter mpt_agent_enter
#define __cyg_profile_func_exit  mpt_agent_exit

/* The cost of the hooks is measured with hooks.c included. */
void mpt_host_hook_pair(void);
#define MPT_PORT_HOOK_PAIR mpt_host_hook_pair

/* The stack pointer of the instrumented function, set by hooks.c. */
extern uint32_t mpt_host_stack;
#define MPT_PORT_STACK() mpt_host_stack

#define MPT_PORT_EXCEPTION() 0u

static inline uint32_t mpt_port_lock(void)
{
    __asm__ volatile("" ::: "memory");
    return 0;
}

static inline void mpt_port_unlock(uint32_t key)
{
    __asm__ volatile("" ::: "memory");
}

static inline uint32_t mpt_port_ticks(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * 100000000u + (uint64_t)now.tv_nsec / 10u);
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
