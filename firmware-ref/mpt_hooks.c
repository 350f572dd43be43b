/* mpt_hooks.c - the two functions that gcc calls on every entry and exit of instrumented code: the only code
 * that runs in every call. */
/* With the instructions in the order of the source, the hooks need only five registers, which need not be
 * saved. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-schedule-insns", "no-move-loop-invariants")
#endif

#include "mpt_tree_hooks.h"

/* `folded` is `head` XOR the current exception: bits that remain in its low part mean that another exception
 * ran last, or that the call tree is on. The result is a flag of the processor, so that `folded` stays in its
 * register. */
MPT_NOT_INSTRUMENTED static inline __attribute__((always_inline)) bool is_elsewhere(uint32_t folded)
{
#if MPT_LOCK_FREE && defined __GCC_ASM_FLAG_OUTPUTS__
    register uint32_t low __asm__("r12");
    bool is_any;

    __asm__("lsls %0, %2, %3" : "=r"(low), "=@ccne"(is_any) : "r"(folded), "I"(32 - MPT_RING_LOW_BITS));
    return __builtin_expect(MPT_CONTEXTS && is_any, 0);
#else
    return __builtin_expect(MPT_CONTEXTS && (folded & MPT_RING_LOW), 0);
#endif
}

/* Reserves the next event and reads the time, in one step. Returns false, and reserves nothing, in unusual
 * cases: there is no room, another exception ran last, or the tree is on. */
MPT_NOT_INSTRUMENTED static inline __attribute__((always_inline)) bool
reserve(uint32_t *head, uint32_t *ticks, uint32_t *folded)
{
    struct mpt_ring *r = &mpt_ring;
#if MPT_LOCK_FREE
    /* Short-lived values are kept in r12, which need not be saved either. */
    register uint32_t limit __asm__("r12"), busy __asm__("r12");

    do {
        __asm__ volatile("ldrex %0, %1" : "=r"(*head) : "Q"(r->head));
        *folded = *head ^ mpt_exception();
        if (is_elsewhere(*folded))
            return false;
        __asm__ volatile("ldr %0, %1" : "=r"(limit) : "m"(r->limit));
        if (__builtin_expect(*folded == limit, 0))
            return false;
        *ticks = mpt_port_ticks();
        *head += MPT_RING_STEP;
        __asm__ volatile("strex %0, %2, %1" : "=&r"(busy), "=Q"(r->head) : "r"(*head));
    } while (__builtin_expect(busy, 0));
    return true;
#else /* Cortex-M0, M0+, M23, RISC-V: interrupts are locked out */
    uint32_t step = MPT_RING_STEP, exception = mpt_exception();
    bool is_usual = false;

    /* Loads constants before interrupts are locked out. */
    __asm__ volatile("" : "+r"(r), "+r"(step));
    uint32_t key = mpt_port_lock();

    *head = r->head;
    *folded = *head ^ exception;
    if (!is_elsewhere(*folded) && __builtin_expect(*folded != r->limit, 1)) {
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
MPT_NOT_INSTRUMENTED static inline __attribute__((always_inline)) struct mpt_event *event_at(uint32_t head)
{
#if defined __thumb2__
    uint32_t place;

    /* The constant is added below, where the store does it at no cost. */
    __asm__("add %0, %1, %2, lsl #3" : "=r"(place) : "r"(&mpt_ring), "r"(MPT_RING_PLACE(head)));
    return (struct mpt_event *)(place + offsetof(struct mpt_ring, at));
#else /* Cortex-M0, M0+, M23, RISC-V */
    return &mpt_ring.at[MPT_RING_PLACE(head)];
#endif
}

/* Checks for the tree first where reading the head costs less than beginning with the ring. */
#if MPT_VERSION_3 && (!MPT_LOCK_FREE || defined __OPTIMIZE_SIZE__)
#define TREE_IS_FIRST 1
#else
#define TREE_IS_FIRST 0
#endif

#if defined __OPTIMIZE_SIZE__
MPT_NOT_INSTRUMENTED static __attribute__((noinline)) void record(uint32_t word)
{
    uint32_t head, ticks, folded;

    if (reserve(&head, &ticks, &folded))
        *event_at(head) = (struct mpt_event){ticks, word};
    else
        mpt_ring_put(word);
}
#endif

/* When optimised for size, both hooks share the ring's part. */
MPT_NOT_INSTRUMENTED static inline __attribute__((always_inline)) void hook(uint32_t word, void *this_fn,
                                                                            bool is_enter)
{
    uint32_t function __attribute__((unused)) = (uint32_t)(uintptr_t)this_fn;
    uint32_t head __attribute__((unused)), ticks __attribute__((unused)), folded __attribute__((unused));

#if TREE_IS_FIRST
    folded = mpt_ring.head;
    if (folded & MPT_RING_TREE) {
        folded ^= mpt_exception();
        if (is_enter)
            mpt_tree_enter(function, folded);
        else
            mpt_tree_exit(function, folded);
        return;
    }
#endif
#if defined __OPTIMIZE_SIZE__
    record(word);
#else
    if (reserve(&head, &ticks, &folded))
        *event_at(head) = (struct mpt_event){ticks, word};
#if MPT_VERSION_3 && !TREE_IS_FIRST
    else if (is_enter)
        mpt_tree_enter(function, folded);
    else
        mpt_tree_exit(function, folded);
#else
    else
        mpt_ring_put(word);
#endif
#endif
}

void __cyg_profile_func_enter(void *this_fn, void *call_site)
{
    if (MPT_ON_OTHER_CORE()) {
        mpt_other_core_hook();
        return;
    }
    hook(mpt_word_enter(this_fn), this_fn, true);
}

void __cyg_profile_func_exit(void *this_fn, void *call_site)
{
    if (MPT_ON_OTHER_CORE()) {
        mpt_other_core_hook();
        return;
    }
    hook(mpt_word_exit(this_fn), this_fn, false);
}
