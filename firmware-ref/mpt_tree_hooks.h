/* mpt_tree_hooks.h - the hooks of version 3 in the usual case: the same context as before, and a callee that
 * was called last or that followed that one last time. Part of mpt_hooks.c, since a jump here would cost more
 * than the code does. */
#ifndef MPT_TREE_HOOKS_H
#define MPT_TREE_HOOKS_H

#include "mpt_tree.h"

#if MPT_VERSION_3

/* Makes the compiler keep a computed address, and not compute it again. */
#define AT_HAND(node) __asm__("" : "+r"(node))

/* Loads the node's function into a register that need not be saved and that compilers use last. */
MPT_NOT_INSTRUMENTED static inline __attribute__((always_inline)) bool is_of(const struct mpt_tree_node *node,
                                                                             uint32_t function)
{
#if MPT_LOCK_FREE
    register uint32_t its __asm__("r12");

    __asm__("ldr %0, [%1]" : "=r"(its) : "r"(node), "m"(node->function));
    return its == function;
#else
    return node->function == function;
#endif
}

/* Adds to the node's own ticks; returns true when these have passed 2^32. */
MPT_NOT_INSTRUMENTED static inline __attribute__((always_inline)) bool add(struct mpt_tree_node *node,
                                                                           uint32_t ticks)
{
    return __builtin_expect(__builtin_add_overflow(node->self, ticks, &node->self), 0);
}

/* Rare cases end the hooks by jumping to these, so that they cost the hooks no register. */
MPT_NOT_INSTRUMENTED static __attribute__((noinline, cold)) void
call_and_carry(uint32_t function, uint32_t stack, uint32_t clock)
{
    mpt_tree_rest(mpt_tree.node)->self_high++;
    mpt_tree_call(function, stack, clock);
}

MPT_NOT_INSTRUMENTED static __attribute__((noinline, cold)) void enter_and_carry(uint32_t index)
{
    mpt_tree_rest(index)->calls_high++;
    mpt_tree.node = index;
}

MPT_NOT_INSTRUMENTED static __attribute__((noinline, cold)) void exit_and_carry(uint32_t clock)
{
    struct mpt_tree_node *node = mpt_tree_at(mpt_tree.node);

    mpt_tree_rest(mpt_tree.node)->self_high++;
    mpt_tree.node = node->parent;
#if MPT_TREE_LONGEST
    mpt_tree_note(node, clock);
#endif
}

/* `folded` is the difference of the ring's head from the one that the hook expects: MPT_RING_TREE alone when
 * the tree is on and the context is the one that ran last. */
MPT_NOT_INSTRUMENTED static inline __attribute__((always_inline)) void mpt_tree_enter(uint32_t function,
                                                                                      uint32_t folded)
{
    if (__builtin_expect(folded != MPT_RING_TREE, 0)) {
        mpt_tree_enter_unusual(function, MPT_PORT_STACK());
        return;
    }
    struct mpt_tree *const t = &mpt_tree;
    uint32_t clock, passed = mpt_tree_claim(&clock);

    AT_HAND(passed);
    struct mpt_tree_node *node = mpt_tree_at(t->node);

    AT_HAND(node);
    if (add(node, passed)) {
        call_and_carry(function, MPT_PORT_STACK(), clock);
        return;
    }
#if MPT_LOCK_FREE
    register uint32_t index __asm__("r1"); /* any other register would have to be saved */
#else
    uint32_t index;
#endif

    index = node->child;
    AT_HAND(index);
    struct mpt_tree_node *callee = mpt_tree_at(index);

    AT_HAND(callee);
    if (__builtin_expect(!is_of(callee, function), 0)) {
        index = callee->then;
        AT_HAND(index);
        callee = mpt_tree_at(index);
        AT_HAND(callee);
        if (!is_of(callee, function)) {
            mpt_tree_call(function, MPT_PORT_STACK(), clock);
            return;
        }
        mpt_tree_at(t->node)->child = (mpt_tree_index)index; /* `node` need not be kept for this */
    }
#if MPT_TREE_LONGEST
    callee->begun = clock;
#endif
    if (__builtin_expect(!++callee->calls, 0)) {
        enter_and_carry(index);
        return;
    }
    t->node = index;
}

MPT_NOT_INSTRUMENTED static inline __attribute__((always_inline)) void mpt_tree_exit(uint32_t function,
                                                                                     uint32_t folded)
{
    if (__builtin_expect(folded != MPT_RING_TREE, 0)) {
        mpt_tree_exit_unusual(function, MPT_PORT_STACK());
        return;
    }
    struct mpt_tree *const t = &mpt_tree;
    struct mpt_tree_node *node = mpt_tree_at(t->node);

    AT_HAND(node);
    if (__builtin_expect(!is_of(node, function), 0)) {
        mpt_tree_exit_unusual(function, MPT_PORT_STACK());
        return;
    }
    uint32_t clock, passed = mpt_tree_claim(&clock);

    AT_HAND(passed);
    if (add(node, passed)) {
        exit_and_carry(clock);
        return;
    }
#if MPT_TREE_LONGEST
    bool is_longest = clock - node->begun > node->longest;

    t->node = node->parent;
    /* From here on, mpt_tree_age() does not see this call as running. */
    __asm__ volatile("" ::: "memory");
    if (__builtin_expect(is_longest || node->turns, 0))
        mpt_tree_note(node, clock);
#else
    t->node = node->parent;
#endif
}

#endif
#endif
