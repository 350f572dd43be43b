/* mpt_tree_hooks.c - the hooks of version 3 as they mostly run: the same context as before, a callee that was
 * called last or that followed that one last time. */
#include "mpt_tree.h"

#if MPT_VERSION_3

/* In the order in which they are written, the hooks need five registers, which need not be saved. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-schedule-insns", "no-move-loop-invariants")
#endif

/* A node whose address is at hand from here on, and is not computed again. */
#define AT_HAND(node) __asm__("" : "+r"(node))

/* The sum of the node that runs; true when it has passed 2^32. */
MPT_NOT_INSTRUMENTED static inline __attribute__((always_inline)) bool add(struct mpt_tree_node *node,
                                                                           uint32_t ticks)
{
    return __builtin_expect(__builtin_add_overflow(node->self, ticks, &node->self), 0);
}

/* What is rare ends the hooks by jumping elsewhere, so that it costs them no register. */
MPT_NOT_INSTRUMENTED static __attribute__((noinline, cold)) void call_and_carry(uint32_t function,
                                                                                uint32_t stack)
{
    mpt_tree.rest[mpt_tree.node].self_high++;
    mpt_tree_call(function, stack);
}

MPT_NOT_INSTRUMENTED static __attribute__((noinline, cold)) void enter_and_carry(uint32_t index)
{
    mpt_tree.rest[index].calls_high++;
    mpt_tree.node = index;
}

MPT_NOT_INSTRUMENTED static __attribute__((noinline, cold)) void exit_and_carry(void)
{
    mpt_tree.rest[mpt_tree.node].self_high++;
    mpt_tree.node = mpt_tree_at(mpt_tree.node)->parent;
}

void mpt_tree_enter(uint32_t function, const void *unused, uint32_t folded)
{
    if (__builtin_expect(folded != MPT_RING_TREE, 0)) {
        mpt_tree_enter_unusual(function, MPT_PORT_STACK());
        return;
    }
    struct mpt_tree *const t = &mpt_tree;
    uint32_t passed = mpt_tree_claim();

    AT_HAND(passed);
    struct mpt_tree_node *node = mpt_tree_at(t->node);

    AT_HAND(node);
    if (add(node, passed)) {
        call_and_carry(function, MPT_PORT_STACK());
        return;
    }
    uint32_t index = node->child;
    struct mpt_tree_node *callee = mpt_tree_at(index);

    AT_HAND(callee);
    if (__builtin_expect(callee->function != function, 0)) {
        index = callee->then;
        callee = mpt_tree_at(index);
        AT_HAND(callee);
        if (callee->function != function) {
            mpt_tree_call(function, MPT_PORT_STACK());
            return;
        }
        mpt_tree_at(t->node)->child = (mpt_tree_index)index; /* `node` need not be kept for this */
    }
    if (__builtin_expect(!++callee->calls, 0)) {
        enter_and_carry(index);
        return;
    }
    t->node = index;
}

void mpt_tree_exit(uint32_t function, const void *unused, uint32_t folded)
{
    if (__builtin_expect(folded != MPT_RING_TREE, 0)) {
        mpt_tree_exit_unusual(function, MPT_PORT_STACK());
        return;
    }
    struct mpt_tree *const t = &mpt_tree;
    struct mpt_tree_node *node = mpt_tree_at(t->node);

    AT_HAND(node);
    if (__builtin_expect(node->function != function, 0)) {
        mpt_tree_exit_unusual(function, MPT_PORT_STACK());
        return;
    }
    uint32_t passed = mpt_tree_claim();

    AT_HAND(passed);
    if (add(node, passed)) {
        exit_and_carry();
        return;
    }
    mpt_tree.node = node->parent;
}

#endif
