/* test_tree_chains.c - the number of nodes that the call tree needs, as the host estimates it. */
#include "tree_talk.h"

#include <math.h>

static void start_with_chains(void)
{
    sim_start_flags(3, MP_TREE_WANT_CHAINS);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
}

static double needed(void)
{
    const struct mp_tree_chains *chains = &sim_tree.chains;

    cr_assert_eq(chains->bits, 1024);
    cr_assert_gt(chains->empty, 0);
    return -log((double)chains->empty / chains->bits) * chains->bits;
}

static void assert_about(double truth, double most)
{
    cr_assert(fabs(needed() - truth) <= most, "%.0f of %.0f", needed(), truth);
}

/* `side` functions, each of which calls as many others. */
static void call_square(uint32_t side, uint32_t from)
{
    for (uint32_t i = 0; i < side; i++) {
        sim_enter(0x1000 + 0x40 * i);
        for (uint32_t j = 0; j < side; j++)
            call(from + 0x30 * j, 1);
        sim_exit(0x1000 + 0x40 * i);
    }
}

Test(tree_chains, the_estimate_covers_chains_with_and_without_nodes)
{
    for (uint32_t side = 5; side <= 60; side += 5) {
        double truth = side * (side + 1);

        sim_start(NULL);
        start_with_chains();
        for (int again = 0; again < 3; again++)
            call_square(side, 0x8000);
        stop();
        assert_about(truth, truth / 10 + 3);
    }
}

/* None of them gets a node; all are below a skipped call. */
Test(tree_chains, chains_below_a_call_without_a_node_are_counted)
{
    sim_start(NULL);
    start_with_chains();
    for (uint32_t i = 0; i < MPT_TREE_NODES; i++)
        call(0x100000 + 16 * i, 1);
    for (int again = 0; again < 3; again++) {
        sim_enter(0x500);
        call_square(20, 0x8000);
        sim_enter(0x500);
        call_square(10, 0x8000);
        sim_exit(0x500);
        sim_exit(0x500);
    }
    stop();
    double truth = MPT_TREE_NODES + 1 + 20 * 21 + 1 + 10 * 11;

    cr_assert_eq(sim_tree.head.nodes, MPT_TREE_NODES);
    assert_about(truth, truth / 10);
}

Test(tree_chains, a_recursive_call_is_a_new_chain_at_each_depth)
{
    sim_start(NULL);
    start_with_chains();
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < 400; i++)
            sim_enter(0x500);
        for (int i = 0; i < 400; i++)
            sim_exit(0x500);
    }
    stop();
    assert_about(400, 40);
}

Test(tree_chains, chains_are_sent_on_request_except_in_the_flat_form)
{
    sim_start(NULL);
    start();
    call_square(5, 0x8000);
    stop();
    cr_assert_eq(sim_tree.chains.bits, 0);
    sim_start_flags(3, MP_TREE_WANT_CHAINS | MP_TREE_WANT_FLAT);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
    call_square(5, 0x8000);
    stop();
    cr_assert_eq(sim_tree.chains.bits, 0);
    start_with_chains();
    call_square(5, 0x8000);
    stop();
    assert_about(30, 3);
}
