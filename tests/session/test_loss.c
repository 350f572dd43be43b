/* test_loss.c - compares the target's count with the received records when both are final. */
#include "session/loss.h"

#include <criterion/criterion.h>

Test(loss, nothing_is_lost_while_all_that_was_counted_comes)
{
    struct loss loss = {0};
    loss_hear(&loss, 0, 0, 0, false);
    loss_hear(&loss, 100, 30, 60, false);
    loss_hear(&loss, 150, 10, 140, false);
    loss_hear(&loss, 150, 0, 150, false);
    cr_assert_eq(loss_total(&loss), 0);
}

Test(loss, records_missing_when_the_target_is_idle_are_lost)
{
    struct loss loss = {0};
    loss_hear(&loss, 0, 0, 0, false);
    loss_hear(&loss, 100, 0, 80, false);
    cr_assert_eq(loss_total(&loss), 0, "20 may still be under way");
    loss_hear(&loss, 100, 0, 80, false);
    cr_assert_eq(loss_total(&loss), 20);
    loss_hear(&loss, 200, 0, 175, false);
    loss_hear(&loss, 200, 0, 175, false);
    cr_assert_eq(loss_total(&loss), 25);
}

Test(loss, records_in_the_buffer_of_an_idle_target_are_not_lost)
{
    struct loss loss = {0};
    loss_hear(&loss, 0, 0, 0, false);
    loss_hear(&loss, 100, 7, 80, false);
    loss_hear(&loss, 100, 7, 80, false);
    cr_assert_eq(loss_total(&loss), 0);
}

Test(loss, records_that_come_late_are_taken_back)
{
    struct loss loss = {0};
    loss_hear(&loss, 0, 0, 0, false);
    loss_hear(&loss, 100, 0, 95, false);
    loss_hear(&loss, 100, 0, 95, false);
    cr_assert_eq(loss_total(&loss), 5);
    loss_hear(&loss, 100, 0, 100, false);
    cr_assert_eq(loss_total(&loss), 0);
    cr_assert_eq(loss_most(&loss), 5);
    loss_restart(&loss, 100);
    cr_assert_eq(loss_most(&loss), 5, "over a restart, too");
}

Test(loss, records_before_the_first_status_are_not_lost)
{
    struct loss loss = {0};
    loss_hear(&loss, 5000, 0, 10, false);
    loss_hear(&loss, 5000, 0, 10, false);
    loss_hear(&loss, 5100, 0, 100, false);
    loss_hear(&loss, 5100, 0, 100, false);
    cr_assert_eq(loss_total(&loss), 10);
}

Test(loss, a_restart_fixes_earlier_losses)
{
    struct loss loss = {0};
    loss_hear(&loss, 0, 0, 0, false);
    loss_hear(&loss, 100, 0, 90, false);
    loss_hear(&loss, 100, 0, 90, false);
    loss_hear(&loss, 0, 0, 90, false); /* a fallen count shows the restart, too */
    loss_hear(&loss, 50, 0, 137, false);
    loss_hear(&loss, 50, 0, 137, false);
    cr_assert_eq(loss_total(&loss), 13);
    loss_restart(&loss, 137);
    cr_assert_eq(loss_total(&loss), 13);
}

Test(loss, a_run_may_begin_before_it_is_known_that_sums_are_over)
{
    struct loss loss = {0};
    loss_hear(&loss, 5000, 0, 0, true);
    loss_hear(&loss, 5000, 0, 0, true); /* these are calls of sums: nothing of them is missing */
    cr_assert_eq(loss_total(&loss), 0);
    loss_hear(&loss, 0, 0, 0, true);
    loss_restart(&loss, 0); /* the first record shows that another mode began */
    loss_hear(&loss, 56, 0, 52, false);
    loss_hear(&loss, 56, 0, 52, false);
    cr_assert_eq(loss_total(&loss), 4);
    loss_hear_sums(&loss);
    loss_hear(&loss, 0, 0, 52, true);
    loss_hear(&loss, 900, 0, 52, true);
    loss_hear(&loss, 900, 0, 52, true);
    cr_assert_eq(loss_total(&loss), 4);
}

Test(loss, a_run_that_began_earlier_is_over_at_a_restart)
{
    struct loss loss = {0};
    loss_hear(&loss, 0, 0, 0, false);
    loss_restart(&loss, 10); /* its ten records arrived, and no STATUS since */
    loss_hear(&loss, 20, 0, 25, false);
    loss_hear(&loss, 20, 0, 25, false);
    cr_assert_eq(loss_total(&loss), 0,
                 "the second run counted 20, of which 5 had come before the first STATUS");
    loss_hear(&loss, 30, 0, 30, false);
    loss_hear(&loss, 30, 0, 30, false);
    cr_assert_eq(loss_total(&loss), 5);
}

Test(loss, a_run_of_which_nothing_came_is_in_doubt)
{
    struct loss loss = {0};
    loss_hear(&loss, 0, 0, 0, false);
    loss_hear(&loss, 7, 0, 0, false);
    loss_hear(&loss, 7, 0, 0, false);
    cr_assert_eq(loss_total(&loss), 0);
    struct loss other = loss;
    loss_hear_sums(&loss);
    loss_confirm(&loss);
    cr_assert_eq(loss_total(&loss), 0, "it counted sums");
    loss_restart(&other, 0);
    loss_hear(&other, 1, 10, 1, false);
    cr_assert_eq(loss_total(&other), 7, "it reported records");
}

Test(loss, losses_of_bad_packets_are_not_counted_twice)
{
    struct loss loss = {0};
    loss_hear(&loss, 22, 0, 18, false);
    loss_hear(&loss, 22, 0, 18, false);
    loss_hear(&loss, 28, 0, 18, false);
    loss_hear(&loss, 28, 0, 18, false);
    loss_reject(&loss, 4);
    loss_restart(&loss, 18);
    loss_confirm(&loss);
    cr_assert_eq(loss_total(&loss), 6);
}
