/* test_device_restarts.c - a restart of the device is distinguished from late answers, wraps and requested
 * resets. */
#include "talk.h"

Test(device_restarts, a_late_answer_is_not_taken_for_a_restart)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    wait_for_deadline(&talk, timing.answer_ms);
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    refuse_to_describe(&talk);
    expect_sent(&talk, MP_START);
    say_answer(&talk, true);
    cr_assert_not(say_metadata(&talk), "it was asked twice");
}

Test(device_restarts, unsolicited_metadata_is_a_restart_and_start_is_resent)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    talk.now_ms += 10;
    cr_assert(say_metadata(&talk));
    refuse_to_describe(&talk);
    expect_sent(&talk, MP_START);
    say_answer(&talk, true);
    expect_sent(&talk, MP_GET_STATUS);
    cr_assert_not(say_status(&talk, 5, true), "its count is a new one");
}

Test(device_restarts, metadata_twice_in_a_row_is_one_restart)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    cr_assert(say_metadata(&talk));
    cr_assert_not(say_metadata(&talk));
}

Test(device_restarts, a_count_that_falls_is_a_restart)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    wait_for_deadline(&talk, timing.status_ms);
    expect_sent(&talk, MP_GET_STATUS);
    cr_assert(say_status(&talk, 3, false));
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    refuse_to_describe(&talk);
    expect_sent(&talk, MP_START);
}

Test(device_restarts, a_count_that_wraps_is_no_restart)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    cr_assert_not(say_status(&talk, UINT32_MAX - 10, true));
    cr_assert_not(say_status(&talk, 10, true));
}

Test(device_restarts, a_count_that_falls_after_a_reset_command_is_no_restart)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    device_ask(&talk.device, &(struct mp_command){.code = MP_RESET_BUFFERS}, talk.now_ms);
    expect_sent(&talk, MP_RESET_BUFFERS);
    say_answer(&talk, true);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_ACK);
    cr_assert_not(say_status(&talk, 0, true));
    cr_assert_not(say_status(&talk, 50, true));
    cr_assert(say_status(&talk, 3, true), "but the next time it is");
}

Test(device_restarts, a_restart_while_the_line_was_away_is_noticed_before_it_is_started)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    device_disconnect(&talk.device);
    cr_assert_eq(device_deadline_ms(&talk.device), UINT64_MAX);
    device_connect(&talk.device, 0, talk.now_ms);
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    expect_sent(&talk, MP_GET_STATUS);
    cr_assert(say_status(&talk, 0, false));
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    refuse_to_describe(&talk);
    expect_sent(&talk, MP_START);
}

Test(device_restarts, one_that_stopped_by_itself_is_started_again)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    cr_assert_not(say_status(&talk, 100, false));
    expect_sent(&talk, MP_START);
}

Test(device_restarts, one_that_the_user_stopped_stays_so_even_after_a_restart)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    device_ask(&talk.device, &(struct mp_command){.code = MP_STOP}, talk.now_ms);
    expect_sent(&talk, MP_STOP);
    say_answer(&talk, true);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_ACK);
    cr_assert_not(say_status(&talk, 100, false));
    expect_quiet(&talk);
    cr_assert(say_metadata(&talk));
    refuse_to_describe(&talk);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 0, false);
    expect_quiet(&talk);
    device_ask(&talk.device, &(struct mp_command){.code = MP_START}, talk.now_ms);
    expect_sent(&talk, MP_START);
}
