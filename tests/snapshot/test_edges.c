/* test_edges.c - callers and callees, in trees made by hand and in random runs. */
#include "snapshot/edges.h"

#include "support/calls.h"
#include "support/frozen.h"
#include "support/scarce.h"

static void find(const struct snapshot *snapshot, uint32_t function, struct edges *callers,
                 struct edges *callees)
{
    cr_assert(edges_find(snapshot, function, callers, callees));
}

static void expect_edge(const struct edges *edges, uint32_t row, uint32_t function, uint64_t calls,
                        uint64_t ticks)
{
    cr_assert_lt(row, edges->n);
    cr_expect_eq(edges->rows[row].function, function);
    cr_expect_eq(edges->rows[row].calls, calls);
    cr_expect_eq(edges->rows[row].total_ticks, ticks);
}

enum { MAIN, WORK, STEP, IDLE };

/* work is called by main and, through step, by itself:
 *
 *   1 main 100 ─ 2 work 60 ─ 3 step 40 ─ 4 work 30 ─ 5 step 10
 *              └ 6 step 15 ─ 7 work 5
 */
static const struct snapshot_node tree[] = {
    {.parent = -1, .function = -1},
    {.parent = 0, .function = MAIN, .calls = 1, .total_ticks = 100},
    {.parent = 1, .function = WORK, .calls = 2, .total_ticks = 60},
    {.parent = 2, .function = STEP, .calls = 4, .total_ticks = 40},
    {.parent = 3, .function = WORK, .calls = 3, .total_ticks = 30, .recursive = true},
    {.parent = 4, .function = STEP, .calls = 1, .total_ticks = 10, .recursive = true},
    {.parent = 1, .function = STEP, .calls = 1, .total_ticks = 15},
    {.parent = 6, .function = WORK, .calls = 1, .total_ticks = 5},
};
static const struct snapshot drawn = {.nodes = tree, .node_count = sizeof tree / sizeof *tree};

Test(edges, a_caller_has_no_time_of_calls_inside_an_outer_one)
{
    struct edges callers, callees;
    find(&drawn, WORK, &callers, &callees);
    cr_assert_eq(callers.n, 2);
    expect_edge(&callers, 0, MAIN, 2, 60);
    expect_edge(&callers, 1, STEP, 4, 5); /* the 30 ticks of the inner work are in main's 60 */
    edges_fini(&callers);
    edges_fini(&callees);
}

/* main calls work twice, which calls step 4 times; step was never sampled, so the estimated tree has no row for it. */
Test(edges, an_estimated_tree_has_the_times_and_counted_arcs_have_the_calls)
{
    const struct snapshot_node nodes[] = {{.parent = -1, .function = -1},
                                          {.parent = 0, .function = MAIN, .total_ticks = 100},
                                          {.parent = 1, .function = WORK, .calls = 2, .total_ticks = 60}};
    const struct snapshot_arc arcs[] = {{MAIN, WORK, 2, 0}, {WORK, STEP, 4, 0}, {IDLE, STEP, 7, 0}};
    const struct snapshot estimated = {
        .call_tree_estimated = true, .nodes = nodes, .node_count = 3, .arcs = arcs, .arc_count = 3};
    struct edges callers, callees;
    find(&estimated, WORK, &callers, &callees);
    cr_assert(callers.n == 1 && callees.n == 1);
    expect_edge(&callers, 0, MAIN, 2, 60);
    expect_edge(&callees, 0, STEP, 4, 0);
    edges_fini(&callers);
    edges_fini(&callees);
    find(&estimated, STEP, &callers, &callees);
    cr_assert(callers.n == 2 && callees.n == 0);
    expect_edge(&callers, 0, WORK, 4, 0);
    expect_edge(&callers, 1, IDLE, 7, 0);
    edges_fini(&callers);
    edges_fini(&callees);
}

Test(edges, a_call_inside_another_over_the_same_edge_counts_its_time_once)
{
    struct edges callers, callees;
    find(&drawn, WORK, &callers, &callees);
    cr_assert_eq(callees.n, 1);
    expect_edge(&callees, 0, STEP, 5, 40); /* the inner work's 10 ticks in step are inside the outer's 40 */
    edges_fini(&callers);
    edges_fini(&callees);
    find(&drawn, STEP, &callers, &callees);
    cr_assert_eq(callees.n, 1);
    expect_edge(&callees, 0, WORK, 4, 35);
    edges_fini(&callers);
    edges_fini(&callees);
}

Test(edges, a_recursive_function_counts_its_time_once)
{
    static const struct snapshot_node nodes[] = {
        {.parent = -1, .function = -1},
        {.parent = 0, .function = MAIN, .calls = 1, .total_ticks = 50},
        {.parent = 1, .function = WORK, .calls = 1, .total_ticks = 40},
        {.parent = 2, .function = WORK, .calls = 1, .total_ticks = 30, .recursive = true},
        {.parent = 3, .function = WORK, .calls = 1, .total_ticks = 20, .recursive = true},
    };
    const struct snapshot snapshot = {.nodes = nodes, .node_count = 5};
    struct edges callers, callees;
    find(&snapshot, WORK, &callers, &callees);
    cr_assert_eq(callers.n, 2);
    expect_edge(&callers, 0, MAIN, 1, 40);
    expect_edge(&callers, 1, WORK, 2, 0);
    cr_assert_eq(callees.n, 1);
    expect_edge(&callees, 0, WORK, 2, 30);
    edges_fini(&callers);
    edges_fini(&callees);
}

Test(edges, most_time_comes_first_and_nodes_that_were_emptied_are_no_edges)
{
    static const struct snapshot_node nodes[] = {
        {.parent = -1, .function = -1},
        {.parent = 0, .function = MAIN, .calls = 1, .total_ticks = 90},
        {.parent = 1, .function = WORK, .calls = 1, .total_ticks = 20},
        {.parent = 1, .function = STEP, .calls = 1, .total_ticks = 70},
        {.parent = 1, .function = IDLE},
    };
    const struct snapshot snapshot = {.nodes = nodes, .node_count = 5};
    struct edges callers, callees;
    find(&snapshot, MAIN, &callers, &callees);
    cr_expect_eq(callers.n, 0, "nobody calls what lies below the root");
    cr_assert_eq(callees.n, 2);
    expect_edge(&callees, 0, STEP, 1, 70);
    expect_edge(&callees, 1, WORK, 1, 20);
    edges_fini(&callers);
    edges_fini(&callees);
    find(&snapshot, IDLE, &callers, &callees);
    cr_expect(callers.n == 0 && callees.n == 0);
    edges_fini(&callers);
    edges_fini(&callees);
}

/* Calls right below the root, which have no caller. */
static struct edge below_root(const struct snapshot *snapshot, uint32_t function)
{
    struct edge sum = {.function = function};
    for (uint32_t i = 1; i < snapshot->node_count; i++)
        if (snapshot->nodes[i].parent == 0 && snapshot->nodes[i].function == (int32_t)function) {
            sum.calls += snapshot->nodes[i].calls;
            sum.total_ticks += snapshot->nodes[i].total_ticks;
        }
    return sum;
}

static uint64_t calls_to(const struct edges *edges, uint32_t function)
{
    for (uint32_t i = 0; i < edges->n; i++)
        if (edges->rows[i].function == function)
            return edges->rows[i].calls;
    return 0;
}

Test(edges, callers_and_callees_agree_and_add_up)
{
    struct test_random random = test_random_start("edges");
    for (int round = 0; round < 20; round++) {
        struct calls calls;
        calls_make(&calls, &random, 2000, 12, round % 2, (uint16_t)(round % 3));
        struct profile *profile = profile_new(NULL);
        profile_apply(profile, calls.events, calls.n);
        profile_finish(profile);
        struct snapshot *snapshot = freeze(profile);
        uint32_t n = snapshot->function_count;
        struct edges *callers = calloc(n, sizeof *callers), *callees = calloc(n, sizeof *callees);
        cr_assert(callers && callees);
        for (uint32_t id = 0; id < n; id++) {
            find(snapshot, id, &callers[id], &callees[id]);
            if (snapshot->functions[id].kind != KIND_FUNCTION)
                continue; /* of what stands in for lost or running callers no totals are known */
            struct edge sum = below_root(snapshot, id);
            for (uint32_t i = 0; i < callers[id].n; i++) {
                sum.calls += callers[id].rows[i].calls;
                sum.total_ticks += callers[id].rows[i].total_ticks;
            }
            cr_assert_eq(sum.calls, snapshot->functions[id].calls, "%s", snapshot->functions[id].name);
            cr_assert_eq(sum.total_ticks, snapshot->functions[id].total_ticks, "%s",
                         snapshot->functions[id].name);
        }
        for (uint32_t id = 0; id < n; id++)
            for (uint32_t other = 0; other < n; other++)
                cr_assert_eq(calls_to(&callees[id], other), calls_to(&callers[other], id));
        for (uint32_t id = 0; id < n; id++) {
            edges_fini(&callers[id]);
            edges_fini(&callees[id]);
        }
        free(callers);
        free(callees);
        snapshot_unref(snapshot);
        profile_free(profile);
        calls_free(&calls);
    }
}

Test(edges, all_are_found_or_out_of_memory_is_reported)
{
    enum { FUNCTIONS = 70 };
    static struct snapshot_node nodes[FUNCTIONS + 2] = {
        {.parent = -1, .function = -1}, {.parent = 0, .function = MAIN, .calls = 1, .total_ticks = 100}};
    for (int32_t i = 2; i < FUNCTIONS + 2; i++)
        nodes[i] = (struct snapshot_node){.parent = 1, .function = i, .calls = 1, .total_ticks = 1};
    const struct snapshot snapshot = {.nodes = nodes, .node_count = FUNCTIONS + 2};
    unsigned refusals = 0;
    for (unsigned nth = 1;; nth++) {
        struct edges callers, callees;
        scarce_begin(nth);
        bool is_good = edges_find(&snapshot, MAIN, &callers, &callees);
        bool is_over = !scarce_end();
        cr_assert_eq(is_good, is_over, "refusal %u", nth);
        cr_expect(!is_good || callees.n == FUNCTIONS);
        edges_fini(&callers);
        edges_fini(&callees);
        if (is_over)
            break;
        refusals++;
    }
    cr_expect_gt(refusals, 4);
}
