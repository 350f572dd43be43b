/* occupied.c - which nodes of a call tree hold something. */
#include "snapshot/snapshot.h"

static bool holds_something(const struct snapshot_node *node)
{
    return node->calls > 0 || node->total_ticks > 0 || node->self_ticks > 0;
}

uint32_t snapshot_occupied_nodes(const struct snapshot *snapshot, uint32_t *rows)
{
    /* Parents stand before their children, so a walk backwards has seen what is below a node when it comes to
     * it. Until then rows[i] says whether anything was. */
    uint32_t n = snapshot->node_count;
    for (uint32_t i = 0; i < n; i++)
        rows[i] = i == 0 || holds_something(&snapshot->nodes[i]);
    for (uint32_t i = n; i-- > 1;)
        if (rows[i])
            rows[snapshot->nodes[i].parent] = 1;
    uint32_t occupied = 0;
    for (uint32_t i = 0; i < n; i++)
        if (rows[i])
            rows[occupied++] = i;
    return occupied;
}
