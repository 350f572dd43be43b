/* counted.h - the call tree of targets that count it themselves: sums of calls and own time for each node. */
#ifndef PROFILE_COUNTED_H
#define PROFILE_COUNTED_H

#include "event.h"
#include "profile/calltree.h"
#include "profile/livestacks.h"

/* Maps the target's nodes to those of the tree. */
struct counted {
    struct calltree *tree; /* borrowed, like the next two */
    struct functions *functions;
    struct livestacks *livestacks; /* has the contexts */
    uint32_t *nodes;               /* by the target's number: the tree's node, or CALLTREE_NONE */
    uint32_t room;
    bool has_some;    /* something was counted */
    uint64_t crowded; /* calls for which the target had no node left */
    uint64_t below;   /* ticks below nodes, of functions that have not been reported yet */
};

void counted_init(struct counted *counted, struct calltree *tree, struct functions *functions,
                  struct livestacks *livestacks);
void counted_fini(struct counted *counted);

/* Forgets the counts and which nodes the target's numbers mean. The dialect's retell() sends the nodes
 * again. */
void counted_clear(struct counted *counted);

/* Reads a NODE: adds its calls and its time at its node, and the time to the totals of all its callers.
 * Returns false when its parent was never reported, or memory is used up. */
bool counted_add(struct counted *counted, const struct event *event);

/* Reads an OUTSIDE: time in no function, and calls for which the target had no node. These count at the
 * context's "(other)", or without a tree at the function "(other)". */
void counted_add_outside(struct counted *counted, const struct event *event);

/* Reads a BELOW: time that counts at "(other below)" under its node. */
void counted_add_below(struct counted *counted, const struct event *event);

/* Reads an EVICTED: calls and own time of a function that nodes have as "(other below)". If the function is
 * unknown, they count at "(other)". */
void counted_add_evicted(struct counted *counted, const struct event *event);

/* Adds `ticks` during which the context of that number ran a function that is reported without a tree. */
void counted_ran(struct counted *counted, uint32_t context, uint64_t ticks);

/* From now on, the target's numbers mean different nodes. */
void counted_restart(struct counted *counted);

#endif
