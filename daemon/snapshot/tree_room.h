/* tree_room.h - how large the target's own call tree is, and how large it would have to be: a part of a
 * snapshot. */
#ifndef SNAPSHOT_TREE_ROOM_H
#define SNAPSHOT_TREE_ROOM_H

#include <stdbool.h>
#include <stdint.h>

struct snapshot_tree_room {
    uint32_t nodes;      /* that there is room for */
    uint32_t needed;     /* for all chains of callers so far, to some 6 %; 0: not known */
    uint32_t node_bytes; /* of the target's memory, for a further node; 0: not known */
    bool is_least;       /* it may be far more than `needed` */
    bool has_others;     /* of some functions it has no room for the sums of these, which are at "(other)" */
    uint32_t evictions;  /* nodes that gave up their places to others, at most UINT32_MAX */
    uint64_t lacking_ticks; /* that any chain of callers may lack for that, at the most */
    uint64_t ticks;         /* of the tree and its contexts, of which they are a share */
};

enum { TREE_ROOM_SIZE = 160, TREE_DOUBT_SIZE = 240 + TREE_ROOM_SIZE };

/* What to do where the tree is too small: "The call tree needs about 1,500 nodes, 40 KB: build the
 * agent with -DMPT_TREE_NODES=1500." False, and an empty text, where it is large enough or this
 * is not known. */
bool snapshot_tree_room(const struct snapshot_tree_room *room, char out[static TREE_ROOM_SIZE]);

/* How good its chains of callers are, and what to do: "Chains of callers are approximate: each lacks at most
 * 1.8 % of the time. Calls and own times of functions are exact. The call tree needs ..." False, and an empty
 * text, where they are exact. */
bool snapshot_tree_doubt(const struct snapshot_tree_room *room, char out[static TREE_DOUBT_SIZE]);

#endif
