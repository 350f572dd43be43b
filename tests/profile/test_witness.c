/* test_witness.c - when the absence of losses is proved, and when not. */
#include "profile/witness.h"

#include <criterion/criterion.h>

static struct witness witness;

static enum verdict hear(uint32_t captured, uint32_t overflows, uint8_t usage)
{
    return witness_hear(&witness, &(struct event){.kind = EVENT_STATUS,
                                                  .status = {.buffer_overflows = overflows,
                                                             .records_captured = captured,
                                                             .buffer_usage_percent = usage}});
}

static void restart(void)
{
    witness_restart(&witness);
}

TestSuite(witness, .init = restart);

Test(witness, without_loss_all_captured_records_arrived)
{
    witness_pass(&witness, 240);
    cr_expect_eq(hear(1000, 0, 76), VERDICT_NONE, "the others may be in the buffer");
    witness_pass(&witness, 760);
    cr_expect_eq(hear(1000, 0, 0), VERDICT_COMPLETE);
    witness_pass(&witness, 20);
    cr_expect_eq(hear(1025, 0, 0), VERDICT_NONE);
    witness_pass(&witness, 5);
    cr_expect_eq(hear(1025, 0, 0), VERDICT_COMPLETE);
}

Test(witness, a_buffer_as_full_as_before_hides_nothing)
{
    witness_pass(&witness, 100);
    cr_expect_eq(hear(9000, 0, 50), VERDICT_NONE);
    witness_break(&witness);
    cr_expect_eq(hear(9100, 0, 50), VERDICT_BROKEN, "what came before that is not known");
    witness_pass(&witness, 300);
    cr_expect_eq(hear(9400, 0, 50), VERDICT_COMPLETE);
    cr_expect_eq(hear(9400, 0, 40), VERDICT_NONE, "what left the buffer did not come");
}

Test(witness, a_packet_that_is_missing_as_a_whole_shows_when_the_target_rests)
{
    witness_pass(&witness, 80);
    cr_expect_eq(hear(100, 0, 0), VERDICT_NONE);
    cr_expect_eq(hear(100, 0, 0), VERDICT_BROKEN);
    witness_pass(&witness, 10);
    cr_expect_eq(hear(110, 0, 0), VERDICT_COMPLETE, "from there on");
}

Test(witness, records_missing_for_long_are_lost)
{
    int told = 0;
    witness_pass(&witness, 80);
    while (hear(100 + (uint32_t)told, 0, 1) == VERDICT_NONE) {
        witness_pass(&witness, 1);
        cr_assert_lt(++told, 100);
    }
    witness_pass(&witness, 1);
    cr_expect_eq(hear(101 + (uint32_t)told, 0, 1), VERDICT_COMPLETE);
}

Test(witness, after_an_overflow_all_that_waited_must_have_come)
{
    witness_pass(&witness, 36);
    cr_expect_eq(hear(100, 1, 100), VERDICT_BROKEN);
    witness_pass(&witness, 63);
    cr_expect_eq(hear(163, 1, 100), VERDICT_BROKEN, "the gap is before the last of them");
    witness_pass(&witness, 1);
    cr_expect_eq(hear(164, 1, 100), VERDICT_BROKEN, "it has passed");
    witness_pass(&witness, 64);
    cr_expect_eq(hear(228, 1, 100), VERDICT_COMPLETE);
    witness_pass(&witness, 10);
    cr_expect_eq(hear(238, 2, 100), VERDICT_BROKEN);
}

Test(witness, an_overflow_is_over_1024_records_later_with_an_empty_buffer)
{
    for (uint32_t later = 1023; later <= 1024; later++) {
        restart();
        witness_pass(&witness, 36);
        cr_expect_eq(hear(100, 1, 100), VERDICT_BROKEN, "64 wait");
        cr_expect_eq(hear(100 + later, 1, 0), VERDICT_BROKEN);
        witness_pass(&witness, 10);
        cr_expect_eq(hear(110 + later, 1, 0), later == 1024 ? VERDICT_COMPLETE : VERDICT_BROKEN);
    }
}

Test(witness, overflows_before_the_first_status_count)
{
    witness_pass(&witness, 100);
    cr_expect_eq(hear(100, 3, 0), VERDICT_BROKEN);
}

Test(witness, a_repeated_status_proves_nothing)
{
    witness_pass(&witness, 120);
    cr_expect_eq(hear(100, 0, 0), VERDICT_BROKEN);
}

Test(witness, a_target_that_counts_anew_proves_nothing_before)
{
    witness_pass(&witness, 100);
    cr_expect_eq(hear(100, 0, 0), VERDICT_COMPLETE);
    witness_pass(&witness, 10);
    cr_expect_eq(hear(5, 0, 0), VERDICT_BROKEN);
    witness_pass(&witness, 10);
    cr_expect_eq(hear(15, 0, 0), VERDICT_COMPLETE);
}

/* Records of the earlier run do not count for those that wait now. */
Test(witness, records_before_an_unseen_restart_do_not_count)
{
    witness_pass(&witness, 200);
    witness_doubt(&witness);
    cr_expect_eq(hear(100, 1, 100), VERDICT_BROKEN);
    witness_pass(&witness, 60);
    cr_expect_eq(hear(160, 1, 100), VERDICT_BROKEN,
                 "a buffer of 100 may be full of what was captured before");
    witness_pass(&witness, 20);
    cr_expect_eq(hear(180, 1, 100), VERDICT_BROKEN);
    witness_pass(&witness, 20);
    cr_expect_eq(hear(200, 1, 100), VERDICT_BROKEN, "now all of it has come");
    witness_pass(&witness, 10);
    cr_expect_eq(hear(210, 1, 100), VERDICT_COMPLETE);
}

Test(witness, counters_may_wrap)
{
    witness_break(&witness);
    hear(UINT32_MAX - 5, 0, 0);
    witness_pass(&witness, 10);
    cr_expect_eq(hear(4, 0, 0), VERDICT_COMPLETE);
}
