/* counted.h - the call tree of targets that count it themselves: calls and own time of each node, as sums. */
#ifndef PROFILE_COUNTED_H
#define PROFILE_COUNTED_H

#include "event.h"
#include "profile/calltree.h"
#include "profile/livestacks.h"

/* Where what the target counts belongs. */
struct counted {
    struct calltree *tree; /* borrowed, like the next two */
    struct functions *functions;
    struct livestacks *livestacks; /* which knows the contexts */
    uint32_t *nodes;               /* the target's number to the tree's node; CALLTREE_NONE: none yet */
    uint32_t room;
    bool has_some;    /* something was counted */
    uint64_t crowded; /* calls for which the target found no node */
    uint64_t below;   /* ticks of calls below nodes, whose functions have not come yet */
};

void counted_init(struct counted *counted, struct calltree *tree, struct functions *functions,
                  struct livestacks *livestacks);
void counted_fini(struct counted *counted);

/* Forgets the counts. What the target goes on counting at nodes that it sent before is asked for again by
 * their numbers. */
void counted_clear(struct counted *counted);

/* Takes a NODE: adds its calls and its time to its place in the tree, and the time to all its callers'
 * totals. False: its parent was never reported, or memory is used up. */
bool counted_add(struct counted *counted, const struct event *event);

/* Takes an OUTSIDE: time in no function, and what found no node, which counts at "(other)" of its context, or
 * where no tree is counted at the function "(other)". */
void counted_add_outside(struct counted *counted, const struct event *event);

/* Takes a BELOW: time that stands at "(other below)" under its node. */
void counted_add_below(struct counted *counted, const struct event *event);

/* Takes an EVICTED: calls and own time of a function, whose nodes have it as "(other below)". Of those whose
 * function is unknown they count at "(other)". */
void counted_add_evicted(struct counted *counted, const struct event *event);

/* The context of that number ran for `ticks` in a function that is reported without a tree. */
void counted_ran(struct counted *counted, uint32_t context, uint64_t ticks);

/* The target's numbers mean other nodes from now on. */
void counted_restart(struct counted *counted);

#endif
