/* mpt_tree_longest.c - the longest call of each node, in unusual cases of a hook.
 *
 * The time of a call is counted by its context's clock, which stands while others run, in 32 bits. Longer
 * calls are aged before the clock wraps: their beginning is moved by 2^31 ticks, and these are counted in
 * `turns`, which is added when the call ends. Whatever context polls or keeps the time does that once in 2^31
 * ticks, so a hook reads `turns` only after its call has ended. */
#include "mpt_tree.h"

#if MPT_TREE_LONGEST

#define TURN 31u /* 2^31 ticks */

void mpt_tree_note(struct mpt_tree_node *node, uint32_t clock)
{
    uint32_t key = mpt_port_lock();
    uint64_t took = (uint32_t)(clock - node->begun) + ((uint64_t)node->turns << TURN);

    if (node->turns != MPT_TREE_UNTIMED && took > ((uint64_t)node->longest_high << 32 | node->longest)) {
        node->longest = (uint32_t)took;
        node->longest_high = (uint16_t)(took >> 32);
    }
    node->turns = 0;
    mpt_port_unlock(key);
}

void mpt_tree_forget(uint32_t node, uint32_t last)
{
    for (; node != last && !mpt_tree_is_context(node); node = mpt_tree.at[node].parent)
        mpt_tree.at[node].turns = 0;
}

void mpt_tree_poll(void)
{
    if (mpt_tree.is_on && mpt_tree_now(mpt_tree.last) - mpt_tree.aged >= 1u << (TURN - 2))
        mpt_tree_keep_time();
}

/* Ages all calls of a context, from its innermost one outwards. */
MPT_NOT_INSTRUMENTED static void age(uint32_t node, uint32_t clock)
{
    if (mpt_tree.at[node].function == MPT_TREE_OTHER)
        node = mpt_tree.at[node].parent;
    for (; !mpt_tree_is_context(node); node = mpt_tree.at[node].parent) {
        struct mpt_tree_node *call = &mpt_tree.at[node];

        if (call->turns < MPT_TREE_UNTIMED - 1 && clock - call->begun >= 1u << TURN) {
            call->begun += 1u << TURN;
            call->turns++;
        }
    }
}

void mpt_tree_age(uint32_t clock)
{
    struct mpt_tree *const t = &mpt_tree;
    struct mpt_tree_context *context = t->current;

    if (MPT_TREE_IS_FLAT || t->last - t->aged < 1u << (TURN - 2))
        return;
    t->aged = t->last;
    age(t->node, clock);
    for (; !mpt_tree_is_task(context); context = context->below)
        age(context->node, context->clock);
    for (uint32_t i = 0; i < MPT_TASKS; i++)
        if (&t->context[i] != context)
            age(t->context[i].node, t->context[i].clock);
}

#endif
