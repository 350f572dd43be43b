/* test_calls.c - from hooks to records: which calls are reported, at which depth, with which times. */
#include "sim/sim.h"

#include <criterion/criterion.h>

#include "support/random.h"

static void assert_record(const struct mp_record *record, uint32_t function, uint32_t start,
                          uint32_t duration, uint16_t depth)
{
    cr_assert_eq(record->address, function, "function %x, not %x", record->address, function);
    cr_assert_eq(record->start, start, "start %u, not %u", record->start, start);
    cr_assert_eq(record->duration, duration, "duration %u, not %u", record->duration, duration);
    cr_assert_eq(record->depth, depth, "depth %u, not %u", record->depth, depth);
}

/* Asserts what holds for every stream of records without loss: they arrive in the order of exit; each call lies
 * inside its caller; and callees of one call do not overlap. Returns the number of calls with a caller. */
static size_t assert_nested(const struct mp_record *records, size_t n)
{
    size_t adopted = 0;
    for (size_t i = 0; i < n; i++) {
        const struct mp_record *call = &records[i];
        uint32_t end = call->start + call->duration;
        uint32_t next_start = end;
        if (i)
            cr_assert_geq((int32_t)(end - (records[i - 1].start + records[i - 1].duration)), 0, "record %zu",
                          i);
        /* Goes back over the calls that ended since the last one of this depth or above. */
        for (size_t k = i; k-- > 0 && records[k].depth > call->depth;) {
            if (records[k].depth != call->depth + 1)
                continue;
            uint32_t callee_end = records[k].start + records[k].duration;
            cr_assert_geq((int32_t)(records[k].start - call->start), 0,
                          "record %zu begins before its caller %zu", k, i);
            cr_assert_leq((int32_t)(callee_end - next_start), 0, "record %zu overlaps what follows in %zu", k,
                          i);
            next_start = records[k].start;
            adopted++;
        }
    }
    return adopted;
}

Test(calls, a_call_is_reported_with_its_function_start_duration_and_depth)
{
    sim_start(NULL);
    sim_pass_us(1000);
    mpt_start();
    sim_enter(0x8000100);
    sim_pass_us(10);
    sim_enter(0x8000200);
    sim_pass_us(20);
    sim_exit(0x8000200);
    sim_pass_us(5);
    sim_exit(0x8000100);
    mpt_stop();
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 2);
    assert_record(&heard->records[0], 0x8000200, 1010, 20, 1);
    assert_record(&heard->records[1], 0x8000100, 1000, 35, 0);
}

Test(calls, nothing_is_reported_before_start_and_after_stop)
{
    sim_start(NULL);
    sim_enter(1);
    sim_exit(1);
    cr_assert_eq(sim_hear()->n_records, 0);
    mpt_start();
    sim_enter(2);
    mpt_stop();
    sim_exit(2);
    cr_assert_eq(sim_hear()->n_records, 0, "a call that had not ended at STOP lacks its end");
}

Test(calls, a_call_that_was_running_at_start_is_not_reported_and_its_callees_have_true_depths)
{
    sim_start(NULL);
    sim_enter(1);
    sim_enter(2);
    mpt_start();
    sim_enter(3);
    sim_exit(3);
    sim_exit(2); /* was running */
    sim_enter(4);
    sim_exit(4);
    mpt_stop();
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 2);
    cr_assert_eq(heard->records[0].address, 3);
    cr_assert_eq(heard->records[0].depth, 2);
    cr_assert_eq(heard->records[1].address, 4);
    cr_assert_eq(heard->records[1].depth, 1);
}

Test(calls, depths_stay_true_through_stops_and_starts_in_the_middle_of_calls)
{
    sim_start(NULL);
    mpt_start();
    sim_enter(1);
    mpt_stop();
    sim_enter(2);
    sim_enter(3);
    sim_exit(3);
    mpt_start();
    sim_enter(4);
    sim_exit(4);
    sim_exit(2);
    sim_exit(1);
    sim_enter(5);
    sim_exit(5);
    mpt_stop();
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 2, "1 and 2 saw only a part of what they called");
    cr_assert_eq(heard->records[0].address, 4);
    cr_assert_eq(heard->records[0].depth, 2);
    cr_assert_eq(heard->records[1].address, 5);
    cr_assert_eq(heard->records[1].depth, 0);
}

Test(calls, a_second_start_changes_nothing)
{
    sim_start(NULL);
    mpt_start();
    sim_enter(1);
    sim_command(MP_START);
    cr_assert_eq(sim_answer(), MP_ACK);
    sim_exit(1);
    mpt_stop();
    cr_assert_eq(sim_hear()->n_records, 1);
}

Test(calls, running_calls_are_not_reported_after_a_reset)
{
    sim_start(NULL);
    mpt_start();
    sim_enter(1);
    sim_enter(2);
    sim_exit(2);
    mpt_reset();
    sim_enter(3);
    sim_exit(3);
    sim_exit(1);
    sim_enter(4);
    sim_exit(4);
    sim_command(MP_GET_STATUS);
    sim_command(MP_STOP);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 2);
    cr_assert_eq(heard->records[0].address, 3);
    cr_assert_eq(heard->records[1].address, 4);
    cr_assert_eq(heard->status.records_captured, 2);
}

Test(calls, recursion_deeper_than_the_shadow_stack_is_dropped_counted_once_and_leaves_the_rest_right)
{
    sim_start(NULL);
    mpt_start();
    for (uint32_t i = 0; i < MPT_STACK_DEPTH + 5; i++) {
        sim_pass_us(1);
        sim_enter(i);
    }
    for (uint32_t i = MPT_STACK_DEPTH + 5; i-- > 0;)
        sim_exit(i);
    sim_enter(99);
    sim_exit(99);
    sim_command(MP_GET_STATUS);
    sim_command(MP_STOP);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, MPT_STACK_DEPTH + 1);
    for (uint32_t i = 0; i < MPT_STACK_DEPTH; i++) {
        uint32_t depth = MPT_STACK_DEPTH - 1 - i;
        assert_record(&heard->records[i], depth, depth + 1, MPT_STACK_DEPTH + 5 - 1 - depth, (uint16_t)depth);
    }
    cr_assert_eq(heard->records[MPT_STACK_DEPTH].depth, 0);
    cr_assert_eq(heard->status.buffer_overflows, 1);
}

Test(calls, a_limit_of_depth_that_was_asked_for_is_no_loss)
{
    sim_start(NULL);
    sim_config(MPT_CONFIG_MAX_DEPTH, 2);
    sim_command(MP_START);
    sim_hear();
    for (uint32_t i = 0; i < MPT_STACK_DEPTH + 2; i++)
        sim_enter(i);
    for (uint32_t i = MPT_STACK_DEPTH + 2; i-- > 0;)
        sim_exit(i);
    sim_command(MP_GET_STATUS);
    sim_command(MP_STOP);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 2);
    cr_assert_eq(heard->records[0].depth, 1);
    cr_assert_eq(heard->records[1].depth, 0);
    cr_assert_eq(heard->status.buffer_overflows, 0);
}

Test(calls, a_limit_of_depth_that_changes_leaves_no_call_half_timed)
{
    sim_start(NULL);
    sim_config(MPT_CONFIG_MAX_DEPTH, 2);
    sim_command(MP_START);
    sim_hear();
    sim_pass_us(1000);
    for (uint32_t i = 0; i < 4; i++)
        sim_enter(i);
    sim_config(MPT_CONFIG_MAX_DEPTH, 6);
    sim_hear();
    sim_enter(4);
    sim_exit(4);
    for (uint32_t i = 4; i-- > 0;)
        sim_exit(i);
    sim_command(MP_STOP);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 1);
    assert_record(&heard->records[0], 4, 1000, 0, 4);
}

Test(calls, shorter_calls_than_asked_for_are_not_reported)
{
    sim_start(NULL);
    sim_config(MPT_CONFIG_MIN_DURATION_US, 10);
    sim_command(MP_START);
    sim_hear();
    for (uint32_t us = 8; us < 13; us++) {
        sim_enter(us);
        sim_pass_us(us);
        sim_exit(us);
    }
    mpt_stop();
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 3);
    cr_assert_eq(heard->records[0].duration, 10);
}

Test(calls, a_call_too_old_for_the_counter_is_given_up_and_its_callees_are_not)
{
    sim_start(NULL);
    mpt_start();
    sim_enter(1);
    for (uint64_t ms = 0; ms < 200000; ms += 1000) { /* longer than 2^32 ticks */
        sim_pass_us(1000000);
        mpt_poll();
    }
    sim_enter(2);
    sim_pass_us(7);
    sim_exit(2);
    sim_exit(1);
    mpt_stop();
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 1);
    assert_record(&heard->records[0], 2, 200000000, 7, 1);
}

Test(calls, time_goes_on_through_wraps_of_the_counter_and_of_the_microseconds)
{
    uint64_t us = 0;

    sim_start(NULL);
    mpt_start();
    for (int i = 0; i < 100; i++) { /* 5000 s: 29 wraps of 32 bits at 25 MHz, one of the wire's */
        sim_pass_us(49999990);
        mpt_poll();
        sim_enter(1);
        sim_pass_us(10);
        sim_exit(1);
        us += 50000000;
        mpt_stop(); /* so that the record is sent at once */
        const struct heard *heard = sim_hear();
        mpt_start();
        cr_assert_eq(heard->n_records, 1);
        assert_record(&heard->records[0], 1, (uint32_t)(us - 10), 10, 0);
    }
}

/* Makes random entries and exits, with a random time before each. The functions' numbers are their depths. */
static void walk(struct test_random *random, size_t steps, uint32_t max_ticks)
{
    uint32_t depth = 0;

    for (size_t i = 0; i < steps; i++) {
        sim.ticks += test_random_below(random, max_ticks);
        if (depth == 0 || (depth < MPT_STACK_DEPTH && test_random_below(random, 2)))
            sim_enter(depth++);
        else
            sim_exit(--depth);
        mpt_poll();
    }
    while (depth)
        sim_exit(--depth);
}

Test(calls, intervals_nest_exactly_whatever_the_times)
{
    struct test_random random = test_random_start("intervals_nest_exactly");

    sim_start(NULL);
    for (int round = 0; round < 40; round++) {
        /* From fractions of a microsecond to milliseconds, across wraps of the counter. */
        static const uint32_t max_ticks[] = {3, 26, 1000, 100000};
        sim.ticks = ((uint64_t)round << 32) - 20000;
        mpt_start();
        walk(&random, 2000, max_ticks[round % 4]);
        mpt_stop();
        const struct heard *heard = sim_hear();
        cr_assert_eq(heard->n_records, 1000 + heard->n_records % 1000);
        size_t roots = 0;
        for (size_t i = 0; i < heard->n_records; i++) {
            cr_assert_eq(heard->records[i].address, heard->records[i].depth);
            roots += heard->records[i].depth == 0;
        }
        cr_assert_eq(assert_nested(heard->records, heard->n_records), heard->n_records - roots);
    }
}

static uint32_t handlers_run, chances;
static uint32_t chances_per_interrupt;

/* An instrumented handler that calls an instrumented function. */
static void interrupt_handler(void)
{
    if (++chances % chances_per_interrupt)
        return;
    handlers_run++;
    sim_enter(0x1000);
    sim_enter(0x1001);
    sim_exit(0x1001);
    sim_exit(0x1000);
}

Test(calls, an_interrupt_is_a_callee_of_the_interrupted_function)
{
    static struct mp_record all[SIM_RECORDS];
    size_t n = 0, n_handlers = 0, n_functions = 0;

    sim_start(NULL);
    sim.ticks_per_reading = 7;
    mpt_start();
    sim.interrupt = interrupt_handler;
    for (int i = 0; i < 60; i++) {
        chances_per_interrupt = 1;
        sim_enter(0);
        sim_enter(1);
        sim_exit(1);
        sim_exit(0);
        chances_per_interrupt = 11; /* while sending; otherwise it would never end */
        if (i == 59)
            mpt_stop();
        const struct heard *heard = sim_hear();
        cr_assert_leq(n + heard->n_records, SIM_RECORDS);
        memcpy(all + n, heard->records, heard->n_records * sizeof *all);
        n += heard->n_records;
    }
    for (size_t i = 0; i < n; i++) {
        n_handlers += all[i].address == 0x1000;
        n_functions += all[i].address < 2;
        if (all[i].address == 0x1001)
            cr_assert_eq(all[i + 1].address, 0x1000, "the handler's callee is followed by the handler");
        if (all[i].address < 2)
            cr_assert_eq(all[i].depth, all[i].address, "an interrupt leaves the depth as it was");
    }
    cr_assert_eq(n_functions, 120);
    cr_assert_leq(n_handlers, handlers_run);
    cr_assert_geq(n_handlers, 8 * 60, "each hook was interrupted before and after its lock");
    assert_nested(all, n);
}
