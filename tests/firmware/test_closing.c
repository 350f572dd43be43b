/* test_closing.c - the closing packet: sent where STOP asks for it, after everything else, and nowhere
 * else. */
#include "tree_talk.h"

#include "support/random.h"

enum { FUNCTIONS = 9, MOST_CALLS = 200 };

static void start_version(uint8_t version)
{
    sim_start_version(version);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
}

static void make_calls(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        call(0x100 + 0x10 * (i % FUNCTIONS), 10 + i);
}

/* Asserts that one closing packet of that version was received, as the last packet. */
static void assert_closed(const struct heard *heard, uint8_t version)
{
    cr_assert_eq(heard->n_closings, 1, "version %u: %zu closing packets", version, heard->n_closings);
    cr_assert_eq(heard->closing_version, version);
    cr_assert_eq(heard->last_closing, heard->n_packets - 1, "version %u: it is the last", version);
}

Test(closing, a_closing_packet_follows_all_calls_if_stop_asks_for_it)
{
    for (uint8_t version = 1; version <= 3; version++) {
        sim_start(NULL);
        start_version(version);
        make_calls(20);
        sim_command(MP_STOP);
        cr_assert_eq(sim_hear()->n_closings, 0);
        start_version(version);
        make_calls(20);
        sim_stop();
        const struct heard *heard = sim_hear();
        assert_closed(heard, version);
        cr_assert_eq(version == 1 ? heard->n_records : version == 2 ? heard->n_pairs : 20, 20);
        cr_assert_eq(sim_pairs.follower.counters.lost_in_packets, 0, "its number follows the last event");
        sim_pass_us(1000000);
        cr_assert_eq(sim_hear()->n_packets, 0, "nothing follows");
    }
    cr_assert(mp_tree_table_is_whole(&sim_tree));
}

Test(closing, a_closing_packet_is_resent_for_each_further_stop)
{
    for (uint8_t version = 1; version <= 3; version++) {
        sim_start(NULL);
        start_version(version);
        make_calls(20);
        for (int again = 0; again < 3; again++) {
            sim_stop();
            assert_closed(sim_hear(), version);
            sim_pass_us(100);
            make_calls(3); /* which are no longer measured */
        }
        sim_command(MP_STOP);
        cr_assert_eq(sim_hear()->n_closings, 0);
        sim_stop();
        sim_stop();
        const struct heard *heard = sim_hear();
        cr_assert(heard->n_closings >= 1 && heard->last_closing == heard->n_packets - 1);
    }
}

Test(closing, a_closing_packet_without_a_run_has_version_1)
{
    sim_start(NULL);
    make_calls(3);
    sim_stop();
    assert_closed(sim_hear(), 1);
}

Test(closing, a_run_without_events_is_closed)
{
    for (uint8_t version = 1; version <= 3; version++) {
        sim_start(NULL);
        start_version(version);
        sim_stop();
        assert_closed(sim_hear(), version);
    }
}

Test(closing, a_start_cancels_an_unsent_closing_packet)
{
    for (uint8_t version = 1; version <= 3; version++) {
        sim_start(NULL);
        start_version(version);
        make_calls(20);
        sim_stop();
        sim_start_version(version);
        cr_assert_eq(sim_hear()->n_closings, 0, "version %u", version);
        make_calls(3);
        mpt_stop();
        sim_pass_us(1000000);
        cr_assert_eq(sim_hear()->n_closings, 0, "nobody asked");
    }
}

/* START and STOP both wait in the ring. */
Test(closing, records_of_an_ended_run_precede_its_closing_packet)
{
    for (uint8_t version = 1; version <= 2; version++) {
        sim_start(NULL);
        start_version(version);
        mpt_stop();
        make_calls(2);
        if (version == 1)
            mpt_start();
        else
            sim_start_version(2);
        if (version == 2)
            (void)sim_hear();
        make_calls(5);
        sim_stop();
        const struct heard *heard = sim_hear();
        assert_closed(heard, version);
        cr_assert_eq(version == 1 ? heard->n_records : heard->n_pairs, 5);
    }
}

Test(closing, losses_of_the_ring_precede_the_closing_packet)
{
    sim_start(NULL);
    start_version(2);
    make_calls(3 * MPT_RING_RECORDS);
    sim_stop();
    const struct heard *heard = sim_hear();
    assert_closed(heard, 2);
    cr_assert_eq(sim_pairs.follower.counters.exits + sim_pairs.follower.counters.lost_in_gaps / 2,
                 3 * MPT_RING_RECORDS);
    cr_assert_eq(sim_pairs.follower.counters.lost_in_packets, 0);
}

Test(closing, a_closing_packet_comes_last_on_a_slow_line)
{
    struct test_random random = test_random_start("closing");
    for (int life = 0; life < 60; life++) {
        uint8_t version = (uint8_t)(1 + life % 3);
        sim_start(NULL);
        start_version(version);
        make_calls((uint32_t)test_random_below(&random, MOST_CALLS));
        sim_poll_slowly(&random, (int)test_random_below(&random, 50));
        make_calls((uint32_t)test_random_below(&random, MOST_CALLS));
        sim_stop();
        sim_poll_slowly(&random, (int)test_random_below(&random, 50));
        make_calls((uint32_t)test_random_below(&random, MOST_CALLS));
        sim.tx_room = SIZE_MAX;
        const struct heard *heard = sim_hear();
        assert_closed(heard, version);
        cr_assert(version < 3 || mp_tree_table_is_whole(&sim_tree));
    }
}
