/* mpt_hook_ticks.c - measures what the hooks cost, on the target itself, since it depends on flash, caches
 * and clocks. */
#include "mpt_hook_ticks.h"

#include "mpt_tree.h"

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

/* Accesses any word of memory. */
typedef volatile uint32_t __attribute__((may_alias)) any_word;

/* Returns the ticks of PAIRS pairs, each after setting a word to a value. Interrupts are locked out. */
MPT_NOT_INSTRUMENTED static uint32_t run_pairs(any_word *word, uint32_t value)
{
    uint32_t from = mpt_port_ticks();

    for (uint32_t i = 0; i < PAIRS; i++) {
        *word = value;
        /* With this instruction, the result lies between what compilers were seen to add around hooks: one
         * instruction more, or two less. */
        __asm__ volatile("nop");
        hook_pair();
    }
    return mpt_widen(from, mpt_port_ticks()) - from;
}

/* Measures the hooks of versions 1 and 2. */
MPT_NOT_INSTRUMENTED static uint32_t run_ring(uint32_t head)
{
    struct mpt_ring *const r = &mpt_ring;
    struct mpt_event *const first = &r->at[MPT_RING_PLACE(head + MPT_RING_STEP)];
    struct mpt_event *const second = &r->at[MPT_RING_PLACE(head + 2u * MPT_RING_STEP)];
    struct mpt_event saved[] = {*first, *second};
    uint32_t limit = r->limit, ticks;

    r->limit = (head & ~MPT_RING_LOW) + MPT_RING_EVENTS * MPT_RING_STEP;
    ticks = run_pairs(&r->head, (head & ~MPT_RING_LOW) + mpt_exception());
    *first = saved[0];
    *second = saved[1];
    r->limit = limit;
    return ticks;
}

#if MPT_VERSION_3
/* Measures the hooks of version 3. The first START clears what this leaves in the tree. If a caller's node
 * notes no callee, the callee is looked up; if the head has another exception, an interrupt begins with the
 * call. */
MPT_NOT_INSTRUMENTED static uint32_t run_tree(uint32_t form)
{
    uint32_t read = mpt_ring.read, value = MPT_RING_TREE + mpt_exception(), ticks;
    any_word *word = &mpt_ring.head;

    mpt_tree_start(false, false);
    if (form == MP_HOOKS_TREE_LOOKUP) {
        mpt_ring.head = value;
        word = (any_word *)&mpt_tree.at[mpt_tree.node].parent;
        value = 0;
    } else if (form == MP_HOOKS_TREE_INTERRUPT) {
        value ^= 1;
    }
    run_pairs(word, value); /* makes the callee's node */
    ticks = run_pairs(word, value);
    mpt_tree_stop();
    mpt_ring.read = read;
    return ticks;
}
#endif

/* Leaves the ring unchanged, whatever it held. */
MPT_NOT_INSTRUMENTED static uint32_t run_form(uint32_t form)
{
    uint32_t key = mpt_port_lock(), head = mpt_ring.head, ticks;

#if MPT_VERSION_3
    ticks = form ? run_tree(form) : run_ring(head);
#else
    ticks = run_ring(head);
#endif
    mpt_ring.head = head;
    mpt_port_unlock(key);
    return ticks;
}

/* Takes the minimum of several tries: caches are cold at first, and another thread may have had the
 * processor. */
void mpt_hook_ticks(uint16_t sixteenths[MPT_HOOK_FORMS])
{
    for (uint32_t form = 0; form < MPT_HOOK_FORMS; form++) {
        uint32_t least = UINT16_MAX;

        for (uint32_t i = 0; i < TRIES; i++) {
            uint32_t ticks = run_form(form);

            least = ticks < least ? ticks : least;
        }
        sixteenths[form] = least ? (uint16_t)least : 1; /* 0 would mean unknown */
    }
}

#endif
