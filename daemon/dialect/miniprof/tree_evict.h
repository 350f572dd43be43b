/* tree_evict.h - what a target counts that gives places of its tree to other nodes (protocol/SPEC.md 12.9).
 *
 * Each chain of callers of which a row was read has a number, by which events name it. What no row had of
 * nodes that are over is found where a round has ended; daemon/README.md says how. */
#ifndef DIALECT_MINIPROF_TREE_EVICT_H
#define DIALECT_MINIPROF_TREE_EVICT_H

#include "protocol/tree_table.h"

enum {
    TREE_NODES = 16384,  /* places of the target; further ones are not shown, and counted as malformed */
    TREE_CHAINS = 32768, /* further ones count at their nearest caller, as what no row had */
    TREE_EVICTED = 4096, /* functions of nodes that are over; further ones are counted as malformed */
};
#define TREE_NO_CHAIN UINT32_MAX

/* The sum, or the most that there is: a target may send any. */
static inline uint64_t tree_add_up(uint64_t a, uint64_t b)
{
    return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

/* Functions called one after the other in a context. One without functions stands for the context itself. */
struct tree_chain {
    uint32_t parent; /* TREE_NO_CHAIN: the context itself */
    uint32_t function, context;
    uint64_t ticks;        /* in rows of all its nodes */
    uint64_t below;        /* of others below it, whose chains are not known */
    uint64_t below_shown;  /* of these, in the profile */
    uint64_t lived, shown; /* while they are balanced: what the target has, and what is here */
};

/* A function of which nodes are over. */
struct tree_function {
    uint32_t function;                /* 0: of all that have none of their own */
    bool has_ended;                   /* a node of which a row was read */
    bool has_sums;                    /* the target sent what those that are over had counted */
    uint64_t calls, ticks;            /* in rows of nodes that are over */
    uint64_t unread_calls, unread;    /* in none: calls, all of which are shown, and ticks */
    uint64_t unread_shown;            /* ticks in the profile */
    uint64_t sum_calls, sum, longest; /* of those that are over, as the target said last */
    uint64_t merged_calls, merged;    /* while they are balanced: of nodes without a chain */
};

/* Which node of its place was read last, and what of it is in the profile. */
struct tree_life {
    bool is_placed; /* it has a chain, or is merged with that of a caller */
    bool is_merged;
    uint32_t generation;
    uint32_t chain;
    uint32_t waited; /* the pass in which it was looked at last without a chain */
    uint64_t calls, ticks, longest;
};

/* Zero is the start state. */
struct tree_evict {
    struct tree_chain chain[TREE_CHAINS];
    uint32_t n_chains;
    uint32_t chain_index[2 * TREE_CHAINS]; /* chain + 1, by what it is; 0: none */
    struct tree_life life[TREE_NODES];
    uint32_t path[TREE_NODES];
    uint32_t pass;
    uint64_t work;         /* chains and places that may still be balanced, see tree_evict_follow() */
    uint64_t calls, ticks; /* in the profile, each below 2^56, as what has elapsed is */
    struct tree_function function[TREE_EVICTED];
    uint32_t n_functions;
    uint32_t function_index[2 * TREE_EVICTED];
    struct mp_tree_evicted evicted[TREE_EVICTED]; /* the table's */
};

/* Where to report what is found. */
struct tree_evict_out {
    void *user;
    /* A row: what it has more than the row of that node before. */
    void (*node)(void *user, const struct tree_chain *chain, uint32_t number, uint64_t calls, uint64_t ticks,
                 uint64_t longest);
    /* Ticks below a chain whose own chains are not known. */
    void (*below)(void *user, const struct tree_chain *chain, uint32_t number, uint64_t ticks);
    /* Calls and ticks of a function whose chains are not known; both may be 0: then its total is not known
     * from now on. */
    void (*function)(void *user, uint32_t function, uint64_t calls, uint64_t ticks, uint64_t longest);
};

/* Forgets the run. */
void tree_evict_begin_run(struct tree_evict *evict);

/* Reports what the newest packet that the table read has brought, which had `bytes`. Callers come before
 * their callees. A target that ends more rounds than its bytes are worth is balanced at fewer of them. */
void tree_evict_follow(struct tree_evict *evict, const struct mp_tree_table *table, size_t bytes,
                       const struct tree_evict_out *out);

/* True when some functions have no sums of their own. */
static inline bool tree_evict_has_others(const struct tree_evict *evict)
{
    return evict->n_functions > 0 && evict->function[0].has_sums;
}

/* True when there is no room for further chains, so that those may lack all they have. */
static inline bool tree_evict_is_full(const struct tree_evict *evict)
{
    return evict->n_chains == TREE_CHAINS;
}

/* Reports all chains again, with nothing that came to them. */
void tree_evict_retell(const struct tree_evict *evict, const struct tree_evict_out *out);

/* Rows that are in the profile of nodes that the target has. */
uint32_t tree_evict_rows(const struct tree_evict *evict, const struct mp_tree_table *table);

#endif
