/* test_raw.c - records in the form of the thesis. */
#include "host.h"

Test(raw, records_are_the_thesis_byte_for_byte_in_their_order)
{
    host_begin();
    mpt_gprof_arc(MPT_GPROF_BASE + 0x014AF4, MPT_GPROF_BASE + 0x11C4B2);
    mpt_gprof_sample(MPT_GPROF_BASE + 0x00146A);
    mpt_gprof_arc(MPT_GPROF_BASE + 0x014AF4, MPT_GPROF_BASE + 0x11C4B2);
    mpt_gprof_flush(); /* which there is nothing for */
    host_take(100);
    cr_assert_eq(host_bytes()->n, 18);
    cr_assert_arr_eq(host_bytes()->bytes,
                     "A\x01\x4A\xF4\x11\xC4\xB2P\x00\x14\x6A"
                     "A\x01\x4A\xF4\x11\xC4\xB2",
                     18);
}

Test(raw, the_ring_may_go_round_many_times)
{
    host_begin();
    for (unsigned i = 0; i < 70000; i++) {
        host_call(i % 40);
        if (i % 5 == 4)
            host_take(100);
    }
    host_take(100);
    host_check(0);
    cr_assert_eq(host_bytes()->n, 7 * 70000);
}
