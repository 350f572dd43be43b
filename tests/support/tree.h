/* tree.h - finds nodes of a snapshot's call tree by kind or address. */
#ifndef TESTS_SUPPORT_TREE_H
#define TESTS_SUPPORT_TREE_H

#include "snapshot/snapshot.h"

#define TREE_NONE UINT32_MAX

/* The node of a row of that kind and number right below `parent`; TREE_NONE when there is none. */
static inline uint32_t tree_of_kind(const struct snapshot *snapshot, uint32_t parent, enum snapshot_kind kind,
                                    uint32_t number)
{
    for (uint32_t node = parent + 1; node < snapshot->node_count; node++) { /* parents come first */
        const struct snapshot_function *row = &snapshot->functions[snapshot->nodes[node].function];
        if (snapshot->nodes[node].parent == (int32_t)parent && row->kind == kind && row->number == number)
            return node;
    }
    return TREE_NONE;
}

/* The node of the function at that address right below `parent`; TREE_NONE when there is none. */
static inline uint32_t tree_of_address(const struct snapshot *snapshot, uint32_t parent, uint64_t address)
{
    for (uint32_t node = parent + 1; node < snapshot->node_count; node++) { /* parents come first */
        const struct snapshot_function *row = &snapshot->functions[snapshot->nodes[node].function];
        if (snapshot->nodes[node].parent == (int32_t)parent && row->has_address && row->address == address)
            return node;
    }
    return TREE_NONE;
}

#endif
