/* test_counted.c - the cache of arcs, and their numbers. */
#include "host.h"

/* Sends everything, and returns the number of bytes. */
static size_t told_in(void)
{
    size_t before = host_bytes()->n;

    mpt_gprof_flush();
    host_take(100);
    return host_bytes()->n - before;
}

Test(counted, an_arc_is_sent_in_full_once_then_in_two_or_three_bytes)
{
    host_begin();
    host_call(1);
    cr_assert_eq(told_in(), 5 + 9, "head, definition");
    host_call(1);
    cr_assert_eq(told_in(), 2);
    for (int i = 0; i < 200; i++)
        host_call(1);
    cr_assert_eq(told_in(), 3);
    cr_assert_eq(told_in(), 0, "nothing new");
    host_sample(1);
    cr_assert_eq(told_in(), 4);
    for (int i = 0; i < 20; i++)
        host_sample(1);
    cr_assert_eq(told_in(), 5);
    host_check(0);
}

Test(counted, a_flush_waits_for_the_one_before)
{
    uint8_t some[2 * MPT_GPROF_RECORD_MAX];

    host_begin();
    for (unsigned i = 0; i < 4; i++) /* which have room wherever they fall */
        host_call(i);
    mpt_gprof_flush();
    size_t n = mpt_gprof_take(some, sizeof some);
    cr_assert_gt(n, 0);
    for (int i = 0; i < 100; i++)
        mpt_gprof_flush(); /* does not begin again */
    host_take(100);
    for (unsigned i = 0; i < 4; i++) /* which have room wherever they fall */
        host_call(i);
    cr_assert_eq(told_in(), 2 * 4);
}

Test(counted, more_than_255_calls_are_all_counted)
{
    host_begin();
    for (int i = 0; i < 255 * (MPT_GPROF_RING + 1); i++)
        host_call(1);
    cr_assert_eq(mpt_gprof_lost(), 0);
    host_call(1);
    cr_assert_eq(mpt_gprof_lost(), 1, "the ring is full of them");
    mpt_gprof_stop();
    host_take(100);
    host_check(1);
}

Test(counted, sent_arcs_leave_the_cache_without_a_loss)
{
    host_begin();
    for (unsigned round = 0; round < 40; round++) {
        for (unsigned i = 0; i < 4; i++)
            host_call(4 * (round % 10) + i);
        told_in();
    }
    cr_assert_eq(mpt_gprof_lost(), 0);
    host_check(0);
}

Test(counted, a_host_that_comes_later_knows_all_numbers_after_sixteen_flushes)
{
    size_t from = 0;

    host_begin();
    for (unsigned round = 0; round < 40; round++) {
        for (unsigned i = 0; i < 4; i++)
            host_call(i);
        told_in();
        if (round == 4)
            from = host_bytes()->n;
    }
    struct sums told = host_told(from);
    for (unsigned i = 0; i < 4; i++)
        cr_assert_geq(told.calls[i], 40 - 16, "arc %u: %lu", i, (unsigned long)told.calls[i]);
}

Test(counted, an_arc_that_replaces_another_gets_a_new_number)
{
    host_begin();
    for (unsigned round = 0; round < 30; round++) {
        host_call(round);
        host_call(round);
        told_in();
        host_call(round);
        told_in();
    }
    host_check(0);
    /* Without the definitions of a round only its loss is reported. */
    struct stream all = *host_bytes();
    uint8_t seen[256] = {0};
    for (size_t at = 0; at + 9 < all.n; at++)
        if (all.bytes[at] == 0xC4)
            seen[all.bytes[at + 1]]++;
    unsigned generations = 0;
    for (unsigned i = 0; i < 256; i++)
        generations += seen[i] && i >= 0x40;
    cr_assert_gt(generations, 5);
}
