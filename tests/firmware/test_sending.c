/* test_sending.c - from records to packets: what waits, what is dropped, and when packets are sent. */
#include "sim/sim.h"

#include <criterion/criterion.h>

#include "support/random.h"

static void run_calls(uint32_t from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        sim_enter(from + i);
        sim.ticks += 25;
        sim_exit(from + i);
    }
}

Test(sending, consecutive_drops_are_one_overflow_and_not_captured)
{
    sim_start(NULL);
    mpt_start();
    sim.tx_room = 0;
    run_calls(0, MPT_RING_RECORDS + 10);
    cr_assert_eq(mpt_room(), 0);
    sim.tx_room = SIZE_MAX;
    sim_command(MP_GET_STATUS);
    sim_command(MP_STOP);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->status.buffer_overflows, 1);
    cr_assert_eq(heard->status.records_captured, MPT_RING_RECORDS);
    cr_assert_eq(heard->status.buffer_usage_percent, 100);
    cr_assert_eq(heard->n_records, MPT_RING_RECORDS);
    for (uint32_t i = 0; i < MPT_RING_RECORDS; i++)
        cr_assert_eq(heard->records[i].address, i, "the oldest are kept, the newest are dropped");

    mpt_start();
    sim.tx_room = 0;
    run_calls(1000, MPT_RING_RECORDS + 1);
    sim.tx_room = SIZE_MAX;
    sim_command(MP_STOP);
    sim_command(MP_GET_STATUS);
    heard = sim_hear();
    cr_assert_eq(heard->status.buffer_overflows, 2);
    cr_assert_eq(heard->status.records_captured, 2 * MPT_RING_RECORDS);
    cr_assert_eq(mpt_room(), MPT_RING_RECORDS);
}

Test(sending, reset_empties_the_buffer_and_the_counts)
{
    sim_start(NULL);
    mpt_start();
    run_calls(0, MPT_RING_RECORDS + 10);
    sim_command(MP_RESET_BUFFERS);
    sim_command(MP_GET_STATUS);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 0);
    cr_assert_eq(heard->status.buffer_overflows, 0);
    cr_assert_eq(heard->status.records_captured, 0);
    cr_assert_eq(heard->status.buffer_usage_percent, 0);
}

Test(sending, a_full_packet_goes_at_once_and_the_rest_after_the_flush_time)
{
    sim_start(NULL);
    sim_config(MPT_CONFIG_PACKET_RECORDS, 4);
    sim_command(MP_START);
    sim_hear();
    sim_pass_us(MPT_FLUSH_US);
    run_calls(0, 9);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_packets, 2);
    cr_assert_eq(heard->counts[0], 4);
    cr_assert_eq(heard->counts[1], 4);
    cr_assert_eq(sim_hear()->n_packets, 0, "one record waits for company");
    sim_pass_us(MPT_FLUSH_US);
    heard = sim_hear();
    cr_assert_eq(heard->n_packets, 1);
    cr_assert_eq(heard->counts[0], 1);
}

Test(sending, a_packet_never_has_more_records_than_it_has_room_for)
{
    sim_start(NULL);
    sim_config(MPT_CONFIG_PACKET_RECORDS, 255); /* refused: it wrote past the packet's memory once */
    sim_command(MP_START);
    sim_hear();
    run_calls(0, 3 * MPT_PACKET_RECORDS);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_packets, 3);
    for (unsigned i = 0; i < 3; i++)
        cr_assert_eq(heard->counts[i], MPT_PACKET_RECORDS);
}

Test(sending, what_waits_at_stop_goes_at_once)
{
    sim_start(NULL);
    mpt_start();
    run_calls(0, 3);
    cr_assert_eq(sim_hear()->n_packets, 0);
    sim_command(MP_STOP);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_packets, 2);
    cr_assert_eq(heard->types[0], MP_ACK);
    cr_assert_eq(heard->counts[1], 3);
}

/* Makes the same calls and commands with a port that accepts random amounts. */
Test(sending, a_port_that_takes_little_at_a_time_gets_the_same_bytes)
{
    struct test_random random = test_random_start("a_port_that_takes_little");

    sim_start(NULL);
    mpt_start();
    run_calls(0,
              3 * MPT_PACKET_RECORDS / 2 < MPT_RING_RECORDS ? 3 * MPT_PACKET_RECORDS / 2 : MPT_RING_RECORDS);
    sim_command(MP_GET_STATUS);
    sim_command(MP_STOP);
    sim.tx_room = 0;
    sim_poll_slowly(&random, 10000);
    cr_assert_not(mpt_poll());
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->types[0], MP_STATUS);
    cr_assert_eq(heard->types[1], MP_ACK);
    cr_assert_eq(heard->n_records, heard->status.records_captured);
    for (uint32_t i = 0; i < heard->n_records; i++)
        cr_assert_eq(heard->records[i].address, i);
}

Test(sending, commands_that_come_in_the_middle_of_a_packet_are_answered_after_it)
{
    sim_start(NULL);
    sim_config(MPT_CONFIG_PACKET_RECORDS, 8);
    sim_command(MP_START);
    sim_hear();
    run_calls(0, 16);
    sim.tx_room = 20;
    mpt_poll();
    sim_command(MP_GET_STATUS);
    sim.tx_room = SIZE_MAX;
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_packets, 3);
    cr_assert_arr_eq(heard->types, ((uint8_t[]){MP_PROFILE_DATA, MP_STATUS, MP_PROFILE_DATA}), 3);
}

Test(sending, a_reset_by_the_application_in_the_middle_of_a_packet_leaves_the_packet_whole)
{
    sim_start(NULL);
    sim_config(MPT_CONFIG_PACKET_RECORDS, 8);
    sim_command(MP_START);
    sim_hear();
    run_calls(0, 16);
    sim.tx_room = 40;
    mpt_poll();
    mpt_reset();
    sim.tx_room = SIZE_MAX;
    sim_command(MP_GET_STATUS);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 8);
    for (uint32_t i = 0; i < 8; i++)
        cr_assert_eq(heard->records[i].address, i);
    cr_assert_eq(heard->status.records_captured, 0);
}

Test(sending, the_ring_may_go_round_many_times)
{
    sim_start(NULL);
    mpt_start();
    for (uint32_t round = 0; round < 300; round++) {
        run_calls(round * 7, 7);
        mpt_poll();
    }
    mpt_stop();
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_records, 2100);
    for (uint32_t i = 0; i < 2100; i++)
        cr_assert_eq(heard->records[i].address, i);
}
