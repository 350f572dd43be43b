/* tree_room.h - the size of the target's own call tree, and the size it needs: a part of a snapshot. */
#ifndef SNAPSHOT_TREE_ROOM_H
#define SNAPSHOT_TREE_ROOM_H

#include <stdbool.h>
#include <stdint.h>

struct snapshot_tree_room {
    uint32_t nodes;         /* how many the tree can hold */
    uint32_t needed;        /* for all chains of callers so far, to about 6 %; 0 when unknown */
    uint32_t node_bytes;    /* of the target's memory, for one more node; 0 when unknown */
    bool is_least;          /* `needed` is a minimum; the real number may be far higher */
    bool has_others;        /* the sums of some functions do not fit and are in "(other)" */
    uint32_t evictions;     /* nodes replaced by others, at most UINT32_MAX */
    uint64_t lacking_ticks; /* that may be missing from any chain of callers because of that */
    uint64_t ticks;         /* of the tree and its contexts, the base for percentages */
};

enum { TREE_ROOM_SIZE = 160, TREE_DOUBT_SIZE = 240 + TREE_ROOM_SIZE };

/* Writes what to do if the tree is too small: "The call tree needs about 1,500 nodes, 40 KB: build the agent
 * with -DMPT_TREE_NODES=1500." Returns false, and writes "", when it is large enough or this is unknown. */
bool snapshot_tree_room(const struct snapshot_tree_room *room, char out[static TREE_ROOM_SIZE]);

/* Writes how exact its chains of callers are, and what to do: "Chains of callers are approximate: each lacks
 * at most 1.8 % of the time. Calls and own times of functions are exact. The call tree needs ..." Returns
 * false, and writes "", when they are exact. */
bool snapshot_tree_doubt(const struct snapshot_tree_room *room, char out[static TREE_DOUBT_SIZE]);

#endif
