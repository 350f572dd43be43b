/* example_tree.c - checks the example's call tree in version 3. */
#include "example_tree.h"

#include "edges.h"
#include "protocol/tree_table.h"

enum { NODES = 256, CONTEXTS = 8 };

static struct mp_tree_node node[NODES];
static struct mp_tree_known_context contexts[CONTEXTS];
static struct mp_tree_table table;

void example_tree_open(void)
{
    mp_tree_table_init(&table, node, NODES, contexts, CONTEXTS);
}

const char *example_tree_packet(const uint8_t *payload, size_t n)
{
    const struct mp_tree_counters *counters = &table.counters;

    if (!mp_tree_table_packet(&table, payload, n) || counters->malformed)
        return "a malformed packet of version 3";
    if (counters->lost || counters->late || counters->conflicts || counters->beyond)
        return "a packet of version 3 that does not go with those before it";
    return NULL;
}

uint32_t example_tree_calls_of(uint64_t function)
{
    uint32_t calls = 0;

    for (uint32_t i = 0; i < table.head.nodes; i++)
        if (node[i].is_told && node[i].row.function == function)
            calls += (uint32_t)node[i].row.calls;
    return calls;
}

uint32_t example_tree_calls(void)
{
    uint64_t ticks = 0, calls = 0;

    for (uint32_t i = 0; i < table.head.nodes; i++) {
        calls += node[i].row.calls;
        ticks += node[i].row.ticks;
    }
    for (uint32_t i = 0; i < table.n_contexts; i++) {
        calls += contexts[i].sums.other_calls;
        ticks += contexts[i].sums.ticks + contexts[i].sums.other_ticks;
    }
    /* Every tick is in a node or context. */
    return (table.head.flags & MP_TREE_IS_STOPPED) && ticks == table.head.elapsed ? (uint32_t)calls : 0;
}

uint32_t example_tree_edges(struct edges *edges, uint64_t main_address)
{
    uint32_t interrupts = 0;

    for (uint32_t i = 0; i < table.head.nodes; i++) {
        const struct mp_tree_row *row = &node[i].row;

        if (row->parent != MP_TREE_NO_PARENT || row->caller) {
            uint64_t caller = row->caller ? row->caller : node[row->parent].row.function;

            edges_add(edges, caller == main_address ? 0 : caller, row->function, (uint32_t)row->calls);
        } else if (MP_CONTEXT_IS_INTERRUPT(row->context)) {
            interrupts += (uint32_t)row->calls;
        }
    }
    return interrupts;
}
