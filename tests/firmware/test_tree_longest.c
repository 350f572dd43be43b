/* test_tree_longest.c - version 3: the longest call of each node, where it is sent. */
#include "tree_talk.h"

#include "mpt_ring.h"

static uint64_t longest_of(uint32_t function)
{
    const struct mp_tree_row *row = row_of(function);

    cr_assert_eq(!!(sim_tree.head.flags & MP_TREE_HAS_LONGEST), MPT_TREE_LONGEST);
    return row->longest;
}

static void assert_longest(uint32_t function, uint64_t ticks)
{
    cr_assert_eq(longest_of(function), MPT_TREE_LONGEST ? ticks : 0, "%x: %llu", function,
                 (unsigned long long)longest_of(function));
}

Test(tree_longest, it_includes_callees_and_is_not_the_latest)
{
    sim_start(NULL);
    start();
    for (uint32_t i = 0; i < 3; i++) {
        sim_enter(0x100);
        call(0x200, 10 + (i == 1 ? 5 : 0));
        pass(7);
        call(0x200, 1);
        sim_exit(0x100);
    }
    call(0x300, 0);
    stop();
    assert_longest(0x100, 23);
    assert_longest(0x200, 15);
    assert_longest(0x300, 0);
}

Test(tree_longest, interrupts_and_other_tasks_are_left_out)
{
    sim_start(NULL);
    start();
    sim_enter(0x100);
    pass(3);
    sim.exception = 17;
    sim_enter(0x400);
    pass(1000);
    sim.exception = 18;
    call(0x500, 100);
    sim.exception = 17;
    pass(10);
    sim_exit(0x400);
    sim.exception = 0;
    pass(4);
    mpt_context_switch(1);
    pass(50);
    sim_enter(0x600);
    pass(60);
    mpt_context_switch(0);
    pass(5);
    sim_exit(0x100);
    mpt_context_switch(1);
    pass(6);
    sim_exit(0x600);
    stop();
    assert_longest(0x100, 12);
    assert_longest(0x400, 1010);
    assert_longest(0x500, 100);
    assert_longest(0x600, 66);
}

Test(tree_longest, a_call_that_runs_has_not_ended_nor_has_one_that_a_jump_left)
{
    sim_start(NULL);
    sim_enter(0x100);
    start();
    sim_enter(0x200);
    sim_enter(0x300);
    pass(1000);
    sim_exit(0x200); /* 300 does not */
    sim_exit(0x100); /* which began before START */
    sim_enter(0x400);
    pass(100);
    stop();
    assert_longest(0x100, 0);
    assert_longest(0x200, 1000);
    assert_longest(0x300, 0);
    assert_longest(0x400, 0);
}

/* Makes calls of 2^33 ticks, without sending, or without polling. */
static void run_for_long(bool is_polled)
{
    uint64_t us = ((uint64_t)1 << 33) / 25, begun;

    sim_start(NULL);
    start();
    sim.tx_room = 0;
    begun = sim.ticks;
    sim_enter(0x100);
    sim_enter(0x200);
    for (uint64_t passed = 0; passed < us; passed += us / 16) {
        sim_pass_us(us / 16);
        if (is_polled)
            (void)mpt_poll();
        else
            mpt_keep_time();
        call(0x300, 5);
    }
    sim_exit(0x200);
    sim_exit(0x100);
    call(0x100, 17);
    sim.tx_room = SIZE_MAX;
    sim_command(MP_STOP);
    (void)sim_hear();
    assert_longest(0x100, sim.ticks - begun - 17);
    assert_longest(0x200, sim.ticks - begun - 17);
    assert_longest(0x300, 5);
}

Test(tree_longest, it_may_be_longer_than_a_period_of_the_clock)
{
    run_for_long(false);
}

Test(tree_longest, it_is_measured_while_nothing_is_sent)
{
    run_for_long(true);
}

/* The age of the call left by a jump had been tracked; that of the next call of the node has not. */
Test(tree_longest, a_long_call_left_by_a_jump_does_not_count_for_the_next)
{
    sim_start(NULL);
    start();
    sim_enter(0x100);
    sim_enter(0x200);
    for (int i = 0; i < 4; i++) {
        sim_pass_us((1u << 30) / 25);
        mpt_keep_time();
    }
    sim_exit(0x100);
    sim_enter(0x100);
    call(0x200, 3);
    sim_exit(0x100);
    stop();
    assert_longest(0x200, 3);
}

Test(tree_longest, the_flat_form_does_not_have_it)
{
    sim_start(NULL);
    sim_start_tree(true);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
    call(0x100, 10);
    stop();
    cr_assert_eq(sim_tree.head.flags & MP_TREE_HAS_LONGEST, 0);
    cr_assert_eq(row_of(0x100)->longest, 0);
}
