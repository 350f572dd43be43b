/* test_tree_flat.c - version 3 in its flat form: one row per function and direct caller. */
#include "tree_talk.h"

Test(tree, flat_rows_have_function_and_direct_caller)
{
    sim_start(NULL);
    sim_enter(0x100);
    sim_start_tree(true);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
    for (uint32_t i = 0; i < 10; i++) {
        sim_enter(0x200 + 16 * (i % 2));
        pass(1);
        sim_enter(0x300);
        pass(2);
        sim_enter(0x300);
        pass(3);
        call(0x400, 4);
        sim_exit(0x300);
        sim_exit(0x300);
        sim_exit(0x200 + 16 * (i % 2));
    }
    pass(5);
    stop();
    cr_assert(sim_tree.head.flags & MP_TREE_IS_FLAT);
    cr_assert_eq(sim_tree.head.nodes, 7);
    for (uint32_t i = 0; i < 7; i++) {
        const struct mp_tree_row *row = &sim_tree.node[i].row;
        bool is_other = row->function == 0x300 && row->caller != 0x300;

        cr_assert_eq(row->calls, row->function == 0x100 ? 0 : is_other || row->caller == 0x100 ? 5 : 10);
        cr_assert_eq(row->ticks, row->function == 0x100   ? 5
                                 : row->function == 0x400 ? 40
                                 : row->caller == 0x100   ? 5
                                 : is_other               ? 10
                                                          : 30);
    }
    /* The stream continues from the running calls. */
    sim_start_version(2);
    cr_assert_eq(sim_answer(), MP_ACK);
    sim_exit(0x100);
    sim_command(MP_STOP);
    cr_assert_eq(sim_hear()->n_pairs, 1);
}

Test(tree, flat_recursion_beyond_the_depth_limit_is_other)
{
    sim_start(NULL);
    sim_start_tree(true);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
    for (int turn = 0; turn < 3; turn++) {
        for (uint32_t i = 0; i < MPT_STACK_DEPTH + 5; i++) {
            sim.stack = 0x20010000 - 16 * i;
            sim_enter(0x100);
            pass(1);
        }
        for (uint32_t i = MPT_STACK_DEPTH + 5; i--;) {
            sim.stack = 0x20010000 - 16 * i;
            sim_exit(0x100);
        }
    }
    stop();
    cr_assert_eq(sim_tree.head.nodes, 2);
    cr_assert_eq(sums_of(0)->other_calls, 15);
    cr_assert_eq(sums_of(0)->other_ticks, 15);
    cr_assert_eq(sim_tree.node[1].row.calls, 3 * (MPT_STACK_DEPTH - 1));
    cr_assert_eq(sums_of(0)->ticks, 0);
}

#if MPT_TASKS > 1
Test(tree, flat_a_restarted_task_has_no_callers)
{
    sim_start(NULL);
    sim_start_tree(true);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
    mpt_context_switch(1);
    sim_enter(0x100);
    mpt_context_switch(0);
    mpt_context_begin(1);
    stop();
    sim_start_tree(true);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
    pass(1);
    stop();
    cr_assert_eq(sim_tree.head.nodes, 0,
                 "a call that is over runs no more, and what called it is no function");
}

/* An interrupt that reuses a number does not mean the task that it interrupted: that task's calls must still be there
 * when it continues. */
Test(tree, flat_a_running_task_restarted_in_an_interrupt_continues)
{
    sim_start(NULL);
    sim_start_tree(true);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
    sim_enter(0x100);
    sim_enter(0x200);
    sim.exception = 20;
    sim_enter(0x300);
    mpt_context_begin(0);
    sim_exit(0x300);
    sim.exception = 0;
    sim_exit(0x200);
    sim_exit(0x100);
    sim_enter(0x100);
    sim_exit(0x100);
    stop();
    cr_assert_eq(sim_tree.head.nodes, 3);
    for (uint32_t i = 0; i < sim_tree.head.nodes; i++) {
        const struct mp_tree_row *row = &sim_tree.node[i].row;

        cr_assert_eq(row->calls, row->function == 0x100 ? 2 : 1);
        cr_assert_eq(row->caller, row->function == 0x200 ? 0x100 : 0, "%x", (unsigned)row->function);
    }
}
#endif
