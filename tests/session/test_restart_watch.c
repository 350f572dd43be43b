/* test_restart_watch.c - what proves that the device restarted, and what does not. */
#include "device/restart_watch.h"

#include "protocol/packet.h"

#include <criterion/criterion.h>

Test(restart_watch, unsolicited_metadata_after_other_data_is_a_restart)
{
    struct restart_watch watch = {0};
    cr_assert_not(restart_watch_metadata(&watch), "the first thing it says");
    cr_assert_not(restart_watch_metadata(&watch), "said twice");
    restart_watch_hear(&watch);
    cr_assert(restart_watch_metadata(&watch));
}

Test(restart_watch, as_many_metadata_as_were_asked_for_are_answers_however_late)
{
    struct restart_watch watch = {.heard = true};
    restart_watch_send(&watch, MP_GET_METADATA);
    restart_watch_send(&watch, MP_GET_METADATA);
    cr_assert_not(restart_watch_metadata(&watch));
    restart_watch_hear(&watch);
    cr_assert_not(restart_watch_metadata(&watch));
    restart_watch_hear(&watch);
    cr_assert(restart_watch_metadata(&watch), "the third was not asked for");

    restart_watch_hear(&watch);
    restart_watch_send(&watch, MP_GET_METADATA);
    restart_watch_connect(&watch);
    restart_watch_hear(&watch);
    cr_assert(restart_watch_metadata(&watch), "what was asked on another line is not answered on this one");
}

Test(restart_watch, a_count_that_fell_is_a_restart_unless_it_was_set_back_on_purpose)
{
    struct restart_watch watch = {0};
    cr_assert_not(restart_watch_status(&watch, 100));
    cr_assert(restart_watch_status(&watch, 99));
    cr_assert_not(restart_watch_status(&watch, 99));
    restart_watch_send(&watch, MP_RESET_BUFFERS);
    cr_assert_not(restart_watch_status(&watch, 0));
    restart_watch_send(&watch, MP_GET_STATUS);
    cr_assert_not(restart_watch_status(&watch, 50));
    cr_assert(restart_watch_status(&watch, 49));
}

Test(restart_watch, an_unobserved_device_may_have_restarted)
{
    struct restart_watch watch = {0};
    restart_watch_lose_sight(&watch);
    cr_assert_not(watch.is_unsure);
    restart_watch_status(&watch, 100);
    restart_watch_connect(&watch);
    cr_assert(watch.is_unsure);
    cr_assert(restart_watch_status(&watch, 5));
    cr_assert_not(watch.is_unsure, "it is known now");
}

Test(restart_watch, a_new_boot_number_is_a_restart)
{
    struct restart_watch watch = {0};
    cr_assert_not(restart_watch_boot(&watch, 7, false, 1000), "the first that it reports");
    cr_assert_not(restart_watch_boot(&watch, 7, false, 2000));
    cr_assert_not(restart_watch_boot(&watch, 0, false, 3000), "not known");
    restart_watch_status(&watch, 100);
    cr_assert(restart_watch_boot(&watch, 8, false, 4000));
    cr_assert_not(watch.has_captured, "its count is a new one");
    cr_assert_not(restart_watch_boot(&watch, 8, false, 4001));
    cr_assert(restart_watch_boot(&watch, 9, false, 6000));
}

Test(restart_watch, a_new_boot_number_after_a_known_restart_is_no_other)
{
    struct restart_watch watch = {0};
    restart_watch_boot(&watch, 7, false, 1000);
    restart_watch_hear(&watch);
    cr_assert(restart_watch_metadata(&watch));
    cr_assert_not(restart_watch_boot(&watch, 8, false, 1001));
    cr_assert(restart_watch_boot(&watch, 9, false, 9000));
}

Test(restart_watch, an_unsteady_boot_number_is_ignored)
{
    for (int contradicts = 0; contradicts < 2; contradicts++) {
        struct restart_watch watch = {0};
        restart_watch_boot(&watch, 7, false, 1000);
        if (!contradicts)
            cr_assert(restart_watch_boot(&watch, 8, false, 5000));
        cr_assert_not(restart_watch_boot(&watch, 9, contradicts, 6000));
        cr_assert(watch.boot_is_unsteady);
        cr_assert_not(restart_watch_boot(&watch, 10, false, 60000));
        restart_watch_connect(&watch);
        cr_assert(restart_watch_boot(&watch, 11, false, 120000), "it may be another device");
    }
}
