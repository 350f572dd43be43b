/* calltree.h - the merged call tree: one node per distinct chain of callers. */
#ifndef PROFILE_CALLTREE_H
#define PROFILE_CALLTREE_H

#include "base/map.h"
#include "profile/functions.h"
#include "profile/snapshot.h"

enum { CALLTREE_ROOT = 0 };

#define CALLTREE_NONE UINT32_MAX

struct calltree {
    struct snapshot_node
        *nodes; /* row 0 the root, row 1 "(other)" where the ceiling sends what does not fit */
    struct calltree_link *links; /* parallel to nodes */
    uint32_t count, capacity, limit;
    uint32_t other;      /* the node "(other)" below the root, CALLTREE_NONE until the ceiling is reached */
    uint64_t over_limit; /* nodes that were not made */
    struct map by_function; /* (parent, function) to node: decides */
    struct map by_address;  /* (parent, address) to node: remembers, so that a call costs one lookup */
};

/* False when memory is used up. */
bool calltree_init(struct calltree *tree, uint32_t limit);
void calltree_fini(struct calltree *tree);
void calltree_clear(struct calltree *tree);

/* The node of all that a ceiling merged. Below it there are no nodes. */
uint32_t calltree_other(struct calltree *tree, struct functions *functions);

/* The node of `function` under `parent`, made if need be; beyond the ceiling "(other)". `context` counts
 * at the root only, further down it is the parent's. */
uint32_t calltree_child(struct calltree *tree, struct functions *functions, uint32_t parent,
                        uint32_t function, uint16_t context);

/* The same without making one: CALLTREE_NONE when it is not there. */
uint32_t calltree_find(const struct calltree *tree, uint32_t parent, uint32_t function, uint16_t context);

/* calltree_child() of the function at `address`. */
uint32_t calltree_child_at(struct calltree *tree, struct functions *functions, uint32_t parent,
                           uint64_t address, uint16_t context);

/* Forgets the (parent, address) shortcuts; needed when addresses change their meaning. */
void calltree_forget_addresses(struct calltree *tree);

/* Moves what the subtree below `from` counted to below `to`, adding to the nodes there; `from` itself keeps
 * its own numbers. The emptied nodes stay, with zeros, and are used again. `keep` (CALLTREE_NONE: none), a
 * child of `from`, stays as it is. Functions whose calls turn out recursive at the new place lose that time
 * from their totals. Returns the ticks moved. */
uint64_t calltree_move_children(struct calltree *tree, struct functions *functions, uint32_t from,
                                uint32_t to, uint32_t keep);

#endif
