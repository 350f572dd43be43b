/* test_recording.c - arcs and samples, in both forms: all records are whole, none is sent twice, and dropped ones are
 * reported. */
#include "host.h"

#include "support/random.h"

Test(recording, nothing_counts_before_start_and_after_stop)
{
    mpt_gprof_arc(MPT_GPROF_BASE + 0x1001, MPT_GPROF_BASE + 0x2001);
    mpt_gprof_sample(MPT_GPROF_BASE + 0x3000);
    host_take(100);
    cr_assert_eq(host_bytes()->n, 0);
    host_begin();
    for (int i = 0; i < 5; i++)
        host_call(3);
    mpt_gprof_stop();
    mpt_gprof_arc(MPT_GPROF_BASE + 0x1001, MPT_GPROF_BASE + 0x2001);
    mpt_gprof_sample(MPT_GPROF_BASE + 0x3000);
    host_take(100);
    host_check(0);
}

Test(recording, a_full_ring_drops_and_counts_the_newest)
{
    host_begin();
    for (unsigned i = 0; i < MPT_GPROF_RING + MPT_GPROF_ARCS; i++)
        host_call(i % 16); /* more than all have room, where they are sent one by one */
    for (unsigned i = 0; i < 10; i++)
        host_call(20 + i);
    uint16_t lost = mpt_gprof_lost();
    if (!MPT_GPROF_ARCS)
        cr_assert_eq(lost, 10);
    mpt_gprof_stop();
    host_take(100);
    cr_assert_eq(mpt_gprof_lost(), 0, "told");
    host_check(lost);
    if (!MPT_GPROF_ARCS)
        for (unsigned i = 0; i < 10; i++)
            cr_assert_eq(host_told(0).calls[20 + i], 0, "the oldest are kept");
}

Test(recording, the_count_of_losses_saturates)
{
    host_begin();
    for (unsigned i = 0; i < 70000; i++)
        mpt_gprof_arc(0x41000000, 0x42000000);
    cr_assert_eq(mpt_gprof_lost(), UINT16_MAX);
    host_take(100);
    cr_assert_eq(mpt_gprof_lost(), 0);
}

Test(recording, addresses_out_of_range_are_dropped_and_counted)
{
    const uint32_t from = MPT_GPROF_BASE + 0x1001, to = MPT_GPROF_BASE + 0x2001, ram = 0x20001001;

    host_begin();
    mpt_gprof_arc(ram, to);
    mpt_gprof_arc(from, ram);
    mpt_gprof_arc(0, to); /* no caller */
    mpt_gprof_sample(ram);
    cr_assert_eq(mpt_gprof_lost(), 4);
    for (unsigned i = 0; i < 5; i++)
        host_call(1);
    mpt_gprof_stop();
    host_take(100);
    cr_assert_eq(host_told(0).lost, 4);
    cr_assert_eq(host_told(0).calls[1], 5);
}

Test(recording, interrupts_are_called_from_no_address)
{
    host_begin();
    for (unsigned i = 0; i < 5; i++)
        mpt_gprof_arc(0xFFFFFFF9, MPT_GPROF_BASE + 0x2001);
    cr_assert_eq(mpt_gprof_lost(), 0);
    mpt_gprof_stop();
    host_take(100);
    cr_assert(memmem(host_bytes()->bytes, host_bytes()->n, "\xFF\xFF\xF9\x00\x20\x01", 6));
}

Test(recording, only_whole_records_are_taken)
{
    uint8_t some[MPT_GPROF_RECORD_MAX];

    host_begin();
    for (unsigned i = 0; i < 8; i++)
        host_call(i);
    mpt_gprof_stop();
    for (size_t room = 0; room < MPT_GPROF_RECORD_MAX; room++)
        cr_assert_eq(mpt_gprof_take(some, room), 0);
    host_take(MPT_GPROF_RECORD_MAX);
    host_check(0);
}

static struct test_random dice;
static unsigned most_interrupts;

/* Takes a sample, or makes a call in an interrupt. */
static void interrupt(void)
{
    if (test_random_below(&dice, 8) || !most_interrupts)
        return;
    most_interrupts--;
    if (test_random_below(&dice, 2))
        host_sample(test_random_below(&dice, 12));
    else
        host_call(50 + test_random_below(&dice, 4));
}

/* Random calls, interrupted anywhere, sent at any time, with or without enough room. */
Test(recording, with_interrupts_every_call_is_sent_once_or_counted_as_lost)
{
    uint64_t lost = 0;

    dice = test_random_start("gprof_recording");
    board.interrupt = interrupt;
    host_begin();
    for (unsigned turn = 0; turn < 3000; turn++) {
        unsigned liked = test_random_below(&dice, 40);
        most_interrupts = 5;
        for (unsigned n = test_random_below(&dice, turn % 100 ? 12 : 600); n; n--)
            host_call(test_random_below(&dice, 3) ? liked : test_random_below(&dice, ARCS));
        if (test_random_below(&dice, 10) == 0)
            mpt_gprof_flush();
        most_interrupts = 3;
        /* Losses are summed as they are reported, since the target's count saturates. */
        host_take(MPT_GPROF_RECORD_MAX + test_random_below(&dice, 500));
    }
    board.interrupt = NULL;
    mpt_gprof_stop();
    host_take(500);
    lost = host_told(0).lost;
    cr_assert_gt(lost, 100);
    host_check(lost);
}

Test(recording, a_port_may_take_any_number_of_bytes)
{
    dice = test_random_start("gprof_line");
    host_begin();
    for (unsigned turn = 0; turn < 2000; turn++) {
        host_call(turn % 3);
        board.tx_room = test_random_below(&dice, 14);
        mpt_gprof_poll();
    }
    mpt_gprof_stop();
    uint16_t lost = mpt_gprof_lost();
    board.tx_room = SIZE_MAX;
    cr_assert_not(mpt_gprof_poll());
    struct sums told = host_told(0);
    cr_assert_geq(told.lost, lost);
    host_check(told.lost);
}
