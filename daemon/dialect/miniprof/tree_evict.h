/* tree_evict.h - reads the counts of a target that replaces nodes of its tree (protocol/SPEC.md 12.9).
 *
 * Each chain of callers with a received row has a number, which events use. Counts of evicted nodes that were
 * in no row are computed at the end of a round; see daemon/README.md. */
#ifndef DIALECT_MINIPROF_TREE_EVICT_H
#define DIALECT_MINIPROF_TREE_EVICT_H

#include "protocol/tree_table.h"

enum {
    TREE_NODES = 16384,  /* of the target; further ones are not shown, and counted as malformed */
    TREE_CHAINS = 32768, /* further ones count at their nearest caller, like counts without a row */
    TREE_EVICTED = 4096, /* functions of evicted nodes; further ones are counted as malformed */
};
#define TREE_NO_CHAIN UINT32_MAX

/* Returns the sum, or the largest number: a target may send anything. */
static inline uint64_t tree_add_up(uint64_t a, uint64_t b)
{
    return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

/* A chain of functions, each called by the one before, in a context. Without functions, it is the context
 * itself. */
struct tree_chain {
    uint32_t parent; /* TREE_NO_CHAIN for the context itself */
    uint32_t function, context;
    uint64_t ticks;        /* in rows of all its nodes */
    uint64_t below;        /* of calls below it whose chains are unknown */
    uint64_t below_shown;  /* of these, the part in the profile */
    uint64_t lived, shown; /* while balancing: ticks on the target, and here */
};

/* A function with evicted nodes. */
struct tree_function {
    uint32_t function;                /* 0: all functions without a row of their own */
    bool has_ended;                   /* a node with a received row was evicted */
    bool has_sums;                    /* the target sent the sums of evicted nodes */
    uint64_t calls, ticks;            /* in rows of evicted nodes */
    uint64_t unread_calls, unread;    /* in no row: calls, which are all shown, and ticks */
    uint64_t unread_shown;            /* of these ticks, the part in the profile */
    uint64_t sum_calls, sum, longest; /* of evicted nodes, as last sent by the target */
    uint64_t merged_calls, merged;    /* while balancing: of nodes without a chain */
};

/* The node that was last received in a slot, and what of it is in the profile. */
struct tree_life {
    bool is_placed; /* it has a chain, or is merged with that of a caller */
    bool is_merged;
    uint32_t generation;
    uint32_t chain;
    uint32_t waited; /* the last pass in which it had no chain */
    uint64_t calls, ticks, longest;
};

/* All zero is the initial state. */
struct tree_evict {
    struct tree_chain chain[TREE_CHAINS];
    uint32_t n_chains;
    uint32_t chain_index[2 * TREE_CHAINS]; /* hash table of the chains: index + 1; 0: empty */
    struct tree_life life[TREE_NODES];
    uint32_t path[TREE_NODES];
    uint32_t pass;
    uint64_t work;         /* chains and slots that may still be balanced, see tree_evict_follow() */
    uint64_t calls, ticks; /* in the profile, each below 2^56, like the elapsed time */
    struct tree_function function[TREE_EVICTED];
    uint32_t n_functions;
    uint32_t function_index[2 * TREE_EVICTED];
    struct mp_tree_evicted evicted[TREE_EVICTED]; /* memory of the table */
};

/* Receives what is found. */
struct tree_evict_out {
    void *user;
    /* The growth of a node's row. */
    void (*node)(void *user, const struct tree_chain *chain, uint32_t number, uint64_t calls, uint64_t ticks,
                 uint64_t longest);
    /* Ticks below a chain, of calls whose own chains are unknown. */
    void (*below)(void *user, const struct tree_chain *chain, uint32_t number, uint64_t ticks);
    /* Calls and ticks of a function whose chains are unknown. Both may be 0, which means that its total is
     * unknown from now on. */
    void (*function)(void *user, uint32_t function, uint64_t calls, uint64_t ticks, uint64_t longest);
};

/* Starts a new run. */
void tree_evict_begin_run(struct tree_evict *evict);

/* Reports what is new in the newest packet that the table read, which had `bytes`. Callers come before their
 * callees. If rounds end too often for the number of bytes, only some of them are balanced. */
void tree_evict_follow(struct tree_evict *evict, const struct mp_tree_table *table, size_t bytes,
                       const struct tree_evict_out *out);

/* True when some functions have no sums of their own. */
static inline bool tree_evict_has_others(const struct tree_evict *evict)
{
    return evict->n_functions > 0 && evict->function[0].has_sums;
}

/* True when there is no room for further chains, which may then lack everything. */
static inline bool tree_evict_is_full(const struct tree_evict *evict)
{
    return evict->n_chains == TREE_CHAINS;
}

/* Reports all chains again, without counts. */
void tree_evict_retell(const struct tree_evict *evict, const struct tree_evict_out *out);

/* Returns how many of the target's nodes have a row in the profile. */
uint32_t tree_evict_rows(const struct tree_evict *evict, const struct mp_tree_table *table);

#endif
