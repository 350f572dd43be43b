/* test_device_orders.c - commands of the user, and the matching of answers to commands. */
#include "talk.h"

Test(device_orders, one_command_is_outstanding_at_a_time)
{
    struct talk talk = talk_new();
    device_ask(&talk.device, &(struct mp_command){.code = MP_RESET_BUFFERS}, talk.now_ms);
    expect_sent(&talk, MP_RESET_BUFFERS);
    expect_quiet(&talk);
    say_answer(&talk, true);
    expect_sent(&talk, MP_GET_METADATA);
    expect_quiet(&talk);
}

Test(device_orders, a_device_started_early_by_the_user_is_not_started_twice)
{
    struct talk talk = talk_new();
    device_ask(&talk.device, &(struct mp_command){.code = MP_START}, talk.now_ms);
    expect_sent(&talk, MP_START);
    say_answer(&talk, true);
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    refuse_to_describe(&talk);
    expect_sent(&talk, MP_GET_STATUS);
}

Test(device_orders, a_late_ack_is_not_taken_for_the_next_commands)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    refuse_to_describe(&talk);
    expect_sent(&talk, MP_START);
    wait_for_deadline(&talk, timing.answer_ms);
    expect_sent(&talk, MP_START);
    say_answer(&talk, true);
    device_ask(&talk.device, &(struct mp_command){.code = MP_RESET_BUFFERS}, talk.now_ms);
    expect_quiet(&talk);
    say_answer(&talk, true); /* START's second */
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_PENDING);
    wait_for_deadline(&talk, timing.answer_ms);
    expect_sent(&talk, MP_RESET_BUFFERS);
    say_answer(&talk, false);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_NACK);
}

Test(device_orders, an_ack_does_not_answer_a_question)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    say_answer(&talk, true);
    expect_quiet(&talk);
    say_metadata(&talk);
    refuse_to_describe(&talk);
    expect_sent(&talk, MP_START);
}

Test(device_orders, the_user_gets_every_kind_of_answer)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    device_ask(&talk.device, &(struct mp_command){.code = MP_GET_STATUS}, talk.now_ms);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 100, true);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_ACK);

    device_ask(&talk.device, &(struct mp_command){.code = MP_GET_METADATA}, talk.now_ms);
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk), "it was asked for");
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_ACK);

    device_ask(&talk.device, &(struct mp_command){.code = MP_SET_CONFIG}, talk.now_ms);
    expect_sent(&talk, MP_SET_CONFIG);
    say_answer(&talk, false);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_NACK);

    device_ask(&talk.device, &(struct mp_command){.code = MP_SET_CONFIG}, talk.now_ms);
    expect_sent(&talk, MP_SET_CONFIG);
    stay_silent(&talk, MP_SET_CONFIG);
    struct mp_command command;
    device_next(&talk.device, talk.now_ms, &command);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_SILENT);

    device_ask(&talk.device, &(struct mp_command){.code = MP_SET_CONFIG}, talk.now_ms);
    device_disconnect(&talk.device);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_AWAY);
    device_ask(&talk.device, &(struct mp_command){.code = MP_SET_CONFIG}, talk.now_ms);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_AWAY);
}

Test(device_orders, payload_bytes_reach_it)
{
    struct talk talk = talk_new();
    device_ask(&talk.device, &(struct mp_command){.code = MP_SET_CONFIG, .length = 2, .payload = {7, 9}},
               talk.now_ms);
    struct mp_command command;
    cr_assert(device_next(&talk.device, talk.now_ms, &command));
    cr_assert(command.length == 2 && command.payload[0] == 7 && command.payload[1] == 9);
}

Test(device_orders, without_control_nothing_is_ever_sent)
{
    struct talk talk = talk_new();
    device_init(&talk.device, &timing, false);
    device_connect(&talk.device, 0, talk.now_ms);
    expect_quiet(&talk);
    cr_assert_eq(device_deadline_ms(&talk.device), UINT64_MAX);
    cr_assert_not(say_metadata(&talk));
    cr_assert_not(say_status(&talk, 100, true));
    cr_assert(say_metadata(&talk), "restarts are noticed all the same");
    cr_assert(say_status(&talk, 5, true) == false && say_status(&talk, 2, true));
    expect_quiet(&talk);
    device_ask(&talk.device, &(struct mp_command){.code = MP_START}, talk.now_ms);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_AWAY);
    device_stop(&talk.device, talk.now_ms);
    cr_assert(device_has_stopped(&talk.device));
}
