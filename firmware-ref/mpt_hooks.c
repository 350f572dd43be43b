/* mpt_hooks.c - the two functions that gcc calls on every entry and exit of instrumented code: the only code
 * that runs in every call. */
#include "mpt_ring.h"

/* In the order in which they are written, the hooks need five registers, which need not be saved. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-schedule-insns")
#endif

MPT_NOT_INSTRUMENTED void __cyg_profile_func_enter(void *this_fn, void *call_site);
MPT_NOT_INSTRUMENTED void __cyg_profile_func_exit(void *this_fn, void *call_site);

/* No room, or another exception than last time: `head` with our exception folded in is then either the limit,
 * or has one of its low bits set. */
#define IS_UNUSUAL(folded, limit)                                                                            \
    __builtin_expect((folded) == (limit) || (MPT_CONTEXTS && ((folded)&MPT_RING_EXCEPTION)), 0)

/* Takes the next place and the time, in one step. False: something is unusual, and nothing was taken. */
MPT_NOT_INSTRUMENTED static inline __attribute__((always_inline)) bool reserve(uint32_t *head,
                                                                               uint32_t *ticks)
{
    struct mpt_ring *r = &mpt_ring;
#if MPT_LOCK_FREE
    /* What lives shortly is kept in r12, which need not be saved either. */
    register uint32_t limit __asm__("r12"), busy __asm__("r12");

    do {
        __asm__ volatile("ldrex %0, %1" : "=r"(*head) : "Q"(r->head));
        uint32_t folded = *head ^ mpt_exception();
        __asm__ volatile("ldr %0, %1" : "=r"(limit) : "m"(r->limit));
        if (IS_UNUSUAL(folded, limit))
            return false;
        *ticks = mpt_port_ticks();
        *head += MPT_RING_STEP;
        __asm__ volatile("strex %0, %2, %1" : "=&r"(busy), "=Q"(r->head) : "r"(*head));
    } while (__builtin_expect(busy, 0));
    return true;
#else
    uint32_t step = MPT_RING_STEP, exception = mpt_exception();
    bool is_usual = false;

    /* Constants are at hand before interrupts are locked out. */
    __asm__ volatile("" : "+r"(r), "+r"(step));
    uint32_t key = mpt_port_lock();

    *head = r->head;
    if (!IS_UNUSUAL(*head ^ exception, r->limit)) {
        *head += step;
        r->head = *head;
        *ticks = mpt_port_ticks();
        is_usual = true;
    }
    mpt_port_unlock(key);
    return is_usual;
#endif
}

/* &mpt_ring.at[MPT_RING_PLACE(head)] */
MPT_NOT_INSTRUMENTED static inline __attribute__((always_inline)) struct mpt_event *place_of(uint32_t head)
{
#if defined __thumb2__
    uint32_t place;

    /* All but a constant, which the store then adds for nothing. */
    __asm__("add %0, %1, %2, lsl #3" : "=r"(place) : "r"(&mpt_ring), "r"(MPT_RING_PLACE(head)));
    return (struct mpt_event *)(place + offsetof(struct mpt_ring, at));
#else
    return &mpt_ring.at[MPT_RING_PLACE(head)];
#endif
}

/* Both hooks share it where size is what counts. */
#if defined __OPTIMIZE_SIZE__
MPT_NOT_INSTRUMENTED static __attribute__((noinline)) void record(uint32_t word)
#else
MPT_NOT_INSTRUMENTED static inline __attribute__((always_inline)) void record(uint32_t word)
#endif
{
    uint32_t head, ticks;

    if (!reserve(&head, &ticks)) {
        mpt_ring_put(word);
        return;
    }
    *place_of(head) = (struct mpt_event){ticks, word};
}

void __cyg_profile_func_enter(void *this_fn, void *call_site)
{
    record(mpt_word_enter(this_fn));
}

void __cyg_profile_func_exit(void *this_fn, void *call_site)
{
    record(mpt_word_exit(this_fn));
}
