/* calltree.c - the merged call tree. */
#include "profile/calltree.h"

#include "base/scarcity.h"

#include <stdlib.h>
#include <string.h>

struct calltree_family {
    uint32_t first_child, next_sibling; /* CALLTREE_NONE ends a list */
};

/* Reserves one node more than requested, so that "(other)" always fits. */
static bool reserve_node(struct calltree *tree)
{
    if (tree->count + 2 > tree->capacity) {
        uint32_t capacity = tree->capacity ? tree->capacity * 2 : 256;
        if (capacity > tree->limit + 1) /* and "(other)" */
            capacity = tree->limit + 1;
        if (!scarcity_grow(&tree->nodes, capacity, sizeof *tree->nodes) ||
            !scarcity_grow(&tree->families, capacity, sizeof *tree->families) ||
            !scarcity_grow(&tree->keys, capacity, sizeof *tree->keys))
            return false;
        tree->capacity = capacity;
    }
    return true;
}

static uint32_t take_node(struct calltree *tree, uint32_t parent, int32_t function, uint16_t context)
{
    uint32_t id = tree->count++;
    bool root = id == CALLTREE_ROOT;
    tree->nodes[id] = (struct snapshot_node){
        .parent = root ? -1 : (int32_t)parent, .function = function, .context = context};
    tree->keys[id] = root ? UINT64_MAX : calltree_key(parent, (uint32_t)function, context);
    tree->families[id] =
        (struct calltree_family){.first_child = CALLTREE_NONE, .next_sibling = CALLTREE_NONE};
    if (!root) {
        tree->families[id].next_sibling = tree->families[parent].first_child;
        tree->families[parent].first_child = id;
        for (uint32_t up = parent; up != CALLTREE_ROOT; up = (uint32_t)tree->nodes[up].parent)
            if (tree->nodes[up].function == function)
                tree->nodes[id].recursive = true;
    }
    return id;
}

/* Adds a node. Returns CALLTREE_NONE when memory is used up. */
static uint32_t add_node(struct calltree *tree, uint32_t parent, int32_t function, uint16_t context)
{
    return reserve_node(tree) ? take_node(tree, parent, function, context) : CALLTREE_NONE;
}

static void index_node(uint32_t *index, uint32_t mask, uint64_t key, uint32_t id)
{
    uint32_t at = calltree_place(key, mask);
    while (index[at] != CALLTREE_ROOT)
        at = (at + 1) & mask;
    index[at] = id;
}

/* While the index is small, it is kept sparse: a second probe costs more than the memory. */
enum { SPARSE_SIZE = 16384 };

/* Makes room in the index for one more node, at a load of one eighth, later of one half. Returns false when
 * memory is used up. */
static bool reserve_index(struct calltree *tree)
{
    if (tree->index && tree->count * (tree->index_mask < SPARSE_SIZE - 1 ? 8 : 2) <= tree->index_mask)
        return true;
    uint32_t size = tree->index ? (tree->index_mask + 1) * 2 : 256;
    uint32_t *index = scarcity_watch(calloc(size, sizeof *index));
    if (!index)
        return false;
    for (uint32_t id = 1; id < tree->count; id++)
        if (id != tree->other)
            index_node(index, size - 1, tree->keys[id], id);
    free(tree->index);
    tree->index = index;
    tree->index_mask = size - 1;
    return true;
}

bool calltree_init(struct calltree *tree, uint32_t limit)
{
    *tree = (struct calltree){.limit = limit, .other = CALLTREE_NONE};
    return reserve_index(tree) && add_node(tree, 0, -1, 0) == CALLTREE_ROOT;
}

void calltree_fini(struct calltree *tree)
{
    free(tree->nodes);
    free(tree->families);
    free(tree->keys);
    free(tree->index);
    doubts_fini(&tree->doubts);
}

void calltree_clear(struct calltree *tree)
{
    tree->count = 0;
    tree->other = CALLTREE_NONE;
    tree->over_limit = 0;
    doubts_clear(&tree->doubts);
    memset(tree->index, 0, (tree->index_mask + 1) * sizeof *tree->index);
    take_node(tree, 0, -1, 0);
}

uint32_t calltree_other(struct calltree *tree, struct functions *functions)
{
    if (tree->other == CALLTREE_NONE) {
        tree->other = take_node(tree, CALLTREE_ROOT, (int32_t)functions_other(functions), 0);
        tree->nodes[tree->other].is_other = true;
    }
    return tree->other;
}

static void note_recursion(struct functions *functions, uint32_t function)
{
    struct snapshot_function *row = &functions->rows[function];
    if (!row->may_recur)
        row->changed = functions->sequence;
    row->may_recur = true;
}

uint32_t calltree_child_new(struct calltree *tree, struct functions *functions, uint32_t parent,
                            uint32_t function, uint16_t context)
{
    if (parent == tree->other) {
        note_recursion(functions, function);
        return parent;
    }
    if (parent != CALLTREE_ROOT)
        context = tree->nodes[parent].context;
    uint32_t id = CALLTREE_NONE;
    if (tree->count < tree->limit && reserve_index(tree))
        id = add_node(tree, parent, (int32_t)function, context);
    if (id == CALLTREE_NONE) {
        tree->over_limit++;
        note_recursion(functions, function);
        return calltree_other(tree, functions);
    }
    if (tree->nodes[id].recursive)
        note_recursion(functions, function);
    index_node(tree->index, tree->index_mask, tree->keys[id], id);
    return id;
}

void calltree_leave(struct calltree *tree, const struct functions *functions, uint32_t parent, uint64_t ticks)
{
    bool running = false;
    for (uint32_t node = parent; node != CALLTREE_ROOT; node = (uint32_t)tree->nodes[node].parent) {
        const struct snapshot_function *row = &functions->rows[tree->nodes[node].function];
        tree->nodes[node].total_ticks -= ticks;
        tree->nodes[node].changed = functions->sequence;
        if (row->kind == KIND_RUNNING && tree->left && !running)
            tree->left[row->number] += ticks;
        running |= row->kind == KIND_RUNNING;
    }
}

/* Adds the numbers of node `from` to those of node `to`, and zeroes `from`. */
static void move_numbers(struct calltree *tree, struct functions *functions, uint32_t from, uint32_t to)
{
    struct snapshot_node *source = &tree->nodes[from], *target = &tree->nodes[to];
    if (target->recursive && !source->recursive && source->calls > 0) {
        struct snapshot_function *function = &functions->rows[source->function];
        function->total_ticks -= source->total_ticks;
        function->changed = functions->sequence;
    }
    target->calls += source->calls;
    target->total_ticks += source->total_ticks;
    target->self_ticks += source->self_ticks;
    target->changed = functions->sequence;
    source->calls = source->total_ticks = source->self_ticks = 0;
    source->changed = functions->sequence;
}

/* True when nothing at or below the node is counted or in doubt. Placeholders count no calls of their own. */
static bool is_branch_empty(const struct calltree *tree, uint32_t node)
{
    if (tree->nodes[node].calls > 0 || doubts_find(&tree->doubts, node))
        return false;
    for (uint32_t child = tree->families[node].first_child; child != CALLTREE_NONE;
         child = tree->families[child].next_sibling)
        if (!is_branch_empty(tree, child))
            return false;
    return true;
}

uint64_t calltree_move_children(struct calltree *tree, struct functions *functions, uint32_t from,
                                uint32_t to, uint32_t keep, const struct calltree_carry *carry)
{
    if (from == to) /* both are "(other)" */
        return 0;
    uint64_t moved = 0;
    for (uint32_t child = tree->families[from].first_child; child != CALLTREE_NONE;
         child = tree->families[child].next_sibling) {
        if (child == keep || is_branch_empty(tree, child))
            continue;
        moved += tree->nodes[child].total_ticks;
        uint32_t place = calltree_child(tree, functions, to, (uint32_t)tree->nodes[child].function,
                                        tree->nodes[child].context);
        calltree_move_children(tree, functions, child, place, CALLTREE_NONE, carry);
        if (place == tree->other)
            calltree_leave(tree, functions, to, tree->nodes[child].total_ticks);
        move_numbers(tree, functions, child, place);
        if (doubts_find(&tree->doubts, child))
            carry->carry(carry->user, child, place);
    }
    return moved;
}
