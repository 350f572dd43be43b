/* calltree.h - the merged call tree: one node per distinct chain of callers. */
#ifndef PROFILE_CALLTREE_H
#define PROFILE_CALLTREE_H

#include "base/map.h"
#include "profile/doubts.h"
#include "profile/functions.h"
#include "snapshot/snapshot.h"

enum { CALLTREE_ROOT = 0 };

#define CALLTREE_NONE UINT32_MAX

/* The tree, in arrays that grow up to `limit` nodes. */
struct calltree {
    struct snapshot_node
        *nodes; /* row 0 the root, row 1 "(other)" where the ceiling sends what does not fit */
    struct calltree_family *families; /* parallel to nodes */
    uint32_t count, capacity, limit;
    uint32_t other;       /* the node "(other)" below the root, CALLTREE_NONE until the ceiling is reached */
    uint64_t over_limit;  /* nodes that were not made */
    uint64_t *keys;       /* parallel to nodes: calltree_key(), small to be looked at often */
    uint32_t *index;      /* hash table of the nodes by key; CALLTREE_ROOT: empty */
    uint32_t index_mask;  /* its size less one */
    struct doubts doubts; /* what may still change at nodes */
    uint64_t *left; /* borrowed, or NULL: per depth, ticks below "[depth N running]" that went to "(other)" */
};

/* Makes a tree of at most `limit` nodes, of which there is the root. False when memory is used up. */
bool calltree_init(struct calltree *tree, uint32_t limit);
void calltree_fini(struct calltree *tree);

/* Forgets all nodes but the root. */
void calltree_clear(struct calltree *tree);

/* Finds or makes the node of all that a ceiling merged. Below it there are no nodes. */
uint32_t calltree_other(struct calltree *tree, struct functions *functions);

/* The key by which the index knows a node. Children of the root are told apart by context too; a node's
 * number never has the top bit set. */
static inline uint64_t calltree_key(uint32_t parent, uint32_t function, uint16_t context)
{
    uint64_t under = parent == CALLTREE_ROOT ? 0x80000000u | context : parent;
    return under << 32 | function;
}

/* The place in the index where a key is looked for first: Fibonacci hashing, which spreads the children of
 * neighbouring parents best. */
static inline uint32_t calltree_place(uint64_t key, uint32_t mask)
{
    return (uint32_t)(key * 0x9E3779B97F4A7C15u >> 32) & mask;
}

/* What finding a node needs, read once for many finds. It is good until a node is added. */
struct calltree_index {
    const uint64_t *keys;
    const uint32_t *index;
    uint32_t mask;
};

static inline struct calltree_index calltree_index(const struct calltree *tree)
{
    return (struct calltree_index){.keys = tree->keys, .index = tree->index, .mask = tree->index_mask};
}

/* Tells whether there is a node of that key; *id becomes it, or CALLTREE_ROOT. */
static inline bool calltree_find_key(const struct calltree_index *in, uint64_t key, uint32_t *id)
{
    for (uint32_t i = calltree_place(key, in->mask);; i = (i + 1) & in->mask) {
        *id = in->index[i];
        if (in->keys[*id] == key)
            return true;
        if (*id == CALLTREE_ROOT)
            return false;
    }
}

/* Finds the node of `function` under `parent`; CALLTREE_NONE when there is none. `context` counts at the root
 * only. */
static inline uint32_t calltree_find(const struct calltree *tree, uint32_t parent, uint32_t function,
                                     uint16_t context)
{
    struct calltree_index index = calltree_index(tree);
    uint32_t id;
    return calltree_find_key(&index, calltree_key(parent, function, context), &id) ? id : CALLTREE_NONE;
}

/* Does what calltree_child() does where calltree_find() found no node. */
uint32_t calltree_child_new(struct calltree *tree, struct functions *functions, uint32_t parent,
                            uint32_t function, uint16_t context);

/* Finds the node of `function` under `parent`, or makes it; beyond the ceiling it is that of "(other)". */
static inline uint32_t calltree_child(struct calltree *tree, struct functions *functions, uint32_t parent,
                                      uint32_t function, uint16_t context)
{
    uint32_t id = calltree_find(tree, parent, function, context);
    return id != CALLTREE_NONE ? id : calltree_child_new(tree, functions, parent, function, context);
}

/* Finds the node of `function` under `parent`, which is not the root, so that there is no context to ask for.
 * Tells whether there is one. */
static inline bool calltree_find_below(const struct calltree_index *in, uint32_t parent, uint32_t function,
                                       uint32_t *id)
{
    return calltree_find_key(in, (uint64_t)parent << 32 | function, id);
}

/* How much of a call its context ran, and how much of this was in no callee. */
struct call_times {
    uint64_t running_ticks, self_ticks;
};

/* Counts a call at its function and its node, which is nodes[at]. */
static inline void calltree_count_times(const struct functions_counters *counters,
                                        struct snapshot_node *nodes, uint32_t at,
                                        const struct timeline_call *call, const struct call_times *times)
{
    struct snapshot_node *node = &nodes[at];
    struct snapshot_function *row = functions_count(counters, call, nodes, node);
    if (!node->recursive) {
        row->total_ticks += times->running_ticks;
        functions_begin(counters, call);
    }
    row->self_ticks += times->self_ticks;
    node->calls++;
    node->total_ticks += times->running_ticks;
    node->self_ticks += times->self_ticks;
    node->changed = counters->sequence;
}

/* Does that for one of which nothing else is known than how long it took, and how much of that was in no
 * callee. */
static inline void calltree_count(const struct functions_counters *counters, struct snapshot_node *nodes,
                                  uint32_t at, const struct timeline_call *call, uint64_t self_ticks)
{
    calltree_count_times(counters, nodes, at, call, &(struct call_times){call->duration_ticks, self_ticks});
}

/* A call of `ticks` below `parent` counts at "(other)", which stands at the root: it takes them out of
 * all that it ran inside of, so that the tree still adds up. */
void calltree_leave(struct calltree *tree, const struct functions *functions, uint32_t parent,
                    uint64_t ticks);

/* Called for each node whose numbers are moved, when it has doubts: these are the teller's to move. */
typedef void (*calltree_carry_fn)(void *user, uint32_t from, uint32_t to);

struct calltree_carry {
    calltree_carry_fn carry;
    void *user;
};

/* Moves what the subtree below `from` counted to below `to`, adding to the nodes there; `from` itself keeps
 * its own numbers. The emptied nodes stay, with zeros, and are used again. `keep` (CALLTREE_NONE: none), a
 * child of `from`, stays as it is. Functions whose calls turn out recursive at the new place lose that time
 * from their totals. Returns the ticks moved. */
uint64_t calltree_move_children(struct calltree *tree, struct functions *functions, uint32_t from,
                                uint32_t to, uint32_t keep, const struct calltree_carry *carry);

#endif
