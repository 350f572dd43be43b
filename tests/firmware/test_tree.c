/* test_tree.c - version 3: the call tree, read by the host's reader. */
#include "tree_talk.h"

#include "mpt_tree.h"

#include <string.h>

Test(tree, the_default_number_of_nodes_follows_the_ram)
{
    cr_assert_eq(MPT_TREE_NODES_OF(0), 64, "unknown");
    cr_assert_eq(MPT_TREE_NODES_OF(0x4000), 64);
    cr_assert_eq(MPT_TREE_NODES_OF(0x400000), 2048);
    for (uint32_t ram = 0x20000; ram <= 0x100000; ram *= 2) {
        uint32_t bytes = MPT_TREE_NODES_OF(ram) * MPT_TREE_NODE_BYTES;

        cr_assert(bytes <= ram / 16 && bytes + MPT_TREE_NODE_BYTES > ram / 16, "%u of %u", bytes, ram);
    }
}

Test(tree, the_memory_of_a_node_is_reported_within_5_percent)
{
    size_t reported = (size_t)MPT_TREE_NODES * MPT_TREE_NODE_BYTES;

    if (MPT_TREE_NODES >= 500) /* in smaller trees contexts weigh more */
        cr_assert(sizeof mpt_tree > reported * 95 / 100 && sizeof mpt_tree < reported * 105 / 100,
                  "%zu for %zu", reported, sizeof mpt_tree);
}

Test(tree, calls_and_ticks_of_each_node)
{
    sim_start(NULL);
    start();
    for (int i = 0; i < 10; i++) {
        pass(1);
        sim_enter(0x100);
        pass(2);
        call(0x200, 10);
        call(0x300, 20);
        call(0x200, 10);
        pass(3);
        sim_exit(0x100);
    }
    stop();
    assert_row(0x100, 0, 10, 50);
    assert_row(0x200, 0x100, 20, 200);
    assert_row(0x300, 0x100, 10, 200);
    cr_assert_eq(sums_of(0)->ticks, 10);
    cr_assert_eq(sim_tree.head.elapsed, 460);
    cr_assert_eq(sim_tree.head.hz, MPT_TICK_HZ);
    cr_assert_eq(sim_tree.head.nodes, 3);
    cr_assert_eq(sim_tree.head.room, MPT_TREE_NODES);
}

Test(tree, calls_running_at_start_have_a_node_but_no_count)
{
    sim_start(NULL);
    sim_enter(0x100);
    pass(1000);
    sim_enter(0x200);
    start();
    pass(5);
    call(0x300, 7);
    sim_exit(0x200);
    pass(1);
    sim_exit(0x100);
    call(0x100, 2);
    stop();
    assert_row(0x100, 0, 1, 3);
    assert_row(0x200, 0x100, 0, 5);
    assert_row(0x300, 0x200, 1, 7);
    cr_assert_eq(sim_tree.head.elapsed, 15);
}

/* Makes more calls than fit into the ring, with a poll after each. */
static void call_often(void)
{
    for (int i = 0; i < 2 * MPT_RING_RECORDS; i++) {
        call(0x400, 1);
        mpt_poll();
    }
}

Test(tree, calls_running_at_start_are_known_after_a_busy_line)
{
    sim_start(NULL);
    sim_enter(0x100);
    sim.tx_room = 0;
    sim_command(MP_GET_METADATA);
    mpt_poll();
    call_often();
    sim_enter(0x200);
    sim.tx_room = SIZE_MAX;
    sim_hear();
    start();
    call(0x300, 7);
    stop();
    assert_row(0x100, 0, 0, 0);
    assert_row(0x200, 0x100, 0, 0);
    assert_row(0x300, 0x200, 1, 7);
}

Test(tree, unnamed_calls_before_start_are_not_in_the_tree)
{
    sim_start(NULL);
    sim_enter(0x100);
    mpt_poll();
    for (int i = 0; i < 2 * MPT_RING_RECORDS; i++)
        call(0x400, 1);
    sim_enter(0x200); /* finds no room */
    start();
    call(0x300, 7);
    sim_exit(0x200);
    sim_exit(0x100);
    call(0x500, 3);
    stop();
    assert_row(0x300, 0, 1, 7);
    assert_row(0x500, 0, 1, 3);
    cr_assert_eq(sim_tree.head.nodes, 2);
}

Test(tree, calls_running_at_stop_have_depth_and_name_in_the_stream)
{
    sim_start(NULL);
    start();
    sim_enter(0x100);
    pass(3);
    sim_enter(0x200);
    pass(4);
    stop();
    assert_row(0x200, 0x100, 1, 4);
    cr_assert_eq(sim_tree.contexts[0].runs, row_of(0x200)->node);
    sim_start_version(2);
    cr_assert_eq(sim_answer(), MP_ACK);
    call(0x300, 5);
    sim_exit(0x200);
    sim_exit(0x100);
    sim_pass_us(MPT_FLUSH_US);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_pairs, 3);
    cr_assert_eq(heard->pairs[0].depth, 2);
    cr_assert_eq(heard->pairs[1].function, 0x200);
    cr_assert_eq(heard->pairs[2].function, 0x100);
    cr_assert_eq(sim_pairs.follower.counters.other_depths, 0);
}

Test(tree, the_stream_follows_calls_after_the_tree_has_ended)
{
    sim_start(NULL);
    start();
    call(0x100, 5);
    stop();
    for (int i = 0; i < 20 * MPT_RING_RECORDS; i++) {
        sim_enter(0x100 + 16 * (uint32_t)(i % 5));
        sim_exit(0x100 + 16 * (uint32_t)(i % 5));
        if (i % 8 == 0)
            (void)mpt_poll();
    }
    sim_enter(0x500);
    sim_start_version(2);
    cr_assert_eq(sim_answer(), MP_ACK);
    sim_exit(0x500);
    sim_command(MP_STOP);
    cr_assert_eq(sim_hear()->n_pairs, 1);
    cr_assert_eq(sim_pairs.follower.counters.lost_in_gaps, 0);
    cr_assert_eq(sim_pairs.follower.counters.other_depths, 0);
}

Test(tree, the_mode_can_change_from_a_lossy_stream_and_back)
{
    sim_start(NULL);
    sim_start_version(2);
    cr_assert_eq(sim_answer(), MP_ACK);
    sim_enter(0x100);
    for (int i = 0; i < 20 * MPT_RING_RECORDS; i++)
        call(0x200, 1);
    start();
    call(0x200, 9);
    sim_exit(0x100);
    stop();
    assert_row(0x200, 0x100, 1, 9);
    sim_start_version(2);
    cr_assert_eq(sim_answer(), MP_ACK);
    call(0x300, 5);
    sim_command(MP_STOP);
    cr_assert_eq(sim_hear()->n_pairs, 1);
    sim_command(MP_START);
    cr_assert_eq(sim_answer(), MP_ACK);
    call(0x300, 5);
    sim_command(MP_STOP);
    cr_assert_eq(sim_hear()->n_records, 1);
}

Test(tree, interrupts_and_tasks_have_roots_of_their_own)
{
    sim_start(NULL);
    start();
    for (int i = 0; i < 20; i++) {
        sim_enter(0x100);
        pass(10);
        sim.exception = 17;
        sim_enter(0x200);
        pass(1);
        sim.exception = 21;
        sim_enter(0x300);
        pass(2);
        sim_exit(0x300);
        sim.exception = 17;
        pass(1);
        sim_exit(0x200);
        sim.exception = 0;
        pass(4);
        mpt_context_switch(1);
        sim_enter(0x400);
        pass(5);
        mpt_context_switch(0);
        pass(1);
        sim_exit(0x100);
        mpt_context_switch(1);
        pass(6);
        sim_exit(0x400);
        mpt_context_switch(0);
    }
    stop();
    assert_row(0x100, 0, 20, 300);
    assert_row(0x200, 0, 20, 40);
    assert_row(0x300, 0, 20, 40);
    assert_row(0x400, 0, 20, 220);
    cr_assert_eq(row_of(0x200)->context, MP_CONTEXT_INTERRUPT(17));
    cr_assert_eq(row_of(0x300)->context, MP_CONTEXT_INTERRUPT(21));
    cr_assert_eq(row_of(0x400)->context, MP_CONTEXT_TASK(1));
    cr_assert_eq(sums_of(MP_CONTEXT_INTERRUPT(17))->begun, 20);
    cr_assert_eq(sums_of(MP_CONTEXT_TASK(1))->begun, 40);
    cr_assert_eq(sim_tree.head.elapsed, 600);
}

/* The last hook may read the counter several times: time after its first reading belongs to the interrupted
 * context, as in hooks of other calls. */
Test(tree, an_interrupt_ends_with_the_first_look_at_the_counter_of_its_last_hook)
{
    sim_start(NULL);
    start();
    sim.ticks_per_reading = 7;
    for (int i = 0; i < 10; i++) {
        sim_enter(0x100);
        sim.exception = 17;
        call(0x200, 3);
        sim.exception = 0;
        sim_exit(0x100);
    }
    sim.ticks_per_reading = 0;
    stop();
    assert_row(0x200, 0, 10, 10 * (3 + 7));
    cr_assert_geq(row_of(0x100)->ticks, 10 * 2 * 7);
}

Test(tree, a_task_with_a_reused_number_begins_outermost)
{
    sim_start(NULL);
    start();
    mpt_context_switch(1);
    sim_enter(0x100);
    pass(5);
    mpt_context_switch(0);
    mpt_context_begin(1); /* the one before never returned */
    mpt_context_switch(1);
    call(0x200, 7);
    mpt_context_switch(0);
    stop();
    assert_row(0x100, 0, 1, 5);
    assert_row(0x200, 0, 1, 7);
}

Test(tree, an_interrupt_returns_to_the_task_it_switched_to)
{
    sim_start(NULL);
    start();
    for (int i = 0; i < 10; i++) {
        sim_enter(0x100);
        pass(1);
        sim.exception = 15;
        sim_enter(0x900);
        pass(2);
        mpt_context_switch(1);
        sim_exit(0x900);
        sim.exception = 0;
        pass(3);
        call(0x200, 4);
        mpt_context_switch(0);
        pass(5);
        sim_exit(0x100);
    }
    stop();
    assert_row(0x100, 0, 10, 60);
    assert_row(0x200, 0, 10, 40);
    assert_row(0x900, 0, 10, 20);
    cr_assert_eq(sums_of(MP_CONTEXT_TASK(1))->ticks, 30);
}

Test(tree, interrupts_without_a_context_are_counted)
{
    sim_start(NULL);
    start();
    for (uint32_t i = 0; i < MPT_TREE_INTERRUPTS + 3; i++) {
        sim_enter(0x100);
        pass(1);
        sim.exception = 20 + i;
        call(0x100, 10); /* of the same name as what it interrupts */
        sim.exception = 0;
        pass(1);
        call(0x200, 1);
        sim_exit(0x100);
    }
    stop();
    cr_assert_eq(sums_of(MP_TREE_NO_CONTEXT)->other_calls, 3);
    const struct mp_tree_row *row = row_of(0x100);
    cr_assert_eq(row->context, 0);
    cr_assert_eq(row->calls, MPT_TREE_INTERRUPTS + 3);
    cr_assert_eq(row->ticks, 2 * (MPT_TREE_INTERRUPTS + 3) + 30, "their ticks are with what they interrupt");
    cr_assert_eq(row_of(0x200)->parent, row->node);
}

Test(tree, a_poll_in_an_interrupt_sends_the_running_function)
{
    sim_start(NULL);
    start();
    pass(5); /* the task's sums change, so what runs there is sent, too */
    sim_enter(0x100);
    sim_enter(0x200);
    pass(MPT_TICK_HZ / 4);
    sim.exception = 17;
    (void)sim_hear(); /* polls */
    cr_assert_eq(sim_tree.contexts[0].runs, row_of(0x200)->node);
    sim.exception = 0;
    sim_exit(0x200);
    sim_exit(0x100);
    stop();
    assert_row(0x100, 0, 1, 0);
    assert_row(0x200, 0x100, 1, MPT_TICK_HZ / 4);
}

Test(tree, sums_pass_32_bits_without_polling)
{
    uint64_t half = 1u << (MPT_TICK_BITS - 1), ticks = 0;

    sim_start(NULL);
    start();
    sim_enter(0x100);
    while (ticks < 5ull << 32) {
        sim.ticks += half;
        ticks += half;
        mpt_keep_time();
    }
    sim_enter(0x200);
    while (ticks < 9ull << 32) {
        sim.ticks += half;
        ticks += half;
        sim.exception = 17; /* interrupts, and does not change the owed ticks */
        call(0x300, 1);
        ticks++;
        mpt_keep_time();
        sim.exception = 0;
    }
    sim_exit(0x200);
    sim_exit(0x100);
    stop();
    cr_assert_eq(row_of(0x100)->ticks, 5ull << 32);
    cr_assert_eq(row_of(0x200)->ticks + row_of(0x300)->ticks, ticks - (5ull << 32));
    cr_assert_eq(row_of(0x300)->ticks, row_of(0x300)->calls);
    cr_assert_eq(sim_tree.head.elapsed, ticks);
}

Test(tree, a_second_stop_resends_the_tree_and_start_clears_it)
{
    sim_start(NULL);
    start();
    call(0x100, 5);
    stop();
    uint64_t packets = sim_tree.counters.packets;
    sim_pass_us(2 * MPT_TREE_ROUND_US);
    cr_assert_eq(sim_hear()->n_packets, 0, "nothing has changed, and all was sent");
    stop();
    cr_assert_gt(sim_tree.counters.packets, packets);
    uint8_t run = sim_tree.head.run;
    start();
    call(0x200, 1);
    sim_command(MP_RESET_BUFFERS);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
    call(0x300, 1);
    stop();
    cr_assert_eq(sim_tree.head.run, run + 2);
    cr_assert_eq(sim_tree.head.nodes, 1);
    assert_row(0x300, 0, 1, 1);
}

Test(tree, status_has_calls_and_usage_of_the_tree)
{
    sim_start(NULL);
    start();
    for (uint32_t i = 0; i < MPT_TREE_NODES / 2; i++)
        call(0x100 + 16 * i, 1);
    sim_command(MP_GET_STATUS);
    const struct heard *heard = sim_hear();
    cr_assert(heard->status.is_profiling);
    cr_assert_eq(heard->status.records_captured, MPT_TREE_NODES / 2);
    cr_assert_eq(heard->status.buffer_usage_percent, 50);
    cr_assert(mpt_is_profiling());
}

Test(tree, a_hook_that_was_preempted_at_start_leaves_nothing_in_the_ring)
{
    sim_start(NULL);
    sim_start_version(2);
    cr_assert_eq(sim_answer(), MP_ACK);
    for (int i = 0; i < 4 * MPT_RING_RECORDS; i++)
        call(0x100, 1);
    /* The oldest event is reserved, but not yet written by its hook. */
    struct mpt_event *event = &mpt_ring.at[MPT_RING_PLACE(mpt_ring.read + MPT_RING_STEP)];

    event->word = 0;
    start();
    event->word = mpt_word_enter((void *)0x900);
    call(0x200, 3);
    stop();
    assert_row(0x200, 0, 1, 3);
    sim_start_version(2);
    cr_assert_eq(sim_answer(), MP_ACK);
    for (uint32_t i = 0; i < 4 * MPT_RING_RECORDS; i++) {
        call(0x300, 5);
        if (i % 8 == 0)
            (void)mpt_poll();
    }
    sim_command(MP_STOP);
    cr_assert_eq(sim_hear()->n_pairs, 4 * MPT_RING_RECORDS);
    cr_assert_eq(sim_pairs.follower.counters.lost_in_gaps, 0);
}

Test(tree, contexts_are_called_as_in_the_stream)
{
    sim_start(NULL);
    mpt_context_name(1, "sensor");
    mpt_context_idle(0);
    start();
    mpt_context_switch(1);
    call(0x100, 5);
    mpt_context_switch(0);
    stop();
    for (uint32_t i = 0; i < sim_tree.n_contexts; i++) {
        const struct mp_tree_known_context *context = &sim_tree.contexts[i];
        if (context->context == MP_CONTEXT_TASK(0))
            cr_assert(context->is_idle && context->name_length == 0);
        if (context->context == MP_CONTEXT_TASK(1))
            cr_assert(!context->is_idle && context->name_length == 6 && !memcmp(context->name, "sensor", 6));
    }
}
