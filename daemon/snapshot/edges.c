/* edges.c - adds up callers and callees of a function over the call tree, or the arcs from which it was estimated. */
#include "snapshot/edges.h"

#include "base/map.h"

#include <stdlib.h>

/* Edges that are being added up. */
struct sums {
    struct map row_of; /* function to row */
    struct edges *edges;
    uint32_t capacity;
};

static bool add_to_edge(struct sums *sums, uint32_t function, uint64_t calls, uint64_t total_ticks)
{
    struct edges *edges = sums->edges;
    uint32_t row = map_find(&sums->row_of, function);
    if (row == MAP_NONE) {
        if (edges->n == sums->capacity) {
            uint32_t capacity = sums->capacity ? sums->capacity * 2 : 16;
            void *grown = realloc(edges->rows, capacity * sizeof *edges->rows);
            if (!grown)
                return false;
            edges->rows = grown;
            sums->capacity = capacity;
        }
        row = edges->n;
        if (!map_set(&sums->row_of, function, row))
            return false;
        edges->rows[edges->n++] = (struct edge){.function = function};
    }
    edges->rows[row].calls += calls;
    edges->rows[row].total_ticks += total_ticks;
    return true;
}

static int32_t function_of(const struct snapshot *snapshot, int32_t node)
{
    return node < 0 ? -1 : snapshot->nodes[node].function;
}

/* The time of a recursive call is also inside the outer call, and is counted there only. So the callers'
 * ticks add up to the function's. */
static bool sum_callers(const struct snapshot *snapshot, int32_t id, struct sums *callers)
{
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        int32_t caller = function_of(snapshot, node->parent);
        if (node->function == id && caller >= 0 && (node->calls || node->total_ticks) &&
            !add_to_edge(callers, (uint32_t)caller, node->calls, node->recursive ? 0 : node->total_ticks))
            return false;
    }
    return true;
}

/* Adds up the callees. When the same function called the same callee further out, only the time of the outer
 * call counts. outer[i] is the nearest node above i (its parent, or further up) that is a call by function
 * `id`; 0 when there is none. */
static bool sum_callees(const struct snapshot *snapshot, int32_t id, struct sums *callees)
{
    uint32_t *outer = calloc(snapshot->node_count, sizeof *outer);
    bool enough = outer != NULL;
    for (uint32_t i = 1; i < snapshot->node_count && enough; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        uint32_t parent = (uint32_t)node->parent;
        bool parent_is_callee = function_of(snapshot, snapshot->nodes[parent].parent) == id;
        outer[i] = parent_is_callee ? parent : outer[parent];
        if (function_of(snapshot, node->parent) != id || (!node->calls && !node->total_ticks))
            continue;
        uint32_t above = outer[i];
        while (above && snapshot->nodes[above].function != node->function)
            above = outer[above];
        enough = add_to_edge(callees, (uint32_t)node->function, node->calls, above ? 0 : node->total_ticks);
    }
    free(outer);
    return enough;
}

/* Adds up the arcs of a function, whose calls are counted. `is_caller`: its callers, otherwise its callees. */
static bool sum_arcs(const struct snapshot *snapshot, uint32_t function, bool is_caller, struct sums *sums)
{
    for (uint32_t i = 0; i < snapshot->arc_count; i++) {
        const struct snapshot_arc *arc = &snapshot->arcs[i];
        if ((is_caller ? arc->callee : arc->caller) == function &&
            !add_to_edge(sums, is_caller ? arc->caller : arc->callee, arc->calls, 0))
            return false;
    }
    return true;
}

/* Takes the times of edges in an estimated tree, which lacks calls without samples, and replaces functions that call
 * each other by a cycle. */
static void take_times(struct edges *edges, const struct map *row_of, const struct edges *estimated)
{
    for (uint32_t i = 0; i < estimated->n; i++) {
        uint32_t row = map_find(row_of, estimated->rows[i].function);
        if (row != MAP_NONE)
            edges->rows[row].total_ticks = estimated->rows[i].total_ticks;
    }
}

static int by_ticks_then_id(const void *a, const void *b)
{
    const struct edge *left = a, *right = b;
    if (left->total_ticks != right->total_ticks)
        return left->total_ticks < right->total_ticks ? 1 : -1;
    return left->function < right->function ? -1 : 1;
}

static bool find_in_tree(const struct snapshot *snapshot, uint32_t function, bool is_caller,
                         struct edges *edges)
{
    struct sums sums = {.edges = edges};
    *edges = (struct edges){0};
    bool enough = (is_caller ? sum_callers : sum_callees)(snapshot, (int32_t)function, &sums);
    map_fini(&sums.row_of);
    return enough;
}

static bool find_in_arcs(const struct snapshot *snapshot, uint32_t function, bool is_caller,
                         struct edges *edges)
{
    struct sums sums = {.edges = edges};
    struct edges estimated = {0};
    *edges = (struct edges){0};
    bool enough = sum_arcs(snapshot, function, is_caller, &sums) &&
                  find_in_tree(snapshot, function, is_caller, &estimated);
    take_times(edges, &sums.row_of, &estimated);
    edges_fini(&estimated);
    map_fini(&sums.row_of);
    return enough;
}

static bool find_edges(const struct snapshot *snapshot, uint32_t function, bool is_caller,
                       struct edges *edges)
{
    bool is_estimate = snapshot->call_tree_estimated && snapshot->arc_count > 0;
    bool enough = (is_estimate ? find_in_arcs : find_in_tree)(snapshot, function, is_caller, edges);
    if (edges->n > 0)
        qsort(edges->rows, edges->n, sizeof *edges->rows, by_ticks_then_id);
    return enough;
}

bool edges_find(const struct snapshot *snapshot, uint32_t function, struct edges *callers,
                struct edges *callees)
{
    bool enough = find_edges(snapshot, function, true, callers);
    return find_edges(snapshot, function, false, callees) && enough;
}

void edges_fini(struct edges *edges)
{
    free(edges->rows);
}
