/* mpt_window.c - records the newest events beside the tree, and keeps them when a call was slow. */
#include "mpt_window.h"

/* Hooks run this only while a window is wanted. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("Os")
#endif

#if MPT_WINDOWS

struct mpt_window mpt_window;

/* ---- recording; interrupts are locked out ---- */

uint32_t mpt_window_now(void)
{
    mpt_ring.now = mpt_widen(mpt_ring.now, mpt_port_ticks());
    return mpt_ring.now;
}

/* Drops the oldest event, but keeps the task or exception that it set. */
MPT_NOT_INSTRUMENTED static void forget_oldest(void)
{
    struct mpt_window *const w = &mpt_window;
    uint32_t word = mpt_window_event(w->first++)->word;

    if (word >= MPT_WORD_TASK && word < MPT_WORD_TIME)
        w->first_task = (uint8_t)word;
    else if (word >= MPT_WORD_EXCEPTION && word < MPT_WORD_TASK)
        w->first_exception = (uint16_t)(word - MPT_WORD_EXCEPTION);
}

MPT_NOT_INSTRUMENTED static void keep_event(uint32_t ticks, uint32_t word)
{
    struct mpt_window *const w = &mpt_window;

    if (w->end - w->first == MPT_RING_EVENTS)
        forget_oldest();
    *mpt_window_event(w->end++) = (struct mpt_event){ticks, word};
    w->left--;
}

void mpt_window_record(uint32_t ticks, uint32_t word)
{
    struct mpt_window *const w = &mpt_window;
    uint32_t exception = mpt_exception();

    if (w->state != MPT_WINDOW_KEEPING && w->state != MPT_WINDOW_TRIGGERED)
        return;
    if (word < MPT_WORD_EXCEPTION && exception != w->exception) {
        w->exception = (uint16_t)exception;
        keep_event(ticks, MPT_WORD_EXCEPTION + exception);
    }
    keep_event(ticks, word);
    if (w->state == MPT_WINDOW_TRIGGERED && w->left <= 0)
        w->state = MPT_WINDOW_KEPT;
}

/* ---- triggers; interrupts are locked out ---- */

bool mpt_window_trigger(uint8_t why, uint32_t function, uint32_t took, uint32_t ticks, int32_t left)
{
    struct mpt_window *const w = &mpt_window;

    if (w->state != MPT_WINDOW_KEEPING) {
        w->missed_since++;
        return false;
    }
    w->why = why;
    w->slow_function = function;
    w->took = took;
    w->triggered = ticks;
    w->missed = w->missed_since;
    w->missed_before += w->missed_since;
    w->missed_since = 0;
    w->left = left;
    w->state = left > 0 ? MPT_WINDOW_TRIGGERED : MPT_WINDOW_KEPT;
    return true;
}

int32_t mpt_window_events_after(void)
{
    int32_t after = (int32_t)(MPT_RING_EVENTS * (uint32_t)(50 + mpt_window.after_half) / 100u);

    return after > MPT_WINDOW_MOST_AFTER ? MPT_WINDOW_MOST_AFTER : after;
}

MPT_NOT_INSTRUMENTED static bool is_wanted(uint32_t function)
{
    return mpt_word_function(function) == mpt_window.function && mpt_window.function;
}

/* Returns true when a call of the function runs in the running context, in `node` or further out. */
MPT_NOT_INSTRUMENTED static bool is_in_call(uint32_t node)
{
    const struct mpt_tree_context *context = mpt_tree.current;
    uint32_t depth = context->depth;

    while (!mpt_tree_is_context(node)) {
        if (is_wanted(mpt_tree.at[node].function))
            return true;
        if (!MPT_TREE_IS_FLAT)
            node = mpt_tree.at[node].parent;
        else
            node = depth ? context->callers[--depth] : 0;
    }
    return false;
}

/* An outermost call of the function ended in that context. */
MPT_NOT_INSTRUMENTED static void end_call(uint32_t context, uint32_t ticks)
{
    struct mpt_window *const w = &mpt_window;
    uint32_t took = ticks - w->call_began[context];

    if (!w->is_in_call[context])
        return;
    w->is_in_call[context] = false;
    if (took <= w->ticks || !w->mode)
        return;
    if (mpt_window_trigger(MP_WINDOW_SLOW_CALL, w->function, took, ticks, mpt_window_events_after()) &&
        w->mode == 2)
        w->mode = 0;
}

/* ---- the hooks ---- */

/* Returns true when the running context has a node: an interrupt may have found no room. */
MPT_NOT_INSTRUMENTED static bool is_known(void)
{
    return (mpt_ring.head & MPT_RING_EXCEPTION) == mpt_exception();
}

MPT_NOT_INSTRUMENTED static uint32_t index_of_context(const struct mpt_tree_context *context)
{
    return (uint32_t)(context - mpt_tree.context);
}

/* Returns the innermost call that has a node; calls without one are inside of it. */
MPT_NOT_INSTRUMENTED static uint32_t innermost(void)
{
    uint32_t node = mpt_tree.node;

    return mpt_tree.at[node].function == MPT_TREE_OTHER ? mpt_tree.at[node].parent : node;
}

void mpt_window_enter(uint32_t function, uint32_t stack)
{
    uint32_t key = mpt_port_lock();
    uint32_t ticks = mpt_window_now(), word = mpt_word_enter((void *)(uintptr_t)function);
    bool is_inner = is_known() && is_wanted(function) && is_in_call(innermost());

    mpt_ring.head &= ~MPT_RING_WINDOW; /* now it only counts */
    mpt_tree_enter_unusual(function, stack);
    mpt_ring.head |= MPT_RING_WINDOW;
    if (is_known() && !mpt_tree_is_context(mpt_tree.node)) {
        uint32_t context = index_of_context(mpt_tree.current);

        if (!MPT_TREE_IS_FLAT)
            word = MPT_WORD_NODE_ENTER + mpt_tree.node;
        if (is_wanted(function) && !is_inner) {
            mpt_window.is_in_call[context] = true;
            mpt_window.call_began[context] = ticks;
        }
    }
    mpt_window_record(ticks, word);
    mpt_port_unlock(key);
}

/* Returns the node of the call that an exit of that function ends; a context's node when that call has no
 * node. */
MPT_NOT_INSTRUMENTED static uint32_t ended_by(uint32_t function)
{
    uint32_t node = innermost();

    while (!mpt_tree_is_context(node) &&
           mpt_word_function(mpt_tree.at[node].function) != mpt_word_function(function))
        node = mpt_tree.at[node].parent;
    return node;
}

void mpt_window_exit(uint32_t function, uint32_t stack)
{
    uint32_t key = mpt_port_lock();
    uint32_t ticks = mpt_window_now(), word = mpt_word_exit((void *)(uintptr_t)function);
    const struct mpt_tree_context *context = mpt_tree.current;
    uint32_t node = mpt_tree.node, inner = innermost(), depth = context->depth;
    uint32_t ended = MPT_TREE_IS_FLAT ? inner : ended_by(function);
    bool has_ended = is_known() && !mpt_tree_is_context(ended);

    mpt_ring.head &= ~MPT_RING_WINDOW; /* now it only counts */
    mpt_tree_exit_unusual(function, stack);
    mpt_ring.head |= MPT_RING_WINDOW;
    bool is_same = mpt_tree.current == context;

    /* It may have been a call without a node, or one that the tree does not have. */
    if (is_same && mpt_tree.node == inner)
        has_ended = has_ended && node == inner && context->depth != depth;
    else if (is_same && mpt_tree.node == node)
        has_ended = false;
    if (has_ended && !MPT_TREE_IS_FLAT)
        word = MPT_WORD_NODE_EXIT + ended;
    mpt_window_record(ticks, word);
    if (has_ended && is_wanted(function) && !(is_same && is_in_call(innermost())))
        end_call(index_of_context(context), ticks);
    mpt_port_unlock(key);
}

void mpt_window_switch(uint32_t word)
{
    uint8_t task = (uint8_t)word;
    uint32_t key = mpt_port_lock();

    mpt_window_record(mpt_window_now(), word + (mpt_window.is_new[task] ? MPT_TASK_NEW : 0));
    mpt_window.is_new[task] = false;
    mpt_port_unlock(key);
}

void mpt_window_begin(uint8_t task)
{
    mpt_window.is_new[task] = true;
}

#endif
