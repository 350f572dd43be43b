/* test_tasks.c - version 2 under a kernel: switches, blocked tasks, and names. */
#include "sim/sim.h"

#include <criterion/criterion.h>
#include <string.h>

enum { PENDSV = 14, SYSTICK = 15, TIMER = 24 };

static void start(void)
{
    sim_start(NULL);
    sim_start_version(2);
    cr_assert_eq(sim_answer(), MP_ACK);
}

/* Sends and receives waiting events. */
static const struct heard *flush(void)
{
    sim_pass_us(MPT_FLUSH_US);
    return sim_hear();
}

static void call(uint32_t function)
{
    sim_enter(function);
    sim.ticks += 5;
    sim_exit(function);
    sim.ticks += 5;
}

/* Switches as a kernel that is not instrumented does, in its interrupt. */
static void change_to(uint8_t task, bool is_blocked)
{
    sim.exception = PENDSV;
    if (is_blocked)
        mpt_context_block();
    mpt_context_switch(task);
    sim.exception = 0;
    sim.ticks += 5;
}

static void assert_switch(const struct heard *heard, size_t i, uint32_t context, uint32_t time,
                          bool is_blocked)
{
    cr_assert_lt(i, heard->n_switches);
    cr_assert_eq(heard->switches[i].context, context, "switch %zu is to %u", i, heard->switches[i].context);
    cr_assert_eq(heard->switches[i].time, time, "switch %zu is at %u, not %u", i, heard->switches[i].time,
                 time);
    cr_assert_eq(heard->switches[i].is_blocked, is_blocked, "switch %zu", i);
}

Test(tasks, blocked_and_preempted_tasks_are_distinguished)
{
    start();
    call(0x100);
    uint32_t at = (uint32_t)sim.ticks;
    change_to(1, true);
    change_to(0, false);
    change_to(1, false);
    change_to(0, true);
    const struct heard *heard = flush();
    cr_assert_eq(heard->n_switches, 4);
    assert_switch(heard, 0, MP_CONTEXT_TASK(1), at, true);
    assert_switch(heard, 1, MP_CONTEXT_TASK(0), at + 5, false);
    assert_switch(heard, 2, MP_CONTEXT_TASK(1), at + 10, false);
    assert_switch(heard, 3, MP_CONTEXT_TASK(0), at + 15, true);
}

/* The switch may be anywhere in a packet. */
Test(tasks, a_switch_in_a_call_is_sent_at_its_end_despite_a_full_packet)
{
    enum { SWITCHES = 1000 };
    uint32_t at[SWITCHES], told = 0;

    start();
    for (uint32_t i = 0; i < SWITCHES; i++) {
        for (uint32_t k = i % 13; k; k--)
            call(0x100 + k % 5);
        sim.exception = PENDSV;
        sim_enter(0x900);
        mpt_context_switch((i + 1) % 2);
        sim.ticks += 10000; /* the exit takes several bytes */
        sim_exit(0x900);
        sim.exception = 0;
        at[i] = (uint32_t)sim.ticks;
        sim.ticks += 50;
        const struct heard *heard = i < SWITCHES - 1 ? sim_hear() : flush();

        for (size_t k = 0; k < heard->n_switches; k++)
            if (heard->switches[k].context != MP_CONTEXT_INTERRUPT(PENDSV))
                assert_switch(heard, k, MP_CONTEXT_TASK((told + 1) % 2), at[told], false), told++;
    }
    cr_assert_eq(told, SWITCHES);
}

Test(tasks, a_task_that_continues_at_once_was_not_blocked)
{
    start();
    call(0x100);
    uint32_t room = mpt_room();

    for (int i = 0; i < 10; i++)
        change_to(0, true);
    cr_assert_eq(mpt_room(), room, "kernels ask at each tick, and mostly go on");
    change_to(1, false);
    const struct heard *heard = flush();
    cr_assert_eq(heard->n_switches, 1);
    cr_assert_not(heard->switches[0].is_blocked);
}

/* An interrupt's calls are its last events: the switch does not wait for more. */
Test(tasks, a_switch_after_an_interrupt_has_its_own_time)
{
    start();
    sim_enter(0x100);
    sim.exception = SYSTICK;
    uint32_t at = (uint32_t)sim.ticks;
    call(0x200);
    change_to(1, true);
    call(0x300);
    sim.exception = SYSTICK;
    call(0x200);
    change_to(0, false);
    sim_exit(0x100);
    const struct heard *heard = flush();
    cr_assert_eq(heard->n_pairs, 4);
    cr_assert_eq(heard->n_switches, 4);
    assert_switch(heard, 0, MP_CONTEXT_INTERRUPT(SYSTICK), at, false);
    assert_switch(heard, 1, MP_CONTEXT_TASK(1), at + 10, true);
    assert_switch(heard, 2, MP_CONTEXT_INTERRUPT(SYSTICK), at + 25, false);
    assert_switch(heard, 3, MP_CONTEXT_TASK(0), at + 35, false);
    cr_assert_eq(heard->pairs[3].context, MP_CONTEXT_TASK(0));
    cr_assert_eq(sim_pairs.follower.counters.other_depths, 0);
}

/* A handler without instrumentation makes instrumented calls before the switch and after it. */
Test(tasks, an_interrupt_that_goes_on_after_the_switch_is_still_that_interrupt)
{
    start();
    sim_enter(0x100);
    sim.exception = PENDSV;
    call(0x200);
    mpt_context_block();
    mpt_context_switch(1);
    call(0x300);
    sim.exception = 0;
    call(0x400);
    const struct heard *heard = flush();
    cr_assert_eq(heard->n_pairs, 3);
    cr_assert_eq(heard->pairs[0].context, MP_CONTEXT_INTERRUPT(PENDSV));
    cr_assert_eq(heard->pairs[1].context, MP_CONTEXT_INTERRUPT(PENDSV));
    cr_assert_eq(heard->pairs[2].context, MP_CONTEXT_TASK(1));
    cr_assert_eq(heard->n_switches, 4);
    cr_assert_eq(heard->switches[1].context, MP_CONTEXT_TASK(1));
    cr_assert(heard->switches[1].is_blocked);
}

/* As with an instrumented kernel: the call that switches begins on one task's stack and ends on another's. */
Test(tasks, a_switch_within_a_call_is_sent_when_the_call_ends)
{
    start();
    for (uint32_t i = 0; i < 100; i++) {
        sim_enter(0x100 + (i & 1) * 0x1000);
        sim.ticks += 5;
        sim.exception = PENDSV;
        sim_enter(0x200);
        sim.ticks += 5;
        mpt_context_block();
        mpt_context_switch((uint8_t)(~i & 1));
        sim.ticks += 5;
        call(0x300);
        sim_exit(0x200);
        uint32_t at = (uint32_t)sim.ticks;
        sim.exception = 0;
        sim.ticks += 5;
        if (i)
            sim_exit(0x100 + (~i & 1) * 0x1000);
        const struct heard *heard = flush();
        cr_assert_eq(heard->n_pairs, i ? 3 : 2);
        cr_assert_eq(heard->pairs[0].context, MP_CONTEXT_INTERRUPT(PENDSV));
        cr_assert_eq(heard->pairs[1].context, MP_CONTEXT_INTERRUPT(PENDSV));
        cr_assert_eq(heard->pairs[1].function, 0x200);
        cr_assert(!i || heard->pairs[2].context == MP_CONTEXT_TASK(~i & 1u));
        cr_assert(!i || heard->pairs[2].depth == 0);
        cr_assert_eq(heard->n_switches, 2);
        assert_switch(heard, 1, MP_CONTEXT_TASK(~i & 1u), at, true);
    }
    cr_assert_eq(sim_pairs.follower.counters.other_depths, 0);
}

static void assert_name(const struct heard *heard, size_t i, uint32_t context, const char *name, bool is_idle)
{
    cr_assert_lt(i, heard->n_names);
    cr_assert_eq(heard->names[i].context, context);
    cr_assert_str_eq(heard->names[i].name, name);
    cr_assert_eq(heard->names[i].is_idle, is_idle);
}

Test(tasks, names_are_sent_first_and_every_second)
{
    static const struct mpt_interrupt_name interrupts[] = {{SYSTICK, "SysTick"}, {TIMER, "timer"}, {0, NULL}};

    mpt_context_name(0, "idle");
    mpt_context_idle(0);
    mpt_context_name(1, "a name that is longer than a name may be");
    mpt_context_name(200, "nobody");
    mpt_context_interrupts(interrupts);
    start();
    for (int half_seconds = 0; half_seconds < 4; half_seconds++) {
        call(0x100);
        const struct heard *heard = flush();
        cr_assert_eq(heard->n_pairs, 1);
        cr_assert_eq(heard->n_names, half_seconds % 2 ? 0 : 4);
        if (half_seconds % 2 == 0) {
            assert_name(heard, 0, MP_CONTEXT_TASK(0), "idle", true);
            assert_name(heard, 1, MP_CONTEXT_TASK(1), "a name that is longer th", false);
            assert_name(heard, 2, MP_CONTEXT_INTERRUPT(SYSTICK), "SysTick", false);
            assert_name(heard, 3, MP_CONTEXT_INTERRUPT(TIMER), "timer", false);
        }
        sim_pass_us(500000);
    }
    sim_start_version(2);
    call(0x100);
    cr_assert_eq(flush()->n_names, 4, "another run begins with all names");
}

Test(tasks, a_new_name_is_sent_before_its_task_runs)
{
    mpt_context_name(1, "first");
    start();
    call(0x100);
    change_to(1, false);
    call(0x200);
    change_to(0, false);
    assert_name(flush(), 0, MP_CONTEXT_TASK(1), "first", false);
    mpt_context_name(1, NULL);
    call(0x100);
    cr_assert_eq(flush()->n_names, 0, "no name is no name");
    call(0x100);
    mpt_poll(); /* a packet has been begun */
    mpt_context_name(1, "second");
    change_to(1, false);
    call(0x200);
    const struct heard *heard = flush();
    cr_assert_eq(heard->n_pairs, 1);
    cr_assert_eq(heard->n_names, 0, "what ran before it is in a packet before it");
    heard = flush();
    cr_assert_eq(heard->n_pairs, 1);
    cr_assert_eq(heard->pairs[0].function, 0x200);
    cr_assert_eq(heard->n_names, 1);
    assert_name(heard, 0, MP_CONTEXT_TASK(1), "second", false);
}

Test(tasks, more_names_than_fit_into_a_packet_come_in_turns)
{
    enum { MANY = 60 };
    static struct mpt_interrupt_name interrupts[MANY + 1];

    for (uint16_t i = 0; i < MANY; i++)
        interrupts[i] = (struct mpt_interrupt_name){(uint16_t)(16 + i), "twenty-four bytes, or so"};
    mpt_context_interrupts(interrupts);
    start();
    size_t names = 0, packets = 0;

    for (int i = 0; i < 50; i++) {
        call(0x100);
        const struct heard *heard = flush();
        cr_assert_eq(heard->n_pairs, 1, "calls find room in between");
        for (size_t k = 0; k < heard->n_names; k++)
            cr_assert_eq(heard->names[k].context, MP_CONTEXT_INTERRUPT(16u + (uint32_t)names++));
        packets += heard->n_names != 0;
    }
    cr_assert_eq(names, MANY);
    cr_assert_geq(packets, 4);
}

Test(tasks, version_1_has_no_names_or_blocked_states)
{
    mpt_context_name(1, "sensor");
    sim_start(NULL);
    mpt_start();
    sim_enter(1);
    change_to(1, true);
    call(2);
    change_to(0, true);
    sim_exit(1);
    mpt_stop();
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 2);
    cr_assert_eq(heard->records[0].depth + heard->records[1].depth, 0);
    cr_assert_eq(heard->n_names + heard->n_switches, 0);
}

Test(tasks, a_dropped_switch_does_not_affect_the_next)
{
    start();
    for (int i = 0; i < 2 * MPT_RING_RECORDS; i++)
        call(0x100);
    change_to(1, true);
    flush();
    change_to(0, false);
    const struct heard *heard = flush();
    cr_assert_eq(heard->n_switches, 1);
    cr_assert_not(heard->switches[0].is_blocked);
    cr_assert_gt(sim_pairs.follower.counters.lost_in_gaps, 0);
}

Test(tasks, switches_are_sent_without_other_events)
{
    start();
    call(0x100);
    flush();
    for (uint32_t i = 0; i < 10; i++) {
        change_to((uint8_t)(~i & 1), i & 2);
        const struct heard *heard = flush();
        cr_assert_eq(heard->n_switches, 1);
        cr_assert_eq(heard->switches[0].is_blocked, (bool)(i & 2));
    }
}

Test(tasks, a_reused_number_begins_without_calls)
{
    start();
    for (uint32_t i = 0; i < 20; i++) {
        mpt_context_begin(1);
        change_to(1, false);
        sim_enter(0x1000 + 0x100 * i); /* as a task's function, which never returns */
        call(0x200);
        if (i % 3 == 0) {
            sim.exception = PENDSV;
            sim_enter(0x300);
            mpt_context_block();
            mpt_context_switch(0);
            sim_exit(0x300);
            sim.exception = 0;
        } else {
            change_to(0, true);
        }
        call(0x100);
        const struct heard *heard = flush();
        cr_assert_eq(heard->n_pairs, i % 3 ? 2 : 3);
        cr_assert_eq(heard->pairs[0].context, MP_CONTEXT_TASK(1));
        cr_assert_eq(heard->pairs[0].depth, 1, "round %u: depth %u", i, heard->pairs[0].depth);
        cr_assert_eq(heard->pairs[heard->n_pairs - 1].depth, 0);
    }
    cr_assert_eq(sim_pairs.follower.counters.other_depths + sim_pairs.follower.counters.lost_in_gaps, 0);
}

Test(tasks, a_reused_number_in_version_1_and_after_overflows)
{
    sim_start(NULL);
    mpt_start();
    for (int i = 0; i < 5; i++) {
        mpt_context_begin(1);
        change_to(1, false);
        sim_enter(0x1000);
        call(0x200);
        change_to(0, true);
    }
    mpt_stop();
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 5);
    for (int i = 0; i < 5; i++)
        cr_assert_eq(heard->records[i].depth, 1);
    for (int i = 0; i < 2 * MPT_RING_RECORDS; i++)
        call(0x100);
    mpt_context_begin(1); /* its first switch finds no room */
    change_to(1, false);
    change_to(0, true);
    sim_start_version(2);
    sim_hear();
    change_to(1, false);
    call(0x200);
    heard = flush();
    cr_assert_eq(heard->n_pairs, 1);
    cr_assert_eq(heard->pairs[0].depth, 0);
}

/* Events read before START have no version: calls that run then must belong to their tasks. */
Test(tasks, a_switch_within_a_call_before_start_leaves_no_call_behind)
{
    sim_start(NULL);
    for (uint32_t i = 0; i < 10; i++) {
        if (i < 2)
            sim_enter(0x100 + 0x100 * (i & 1));
        sim.exception = PENDSV;
        sim_enter(0x800);
        mpt_context_switch((uint8_t)(~i & 1));
        sim_exit(0x800);
        sim.exception = 0;
        mpt_poll();
    }
    sim_start_version(2);
    sim_hear();
    call(0x300);
    change_to(1, false);
    call(0x300);
    const struct heard *heard = flush();
    cr_assert_eq(heard->n_pairs, 2);
    for (size_t i = 0; i < 2; i++)
        cr_assert_eq(heard->pairs[i].depth, 1, "depth %u in task %zu", heard->pairs[i].depth, i);
    cr_assert_eq(sim_pairs.follower.counters.other_depths, 0);
}

Test(tasks, in_version_1_too_a_switch_within_a_call_leaves_depths_right)
{
    sim_start(NULL);
    mpt_start();
    for (uint32_t i = 0; i < 10; i++) {
        if (i < 2)
            sim_enter(0x100 + 0x100 * (i & 1));
        call(0x300);
        sim.exception = PENDSV;
        sim_enter(0x800);
        mpt_context_switch((uint8_t)(~i & 1));
        sim_exit(0x800);
        sim.exception = 0;
        sim.ticks += 5;
    }
    mpt_stop();
    const struct heard *heard = sim_hear();
    size_t calls = 0;

    for (size_t i = 0; i < heard->n_records; i++) {
        if (heard->records[i].address != 0x300)
            continue;
        calls++;
        cr_assert_eq(heard->records[i].depth, 1, "record %zu", i);
    }
    cr_assert_eq(calls, 10);
}
