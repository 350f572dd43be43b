/* test_tree_evict.c - a full tree evicts nodes: random programs against an independent count, with tasks,
 * interrupts anywhere (also in hooks) and jumps; and a few cases by hand. */
#include "tree_program.h"
#include "tree_talk.h"

#include "support/effort.h"
#include "support/random.h"

/* The number of programs; TREE_PROGRAMS=10000 in the environment sets it. */
static uint32_t programs(void)
{
    const char *wanted = getenv("TREE_PROGRAMS");

    return wanted ? (uint32_t)strtoul(wanted, NULL, 0) : test_effort(12, 100);
}

Test(tree_evict, totals_and_functions_are_exact_and_chains_within_the_bound)
{
    struct test_random random = test_random_start("tree evicts");
    uint64_t evictions = 0;
    uint32_t evicting = 0, n = programs();

    for (uint32_t i = 0; i < n; i++) {
        struct tree_program program = {.name = "tree evicts",
                                       .functions = 3 + (uint32_t)test_random_below(&random, 30),
                                       .deepest = 3 + (uint32_t)test_random_below(&random, 10),
                                       .jumps = test_random_below(&random, 2),
                                       .bytes_a_round =
                                           (size_t[]){0, 60, 1000}[test_random_below(&random, 3)],
                                       .evicts = true,
                                       .seed = test_random_next(&random) | 1};
        uint32_t its = 0;

        program.evictions = &its;
        tree_program_run(&program);
        evictions += its;
        evicting += its > 0;
    }
    fprintf(stderr, "%u programs, %u of them evict, %llu evictions\n", n, evicting,
            (unsigned long long)evictions);
    cr_assert(evicting > n / 2 || MPT_TREE_NODES > 500);
}

static void start_evicting(void)
{
    sim_start_flags(3, MP_TREE_WANT_EVICTION);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
}

static const struct mp_tree_evicted *gone_of(uint32_t function)
{
    for (uint32_t i = 0; i < sim_tree.n_evicted; i++)
        if (sim_tree.evicted[i].function == function)
            return &sim_tree.evicted[i];
    return NULL;
}

/* Twice as many callees of one function as there is room for. */
Test(tree_evict, a_heavy_leaf_stays_and_light_ones_take_turns)
{
    sim_start(NULL);
    start_evicting();
    sim_enter(0x100);
    call(0x200, 1000000);
    for (int again = 0; again < 2; again++)
        for (uint32_t i = 0; i < 2 * MPT_TREE_NODES; i++)
            call(0x1000 + 16 * i, 1);
    call(0x200, 1000000);
    sim_exit(0x100);
    stop();
    assert_row(0x200, 0x100, 2, 2000000);
    cr_assert_gt(sim_tree.head.evictions, MPT_TREE_NODES);
    cr_assert_lt(sim_tree.head.bound, 1000);
    cr_assert_eq(sums_of(0)->other_calls, 0);
}

/* Sums of a function without room are added to those of function 0. */
Test(tree_evict, functions_without_room_are_merged)
{
    uint64_t calls = 0, ticks = 0;

    sim_start(NULL);
    start_evicting();
    for (uint32_t i = 0; i < 4 * MPT_TREE_NODES; i++)
        call(0x1000 + 16 * i, 3);
    stop();
    cr_assert(gone_of(0));
    for (uint32_t i = 0; i < sim_tree.n_evicted; i++) {
        calls += sim_tree.evicted[i].calls;
        ticks += sim_tree.evicted[i].ticks;
    }
    cr_assert_eq(calls, 3 * MPT_TREE_NODES);
    cr_assert_eq(ticks, 9 * MPT_TREE_NODES);
    cr_assert_eq(sim_tree.contexts[0].below, ticks);
}

Test(tree_evict, where_all_nodes_find_room_nothing_is_evicted)
{
    sim_start(NULL);
    start_evicting();
    for (uint32_t i = 0; i < MPT_TREE_NODES; i++)
        call(0x1000 + 16 * i, 3);
    stop();
    cr_assert_eq(sim_tree.head.evictions + sim_tree.head.bound + sim_tree.n_evicted, 0);
}

/* All nodes are callers of running calls. */
Test(tree_evict, a_call_is_refused_only_while_no_node_can_go)
{
    sim_start(NULL);
    start_evicting();
    for (uint32_t i = 0; i < MPT_TREE_NODES + 5; i++)
        sim_enter(0x1000 + 16 * i);
    for (uint32_t i = MPT_TREE_NODES + 5; i--;)
        sim_exit(0x1000 + 16 * i);
    call(0x500, 7);
    stop();
    cr_assert_eq(sums_of(0)->other_calls, 5);
    assert_row(0x500, 0, 1, 7);
}

Test(tree_evict, a_host_that_does_not_ask_gets_no_eviction)
{
    sim_start(NULL);
    start();
    for (uint32_t i = 0; i < MPT_TREE_NODES + 5; i++)
        call(0x1000 + 16 * i, 3);
    stop();
    cr_assert_not(sim_tree.head.flags & MP_TREE_EVICTS);
    cr_assert_eq(sums_of(0)->other_calls, 5);
    sim_start_flags(3, MP_TREE_WANT_EVICTION | MP_TREE_WANT_FLAT);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
    call(0x1000, 3);
    stop();
    cr_assert_eq(sim_tree.head.flags & (MP_TREE_EVICTS | MP_TREE_IS_FLAT), MP_TREE_IS_FLAT);
}

/* A host that cannot read such packets must not get them because an earlier host could. */
Test(tree_evict, a_run_that_evicts_ends_for_a_host_that_does_not_ask)
{
    sim_start(NULL);
    start_evicting();
    call(0x1000, 3);
    (void)sim_hear();
    sim_start_flags(3, MP_START_RESUMES | MP_TREE_WANT_EVICTION);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
    call(0x1000, 3);
    sim_start_flags(3, MP_START_RESUMES);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
    call(0x1000, 4);
    stop();
    cr_assert_not(sim_tree.head.flags & MP_TREE_EVICTS);
    assert_row(0x1000, 0, 1, 4);
}
