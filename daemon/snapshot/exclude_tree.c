/* exclude_tree.c - what hooks of mode tree take when functions are left out.
 *
 * The callees of a function without hooks count as callees of its caller. There they may come in an order that
 * needs fewer lookups, or more: what is saved is not only what the function's own hooks took. */
#include "snapshot/exclude_tree.h"

#include "base/map.h"
#include "snapshot/lookups.h"

#include <stdlib.h>

/* The tree as it would be without the hooks of the functions that are left out. Its nodes have the numbers of the
 * first nodes that become part of them. */
struct merged_tree {
    struct map nodes; /* key: caller and function; value: the node */
    uint32_t *node;   /* per node: the node that it becomes, of one that is left out its caller's */
    uint64_t *calls;  /* per merged node */
    struct lookups_caller *callers; /* callers_of() */
    struct lookups_callee *callees;
    uint32_t callee_count;
};

enum {
    /* A callee that follows another costs this part of what a lookup costs more: 8 to 10 instructions of 48 to 69,
     * by core and level (docs/target-cost.md, version 3). */
    CHANGES_OF_LOOKUP = 6
};

/* Outermost calls of each context have a caller of their own. */
static uint32_t callers_of(const struct snapshot *snapshot)
{
    return snapshot->node_count + snapshot->context_count + 1;
}

static uint32_t caller_of(const struct snapshot *snapshot, const struct snapshot_node *node, uint32_t parent)
{
    if (parent > 0)
        return parent;
    uint32_t most = snapshot->context_count;
    return snapshot->node_count + (node->context < most ? node->context : most);
}

/* Makes node `i` part of the merged tree; callers come first. Returns false when memory is used up. */
static bool merge_node(struct merged_tree *tree, const struct snapshot *snapshot, uint32_t i, bool is_out)
{
    const struct snapshot_node *node = &snapshot->nodes[i];
    uint32_t parent = node->parent > 0 ? tree->node[node->parent] : 0;
    uint64_t caller = caller_of(snapshot, node, parent);
    if (is_out) {
        tree->node[i] = parent;
        return true;
    }
    uint64_t key = caller << 32 | (uint32_t)node->function;
    uint32_t is = map_find(&tree->nodes, key);
    if (is == MAP_NONE) {
        is = i;
        if (!map_set(&tree->nodes, key, i))
            return false;
        tree->callees[i].caller = (uint32_t)caller;
    }
    tree->node[i] = is;
    tree->calls[is] += node->calls;
    return true;
}

static double ticks_of_merged(struct merged_tree *tree, const struct snapshot *snapshot,
                              const struct correction_costs *costs)
{
    double calls = 0, lookups = 0;
    uint32_t n = 0;
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        tree->callers[i].calls = tree->calls[i];
        if (tree->calls[i] == 0 || correction_is_interrupt(node, costs) ||
            snapshot_context_is_idle(snapshot, node->context))
            continue;
        calls += (double)tree->calls[i];
        tree->callees[n++] =
            (struct lookups_callee){.caller = tree->callees[i].caller, .calls = tree->calls[i]};
    }
    lookups_estimate(tree->callees, n, tree->callers);
    for (uint32_t i = 0; i < callers_of(snapshot); i++)
        lookups += tree->callers[i].estimate + tree->callers[i].changes / CHANGES_OF_LOOKUP;
    return correction_tree_ticks(costs, calls, lookups, n);
}

bool exclude_tree_ticks(const struct snapshot *snapshot, exclude_is_out *is_out, const void *user,
                        double *ticks)
{
    const struct correction_costs costs = correction_costs(snapshot);
    size_t n = snapshot->node_count + 1;
    struct merged_tree tree = {.node = calloc(n, sizeof *tree.node),
                               .calls = calloc(n, sizeof *tree.calls),
                               .callees = calloc(n, sizeof *tree.callees),
                               .callers = calloc(callers_of(snapshot), sizeof *tree.callers)};
    bool is_done = tree.node && tree.calls && tree.callees && tree.callers;
    for (uint32_t i = 1; is_done && i < snapshot->node_count; i++) {
        int32_t function = snapshot->nodes[i].function;
        is_done = merge_node(&tree, snapshot, i, function >= 0 && is_out(user, (uint32_t)function));
    }
    if (is_done)
        *ticks = ticks_of_merged(&tree, snapshot, &costs);
    map_fini(&tree.nodes);
    free(tree.node);
    free(tree.calls);
    free(tree.callees);
    free(tree.callers);
    return is_done;
}
