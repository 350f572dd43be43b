/* mpt_ring.h - the events that hooks write and mpt_poll() reads; not for applications.
 *
 * A hook writes one event of eight bytes, its function and the raw counter. It only checks whether there is
 * room and whether it runs in the interrupt that the last hook ran in. The reader does everything else
 * (mpt_calls.c).
 *
 * `head` counts all events ever reserved, in units of MPT_RING_STEP. The bits below hold the exception whose
 * hook reserved the newest, so that one exchange updates both. On processors with exclusive access (Armv7-M
 * and up) this never locks interrupts out; elsewhere it does for a dozen instructions. The counter is read in
 * the same step, so events lie in the order of their times, whatever interrupts whatever. The event is
 * written after that: while its word is 0, as the reader left it, it is reserved but not yet written.
 *
 * When there is no room the ring is frozen until the reader has emptied it; until then events are only summed
 * up in `gap`. So a loss is one stretch, with complete stretches before and after it. */
#ifndef MPT_RING_H
#define MPT_RING_H

#include "mpt_config.h"
#include "mpt_port.h"

#include <stdbool.h>
#include <stdint.h>

#define MPT_RING_EVENTS (2u * MPT_RING_RECORDS)

/* Exclusive access that an interrupt ends, with instructions that reach all registers. */
#if defined __thumb2__ && defined __ARM_FEATURE_LDREX && __ARM_ARCH_PROFILE == 'M'
#define MPT_LOCK_FREE 1
#else
#define MPT_LOCK_FREE 0
#endif

#define MPT_RING_EXCEPTION 511u /* no exception has a greater number */

/* Version 3 counts in the hooks: a bit of `head` that no exception has sends them to the tree (mpt_tree.h),
 * by the check that finds another exception. While it is set, the ring is empty. */
#if MPT_VERSION_3
#define MPT_RING_TREE     512u
#define MPT_RING_FLAT     1024u                      /* in its flat form, which takes the unusual hooks */
#define MPT_RING_WINDOW   (MPT_WINDOWS ? 2048u : 0u) /* events are wanted as well (mpt_window.h) */
#define MPT_RING_LOW_BITS (MPT_WINDOWS ? 12u : 11u)
#else
#define MPT_RING_TREE     0u
#define MPT_RING_LOW_BITS 9u
#endif
#define MPT_RING_STEP (1u << MPT_RING_LOW_BITS)
#define MPT_RING_LOW  (MPT_RING_STEP - 1u)

/* The index of the newest event of a ring with that head. */
#define MPT_RING_PLACE(head) ((head) / MPT_RING_STEP % MPT_RING_EVENTS)

/* Events are given back to the hooks in portions, since it takes a lock: true at the end of a portion. */
#define MPT_RING_IS_PORTION(read) ((read) / MPT_RING_STEP % (MPT_RING_EVENTS / 4u) == 0)

/* Processors whose functions begin at even addresses, so that bit 0 is free. (Xtensa's code lies at
 * 0x40000000 and above, so bit 30 is not free there.) */
#if defined __arm__ || defined __riscv || defined __XTENSA__
#define MPT_CODE_IS_EVEN 1
#else
#define MPT_CODE_IS_EVEN 0
#endif

/* An event's word is its function's address and, in a bit that addresses do not use, a flag for an entry.
 * Thumb functions have bit 0 set, so their entries need no further instruction. */
#if MPT_CODE_IS_EVEN
#define MPT_WORD_KIND  1u
#define MPT_WORD_ENTER 1u
#define MPT_WORD_EXIT  0u
#else
#define MPT_WORD_KIND                                                                                        \
    0xC0000000u /* of 64-bit hosts, which must be linked low anyway: the wire has 32 bits                    \
                 */
#define MPT_WORD_ENTER 0x80000000u
#define MPT_WORD_EXIT  0x40000000u
#endif

/* No code lies at the uppermost addresses, which encode other events. */
#define MPT_WORD_EXCEPTION 0xFFFF0000u /* + its number: the hooks run in it from here on; 0: in a task */
#define MPT_WORD_TASK      0xFFFF1000u /* + its number, + MPT_TASK_... */
#define MPT_WORD_TIME      0xFFFF2000u /* carries only the time */
#define MPT_WORD_MARK      0xFFFF3000u /* + MPT_MARK_...: the application's new settings apply from here on */
#define MPT_TASK_BLOCKED   0x100u      /* the previous task waits for something */
#define MPT_TASK_NEW       0x200u      /* another task has that number now */
#define MPT_MARK_ON        1u
#define MPT_MARK_VERSION_2 2u /* of PROFILE_DATA */
#define MPT_MARK_RUN       4u /* changes with each run of version 2 */
#define MPT_MARK_STOP      8u /* the bits from this one on change with each stop */
#define MPT_MARK_STOPS     0xF8u

/* Shift of addresses on the wire, which lack the bit that is always 0. */
enum { MPT_CODE_SHIFT = MPT_CODE_IS_EVEN };

struct mpt_event {
    uint32_t ticks; /* as mpt_port_ticks() gave them */
    uint32_t word;  /* last, so that it is written last */
};

/* The changes of one task's stack while the ring was frozen (mp_call_stack_gap). */
struct mpt_gap {
    uint32_t sum;
    uint32_t weight; /* of the next entry, minus one */
    int16_t net;
    int16_t lowest;
};

/* The losses of a frozen ring. */
struct mpt_frozen {
    uint32_t lost; /* events */
    uint16_t mark;
    uint8_t task; /* that runs now */
    struct mpt_gap gap[MPT_TASKS];
};

struct mpt_ring {
    volatile uint32_t head;
    volatile uint32_t limit; /* value of head at which the ring is full */
    volatile uint32_t lost;  /* events since it was frozen */
    struct mpt_event at[MPT_RING_EVENTS];
    uint32_t read;  /* the reader's head; its low bits are 0 */
    uint32_t ticks; /* time of the newest event read, 32 bits whatever the counter's width */
    uint32_t now;   /* the newest time known to the reader or mpt_keep_time() */
    bool is_open;   /* false at power-up, when `limit` is still to be set */
    volatile bool is_frozen;
    volatile uint8_t task;              /* that runs now */
    bool is_blocked;                    /* the task that runs now is about to wait */
    volatile uint8_t is_new[MPT_TASKS]; /* the task has not run yet */
    uint16_t mark;                      /* the newest mark that found no room; 0: none did */
    struct mpt_gap gap[MPT_TASKS];
};

extern struct mpt_ring mpt_ring;

/* A lower limit of the hooks that ran on cores that are not measured: one is missed when two count at once.
 * Only where the port has MPT_PORT_CORE(). */
extern volatile uint32_t mpt_other_core_hooks;
MPT_NOT_INSTRUMENTED void mpt_other_core_hook(void); /* counts one */

/* Writes an event, or counts it when there is no room. For unusual cases of the hooks, and for all events
 * other than calls. */
MPT_NOT_INSTRUMENTED void mpt_ring_put(uint32_t word);

/* Opens a ring that is frozen and empty, and reports what was lost. Later events happen in the caller's
 * exception until an event changes it. Returns false when the ring is not frozen and empty, or a preempted
 * hook still has to write its event. */
bool mpt_ring_thaw(struct mpt_frozen *frozen);

/* Gives the events that were read back to the hooks. Returns how many events wait, and sets ring.now; also
 * ring.ticks when none do. */
uint32_t mpt_ring_fill(void);

/* Widens a raw counter value, less than one period after `before`, to 32 bits. */
MPT_NOT_INSTRUMENTED static inline uint32_t mpt_widen(uint32_t before, uint32_t counter)
{
#if MPT_TICK_BITS < 32
    return before + ((counter - before) & ((1u << MPT_TICK_BITS) - 1u));
#else
    return counter;
#endif
}

/* Gets the next event, if one waits that is completely written; it stays there until mpt_ring_advance(),
 * which gets its time. */
static inline bool mpt_ring_peek(uint32_t *word, uint32_t *ticks)
{
    const struct mpt_ring *const r = &mpt_ring;
    const struct mpt_event *event = &r->at[MPT_RING_PLACE(r->read + MPT_RING_STEP)];

    if (r->read == (r->head & ~MPT_RING_LOW))
        return false;
    *word = event->word;
    *ticks = mpt_widen(r->ticks, event->ticks);
    return *word;
}

static inline void mpt_ring_advance(uint32_t ticks)
{
    uint32_t read = mpt_ring.read + MPT_RING_STEP;

    mpt_ring.at[MPT_RING_PLACE(read)].word = 0;
    mpt_ring.read = read;
    mpt_ring.ticks = ticks;
    if (MPT_RING_IS_PORTION(read))
        (void)mpt_ring_fill();
}

MPT_NOT_INSTRUMENTED static inline uint32_t mpt_exception(void)
{
#if !MPT_CONTEXTS
    return 0;
#elif defined MPT_PORT_EXCEPTION
    return MPT_PORT_EXCEPTION();
#elif defined __arm__
    uint32_t ipsr;

    __asm__ volatile("mrs %0, ipsr" : "=r"(ipsr));
    return ipsr;
#else
    return 0;
#endif
}

MPT_NOT_INSTRUMENTED static inline uint32_t mpt_word_enter(void *function)
{
#if defined __arm__
    return (uint32_t)(uintptr_t)function;
#else
    return ((uint32_t)(uintptr_t)function & ~MPT_WORD_KIND) | MPT_WORD_ENTER;
#endif
}

MPT_NOT_INSTRUMENTED static inline uint32_t mpt_word_exit(void *function)
{
    return ((uint32_t)(uintptr_t)function & ~MPT_WORD_KIND) | MPT_WORD_EXIT;
}

MPT_NOT_INSTRUMENTED static inline bool mpt_word_is_enter(uint32_t word)
{
    return (word & MPT_WORD_KIND) == MPT_WORD_ENTER;
}

MPT_NOT_INSTRUMENTED static inline uint32_t mpt_word_function(uint32_t word)
{
    return word & ~MPT_WORD_KIND;
}

/* The two hooks that gcc calls (mpt_hooks.c). They are not inlined where the agent calls them, since their
 * time and stack are measured there. */
MPT_NOT_INSTRUMENTED __attribute__((noinline)) void __cyg_profile_func_enter(void *this_fn, void *call_site);
MPT_NOT_INSTRUMENTED __attribute__((noinline)) void __cyg_profile_func_exit(void *this_fn, void *call_site);

#endif
