/* mpt_hook_ticks.c - what the hooks cost: measured where they run, since flash, caches and clocks decide it.
 */
#include "mpt_hook_ticks.h"

#include "mpt_ring.h"

#if MPT_HOOK_TICKS

#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("Os")
#endif

enum { PAIRS = 16, TRIES = 4 };

#ifdef MPT_PORT_HOOK_PAIR
#define hook_pair MPT_PORT_HOOK_PAIR
#else
MPT_NOT_INSTRUMENTED static void hook_pair(void)
{
    __cyg_profile_func_enter((void *)(uintptr_t)&mpt_hook_ticks, NULL);
    __cyg_profile_func_exit((void *)(uintptr_t)&mpt_hook_ticks, NULL);
}
#endif

/* As long as that takes; the ring is afterwards as it was, whatever it held. */
MPT_NOT_INSTRUMENTED static uint32_t run_pairs(void)
{
    struct mpt_ring *const r = &mpt_ring;
    uint32_t key = mpt_port_lock();
    uint32_t head = r->head, limit = r->limit, from, ticks;
    uint32_t here = (head & ~MPT_RING_LOW) + mpt_exception();
    struct mpt_event *const first = &r->at[MPT_RING_PLACE(head + MPT_RING_STEP)];
    struct mpt_event *const second = &r->at[MPT_RING_PLACE(head + 2u * MPT_RING_STEP)];
    struct mpt_event saved[] = {*first, *second};

    r->limit = (head & ~MPT_RING_LOW) + MPT_RING_EVENTS * MPT_RING_STEP;
    from = mpt_port_ticks();
    for (uint32_t i = 0; i < PAIRS; i++) {
        r->head = here;
        hook_pair();
    }
    ticks = mpt_widen(from, mpt_port_ticks()) - from;
    *first = saved[0];
    *second = saved[1];
    r->limit = limit;
    r->head = head;
    mpt_port_unlock(key);
    return ticks;
}

/* The least of some: caches are cold at first, and another thread may have had the processor. */
uint16_t mpt_hook_ticks(void)
{
    uint32_t least = UINT16_MAX;

    for (uint32_t i = 0; i < TRIES; i++) {
        uint32_t ticks = run_pairs();

        least = ticks < least ? ticks : least;
    }
    return least ? (uint16_t)least : 1; /* 0 would say that it is unknown */
}

#endif
