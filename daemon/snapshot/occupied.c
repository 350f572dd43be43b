/* occupied.c - finds the nodes of a call tree that count something. */
#include "snapshot/snapshot.h"

static bool holds_something(const struct snapshot_node *node)
{
    return node->calls > 0 || node->total_ticks > 0 || node->self_ticks > 0;
}

uint32_t snapshot_occupied_nodes(const struct snapshot *snapshot, uint32_t *rows)
{
    /* Parents come before their children, so a backward walk reaches a node after everything below it. Until
     * then rows[i] is 1 when a node below i counted something. */
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
