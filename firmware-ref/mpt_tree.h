/* mpt_tree.h - version 3: the call tree, counted in the hooks; not for applications.
 *
 * While it is on, the ring is empty and a bit in its head sends the hooks here (mpt_tree_hooks.h). A hook
 * claims the ticks since the last claim for the node that runs, and moves to the callee's node or back to the
 * caller's. Only the claim must be atomic; it is one exclusive exchange of `last`, or on processors without
 * exclusive access some six instructions with interrupts locked out.
 *
 * Every task and interrupt is a context with its own root. An interrupt's first hook finds that another
 * context runs, keeps the ticks that this context still had to get, and returns them with its outermost exit.
 * It never writes to nodes of what it interrupts, so that these need no lock. The order of writes in
 * mpt_tree_contexts.c relies only on the fact that interrupts nest.
 *
 * In the flat form a node is a function as called by another one, along any chain. So a node has no single
 * caller to return to: callers are kept on a stack, and all calls use the unusual hooks.
 *
 * A call for which there is no node is counted in its context's "(other)" node, and so is all that it calls.
 * The stack pointer of the first such call shows when it is over, whatever longjmp() skips. */
#ifndef MPT_TREE_H
#define MPT_TREE_H

#include "mpt_ring.h"
#include "protocol/compact.h"
#include "protocol/tree.h"

#if MPT_VERSION_3

/* Bytes of one more node in a tree of more than 255, with 2 to 4 in the hash table. */
#define MPT_TREE_NODE_BYTES                                                                                  \
    (20u + 4u + 3u + (MPT_TREE_LONGEST ? 12u : 0u) + (MPT_TREE_EVICTION ? 24u + 4u * MPT_TREE_LONGEST : 0u))

/* The default number of nodes with that much RAM (mpt_config.h), 0: unknown. */
#ifndef MPT_RAM_BYTES
#define MPT_RAM_BYTES 0
#endif
#define MPT_TREE_FIT(ram) ((ram) / 16u / MPT_TREE_NODE_BYTES)
#define MPT_TREE_NODES_OF(ram)                                                                               \
    (MPT_TREE_FIT(ram) < 64u ? 64u : MPT_TREE_FIT(ram) > 2048u ? 2048u : MPT_TREE_FIT(ram))
#if MPT_TREE_NODES < 1 || MPT_TREE_NODES > 60000
#error "MPT_TREE_NODES must be 1..60000"
#endif

#define MPT_TREE_CONTEXTS (MPT_TASKS + MPT_TREE_INTERRUPTS)
#define MPT_TREE_FIRST                                                                                       \
    (1u + 2u * MPT_TREE_CONTEXTS) /* index 0 is "none"; then follow each context's root and "(other)" */
#define MPT_TREE_ALL (MPT_TREE_FIRST + MPT_TREE_NODES)

#if MPT_TREE_ALL <= 256
typedef uint8_t mpt_tree_index;
#else
typedef uint16_t mpt_tree_index;
#endif

/* Of the hash table: at least as many slots as nodes, up to 16384. */
#define MPT_TREE_HASH_BITS                                                                                   \
    (MPT_TREE_NODES <= 16     ? 4u                                                                           \
     : MPT_TREE_NODES <= 32   ? 5u                                                                           \
     : MPT_TREE_NODES <= 64   ? 6u                                                                           \
     : MPT_TREE_NODES <= 128  ? 7u                                                                           \
     : MPT_TREE_NODES <= 256  ? 8u                                                                           \
     : MPT_TREE_NODES <= 512  ? 9u                                                                           \
     : MPT_TREE_NODES <= 1024 ? 10u                                                                          \
     : MPT_TREE_NODES <= 2048 ? 11u                                                                          \
     : MPT_TREE_NODES <= 4096 ? 12u                                                                          \
     : MPT_TREE_NODES <= 8192 ? 13u                                                                          \
                              : 14u)

/* From this bitmap the host estimates how many nodes there would be with room for all: within some 3 % for
 * 1,500, up to 7,000. */
#define MPT_TREE_CHAIN_BITS 1024u

/* Functions whose sums are kept when nodes are evicted: as many as nodes, but from 129 nodes on half as many. */
#define MPT_TREE_GONE                                                                                        \
    (MPT_TREE_NODES <= 128 ? MPT_TREE_NODES : MPT_TREE_NODES <= 256 ? 128u : MPT_TREE_NODES / 2u)

/* These are no addresses of functions. */
#define MPT_TREE_ROOT  0xFFFFFFFEu
#define MPT_TREE_OTHER 0xFFFFFFFCu

/* Replaces the function in the node of an interrupt's outermost call, so that its exit takes the unusual
 * hook. */
#if MPT_CODE_IS_EVEN
#define MPT_TREE_OUTERMOST 1u
#else
#define MPT_TREE_OUTERMOST 0x80000000u
#endif

/* The end of the stack of the hook's caller: equal in a function's entry and exit, except for what the hooks
 * themselves have put on it (mpt_tree.exit_above). */
#ifndef MPT_PORT_STACK
#define MPT_PORT_STACK() ((uint32_t)(uintptr_t)__builtin_dwarf_cfa())
#endif

/* The fields of a node that few hooks touch. */
struct mpt_tree_rest {
    uint16_t self_high; /* above 32 bits */
    uint8_t calls_high;
    uint8_t told; /* hash of the sums that were sent last; 0: nothing was sent */
};

/* The fields that the hooks touch in every call; 16 bytes up to 256 nodes, 32 with the longest call. Index 0
 * also means "none". */
struct mpt_tree_node {
    uint32_t function; /* as the hook gets it */
    uint32_t calls;
    uint32_t self;         /* ticks */
    mpt_tree_index parent; /* flat: the node of the calling function; of "(other)": the node that called the
                              first call without a node */
    mpt_tree_index child;  /* the callee that was called last */
    mpt_tree_index then;   /* the node that was called after this one, by the same caller */
    mpt_tree_index chain;  /* the next node in the same slot of the hash table */
#if MPT_TREE_LONGEST
    uint32_t begun;        /* when its running call began, on its context's clock (mpt_tree.away) */
    uint32_t longest;      /* ticks of its longest call that has ended */
    uint16_t longest_high; /* above 32 bits */
    uint16_t turns;        /* of 2^31 ticks, by which `begun` was moved while its call runs */
    struct mpt_tree_rest rest;
#endif
};

/* The fields of a node that eviction needs (mpt_tree_evict.h). */
struct mpt_tree_extra {
    uint32_t below; /* ticks of evicted nodes below it */
    uint16_t below_high;
    uint16_t inherited;  /* the weight it began with */
    uint16_t generation; /* counts the nodes that have used this index */
    uint16_t chain;      /* hash of its chain of callers */
    mpt_tree_index callees;
    uint8_t below_told; /* hash of `below` as sent last; 0: it was not sent */
    uint8_t kept;       /* another context may use it: not to be evicted */
};

/* The sums of a function's nodes that were evicted. */
struct mpt_tree_gone {
    uint32_t function; /* as on the wire; 0: none yet */
    uint32_t calls, ticks;
    uint16_t ticks_high; /* above 32 bits */
    uint8_t calls_high;
    uint8_t told; /* as of nodes */
#if MPT_TREE_LONGEST
    uint64_t longest;
#endif
};

#define MPT_TREE_UNTIMED 0xFFFFu /* turns: when the call began is unknown */

struct mpt_tree_context {
    /* Of a task that waits: its node, and the ticks it has run since its last claim. Of an interrupt that
     * runs: the same of what it interrupted. */
    uint32_t node;
    uint32_t pending;
    struct mpt_tree_context *below; /* the context that an interrupt that runs has interrupted */
    uint16_t exception;             /* the exception of that context */
    uint16_t number;                /* as on the wire */
    uint32_t stack;                 /* stack pointer at the entry of the first call without a node */
    /* In the flat form: the nodes of callers, outermost first, in memory of the task, which interrupts
     * continue to use. */
    uint32_t *callers;
    uint32_t depth;
    uint32_t same;     /* running calls of the function below, within the first call without a node */
    uint32_t function; /* of the first call without a node */
    uint32_t chain;    /* in "(other)": hash of the chain of running calls */
    /* Ticks that could not be added to `pending`, and their node. */
    uint64_t owed;
    uint32_t owed_node;
    uint32_t clock; /* of a context that waits: how long it has run, modulo 2^32 */
};

struct mpt_tree {
    union {
        /* The fields that every hook needs lie in node 0, which is never a callee. */
        struct {
            uint32_t no_function;   /* MPT_TREE_ROOT */
            volatile uint32_t last; /* time of the last claim, as mpt_port_ticks() returned it */
            volatile uint32_t node; /* the one that runs */
            mpt_tree_index none[4]; /* 0 */
            /* The time at which the running context would have begun if it had run all the time. Hooks of
             * that context do not write it; those of interrupts do. */
            volatile uint32_t away;
        };
        struct mpt_tree_node at[MPT_TREE_ALL];
    };
    struct mpt_tree_context *volatile current;
    uint32_t kept;                /* when mpt_tree_keep_time() claimed last */
    uint32_t exit_above;          /* difference of the stack pointer in an exit to that in an entry */
    uint32_t unseen;              /* calls in interrupts that found no context */
    volatile uint32_t n;          /* number of nodes, including those of contexts */
    uint32_t cleared;             /* nodes below this one have their memory cleared for the next start */
    volatile uint32_t n_contexts; /* including tasks */
    volatile bool is_on;          /* false: the ring is */
    bool is_flat;
    bool is_unusual; /* it is flat, or evicts */
    bool is_told;    /* mpt_poll() sends its sums */
#if MPT_TREE_EVICTION
    bool may_evict;        /* the host asked for it */
    bool is_evicting;      /* a node was wanted when all were taken */
    uint16_t packed_bound; /* bound, packed like a weight */
    mpt_tree_index hand;   /* the node that it looked at last */
    uint16_t counted;      /* nodes below this one count as callees of their parents */
    uint32_t evictions;
    uint64_t bound; /* the greatest weight that was evicted */
    struct mpt_tree_extra extra[MPT_TREE_ALL];
    struct mpt_tree_gone gone[1u + MPT_TREE_GONE];
#endif
    uint32_t chains[MPT_TREE_CHAIN_BITS / 32u]; /* bitmap of the hashes of all chains */
#if MPT_TREE_LONGEST
    uint32_t aged; /* when the age of running calls was checked last */
#else
    struct mpt_tree_rest rest[MPT_TREE_ALL];
#endif
    mpt_tree_index hash[1u << MPT_TREE_HASH_BITS];
    struct mpt_tree_context context[MPT_TREE_CONTEXTS];
};

extern struct mpt_tree mpt_tree;

#define MPT_TREE_IS_FLAT    (MPT_TREE_FLAT && mpt_tree.is_flat)
#define MPT_TREE_IS_UNUSUAL ((MPT_TREE_FLAT || MPT_TREE_EVICTION) && mpt_tree.is_unusual)

/* ---- the hooks ---- */

/* The hooks in unusual cases; with the function MPT_TREE_ROOT they only note the stack pointer. `stack` is
 * the stack pointer of the function. */
MPT_NOT_INSTRUMENTED void mpt_tree_enter_unusual(uint32_t function, uint32_t stack);
MPT_NOT_INSTRUMENTED void mpt_tree_exit_unusual(uint32_t function, uint32_t stack);

/* The running node, whose ticks are claimed at `clock`, calls a function other than its latest callee or the
 * one that followed that. Without the longest call it takes one argument less. */
#if MPT_TREE_LONGEST
MPT_NOT_INSTRUMENTED void mpt_tree_call(uint32_t function, uint32_t stack, uint32_t clock);
#else
MPT_NOT_INSTRUMENTED void mpt_tree_call_untimed(uint32_t function, uint32_t stack);
#define mpt_tree_call(function, stack, clock) mpt_tree_call_untimed(function, stack)
#endif

/* A call of the node has ended at `clock`: keeps its length if it is the longest. */
MPT_NOT_INSTRUMENTED void mpt_tree_note(struct mpt_tree_node *node, uint32_t clock);

/* Calls from `node` outwards to `last`, exclusive, have ended without an exit. */
MPT_NOT_INSTRUMENTED void mpt_tree_forget(uint32_t node, uint32_t last);

/* Ages running calls, at least once in 2^31 ticks. The clock is that of the running context; interrupts are
 * locked out. */
MPT_NOT_INSTRUMENTED void mpt_tree_age(uint32_t clock);

/* Calls mpt_tree_age() where nothing else does. */
MPT_NOT_INSTRUMENTED void mpt_tree_poll(void);

/* ---- contexts ---- */

/* Switches to the context of `exception`, which is not the one that ran last; *clock receives the time on its
 * own clock. Returns false when there is no room for it; then nothing changed. */
MPT_NOT_INSTRUMENTED bool mpt_tree_open_context(uint32_t exception, uint32_t *clock);

/* The outermost call of the running interrupt has ended, at `clock`, when its ticks were claimed. What it
 * interrupted runs from then on, like a caller after any other exit. */
MPT_NOT_INSTRUMENTED __attribute__((noinline)) void mpt_tree_leave_context(uint32_t clock);

/* mpt_poll() begins in an interrupt without hooks: it becomes a context until the end of mpt_poll(), so that
 * the profiler's own time does not count for what was interrupted. Returns false when it runs elsewhere, or
 * there is no room for the context. */
MPT_NOT_INSTRUMENTED bool mpt_tree_begin_poll(void);
MPT_NOT_INSTRUMENTED void mpt_tree_end_poll(void);

MPT_NOT_INSTRUMENTED void mpt_tree_switch(uint8_t task);

/* Another task has that number, and does not run yet: calls of the previous one are over. */
MPT_NOT_INSTRUMENTED void mpt_tree_begin(uint8_t task);

/* Claims pending ticks of the running context: at least once per period of the counter, from any context. No
 * later claim is set back to before this one. */
MPT_NOT_INSTRUMENTED void mpt_tree_keep_time(void);

/* Keeps ticks of a context that has run in `node` up to now, or until it was interrupted. They belong to the
 * node, but only code that knows that no hook runs there may add them. */
MPT_NOT_INSTRUMENTED void mpt_tree_owe(struct mpt_tree_context *context, uint32_t node, uint32_t ticks);

/* Brings all sums up to date: tasks get what they have run since their last claims, except for what a running
 * interrupt has interrupted. Interrupts are locked out. */
MPT_NOT_INSTRUMENTED void mpt_tree_settle(void);

/* ---- on and off ---- */

/* Clears the memory of nodes of the previous run, so that mpt_tree_start() need not do it with interrupts locked
 * out. The tree is off. */
MPT_NOT_INSTRUMENTED void mpt_tree_clear(void);

/* Starts the tree with all sums 0, and stops it. Interrupts are locked out, the ring is empty and not frozen.
 */
MPT_NOT_INSTRUMENTED void mpt_tree_start(bool is_flat, bool may_evict);
MPT_NOT_INSTRUMENTED void mpt_tree_stop(void);

/* Switch from the ring to the tree, and back: running calls are known on both sides. */
MPT_NOT_INSTRUMENTED void mpt_tree_enter_run(bool is_flat, bool may_evict);
MPT_NOT_INSTRUMENTED void mpt_tree_leave_run(void);

/* Opens a call that runs at the start of the tree, in a task for which no call inside of it is open yet. */
MPT_NOT_INSTRUMENTED void mpt_tree_open_call(uint8_t task, uint32_t function);

/* Returns the innermost running call of a task that has a node; below MPT_TREE_FIRST: there is none. */
MPT_NOT_INSTRUMENTED uint32_t mpt_tree_innermost(uint8_t task);

MPT_NOT_INSTRUMENTED static inline struct mpt_tree_node *mpt_tree_at(uint32_t node)
{
    return &mpt_tree.at[node];
}

MPT_NOT_INSTRUMENTED static inline uint32_t mpt_tree_root(const struct mpt_tree_context *context)
{
    return 1u + 2u * (uint32_t)(context - mpt_tree.context);
}

MPT_NOT_INSTRUMENTED static inline uint32_t mpt_tree_other(const struct mpt_tree_context *context)
{
    return mpt_tree_root(context) + 1u;
}

/* Returns true for a root or an "(other)". */
MPT_NOT_INSTRUMENTED static inline bool mpt_tree_is_context(uint32_t node)
{
    return node < MPT_TREE_FIRST;
}

/* Returns true when its callees are an interrupt's outermost calls. */
MPT_NOT_INSTRUMENTED static inline bool mpt_tree_is_interrupt(uint32_t node)
{
    return node > 2u * MPT_TASKS && mpt_tree_is_context(node);
}

MPT_NOT_INSTRUMENTED static inline bool mpt_tree_is_task(const struct mpt_tree_context *context)
{
    return context < &mpt_tree.context[MPT_TASKS];
}

MPT_NOT_INSTRUMENTED static inline struct mpt_tree_rest *mpt_tree_rest(uint32_t node)
{
#if MPT_TREE_LONGEST
    return &mpt_tree.at[node].rest;
#else
    return &mpt_tree.rest[node];
#endif
}

MPT_NOT_INSTRUMENTED static inline void mpt_tree_add(uint32_t node, uint32_t ticks)
{
    uint32_t *self = &mpt_tree_at(node)->self;

    if (__builtin_expect(__builtin_add_overflow(*self, ticks, self), 0))
        mpt_tree_rest(node)->self_high++;
}

MPT_NOT_INSTRUMENTED static inline void mpt_tree_count(uint32_t node)
{
    if (__builtin_expect(!++mpt_tree_at(node)->calls, 0))
        mpt_tree_rest(node)->calls_high++;
}

/* Returns the hash slot of callees of that parent and function; not in the flat form. */
MPT_NOT_INSTRUMENTED mpt_tree_index *mpt_tree_place_of(uint32_t parent, uint32_t function);

#if MPT_TREE_EVICTION
MPT_NOT_INSTRUMENTED static inline uint64_t mpt_tree_below(uint32_t node)
{
    return (uint64_t)mpt_tree.extra[node].below_high << 32 | mpt_tree.extra[node].below;
}

MPT_NOT_INSTRUMENTED static inline void mpt_tree_add_below(uint32_t node, uint64_t ticks)
{
    ticks += mpt_tree_below(node);
    mpt_tree.extra[node].below = (uint32_t)ticks;
    mpt_tree.extra[node].below_high = (uint16_t)(ticks >> 32);
}
#endif

/* Returns the ticks between two readings of the counter, less than one period apart. */
MPT_NOT_INSTRUMENTED static inline uint32_t mpt_tree_passed(uint32_t from, uint32_t to)
{
    return mpt_widen(from, to) - from;
}

/* Operands for exclusive access to `last`: an address and an offset. */
#define MPT_TREE_LAST "r"(&mpt_tree), "I"(offsetof(struct mpt_tree, last))

/* Reads the counter; with the longest call as 32 bits that continue from `last`, whatever its width. */
MPT_NOT_INSTRUMENTED static inline uint32_t mpt_tree_now(uint32_t last)
{
    return MPT_TREE_LONGEST ? mpt_widen(last, mpt_port_ticks()) : mpt_port_ticks();
}

/* Claims and returns the ticks since the last claim; with the longest call, *clock receives the time on the
 * context's clock, that is how long it has run. */
MPT_NOT_INSTRUMENTED static inline __attribute__((always_inline)) uint32_t mpt_tree_claim(uint32_t *clock)
{
#if MPT_LOCK_FREE
    register uint32_t last __asm__("r12"); /* which need not be saved */
    uint32_t now, busy;

    do {
        __asm__ volatile("ldrex %0, [%1, %2]" : "=r"(last) : MPT_TREE_LAST, "m"(mpt_tree.last));
        now = mpt_tree_now(last);
#if MPT_TREE_LONGEST
        *clock = now - mpt_tree.away;
#endif
        __asm__ volatile("strex %0, %4, [%2, %3]"
                         : "=&r"(busy), "=m"(mpt_tree.last)
                         : MPT_TREE_LAST, "r"(now));
    } while (__builtin_expect(busy, 0));
#else
    uint32_t key = mpt_port_lock();
    uint32_t last = mpt_tree.last, now = mpt_tree_now(last);

    mpt_tree.last = now;
#if MPT_TREE_LONGEST
    *clock = now - mpt_tree.away;
#endif
    mpt_port_unlock(key);
#endif
#if MPT_TREE_LONGEST
    return now - last;
#else
    *clock = 0; /* not used */
    return mpt_tree_passed(last, now);
#endif
}

#endif
#endif
