/* mpt_tree.c - the call tree in unusual cases of a hook: a callee that was not expected, a new one, one
 * without room, a longjmp. */
#include "mpt_tree_evict.h"
#include "mpt_window.h"

#if MPT_VERSION_3

struct mpt_tree mpt_tree;

MPT_NOT_INSTRUMENTED static uint32_t root_of(uint32_t node)
{
    while (!mpt_tree_is_context(node))
        node = mpt_tree.at[node].parent;
    return node;
}

/* The functions that follow exist twice: for the tree and for its flat form. */
#define EITHER MPT_NOT_INSTRUMENTED static inline __attribute__((always_inline))

/* Returns the hash slot of a callee. Callees are distinguished by their own function and by `parent`; in the
 * flat form by the parent's function and the context. */
EITHER mpt_tree_index *place_of_node(uint32_t parent, uint32_t function, bool is_flat)
{
    uint32_t key = is_flat ? mpt_tree.at[parent].function + mpt_tree_root(mpt_tree.current) : parent;
    uint32_t mixed = (function + key * 0x61C88647u) * 0x9E3779B1u;

    return &mpt_tree.hash[mixed >> (32 - MPT_TREE_HASH_BITS)];
}

mpt_tree_index *mpt_tree_place_of(uint32_t parent, uint32_t function)
{
    return place_of_node(parent, function, false);
}

EITHER bool is_callee(uint32_t node, uint32_t parent, uint32_t function, bool is_flat)
{
    uint32_t its = mpt_tree.at[node].parent;

    if (mpt_tree.at[node].function != function)
        return false;
    if (its == parent || !is_flat)
        return its == parent;
    return mpt_tree.at[its].function == mpt_tree.at[parent].function && root_of(its) == root_of(parent);
}

/* Returns the callee's index, 0 when it has no node. Interrupts only insert nodes at the head of a slot's
 * list, so the list can be followed meanwhile. */
EITHER uint32_t find(uint32_t parent, uint32_t function, bool is_flat)
{
    uint32_t i = *place_of_node(parent, function, is_flat);

    while (i && !is_callee(i, parent, function, is_flat))
        i = mpt_tree.at[i].chain;
    return i;
}

/* ---- chains of callers: how many there are, with and without a node ---- */

#define CHAIN_MIX   0x9E3779B1u
#define CHAIN_UNMIX 0x0E8B2F51u /* its inverse modulo 2^32 */

/* Returns the hash of a chain that a call of the function makes longer. A chain whose last call has a node
 * starts from that node (chain_of). */
MPT_NOT_INSTRUMENTED static inline uint32_t longer_chain(uint32_t chain, uint32_t function)
{
    return (chain + function) * CHAIN_MIX;
}

/* Notes that there is a chain with that hash. Returns `node`, so that its callers can end with it. */
MPT_NOT_INSTRUMENTED static __attribute__((noinline)) uint32_t note_chain(uint32_t hash, uint32_t node)
{
    uint32_t bit = ((hash ^ hash >> 15) * 0x85EBCA6Bu >> 16) % MPT_TREE_CHAIN_BITS, key;
    uint32_t *word = &mpt_tree.chains[bit / 32], mask = 1u << bit % 32;

    if (*(volatile uint32_t *)word & mask)
        return node;
    key = mpt_port_lock();
    *word |= mask;
    mpt_port_unlock(key);
    return node;
}

/* Returns the hash of the chain that leads to the node. */
MPT_NOT_INSTRUMENTED static inline uint32_t chain_of(uint32_t node)
{
#if MPT_TREE_EVICTION
    return mpt_tree.extra[node].chain * CHAIN_MIX;
#else
    return node * CHAIN_MIX;
#endif
}

/* Links a node whose memory is cleared. Interrupts are locked out. */
EITHER void link_node(uint32_t node, uint32_t parent, uint32_t function, mpt_tree_index *place,
                      uint32_t chain)
{
#if MPT_TREE_EVICTION
    mpt_tree.extra[node].chain = (uint16_t)(chain >> 16);
#endif
    mpt_tree.at[node].function = function;
    mpt_tree.at[node].parent = (mpt_tree_index)parent;
    mpt_tree.at[node].chain = *place;
    *place = (mpt_tree_index)node;
}

/* Returns the index of the callee when all nodes are in use, 0 when none can be evicted. `key` is that of the
 * lock. The callee is searched for again, since the first search may have missed it: another context may have
 * reused a node on its way. */
MPT_NOT_INSTRUMENTED static __attribute__((noinline)) uint32_t
create_in_full(uint32_t parent, uint32_t function, mpt_tree_index *place, uint32_t key)
{
    uint32_t node = 0;

#if MPT_TREE_EVICTION
    if (mpt_tree.may_evict) {
        uint32_t chain = longer_chain(chain_of(parent), function);

        if (mpt_tree.is_evicting)
            node = find(parent, function, false);
        if (!node && (node = mpt_tree_evict(parent))) {
            mpt_tree.at[node] = (struct mpt_tree_node){0};
            *mpt_tree_rest(node) = (struct mpt_tree_rest){0};
            mpt_tree.extra[node] =
                (struct mpt_tree_extra){.inherited = mpt_tree.packed_bound,
                                        .generation = (uint16_t)(mpt_tree.extra[node].generation + 1u)};
            mpt_tree.extra[parent].callees++;
            link_node(node, parent, function, place, chain);
        }
        mpt_port_unlock(key);
        return node ? note_chain(chain, node) : 0;
    }
#else
    (void)parent, (void)function, (void)place;
#endif
    mpt_port_unlock(key);
    return node;
}

/* Returns the index of the new node, 0 when there is no room. Each node's first call comes here, so what can be
 * done elsewhere is: mpt_tree_clear() clears memory, mpt_tree_count_callees() counts callees. */
EITHER uint32_t create(uint32_t parent, uint32_t function, mpt_tree_index *place, bool is_flat)
{
    uint32_t key = mpt_port_lock(), n = mpt_tree.n, chain = longer_chain(chain_of(parent), function);

    if (n == MPT_TREE_ALL)
        return create_in_full(parent, function, place, key);
    mpt_tree.n = n + 1;
    link_node(n, parent, function, place, chain);
    mpt_port_unlock(key);
    return is_flat ? n : note_chain(chain, n);
}

MPT_NOT_INSTRUMENTED static __attribute__((noinline)) uint32_t
create_in_tree(uint32_t parent, uint32_t function, mpt_tree_index *place)
{
    return create(parent, function, place, false);
}

MPT_NOT_INSTRUMENTED static __attribute__((noinline)) uint32_t
create_in_flat(uint32_t parent, uint32_t function, mpt_tree_index *place)
{
    return create(parent, function, place, true);
}

/* Counts the first call that has no node. */
MPT_NOT_INSTRUMENTED static void skip(uint32_t node, uint32_t function, uint32_t stack)
{
    struct mpt_tree_context *context = mpt_tree.current;
    uint32_t other = mpt_tree_other(context);

    mpt_tree.at[other].parent = (mpt_tree_index)node;
    context->stack = stack;
    context->function = function;
    context->same = 0;
    context->chain = longer_chain(chain_of(node), function);
    (void)note_chain(context->chain, 0);
    mpt_tree_count(other);
    mpt_tree.node = other;
}

/* Returns the stack slot that holds the stack pointer of the innermost call of the function that was skipped
 * first; it lies above the callers of the flat form. Returns NULL when no slot does. */
MPT_NOT_INSTRUMENTED static volatile uint32_t *innermost_same(const struct mpt_tree_context *context)
{
    uint32_t at = context->depth + context->same;

    return context->same && at <= MPT_STACK_DEPTH ? &context->callers[at - 1] : NULL;
}

/* Code runs at that stack pointer: ends calls, below it, of the function that was skipped first. */
MPT_NOT_INSTRUMENTED static void unwind_same(struct mpt_tree_context *context, uint32_t stack)
{
    const volatile uint32_t *place;

    while ((place = innermost_same(context)) && (int32_t)(stack - *place) > 0)
        context->same--;
}

/* Counts a call within one that was skipped. Returns false when the skipped one is over, since a longjmp left
 * it. */
MPT_NOT_INSTRUMENTED static bool call_within(uint32_t other, uint32_t function, uint32_t stack)
{
    struct mpt_tree_context *context = mpt_tree.current;

    if ((int32_t)(stack - context->stack) > 0) {
        mpt_tree.node = mpt_tree.at[other].parent;
        context->same = 0;
        return false;
    }
    unwind_same(context, stack);
    if (function == context->function) {
        *(volatile uint32_t *)&context->same = context->same + 1;
        volatile uint32_t *place = innermost_same(context);

        if (place)
            *place = stack;
    }
    context->chain = longer_chain(context->chain, function);
    (void)note_chain(context->chain, 0);
    mpt_tree_count(other);
    return true;
}

/* Interrupts use the stack slots from the depth on: so it is increased before a slot is written, and
 * decreased after it was read.
 */
MPT_NOT_INSTRUMENTED static void push(uint32_t caller)
{
    struct mpt_tree_context *context = mpt_tree.current;
    volatile uint32_t *place = &context->callers[context->depth];

    *(volatile uint32_t *)&context->depth = context->depth + 1;
    *place = caller;
}

/* The running node calls a function. */
EITHER void call(uint32_t function, uint32_t stack, uint32_t clock, bool is_flat)
{
    struct mpt_tree *const t = &mpt_tree;
    uint32_t node = t->node;

    if (t->at[node].function == MPT_TREE_OTHER) {
        if (call_within(node, function, stack))
            return;
        node = t->node;
    }
    uint32_t wanted = mpt_tree_is_interrupt(node) ? function ^ MPT_TREE_OUTERMOST : function;
    uint32_t before = t->at[node].child, callee = 0;

    if (is_flat)
        callee = t->at[before].function == wanted ? before : t->at[before].then;
    if (!is_flat || t->at[callee].function != wanted)
        callee = find(node, wanted, is_flat);
    if (is_flat && t->current->depth == MPT_STACK_DEPTH)
        callee = 0;
    else if (!callee)
        callee =
            (is_flat ? create_in_flat : create_in_tree)(node, wanted, place_of_node(node, wanted, is_flat));
    if (!callee) {
        skip(node, function, stack);
        return;
    }
    if (is_flat)
        push(node);
    else
        before = t->at[node].child; /* 0 after an eviction of a callee */
    if (before && before != callee)
        t->at[before].then = (mpt_tree_index)callee;
    t->at[node].child = (mpt_tree_index)callee;
    mpt_tree_count(callee);
#if MPT_TREE_LONGEST
    t->at[callee].begun = clock;
#endif
    t->node = callee;
}

#if MPT_TREE_EVICTION
/* Like call(), while nodes are evicted: no node notes what was called after it, and a callee that did is
 * cleared, since that node may be evicted (unlink_leaf). */
MPT_NOT_INSTRUMENTED static __attribute__((noinline)) void call_evicting(uint32_t function, uint32_t stack,
                                                                         uint32_t clock)
{
    struct mpt_tree *const t = &mpt_tree;
    uint32_t node = t->node;

    if (t->at[node].function == MPT_TREE_OTHER) {
        if (call_within(node, function, stack))
            return;
        node = t->node;
    }
    uint32_t wanted = mpt_tree_is_interrupt(node) ? function ^ MPT_TREE_OUTERMOST : function;
    uint32_t callee = find(node, wanted, false);

    if (!callee)
        callee = create_in_tree(node, wanted, place_of_node(node, wanted, false));
    if (!callee) {
        skip(node, function, stack);
        return;
    }
    t->at[callee].then = 0;
    t->at[node].child = (mpt_tree_index)callee;
    mpt_tree_count(callee);
#if MPT_TREE_LONGEST
    t->at[callee].begun = clock;
#endif
    t->node = callee;
}
#endif

MPT_NOT_INSTRUMENTED static __attribute__((noinline)) void call_unusual(uint32_t function, uint32_t stack,
                                                                        uint32_t clock)
{
#if MPT_TREE_EVICTION
    if (!MPT_TREE_IS_FLAT) {
        call_evicting(function, stack, clock);
        return;
    }
#endif
    call(function, stack, clock, true);
}

#if MPT_TREE_LONGEST
void mpt_tree_call(uint32_t function, uint32_t stack, uint32_t clock)
{
#else
void mpt_tree_call_untimed(uint32_t function, uint32_t stack)
{
    const uint32_t clock = 0;

#endif
    if (MPT_TREE_IS_UNUSUAL)
        call_unusual(function, stack, clock);
    else
        call(function, stack, clock, false);
}

void mpt_tree_enter_unusual(uint32_t function, uint32_t stack)
{
    uint32_t head = mpt_ring.head, exception = mpt_exception(), clock = 0;

    if (function == MPT_TREE_ROOT) {
        mpt_tree.exit_above -= stack;
        return;
    }
    if (!(head & MPT_RING_TREE)) {
        mpt_ring_put(mpt_word_enter((void *)(uintptr_t)function));
        return;
    }
#if MPT_WINDOWS
    if (head & MPT_RING_WINDOW) {
        mpt_window_enter(function, stack);
        return;
    }
#endif
    if ((head & MPT_RING_EXCEPTION) == exception)
        mpt_tree_add(mpt_tree.node, mpt_tree_claim(&clock));
    else if (!mpt_tree_open_context(exception, &clock)) {
        mpt_tree.unseen++;
        return;
    }
    mpt_tree_call(function, stack, clock);
}

/* Returns to the caller of a call that ended at `clock`, when its ticks were claimed. */
MPT_NOT_INSTRUMENTED static void go_back_to(uint32_t caller, uint32_t clock)
{
    if (mpt_tree_is_interrupt(caller))
        mpt_tree_leave_context(clock);
    else
        mpt_tree.node = caller;
}

/* Handles an exit in "(other)", at `clock`. Returns false when all that was skipped is over, and the exit is
 * that of another call.
 *
 * A function that jumps to the hook as its last step (a tail call) has released its frame by then, so its
 * stack pointer is its caller's, above that of its entry. So an exit at the height of the first call's entry
 * may be that of a call within, which is known by its function; and an exit above it is the first call's own
 * if it has its function. */
MPT_NOT_INSTRUMENTED static bool exit_within(uint32_t other, uint32_t function, uint32_t stack,
                                             uint32_t clock)
{
    struct mpt_tree_context *context = mpt_tree.current;
    int32_t above = (int32_t)(stack - context->stack);
    bool is_of_first = function == context->function;

    if (above > 0) {
        context->same = 0; /* nothing runs within it */
        if (!is_of_first) {
            mpt_tree.node = mpt_tree.at[other].parent;
            return false;
        }
    }
    if (!is_of_first)
        unwind_same(context, stack);
    else if (context->same)
        context->same--;
    else if (above >= 0) {
        go_back_to(mpt_tree.at[other].parent, clock);
        return true;
    }
    context->chain = context->chain * CHAIN_UNMIX - function;
    return true;
}

void mpt_tree_exit_unusual(uint32_t function, uint32_t stack)
{
    uint32_t head = mpt_ring.head;

    if (function == MPT_TREE_ROOT) {
        mpt_tree.exit_above += stack;
        return;
    }
#if MPT_WINDOWS
    if (head & MPT_RING_WINDOW) {
        mpt_window_exit(function, stack);
        return;
    }
#endif
    stack -= mpt_tree.exit_above;
    if (!(head & MPT_RING_TREE)) {
        mpt_ring_put(mpt_word_exit((void *)(uintptr_t)function));
        return;
    }
    /* This exit belongs to an interrupt without a context, or to a call that began before the tree. */
    if ((head & MPT_RING_EXCEPTION) != mpt_exception())
        return;
    uint32_t node = mpt_tree.node, clock;

    mpt_tree_add(node, mpt_tree_claim(&clock));
    if (mpt_tree.at[node].function == MPT_TREE_OTHER && exit_within(node, function, stack, clock))
        return;
    /* Calls above the one that ends have ended without an exit (longjmp). */
    struct mpt_tree_context *context = mpt_tree.current;
    uint32_t depth = context->depth, caller;

    for (node = mpt_tree.node; !mpt_tree_is_context(node); node = caller) {
        uint32_t its = mpt_tree.at[node].function;

        caller =
            MPT_TREE_IS_FLAT ? ((volatile uint32_t *)context->callers)[--depth] : mpt_tree.at[node].parent;
        if (its == function || its == (function ^ MPT_TREE_OUTERMOST)) {
            *(volatile uint32_t *)&context->depth = depth;
            uint32_t innermost __attribute__((unused)) = mpt_tree.node;

#if MPT_TREE_LONGEST && MPT_TREE_EVICTION
            uint32_t key = mpt_port_lock(); /* else nodes that were left could be evicted meanwhile */
#endif
            go_back_to(caller, clock);
#if MPT_TREE_LONGEST
            if (!MPT_TREE_IS_FLAT) {
                mpt_tree_forget(innermost, node);
                mpt_tree_note(mpt_tree_at(node), clock);
            }
#if MPT_TREE_EVICTION
            mpt_port_unlock(key);
#endif
#endif
            return;
        }
    }
}

#endif
