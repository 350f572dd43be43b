/* mpt_tree_contexts.c - tasks and interrupts of the call tree: which one runs, which ticks the others still
 * have to get, and switching the tree on and off.
 *
 * An interrupt may occur anywhere here; it saves `node`, `current` and the ring's head, and restores them.
 * The only invariant that it needs is that ticks since `last` belong to `node`. */
#include "mpt_tree.h"

#if MPT_VERSION_3

/* The most ticks by which a claim is set back: the next claim must find less than a whole period, and a call
 * that runs for long without a hook must be sent now and then. Code interrupted in a hook, between its claim
 * and its change of node, has fewer; only that hook knows whose they are. */
#define MOST_PENDING (1u << (MPT_TICK_BITS < 18 ? MPT_TICK_BITS - 2 : 16))

MPT_NOT_INSTRUMENTED static void set_exception(uint32_t exception)
{
    /* Where a task is preempted, mpt_poll() may set another bit. */
    uint32_t key = MPT_WINDOWS ? mpt_port_lock() : 0;

    mpt_ring.head = (mpt_ring.head & ~MPT_RING_EXCEPTION) | exception;
    if (MPT_WINDOWS)
        mpt_port_unlock(key);
}

/* Ticks that are owed to another node already are added to that node, since no hook runs there. */
void mpt_tree_owe(struct mpt_tree_context *context, uint32_t node, uint32_t ticks)
{
    uint32_t key = mpt_port_lock();

    if (context->owed_node != node) {
        uint64_t high = context->owed >> 32;

        if (context->owed) {
            mpt_tree_add(context->owed_node, (uint32_t)context->owed);
            mpt_tree_rest(context->owed_node)->self_high += (uint16_t)high;
        }
        context->owed = 0;
        context->owed_node = node;
    }
    context->owed += ticks;
    mpt_port_unlock(key);
}

/* Returns true when the last claim may be set back to `last`: not by much, and not to before the claim of
 * keep_time(), which is made once per period. */
MPT_NOT_INSTRUMENTED static inline bool can_be_last(uint32_t last, uint32_t now)
{
    uint32_t pending = mpt_tree_passed(last, now);

    return pending <= MOST_PENDING && pending <= mpt_tree_passed(mpt_tree.kept, now);
}

/* `node` of `context`, which continues now, has already run for `pending` ticks. */
MPT_NOT_INSTRUMENTED static void set_back(struct mpt_tree_context *context, uint32_t node, uint32_t pending)
{
    bool pends = pending <= MOST_PENDING;
#if MPT_LOCK_FREE
    uint32_t last, busy;

    do {
        __asm__ volatile("ldrex %0, [%1, %2]" : "=r"(last) : MPT_TREE_LAST, "m"(mpt_tree.last));
        pends = pends && can_be_last(last - pending, mpt_port_ticks());
        __asm__ volatile("strex %0, %4, [%2, %3]"
                         : "=&r"(busy), "=m"(mpt_tree.last)
                         : MPT_TREE_LAST, "r"(pends ? last - pending : last)
                         : "memory");
    } while (busy);
#else
    uint32_t key = mpt_port_lock();

    pends = pends && can_be_last(mpt_tree.last - pending, mpt_port_ticks());
    if (pends)
        mpt_tree.last -= pending;
    mpt_port_unlock(key);
#endif
    if (!pends)
        mpt_tree_owe(context, node, pending);
}

/* Returns NULL when there is no room. */
MPT_NOT_INSTRUMENTED static struct mpt_tree_context *context_of_exception(uint32_t exception)
{
    struct mpt_tree *const t = &mpt_tree;
    uint32_t number = MP_CONTEXT_INTERRUPT(exception), n = t->n_contexts, key;

    for (uint32_t i = MPT_TASKS; i < n; i++)
        if (t->context[i].number == number)
            return &t->context[i];
    key = mpt_port_lock();
    n = t->n_contexts;
    if (n < MPT_TREE_CONTEXTS) {
        t->context[n].number = (uint16_t)number;
        t->n_contexts = n + 1;
    }
    mpt_port_unlock(key);
    return n < MPT_TREE_CONTEXTS ? &t->context[n] : NULL;
}

/* Returns true when the running context has interrupted `exception`, directly or not. Then all that runs on
 * top of it has ended, and some exits are missing. */
MPT_NOT_INSTRUMENTED static bool is_below(uint32_t exception)
{
    const struct mpt_tree_context *context = mpt_tree.current;

    while (!mpt_tree_is_task(context) && context->exception != exception)
        context = context->below;
    return !mpt_tree_is_task(context);
}

/* Stops the clock of what ran, at `clock`, and continues that of another context, from `until`. */
MPT_NOT_INSTRUMENTED static inline void change_clocks(uint32_t clock, uint32_t until)
{
#if MPT_TREE_LONGEST
    uint32_t key = mpt_port_lock();

    mpt_tree.away += clock - until;
    mpt_port_unlock(key);
#endif
}

void mpt_tree_leave_context(uint32_t clock)
{
    struct mpt_tree *const t = &mpt_tree;
    struct mpt_tree_context *context = t->current;
    uint32_t pending = context->pending;

    change_clocks(clock, context->clock);
    t->node = context->node;
    t->current = context->below;
    set_exception(context->exception);
    set_back(t->current, t->node, pending);
}

/* Ends the running interrupt. */
MPT_NOT_INSTRUMENTED static void end_context(void)
{
    uint32_t clock;

    mpt_tree_add(mpt_tree.node, mpt_tree_claim(&clock));
    mpt_tree_leave_context(clock);
}

bool mpt_tree_open_context(uint32_t exception, uint32_t *clock)
{
    struct mpt_tree *const t = &mpt_tree;

    if (is_below(exception)) {
        while ((mpt_ring.head & MPT_RING_EXCEPTION) != exception) {
#if MPT_TREE_LONGEST
            mpt_tree_forget(t->node, mpt_tree_root(t->current));
#endif
            end_context();
        }
        mpt_tree_add(t->node, mpt_tree_claim(clock));
        return true;
    }
    struct mpt_tree_context *context = context_of_exception(exception);

    if (!context)
        return false;
    context->node = t->node;
    context->below = t->current;
    context->exception = mpt_ring.head & MPT_RING_EXCEPTION;
    context->callers = t->current->callers;
    context->depth = t->current->depth + t->current->same;
    if (context->depth > MPT_STACK_DEPTH)
        context->depth = MPT_STACK_DEPTH;
    context->pending = mpt_tree_claim(&context->clock);
    *clock = context->clock; /* the interrupt's clock continues from there */
    t->current = context;
    t->node = mpt_tree_root(context);
    mpt_tree_count(t->node);
    set_exception(exception);
    return true;
}

bool mpt_tree_begin_poll(void)
{
    uint32_t exception = mpt_exception(), clock;
    bool is_apart = mpt_tree.is_on && exception && exception != (mpt_ring.head & MPT_RING_EXCEPTION) &&
                    !is_below(exception) && mpt_tree_open_context(exception, &clock);

#if MPT_TREE_LONGEST
    mpt_tree_poll();
#endif
    return is_apart;
}

void mpt_tree_end_poll(void)
{
    /* A START or STOP in this mpt_poll() has ended the context already. */
    if (mpt_tree.is_on && (mpt_ring.head & MPT_RING_EXCEPTION) == mpt_exception())
        end_context();
}

void mpt_tree_switch(uint8_t task)
{
    struct mpt_tree *const t = &mpt_tree;
    struct mpt_tree_context *to = &t->context[task], *from = t->current, *interrupt = NULL;

    while (!mpt_tree_is_task(from)) {
        interrupt = from;
        from = from->below;
    }
    if (from == to)
        return;
    mpt_tree_count(mpt_tree_root(to));
    if (interrupt) {
        from->node = interrupt->node;
        from->pending = interrupt->pending;
        from->clock = interrupt->clock;
        interrupt->node = to->node;
        interrupt->pending = to->pending;
        interrupt->clock = to->clock;
        interrupt->below = to;
    } else {
        from->node = t->node;
        from->pending = mpt_tree_claim(&from->clock);
        change_clocks(from->clock, to->clock);
        t->node = to->node;
        t->current = to;
        set_back(to, to->node, to->pending);
    }
}

void mpt_tree_begin(uint8_t task)
{
    struct mpt_tree_context *context = &mpt_tree.context[task], *running = mpt_tree.current;

    /* What an interrupt has interrupted still runs: its node is kept in the interrupt's context. */
    while (!mpt_tree_is_task(running))
        running = running->below;
    if (context == running)
        return;
    mpt_tree_owe(context, context->node, context->pending);
    context->pending = 0;
#if MPT_TREE_LONGEST
    mpt_tree_forget(context->node, mpt_tree_root(context));
#endif
    context->node = mpt_tree_root(context);
    context->depth = context->same = 0; /* flat: it has no callers */
}

/* Adds the ticks since the last claim to the running node. */
MPT_NOT_INSTRUMENTED static void claim_now(void)
{
    uint32_t clock;

    mpt_tree_owe(mpt_tree.current, mpt_tree.node, mpt_tree_claim(&clock));
#if MPT_TREE_LONGEST
    mpt_tree_age(clock);
#endif
}

void mpt_tree_keep_time(void)
{
    uint32_t key = mpt_port_lock();

    if (mpt_tree.is_on) {
        claim_now();
        mpt_tree.kept = mpt_tree.last;
    }
    mpt_port_unlock(key);
}

/* ---- on and off: optimised for size ---- */

#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("Os")
#endif

/* The two hooks may use different amounts of stack. The head has a number that no exception has, so that both
 * take the unusual path. */
MPT_NOT_INSTRUMENTED static void measure_stack(void)
{
    mpt_tree.exit_above = 0;
    mpt_ring.head = MPT_RING_TREE | MPT_RING_EXCEPTION;
    __cyg_profile_func_enter((void *)(uintptr_t)MPT_TREE_ROOT, NULL);
    __cyg_profile_func_exit((void *)(uintptr_t)MPT_TREE_ROOT, NULL);
}

void mpt_tree_clear(void)
{
    struct mpt_tree *const t = &mpt_tree;

    for (uint32_t i = t->cleared; i < t->n; i++) {
        t->at[i] = (struct mpt_tree_node){0};
        *mpt_tree_rest(i) = (struct mpt_tree_rest){0};
#if MPT_TREE_EVICTION
        t->extra[i] = (struct mpt_tree_extra){0};
#endif
    }
#if MPT_TREE_EVICTION
    for (uint32_t i = 0; t->evictions && i <= MPT_TREE_GONE; i++)
        t->gone[i] = (struct mpt_tree_gone){0};
    t->evictions = 0;
#endif
    t->cleared = t->n;
}

void mpt_tree_start(bool is_flat, bool may_evict)
{
    struct mpt_tree *const t = &mpt_tree;

    mpt_tree_clear(); /* what a preempted hook has made since */
    for (uint32_t i = 0; i < 1u << MPT_TREE_HASH_BITS; i++)
        t->hash[i] = 0;
    for (uint32_t i = 0; i < sizeof t->chains / sizeof *t->chains; i++)
        t->chains[i] = 0;
    for (uint32_t i = 0; i < MPT_TREE_FIRST; i++) {
        t->at[i].function = i % 2 ? MPT_TREE_ROOT : MPT_TREE_OTHER;
#if MPT_TREE_EVICTION
        t->extra[i].chain = (uint16_t)i;
#endif
    }
#if MPT_TREE_EVICTION
    t->may_evict = may_evict && !is_flat;
    t->is_evicting = false;
    t->packed_bound = 0;
    t->hand = MPT_TREE_FIRST - 1u;
    t->counted = MPT_TREE_FIRST;
    t->bound = 0;
#else
    (void)may_evict;
#endif
    for (uint32_t i = 0; i < MPT_TREE_CONTEXTS; i++)
        t->context[i] = (struct mpt_tree_context){.node = mpt_tree_root(&t->context[i]),
                                                  .number = (uint16_t)MP_CONTEXT_TASK(i)};
    t->n = MPT_TREE_FIRST;
    t->cleared = 1; /* all but node 0, which is no node */
    t->n_contexts = MPT_TASKS;
    t->unseen = 0;
    t->current = &t->context[MPT_TASKS > 1 ? mpt_ring.task : 0];
    t->node = t->current->node;
    mpt_tree_count(t->node);
    measure_stack();
    t->is_flat = t->is_unusual = is_flat;
    t->is_on = true;
    t->last = t->kept = mpt_port_ticks();
#if MPT_TREE_LONGEST
    t->away = t->aged = t->last;
#endif
    mpt_ring.read = 0;
    mpt_ring.head = MPT_RING_TREE | (is_flat ? MPT_RING_FLAT : 0);
}

void mpt_tree_settle(void)
{
    const struct mpt_tree_context *running = mpt_tree.current;

    while (!mpt_tree_is_task(running))
        running = running->below;
    for (uint32_t i = 0; i < MPT_TASKS; i++) {
        struct mpt_tree_context *context = &mpt_tree.context[i];

        if (running != context) {
            mpt_tree_owe(context, context->node, context->pending);
            context->pending = 0;
        }
    }
    claim_now();
}

void mpt_tree_stop(void)
{
    struct mpt_tree *const t = &mpt_tree;

    /* Interrupts and what they have interrupted stop at one moment. */
    mpt_tree_settle();
    while (!mpt_tree_is_task(t->current)) {
        struct mpt_tree_context *context = t->current;

        t->current = context->below;
        t->node = context->node;
        mpt_tree_owe(t->current, t->node, context->pending);
    }
    t->is_on = false;
    mpt_ring.head = mpt_exception();
}

void mpt_tree_open_call(uint8_t task, uint32_t function)
{
    struct mpt_tree_context *before = mpt_tree.current, *context = &mpt_tree.context[task];
    uint32_t node = mpt_tree.node;

    mpt_tree.current = context;
    mpt_tree.node = before == context ? node : context->node;
    mpt_tree_call(function, MPT_PORT_STACK() - (1u << 30),
                  /* deeper than any call: if there is no node, it is over at once */ 0);
    context->node = mpt_tree.node;
    mpt_tree.at[mpt_tree.node].calls = 0;
#if MPT_TREE_LONGEST
    mpt_tree.at[mpt_tree.node].turns = MPT_TREE_UNTIMED;
#endif
    mpt_tree.current = before;
    if (before != context)
        mpt_tree.node = node;
}

uint32_t mpt_tree_innermost(uint8_t task)
{
    const struct mpt_tree_context *its = &mpt_tree.context[task], *context = mpt_tree.current;
    uint32_t node = mpt_tree.node;

    /* The node of what an interrupt has interrupted is kept in the interrupt's context. */
    for (; !mpt_tree_is_task(context); context = context->below)
        node = context->node;
    if (context != its)
        node = its->node;
    return mpt_tree.at[node].function == MPT_TREE_OTHER ? mpt_tree.at[node].parent : node;
}

#endif
