/* mpt_ring.c - writes events to the ring in unusual cases: no room, another context, an event other than a
 * call. */
#include "mpt_ring.h"

#include "mpt.h"
#include "mpt_tree.h"
#include "mpt_window.h"
#include "protocol/call_stack.h"

struct mpt_ring mpt_ring;

#ifdef MPT_PORT_CORE
volatile uint32_t mpt_other_core_hooks;

/* A function of its own, so that the hooks save no register for it. */
MPT_NOT_INSTRUMENTED __attribute__((noinline, cold)) void mpt_other_core_hook(void)
{
    mpt_other_core_hooks = mpt_other_core_hooks + 1u;
}
#endif

/* Sets `head` to `wanted` if it has not changed. Returns true when it did. */
MPT_NOT_INSTRUMENTED static bool move_head(uint32_t head, uint32_t wanted)
{
#if MPT_LOCK_FREE
    uint32_t now, busy = 1;

    __asm__ volatile("ldrex %0, [%1]" : "=r"(now) : "r"(&mpt_ring.head) : "memory");
    if (now == head)
        __asm__ volatile("strex %0, %1, [%2]" : "=&r"(busy) : "r"(wanted), "r"(&mpt_ring.head) : "memory");
    return !busy;
#else
    uint32_t key = mpt_port_lock();
    bool is_same = mpt_ring.head == head;

    if (is_same)
        mpt_ring.head = wanted;
    mpt_port_unlock(key);
    return is_same;
#endif
}

/* Returns the number of events that fit. While the ring is frozen, `limit` equals `head`. */
MPT_NOT_INSTRUMENTED static uint32_t room_from(uint32_t head)
{
    return (mpt_ring.limit - (head & ~MPT_RING_LOW)) / MPT_RING_STEP;
}

MPT_NOT_INSTRUMENTED static void sum_up(uint32_t word)
{
    struct mpt_gap *gap = &mpt_ring.gap[mpt_ring.task];
    uint32_t function = word & ~MPT_WORD_KIND;

    mpt_ring.lost++;
    /* An interrupt of the kernel may end in another task than the one it began in, and all interrupts have
     * ended when the ring is opened again: tasks' gaps are sent without them. */
    if (MPT_TASKS > 1 && mpt_exception())
        return;
    uint32_t weight = gap->weight + 1u;

    if ((word & MPT_WORD_KIND) == MPT_WORD_ENTER) {
        gap->net++;
        gap->sum += function * weight;
        weight *= MP_CALL_WEIGHT;
    } else {
        gap->net--;
        weight *= MP_CALL_LESS_WEIGHT;
        gap->sum -= function * weight;
        if (gap->net < gap->lowest)
            gap->lowest = gap->net;
    }
    gap->weight = weight - 1u;
}

/* Counts an event that is lost. Returns false when there is room after all. */
MPT_NOT_INSTRUMENTED static bool lose(uint32_t word, uint32_t needed)
{
    struct mpt_ring *r = &mpt_ring;
    uint32_t key = mpt_port_lock();
    bool has_room = !r->is_open || (!r->is_frozen && room_from(r->head) >= needed);

    if (!r->is_open) {
        r->is_open = true;
        r->limit = MPT_RING_EVENTS * MPT_RING_STEP;
    } else if (!has_room) {
        r->is_frozen = true;
        r->limit = r->head & ~MPT_RING_LOW;
        if (word < MPT_WORD_EXCEPTION)
            sum_up(word);
        else if (word >= MPT_WORD_MARK)
            r->mark = (uint16_t)word;
    }
    mpt_port_unlock(key);
    return !has_room;
}

void mpt_ring_put(uint32_t word)
{
    struct mpt_ring *const r = &mpt_ring;

    for (;;) {
        uint32_t head = r->head;

        /* The tree has just been switched on: this call counts as one that began before it. */
        if (head & MPT_RING_TREE)
            return;
        uint32_t before = head & MPT_RING_EXCEPTION;
        bool is_here = word < MPT_WORD_EXCEPTION || word >= MPT_WORD_MARK;
        uint32_t exception = is_here ? mpt_exception() : before;
        uint32_t needed = exception == before ? 1 : 2;

        if (room_from(head) < needed) {
            if (lose(word, needed))
                return;
            continue;
        }
        uint32_t ticks = mpt_port_ticks();
        uint32_t wanted = (head & ~MPT_RING_LOW) + needed * MPT_RING_STEP + exception;

        if (!move_head(head, wanted))
            continue;
        if (needed == 2)
            r->at[MPT_RING_PLACE(wanted - MPT_RING_STEP)] =
                (struct mpt_event){ticks, MPT_WORD_EXCEPTION + exception};
        r->at[MPT_RING_PLACE(wanted)] = (struct mpt_event){ticks, word};
        return;
    }
}

MPT_NOT_INSTRUMENTED void mpt_context_switch(uint8_t task)
{
    if (MPT_ON_OTHER_CORE())
        return;
    if (task >= MPT_TASKS)
        task = MPT_TASKS - 1;
    uint32_t word = MPT_WORD_TASK + task + (mpt_ring.is_blocked ? MPT_TASK_BLOCKED : 0);

    mpt_ring.is_blocked = false;
    if (task == mpt_ring.task && !mpt_ring.is_new[task])
        return;
    mpt_ring.task = task;
#if MPT_VERSION_3
    if (mpt_tree.is_on) {
        mpt_tree_switch(task);
#if MPT_WINDOWS
        mpt_window_switch(word);
#endif
        return;
    }
#endif
    if (mpt_ring.is_new[task])
        word += MPT_TASK_NEW;
    mpt_ring_put(word);
    /* Where there was no room for the event, the next switch reports the new task. */
    mpt_ring.is_new[task] = mpt_ring.is_new[task] && mpt_ring.is_frozen;
}

MPT_NOT_INSTRUMENTED void mpt_context_begin(uint8_t task)
{
    if (task >= MPT_TASKS || MPT_ON_OTHER_CORE())
        return;
#if MPT_VERSION_3
    if (mpt_tree.is_on) {
        mpt_tree_begin(task);
#if MPT_WINDOWS
        mpt_window_begin(task);
#endif
        return;
    }
#endif
    mpt_ring.is_new[task] = true;
}

MPT_NOT_INSTRUMENTED void mpt_context_block(void)
{
    if (!MPT_ON_OTHER_CORE())
        mpt_ring.is_blocked = true;
}

MPT_NOT_INSTRUMENTED void mpt_keep_time(void)
{
    if (MPT_ON_OTHER_CORE())
        return;
#if MPT_TICK_BITS < 32
    uint32_t key = mpt_port_lock();

    mpt_ring.now = mpt_widen(mpt_ring.now, mpt_port_ticks());
    mpt_port_unlock(key);
#endif
#if MPT_VERSION_3
    if (mpt_tree.is_on) {
        mpt_tree_keep_time();
        return;
    }
#endif
#if MPT_TICK_BITS < 32
    mpt_ring_put(MPT_WORD_TIME);
#endif
}
