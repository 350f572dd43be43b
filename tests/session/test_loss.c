/* test_loss.c - what the target counted and what came, compared when that can be done. */
#include "session/loss.h"

#include <criterion/criterion.h>

Test(loss, nothing_is_lost_while_all_that_was_counted_comes)
{
    struct loss loss = {0};
    loss_hear(&loss, 0, 0, 0);
    loss_hear(&loss, 100, 30, 60);
    loss_hear(&loss, 150, 10, 140);
    loss_hear(&loss, 150, 0, 150);
    cr_assert_eq(loss_total(&loss), 0);
}

Test(loss, what_has_not_come_when_the_target_rests_is_lost)
{
    struct loss loss = {0};
    loss_hear(&loss, 0, 0, 0);
    loss_hear(&loss, 100, 0, 80);
    cr_assert_eq(loss_total(&loss), 0, "20 may still be under way");
    loss_hear(&loss, 100, 0, 80);
    cr_assert_eq(loss_total(&loss), 20);
    loss_hear(&loss, 200, 0, 175);
    loss_hear(&loss, 200, 0, 175);
    cr_assert_eq(loss_total(&loss), 25);
}

Test(loss, what_waits_in_a_resting_targets_buffer_is_not_lost)
{
    struct loss loss = {0};
    loss_hear(&loss, 0, 0, 0);
    loss_hear(&loss, 100, 7, 80);
    loss_hear(&loss, 100, 7, 80);
    cr_assert_eq(loss_total(&loss), 0);
}

Test(loss, records_that_come_late_are_taken_back)
{
    struct loss loss = {0};
    loss_hear(&loss, 0, 0, 0);
    loss_hear(&loss, 100, 0, 95);
    loss_hear(&loss, 100, 0, 95);
    cr_assert_eq(loss_total(&loss), 5);
    loss_hear(&loss, 100, 0, 100);
    cr_assert_eq(loss_total(&loss), 0);
    cr_assert_eq(loss_most(&loss), 5);
    loss_restart(&loss);
    cr_assert_eq(loss_most(&loss), 5, "over a restart, too");
}

Test(loss, what_was_counted_before_we_listened_is_not_lost)
{
    struct loss loss = {0};
    loss_hear(&loss, 5000, 0, 10);
    loss_hear(&loss, 5000, 0, 10);
    loss_hear(&loss, 5100, 0, 100);
    loss_hear(&loss, 5100, 0, 100);
    cr_assert_eq(loss_total(&loss), 10);
}

Test(loss, a_restart_settles_what_was_lost_before_it)
{
    struct loss loss = {0};
    loss_hear(&loss, 0, 0, 0);
    loss_hear(&loss, 100, 0, 90);
    loss_hear(&loss, 100, 0, 90);
    loss_hear(&loss, 0, 0, 90); /* a fallen count tells of it, too */
    loss_hear(&loss, 50, 0, 137);
    loss_hear(&loss, 50, 0, 137);
    cr_assert_eq(loss_total(&loss), 13);
    loss_restart(&loss);
    cr_assert_eq(loss_total(&loss), 13);
}
