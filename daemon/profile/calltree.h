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
    struct snapshot_node *nodes;      /* row 0 is the root */
    struct calltree_family *families; /* parallel to nodes */
    uint32_t count, capacity, limit;
    uint32_t other;       /* the node "(other)" below the root; CALLTREE_NONE until the ceiling is reached */
    uint64_t over_limit;  /* nodes that exceeded the ceiling */
    uint64_t *keys;       /* parallel to nodes: calltree_key(); smaller, for faster lookups */
    uint32_t *index;      /* hash table of the nodes by key; CALLTREE_ROOT: empty slot */
    uint32_t index_mask;  /* its size minus 1 */
    struct doubts doubts; /* doubts about callers, by node */
    uint64_t *left; /* borrowed, or NULL: per depth, ticks below "[depth N running]" that are in "(other)" */
};

/* Makes a tree with a root, and a limit of nodes. Returns false when memory is used up. */
bool calltree_init(struct calltree *tree, uint32_t limit);
void calltree_fini(struct calltree *tree);

/* Removes all nodes except the root. */
void calltree_clear(struct calltree *tree);

/* Returns the node "(other)", which has everything that the ceiling merged, and no children. Makes it if
 * needed. */
uint32_t calltree_other(struct calltree *tree, struct functions *functions);

/* Returns the key of a node in the index. Children of the root are also distinguished by context. A node's
 * number never has the top bit set. */
static inline uint64_t calltree_key(uint32_t parent, uint32_t function, uint16_t context)
{
    uint64_t under = parent == CALLTREE_ROOT ? 0x80000000u | context : parent;
    return under << 32 | function;
}

/* Returns the slot of the index where the search for a key begins. Fibonacci hashing spreads the children of
 * neighbouring parents best. */
static inline uint32_t calltree_place(uint64_t key, uint32_t mask)
{
    return (uint32_t)(key * 0x9E3779B97F4A7C15u >> 32) & mask;
}

/* What is needed to find a node, read once for many lookups. Valid until a node is added. */
struct calltree_index {
    const uint64_t *keys;
    const uint32_t *index;
    uint32_t mask;
};

static inline struct calltree_index calltree_index(const struct calltree *tree)
{
    return (struct calltree_index){.keys = tree->keys, .index = tree->index, .mask = tree->index_mask};
}

/* Returns true if there is a node with that key, and sets *id to it; otherwise to CALLTREE_ROOT. */
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

/* Returns the node of `function` under `parent`; CALLTREE_NONE when there is none. `context` only matters
 * below the root. */
static inline uint32_t calltree_find(const struct calltree *tree, uint32_t parent, uint32_t function,
                                     uint16_t context)
{
    struct calltree_index index = calltree_index(tree);
    uint32_t id;
    return calltree_find_key(&index, calltree_key(parent, function, context), &id) ? id : CALLTREE_NONE;
}

/* The part of calltree_child() that makes a node. */
uint32_t calltree_child_new(struct calltree *tree, struct functions *functions, uint32_t parent,
                            uint32_t function, uint16_t context);

/* Finds or makes the node of `function` under `parent`. Above the ceiling, returns "(other)". */
static inline uint32_t calltree_child(struct calltree *tree, struct functions *functions, uint32_t parent,
                                      uint32_t function, uint16_t context)
{
    uint32_t id = calltree_find(tree, parent, function, context);
    return id != CALLTREE_NONE ? id : calltree_child_new(tree, functions, parent, function, context);
}

/* Finds the node of `function` under `parent`, which is not the root, so no context is needed. Returns true
 * if there is one. */
static inline bool calltree_find_below(const struct calltree_index *in, uint32_t parent, uint32_t function,
                                       uint32_t *id)
{
    return calltree_find_key(in, (uint64_t)parent << 32 | function, id);
}

/* The time of a call in which its context ran, and the part of it outside of callees. */
struct call_times {
    uint64_t running_ticks, self_ticks;
};

/* Counts a call at its function and at node `at`. */
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

/* Counts a call of which only the duration and the time outside of callees are known. */
static inline void calltree_count(const struct functions_counters *counters, struct snapshot_node *nodes,
                                  uint32_t at, const struct timeline_call *call, uint64_t self_ticks)
{
    calltree_count_times(counters, nodes, at, call, &(struct call_times){call->duration_ticks, self_ticks});
}

/* A call of `ticks` below `parent` is counted at "(other)", which is a child of the root. Subtracts its time
 * from all callers, so that the tree still adds up. */
void calltree_leave(struct calltree *tree, const struct functions *functions, uint32_t parent,
                    uint64_t ticks);

/* Called for each node with doubts whose numbers are moved: the callback has to move the doubts. */
typedef void (*calltree_carry_fn)(void *user, uint32_t from, uint32_t to);

struct calltree_carry {
    calltree_carry_fn carry;
    void *user;
};

/* Moves the counts of all nodes below `from` to below `to`, where they are added. `from` itself keeps its
 * counts, and so does `keep`, a child of `from` (CALLTREE_NONE: none). The emptied nodes stay, with zeros,
 * and are reused. When functions become recursive in the new place, that time is subtracted from their
 * totals. Returns the ticks moved. */
uint64_t calltree_move_children(struct calltree *tree, struct functions *functions, uint32_t from,
                                uint32_t to, uint32_t keep, const struct calltree_carry *carry);

#endif
