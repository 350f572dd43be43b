/* test_runs.c - the numbers of the start and of the run in DESCRIPTION, and a START that resumes a run. */
#include "tree_talk.h"

Test(runs, each_start_has_a_new_number)
{
    uint32_t before = 0;

    for (int i = 0; i < 100; i++) {
        sim_start(NULL);
        struct mp_description_run run = sim_describe_run();
        cr_assert(run.boot && run.boot != before);
        cr_assert_eq(sim_describe_run().boot, run.boot, "as long as it runs");
        before = run.boot;
    }
}

Test(runs, there_is_no_number_before_the_first_run)
{
    sim_start(NULL);
    struct mp_description_run run = sim_describe_run();
    cr_assert(!run.version && !run.is_on && !run.is_flat && !run.run);
}

Test(runs, a_stopped_counter_is_reported)
{
    sim_start(NULL);
    sim.ticks_per_reading = 0;
    cr_assert(sim_describe_run().counter_stands);
    sim.ticks++;
    cr_assert_not(sim_describe_run().counter_stands, "it does not go on now, but has");
    sim_start(NULL);
    sim.ticks_per_reading = 0;
    cr_assert(sim_describe_run().counter_stands, "each start begins again");
    sim.ticks_per_reading = 1;
    cr_assert_not(sim_describe_run().counter_stands);
}

/* The number of the run in the received packets. */
static uint8_t run_in_packets(uint8_t version)
{
    return version == 3 ? sim_tree.head.run : version == 2 ? sim_pairs.follower.run : 0;
}

Test(runs, the_current_or_last_run_is_described)
{
    sim_start(NULL);
    for (int i = 0; i < 40; i++) {
        uint8_t version = (uint8_t)(1 + i % 3);
        bool is_flat = i % 2;

        sim_start_flags(version, is_flat ? MP_TREE_WANT_FLAT : 0);
        (void)sim_hear();
        call(0x100, 10);
        struct mp_description_run run = sim_describe_run();
        sim_pass_us(1000000);
        (void)sim_hear();
        cr_assert(run.is_on && run.version == version && run.is_flat == (version == 3 && is_flat));
        cr_assert_eq(run.run, run_in_packets(version), "version %u: run %u, not %u", version, run.run,
                     run_in_packets(version));
        sim_command(MP_STOP);
        run = sim_describe_run();
        cr_assert(!run.is_on && run.version == version && run.run == run_in_packets(version));
    }
}

/* START's mark lies behind what waits in the ring. */
Test(runs, an_ordered_run_already_has_its_number)
{
    sim_start(NULL);
    sim_start_version(2);
    (void)sim_hear();
    uint8_t before = sim_describe_run().run;

    sim_enter(0x100);
    sim_enter(0x200);
    sim_start_version(2);
    cr_assert_eq(sim_describe_run().run, (before + 1) % 16);
    cr_assert_eq(sim_describe_run().run, (before + 1) % 16);
}

Test(runs, a_start_that_resumes_changes_nothing_where_that_is_under_way)
{
    for (int form = 0; form < 4; form++) {
        uint8_t version = (uint8_t)(form < 3 ? form + 1 : 3), flags = form == 3 ? MP_TREE_WANT_FLAT : 0;

        sim_start(NULL);
        sim_start_flags(version, flags | MP_START_RESUMES);
        cr_assert_eq(sim_hear()->types[0], MP_ACK, "nothing is under way: it begins");
        struct mp_description_run begun = sim_describe_run();
        cr_assert(begun.is_on && begun.version == version && begun.is_flat == (form == 3));
        uint64_t runs = sim_pairs.follower.counters.runs + sim_tree.counters.runs;
        call(0x100, 10);
        sim_enter(0x200);
        for (int i = 0; i < 3; i++) {
            sim_start_flags(version, flags | MP_START_RESUMES);
            cr_assert_eq(sim_hear()->types[0], MP_ACK);
            cr_assert_eq(sim_describe_run().run, begun.run);
        }
        sim_exit(0x200);
        sim_stop();
        const struct heard *heard = sim_hear();
        cr_assert_leq(sim_pairs.follower.counters.runs + sim_tree.counters.runs, runs + (runs == 0));
        if (version < 3)
            cr_assert_geq(heard->n_records + heard->n_pairs, 1, "0x200, which ran meanwhile");
        if (version == 3)
            cr_assert_eq(row_of(0x200)->calls, 1);
    }
}

Test(runs, a_start_that_resumes_begins_another_run_where_something_else_is_under_way)
{
    sim_start(NULL);
    sim_start_version(3);
    (void)sim_hear();
    uint8_t before = sim_describe_run().run;
    sim_start_flags(3, MP_TREE_WANT_FLAT | MP_START_RESUMES);
    (void)sim_hear();
    struct mp_description_run run = sim_describe_run();
    cr_assert(run.is_flat && run.run == (before + 1) % 16);
    sim_start_flags(2, MP_START_RESUMES);
    (void)sim_hear();
    cr_assert_eq(sim_describe_run().version, 2);
    sim_start_flags(1, MP_START_RESUMES);
    (void)sim_hear();
    cr_assert_eq(sim_describe_run().version, 1);
    sim_start_version(3);
    (void)sim_hear();
    before = sim_describe_run().run;
    sim_start_version(3);
    (void)sim_hear();
    cr_assert_eq(sim_describe_run().run, (before + 1) % 16, "without the flag, as ever");
}
