/* test_cores.c - a chip of several cores, of which core 0 is measured: the agent's functions return at once on
 * other cores, and their hooks are counted. */
#include "sim/sim.h"

#include <criterion/criterion.h>

#include "support/random.h"

enum { CALLS = 30 /* fit into the ring */, OTHERS = 0x9000 };

static uint32_t hooks; /* of other cores */

/* Calls the agent on another core, also in the middle of a hook of core 0. */
static void run_other_core(void)
{
    static uint32_t n;

    sim.core = 1 + n % 3;
    if (n++ % 2)
        sim_exit(OTHERS + n % 5);
    else
        sim_enter(OTHERS + n % 5);
    mpt_context_switch(1);
    mpt_context_block();
    mpt_context_begin(1);
    mpt_keep_time();
    cr_assert_not(mpt_poll(), "it sends nothing");
    hooks++;
    sim.core = 0;
}

static void run_calls(void)
{
    struct test_random random = test_random_start("cores");

    sim.interrupt = run_other_core;
    for (uint32_t i = 0; i < CALLS; i++) {
        uint32_t function = 0x100 + 16 * test_random_below(&random, 4);

        sim_enter(function);
        sim.ticks += 25;
        run_other_core();
        sim_enter(0x900);
        sim.ticks += 50;
        sim_exit(0x900);
        sim_exit(function);
    }
    sim.interrupt = NULL;
}

static const struct heard *measure_calls(uint8_t version)
{
    sim_start(NULL);
    sim_start_version(version);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
    run_calls();
    sim_command(MP_STOP);
    sim_pass_us(MPT_FLUSH_US);
    return sim_hear();
}

Test(cores, calls_of_other_cores_are_in_no_stream)
{
    const struct heard *heard = measure_calls(2);

    cr_assert_eq(heard->n_pairs, 2 * CALLS);
    cr_assert_eq(heard->n_switches, 0);
    for (size_t i = 0; i < heard->n_pairs; i++) {
        cr_assert_lt(heard->pairs[i].function, OTHERS);
        cr_assert(heard->pairs[i].is_whole);
        cr_assert_eq(heard->pairs[i].depth, heard->pairs[i].function == 0x900 ? 1 : 0);
    }
}

Test(cores, calls_of_other_cores_are_in_no_record)
{
    const struct heard *heard = measure_calls(1);

    cr_assert_eq(heard->n_records, 2 * CALLS);
    for (size_t i = 0; i < heard->n_records; i++)
        cr_assert_eq(heard->records[i].depth, heard->records[i].address == 0x900 ? 1 : 0);
}

Test(cores, calls_of_other_cores_are_in_no_tree)
{
    measure_calls(3);
    cr_assert_eq(sim_tree.head.nodes, 8, "four functions, and one below each");
    uint64_t calls = 0;
    for (uint32_t i = 0; i < sim_tree.head.nodes; i++) {
        cr_assert_lt(sim_tree.node[i].row.function, OTHERS);
        calls += sim_tree.node[i].row.calls;
    }
    cr_assert_eq(calls, 2 * CALLS);
}

Test(cores, hooks_of_other_cores_are_counted_for_whoever_asks)
{
    measure_calls(2);
    cr_assert(sim_describe_run().has_other_cores);
    sim_hear();
    sim_ask_cores();
    const struct heard *heard = sim_hear();
    cr_assert(heard->has_cores && heard->has_triggers);
    cr_assert_gt(hooks, CALLS);
    cr_assert_eq(heard->other_core_hooks, hooks);
    cr_assert_eq(heard->status.records_captured, 2 * CALLS);
    sim_ask_triggers();
    cr_assert_not(sim_hear()->has_cores);
    sim_command(MP_GET_STATUS);
    cr_assert_not(sim_hear()->has_cores, "a host that does not ask gets the short one");
}
