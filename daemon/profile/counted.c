/* counted.c - the call tree of targets that count it themselves.
 *
 * A node's total is the time of itself and all nodes below, so each received sum is added to all nodes up to
 * the root. So totals are right at any moment, and only rows that changed are marked as changed. */
#include "profile/counted.h"

#include "base/scarcity.h"

#include <stdlib.h>
#include <string.h>

void counted_init(struct counted *counted, struct calltree *tree, struct functions *functions,
                  struct livestacks *livestacks)
{
    *counted = (struct counted){.tree = tree, .functions = functions, .livestacks = livestacks};
}

void counted_fini(struct counted *counted)
{
    free(counted->nodes);
}

static void forget_nodes(struct counted *counted)
{
    if (counted->room > 0)
        memset(counted->nodes, 0xFF, counted->room * sizeof *counted->nodes);
}

void counted_restart(struct counted *counted)
{
    forget_nodes(counted);
}

void counted_clear(struct counted *counted)
{
    forget_nodes(counted);
    counted->crowded = counted->below = 0;
    counted->has_some = false;
}

static bool make_room(struct counted *counted, uint32_t number)
{
    if (number < counted->room)
        return true;
    uint32_t room = counted->room ? counted->room : 256;
    while (room <= number)
        room *= 2;
    uint32_t *grown =
        number < EVENT_NODES_MAX ? scarcity_watch(realloc(counted->nodes, room * sizeof *grown)) : NULL;
    if (!grown)
        return false;
    memset(grown + counted->room, 0xFF, (room - counted->room) * sizeof *grown);
    counted->nodes = grown;
    counted->room = room;
    return true;
}

/* Adds the time to the node, to all its callers, and once to the total of each function among these. */
static void add_node_ticks(struct counted *counted, uint32_t id, uint64_t ticks)
{
    struct snapshot_node *nodes = counted->tree->nodes;
    struct snapshot_function *rows = counted->functions->rows;
    uint64_t sequence = counted->functions->sequence;
    nodes[id].self_ticks += ticks;
    for (; id != CALLTREE_ROOT; id = (uint32_t)nodes[id].parent) {
        struct snapshot_function *row = &rows[nodes[id].function];
        row->total_ticks += nodes[id].recursive ? 0 : ticks;
        nodes[id].total_ticks += ticks;
        row->changed = nodes[id].changed = sequence;
    }
}

/* `times` is FUNCTION_TIMES, or FUNCTION_SELF when the total is unknown. */
static void note_counted(struct snapshot_function *row, uint32_t times, uint64_t calls,
                         uint64_t longest_ticks)
{
    if (!(row->known & (FUNCTION_TIMES | FUNCTION_EVICTED)))
        row->calls = 0; /* arcs have counted the same calls */
    if (times == FUNCTION_SELF) {
        row->known |= FUNCTION_SELF | FUNCTION_EVICTED;
        row->known &= ~(uint32_t)FUNCTION_TIMES;
    } else if (!(row->known & FUNCTION_EVICTED)) {
        row->known |= FUNCTION_TIMES;
    }
    row->known |= FUNCTION_CALLS | (longest_ticks > 0 ? FUNCTION_LONGEST : 0u);
    row->calls += calls;
    if (longest_ticks > row->max_ticks)
        row->max_ticks = longest_ticks;
}

static void add_counts(struct counted *counted, uint32_t id, uint64_t calls, uint64_t ticks,
                       uint64_t longest_ticks)
{
    struct snapshot_node *node = &counted->tree->nodes[id];
    struct snapshot_function *row = &counted->functions->rows[node->function];
    note_counted(row, FUNCTION_TIMES, calls, longest_ticks);
    row->self_ticks += ticks;
    node->calls += calls;
    add_node_ticks(counted, id, ticks);
}

/* Returns the tree's node for a node of the target that is reported for the first time. */
static uint32_t place_node(struct counted *counted, const struct event *event, uint32_t index)
{
    const struct event_node *told = event->node;
    uint32_t parent = CALLTREE_ROOT;
    if (told->parent != EVENT_NO_NODE)
        parent = told->parent < counted->room ? counted->nodes[told->parent] : CALLTREE_NONE;
    if (parent == CALLTREE_NONE || !make_room(counted, told->number))
        return CALLTREE_NONE;
    uint32_t function = functions_at(counted->functions, told->address);
    return counted->nodes[told->number] =
               calltree_child(counted->tree, counted->functions, parent, function, (uint16_t)index);
}

bool counted_add(struct counted *counted, const struct event *event)
{
    const struct event_node *told = event->node;
    uint32_t index = livestacks_index(counted->livestacks, event->context);
    uint32_t id = told->number < counted->room ? counted->nodes[told->number] : CALLTREE_NONE;
    if (index == LIVESTACKS_NONE)
        return false;
    if (id == CALLTREE_NONE)
        id = place_node(counted, event, index);
    if (id == CALLTREE_NONE)
        return false;
    counted->has_some = true;
    add_counts(counted, id, told->calls, told->ticks, told->longest_ticks);
    livestacks_ran(counted->livestacks, index, told->ticks, 0);
    return true;
}

void counted_add_below(struct counted *counted, const struct event *event)
{
    uint32_t index = livestacks_index(counted->livestacks, event->context);
    uint32_t number = event->below.number, parent = CALLTREE_ROOT;
    if (number != EVENT_NO_NODE)
        parent = number < counted->room ? counted->nodes[number] : CALLTREE_NONE;
    if (index == LIVESTACKS_NONE || parent == CALLTREE_NONE)
        return;
    uint32_t function = functions_placeholder(counted->functions, KIND_BELOW, 0);
    uint32_t id = calltree_child(counted->tree, counted->functions, parent, function, (uint16_t)index);
    add_node_ticks(counted, id, event->below.ticks);
    counted->below += event->below.ticks;
    livestacks_ran(counted->livestacks, index, event->below.ticks, 0);
}

/* Adds no more time than nodes got, so that the own times of functions and nodes have the same sum. */
void counted_add_evicted(struct counted *counted, const struct event *event)
{
    uint64_t ticks = event->evicted.ticks, address = event->evicted.address;
    uint32_t id = address ? functions_at(counted->functions, address) : functions_other(counted->functions);
    struct snapshot_function *row = &counted->functions->rows[id];
    ticks = ticks < counted->below ? ticks : counted->below;
    counted->below -= ticks;
    counted->has_some = true;
    note_counted(row, FUNCTION_SELF, event->evicted.calls, event->evicted.longest_ticks);
    row->self_ticks += ticks;
    row->changed = counted->functions->sequence;
    if (!address)
        counted->crowded += event->evicted.calls;
}

void counted_ran(struct counted *counted, uint32_t context, uint64_t ticks)
{
    uint32_t index = livestacks_index(counted->livestacks, context);
    if (index != LIVESTACKS_NONE)
        livestacks_ran(counted->livestacks, index, ticks, 0);
}

void counted_add_outside(struct counted *counted, const struct event *event)
{
    uint32_t index = livestacks_index(counted->livestacks, event->context);
    if (index == LIVESTACKS_NONE)
        return;
    counted->has_some = true;
    uint64_t calls = event->outside.other_calls, ticks = event->outside.other_ticks;
    livestacks_ran(counted->livestacks, index, ticks, event->outside.ticks);
    if (calls == 0 && ticks == 0) /* a long call may add ticks without a call */
        return;
    uint32_t other = functions_other(counted->functions);
    if (event->outside.is_flat)
        functions_add_counted(counted->functions, other, calls, ticks);
    else
        add_counts(counted,
                   calltree_child(counted->tree, counted->functions, CALLTREE_ROOT, other, (uint16_t)index),
                   calls, ticks, 0);
    counted->crowded += calls;
}
