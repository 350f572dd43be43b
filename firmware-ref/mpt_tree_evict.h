/* mpt_tree_evict.h - evicts nodes of a full tree for new ones (SPEC.md section 12.9); not for applications.
 *
 * The first eviction of a run changes how callees are found: nodes no longer note what was called after them,
 * since it would take long to find such a note when a node is reused. So while all nodes find room, hooks do the
 * same as without eviction. */
#ifndef MPT_TREE_EVICT_H
#define MPT_TREE_EVICT_H

#include "mpt_tree.h"

#if MPT_TREE_EVICTION

/* Evicts a node and returns its index, for a new node below `parent`, where the running context is; 0 when
 * none can be evicted, or the run does not evict. Interrupts are locked out (docs/target-cost.md). */
MPT_NOT_INSTRUMENTED uint32_t mpt_tree_evict(uint32_t parent);

/* Counts the nodes that were made since the last time as callees of their parents, eight at a time with interrupts
 * locked out. mpt_poll() calls this, so that few are left for the first eviction, which counts the rest. */
MPT_NOT_INSTRUMENTED void mpt_tree_count_callees(void);

/* Returns sums of evicted nodes by their function; [0] has those of functions that found no slot. */
MPT_NOT_INSTRUMENTED static inline struct mpt_tree_gone *mpt_tree_gone(uint32_t at)
{
    return &mpt_tree.gone[at];
}

#endif
#endif
