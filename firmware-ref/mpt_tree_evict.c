/* mpt_tree_evict.c - evicts a light leaf of a full tree for a new node.
 *
 * A hand goes round all nodes; of the next eight leaves that it meets, the lightest is evicted. Its weight is
 * its own ticks, the ticks of what was evicted below it, and its initial weight: the greatest weight evicted
 * before it was made. So the greatest weight ever evicted (`bound`) is also the most that any chain of
 * callers can have lost.
 *
 * All of it happens with interrupts locked out. It must not touch a node that a hook may use which was
 * interrupted, or whose task waits: the node of its context, and that node's callees. The callers of that
 * node have callees, so they are not leaves. */
#include "mpt_tree_evict.h"
#include "mpt_window.h"

#if MPT_TREE_EVICTION

enum { LEAVES = 8 };

/* Nodes that are not evicted. */
enum { KEPT = 1, KEPT_WITH_CALLEES = 2 };

/* ---- weights: 10 bits and an exponent, rounded up ---- */

MPT_NOT_INSTRUMENTED static uint16_t pack_up(uint64_t ticks)
{
    uint32_t exponent = 0;
    bool is_cut = false;

    for (; ticks >= 1024; exponent++) {
        is_cut |= ticks & 1;
        ticks >>= 1;
    }
    ticks += is_cut;
    if (ticks == 1024) {
        ticks = 512;
        exponent++;
    }
    return (uint16_t)(exponent << 10 | (uint32_t)ticks);
}

MPT_NOT_INSTRUMENTED static uint64_t unpack(uint16_t packed)
{
    return (uint64_t)(packed & 1023u) << (packed >> 10);
}

MPT_NOT_INSTRUMENTED static uint64_t self_of(uint32_t node)
{
    return (uint64_t)mpt_tree_rest(node)->self_high << 32 | mpt_tree.at[node].self;
}

MPT_NOT_INSTRUMENTED static uint64_t weight_of(uint32_t node)
{
    return self_of(node) + mpt_tree_below(node) + unpack(mpt_tree.extra[node].inherited);
}

/* ---- which leaf is evicted ---- */

/* Keeps a node that a hook of another context may use. */
MPT_NOT_INSTRUMENTED static void keep_stand(uint32_t node, uint8_t how)
{
    mpt_tree.extra[node].kept = how;
    if (mpt_tree.at[node].function == MPT_TREE_OTHER)
        mpt_tree.extra[mpt_tree.at[node].parent].kept = how;
}

/* Keeps, or with 0 releases, the nodes of all contexts except the running one. An interrupt may have occurred
 * in the middle of a switch, so all tasks are included. */
MPT_NOT_INSTRUMENTED static void keep_stands(uint8_t how)
{
    const struct mpt_tree_context *running = mpt_tree.current;

    for (; !mpt_tree_is_task(running); running = running->below)
        keep_stand(running->node, how);
    for (uint32_t i = 0; i < mpt_tree.n_contexts; i++) {
        const struct mpt_tree_context *context = &mpt_tree.context[i];

        if (i < MPT_TASKS && context != mpt_tree.current)
            keep_stand(context->node, how);
        if (context->owed)
            mpt_tree.extra[context->owed_node].kept |= KEPT & how;
        if (!how)
            mpt_tree.extra[context->owed_node].kept = 0;
    }
}

/* Returns the lightest of the next leaves that the hand meets, 0 when there is none. */
MPT_NOT_INSTRUMENTED static uint32_t lightest_leaf(uint32_t parent)
{
    struct mpt_tree *const t = &mpt_tree;
    uint32_t hand = t->hand, lightest = 0, seen = 0;
    uint64_t least = UINT64_MAX;

    for (uint32_t steps = 0; seen < LEAVES && steps < MPT_TREE_NODES; steps++) {
        if (++hand >= MPT_TREE_ALL)
            hand = MPT_TREE_FIRST;
        const struct mpt_tree_extra *extra = &t->extra[hand];

        if (extra->callees || extra->kept || hand == parent ||
            t->extra[t->at[hand].parent].kept & KEPT_WITH_CALLEES)
            continue;
        uint64_t weight = weight_of(hand);

        seen++;
        if (weight < least) {
            least = weight;
            lightest = hand;
        }
    }
    t->hand = (mpt_tree_index)hand;
    if (lightest && least > t->bound) {
        t->bound = least;
        t->packed_bound = pack_up(least);
    }
    return lightest;
}

/* ---- the sums of evicted nodes ---- */

/* Returns the sums of a function; [0] when it has no slot. A function is always found in its first slot,
 * since slots are never released. */
MPT_NOT_INSTRUMENTED static struct mpt_tree_gone *gone_of(uint32_t function)
{
    uint32_t at = (function * 0x9E3779B1u >> 16) * MPT_TREE_GONE >> 16;

    for (uint32_t tries = 0; function && tries < 8; tries++) {
        struct mpt_tree_gone *gone = &mpt_tree.gone[1u + at];

        if (!gone->function)
            gone->function = function;
        if (gone->function == function)
            return gone;
        at = at + 1u < MPT_TREE_GONE ? at + 1u : 0;
    }
    return &mpt_tree.gone[0];
}

MPT_NOT_INSTRUMENTED static void add_to_gone(uint32_t node)
{
    const struct mpt_tree_node *leaf = &mpt_tree.at[node];
    struct mpt_tree_gone *gone = gone_of(mpt_word_function(leaf->function));
    uint64_t ticks = ((uint64_t)gone->ticks_high << 32 | gone->ticks) + self_of(node);

    if (__builtin_add_overflow(gone->calls, leaf->calls, &gone->calls))
        gone->calls_high++;
    gone->calls_high += mpt_tree_rest(node)->calls_high;
    gone->ticks = (uint32_t)ticks;
    gone->ticks_high = (uint16_t)(ticks >> 32);
#if MPT_TREE_LONGEST
    uint64_t longest = (uint64_t)leaf->longest_high << 32 | leaf->longest;

    if (longest > gone->longest)
        gone->longest = longest;
#endif
}

/* ---- references to a leaf ---- */

/* Counts nodes below `end` as callees of their parents, unless they have been counted. */
MPT_NOT_INSTRUMENTED static void count_callees(uint32_t end)
{
    struct mpt_tree *const t = &mpt_tree;

    for (uint32_t i = t->counted; i < end; i++)
        t->extra[t->at[i].parent].callees++;
    t->counted = (uint16_t)end;
}

void mpt_tree_count_callees(void)
{
    struct mpt_tree *const t = &mpt_tree;
    bool is_left = t->may_evict;

    while (is_left) {
        uint32_t key = mpt_port_lock(), n = t->n, end = t->counted + 8u;

        is_left = end < n;
        count_callees(is_left ? end : n);
        mpt_port_unlock(key);
    }
}

/* From now on nodes have the number of their callees. */
MPT_NOT_INSTRUMENTED static void begin_evicting(void)
{
    count_callees(MPT_TREE_ALL);
    mpt_tree.is_evicting = mpt_tree.is_unusual = true;
}

/* The leaf may be the one that a sibling notes as called after it (`then`). Such notes are used only from the
 * parent's `child` on, so `child` is cleared: call_evicting() then sets it to nodes without a note. A hook that
 * was interrupted may use or write a note later, but none of its callees is evicted meanwhile. */
MPT_NOT_INSTRUMENTED static void unlink_leaf(uint32_t node)
{
    struct mpt_tree *const t = &mpt_tree;
    uint32_t parent = t->at[node].parent;
    mpt_tree_index *place = mpt_tree_place_of(parent, t->at[node].function);

    while (*place != node)
        place = &t->at[*place].chain;
    *place = t->at[node].chain;
    t->at[parent].child = 0;
    t->extra[parent].callees--;
}

uint32_t mpt_tree_evict(uint32_t parent)
{
    struct mpt_tree *const t = &mpt_tree;

    /* The events of windows are nodes. */
    if (mpt_window_is_on())
        return 0;
    if (!t->is_evicting)
        begin_evicting();
    keep_stands(KEPT | KEPT_WITH_CALLEES);
    uint32_t node = lightest_leaf(parent);

    keep_stands(0);
    if (!node)
        return 0;
    unlink_leaf(node);
    mpt_tree_add_below(t->at[node].parent, self_of(node) + mpt_tree_below(node));
    add_to_gone(node);
    t->evictions++;
    return node;
}

#endif
