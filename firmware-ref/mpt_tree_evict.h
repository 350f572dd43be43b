/* mpt_tree_evict.h - a tree that is full gives places to new nodes (SPEC.md section 12.9); not for
 * applications.
 *
 * The first eviction of a run changes how callees are found: nodes no longer say what was called after them,
 * since nobody could take that back where a place changes hands. So hooks of a tree in which all nodes find
 * room do the same as without eviction. */
#ifndef MPT_TREE_EVICT_H
#define MPT_TREE_EVICT_H

#include "mpt_tree.h"

#if MPT_TREE_EVICTION

/* A place for a new node below `parent`, where the context that runs is; 0: none can go, or the run is not
 * one that evicts. The one that had it is over. Interrupts are locked out: some 400 instructions. */
MPT_NOT_INSTRUMENTED uint32_t mpt_tree_evict(uint32_t parent);

/* Sums that are sent of the nodes that are over; [0]: of functions that found no place. */
MPT_NOT_INSTRUMENTED static inline struct mpt_tree_gone *mpt_tree_gone(uint32_t at)
{
    return &mpt_tree.gone[at];
}

#endif
#endif
