/* mpt_hooks.c - the two functions that gcc calls on every entry and exit of instrumented code.
 *
 * They run everywhere, interrupt handlers included, and lock for their whole length: so a frame's place on
 * the shadow stack, its time and its record belong together, intervals nest exactly, and records enter the
 * ring in the order of exit. Both are given the exact start of the function, so the shadow stack needs to
 * hold no more than the time of entry. */
#include "mpt_state.h"

MPT_NOT_INSTRUMENTED void __cyg_profile_func_enter(void *this_fn, void *call_site);
MPT_NOT_INSTRUMENTED void __cyg_profile_func_exit(void *this_fn, void *call_site);

struct mpt_state mpt_state;

/* A run of drops counts once: the host is to learn of the gap, not of its size. */
MPT_NOT_INSTRUMENTED static void drop(struct mpt_state *s)
{
    if (!s->dropping)
        s->overflows++;
    s->dropping = 1;
}

void __cyg_profile_func_enter(void *this_fn, void *call_site)
{
    struct mpt_state *const s = &mpt_state;
    uint32_t key = mpt_port_lock();
    uint16_t depth = s->depth;

    s->depth = (uint16_t)(depth + 1);
    if (depth < s->depth_limit)
        s->start_ticks[depth] = mpt_now();
    mpt_port_unlock(key);
}

void __cyg_profile_func_exit(void *this_fn, void *call_site)
{
    struct mpt_state *const s = &mpt_state;
    uint32_t key = mpt_port_lock();
    uint16_t depth = (uint16_t)(s->depth - 1);

    s->depth = depth;
    if (depth >= s->depth_limit) {
        /* When nobody asked for a lower limit, the stack is too small for this program. */
        if (s->depth_limit == MPT_STACK_DEPTH)
            drop(s);
        goto done;
    }
    if (depth < s->floor) {
        s->floor = depth;
        goto done;
    }
    uint32_t start = s->start_ticks[depth];
    uint32_t end = mpt_now();

    if (end - start < s->min_ticks)
        goto done;
    if (s->head - s->tail == MPT_RING_RECORDS) {
        drop(s);
        goto done;
    }
    struct mpt_record *record = &s->ring[s->head++ % MPT_RING_RECORDS];

    record->function = (uint32_t)(uintptr_t)this_fn;
    record->start_ticks = start;
    record->end_ticks = end;
    record->depth = depth;
done:
    mpt_port_unlock(key);
}
