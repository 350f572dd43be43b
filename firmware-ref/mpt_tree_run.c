/* mpt_tree_run.c - switches from the ring to the call tree and back: running calls are known by name on both
 * sides. */
#include "mpt_calls.h"
#include "mpt_tree_send.h"
#include "mpt_window.h"

/* It runs rarely, with interrupts locked out. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("Os")
#endif

#if MPT_VERSION_3

/* Thumb functions have bit 0 set in hooks. */
#if defined __arm__
#define AS_HOOKS_SEE(function) ((function) | 1u)
#else
#define AS_HOOKS_SEE(function) (function)
#endif

/* Opens the calls that run. After a loss that left some without a name it opens none: their callees would get
 * another caller. */
static void open_calls(uint8_t task)
{
    const struct mp_call_stack *calls = &mpt_calls.tasks[task].calls;

    if (calls->unknown)
        return;
    for (uint32_t i = 0; i < calls->n; i++)
        mpt_tree_open_call(task, AS_HOOKS_SEE(calls->function[i]));
}

void mpt_tree_enter_run(bool is_flat, bool may_evict)
{
    /* Most of the work is done with interrupts on. */
    mpt_tree_clear();
    mpt_calls_abandon();
    uint32_t key = mpt_port_lock();

    mpt_calls_abandon();
    mpt_tree_start(is_flat, may_evict);
    for (uint32_t i = 0; i < MPT_TASKS; i++) {
        /* The start times are not needed while the tree is on. */
        mpt_tree.context[i].callers = mpt_calls.tasks[i].start;
        open_calls((uint8_t)i);
    }
#if MPT_WINDOWS
    mpt_window_open();
#endif
    mpt_port_unlock(key);
}

/* Takes the running calls from the tree, from the innermost one outwards. */
static void known_calls(uint8_t number)
{
    struct mpt_task *task = &mpt_calls.tasks[number];
    const struct mpt_tree_context *context = &mpt_tree.context[number];
    uint32_t innermost = mpt_tree_innermost(number), depth = MPT_TREE_IS_FLAT ? context->depth : 0;

    for (uint32_t node = innermost; !MPT_TREE_IS_FLAT && !mpt_tree_is_context(node);
         node = mpt_tree.at[node].parent)
        depth++;
    mp_call_stack_reset(&task->calls, depth > MPT_STACK_DEPTH ? depth : 0);
    task->calls.is_guessed = depth > MPT_STACK_DEPTH;
    task->floor = 0;
    if (depth > MPT_STACK_DEPTH)
        return;
    task->calls.n = task->floor = (uint16_t)depth;
    for (uint32_t node = innermost; depth--;) {
        task->calls.function[depth] = mpt_word_function(mpt_tree.at[node].function);
        node = MPT_TREE_IS_FLAT ? context->callers[depth] : mpt_tree.at[node].parent;
        task->start[depth] = mpt_ring.now;
    }
}

void mpt_tree_leave_run(void)
{
    uint32_t key = mpt_port_lock();
    struct mpt_ring *const r = &mpt_ring;

#if MPT_WINDOWS
    mpt_window_close();
#endif
    mpt_tree_stop();
    for (uint32_t i = 0; i < MPT_TASKS; i++)
        known_calls((uint8_t)i);
    mpt_calls.task = MPT_TASKS > 1 ? r->task : 0;
    /* A hook that was preempted when the tree began may have written its event since, or prevented a frozen
     * ring from being emptied then. */
    for (uint32_t i = 0; i < MPT_RING_EVENTS; i++)
        r->at[i].word = 0;
    for (uint32_t i = 0; i < MPT_TASKS; i++)
        r->gap[i] = (struct mpt_gap){0};
    r->is_frozen = false;
    r->lost = r->mark = 0;
    r->limit = r->read + MPT_RING_EVENTS * MPT_RING_STEP;
    r->ticks = r->now = mpt_widen(r->now, mpt_port_ticks());
    mpt_port_unlock(key);
}

#endif
