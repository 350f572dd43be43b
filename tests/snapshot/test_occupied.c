/* test_occupied.c - which nodes of a call tree have data. */
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>

static void expect_occupied(const struct snapshot_node *nodes, uint32_t n, const uint32_t *want,
                            uint32_t want_n)
{
    const struct snapshot snapshot = {.nodes = nodes, .node_count = n};
    uint32_t rows[16];
    cr_assert_leq(n, 16);
    cr_assert_eq(snapshot_occupied_nodes(&snapshot, rows), want_n);
    for (uint32_t i = 0; i < want_n; i++)
        cr_expect_eq(rows[i], want[i], "row %u is node %u, not %u", i, rows[i], want[i]);
}

Test(occupied, a_lone_root_is_occupied)
{
    static const struct snapshot_node nodes[] = {{.parent = -1, .function = -1}};
    expect_occupied(nodes, 1, (const uint32_t[]){0}, 1);
}

Test(occupied, nodes_with_data_and_their_ancestors_are_occupied)
{
    static const struct snapshot_node nodes[] = {
        {.parent = -1, .function = -1},
        {.parent = 0},                     /* 1: empty, above 4 */
        {.parent = 0},                     /* 2: empty, as is all below it */
        {.parent = 2},                     /* 3 */
        {.parent = 1},                     /* 4: empty, above 6 */
        {.parent = 3},                     /* 5 */
        {.parent = 4, .self_ticks = 1},    /* 6 */
        {.parent = 6},                     /* 7: empty, below 6 */
        {.parent = 0, .calls = 1},         /* 8 */
        {.parent = 8, .total_ticks = 100}, /* 9 */
    };
    expect_occupied(nodes, 10, (const uint32_t[]){0, 1, 4, 6, 8, 9}, 6);
}
