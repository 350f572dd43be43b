/* test_device_modes.c - the mode in which a device is started, by its description. */
#include "talk.h"

enum { STREAM_OFFERED = 1 << MODE_CALLS | 1 << MODE_STREAM };

static struct talk talk_that_reads(uint32_t versions)
{
    struct talk talk = talk_new();
    device_want_mode(&talk.device, MODE_AUTO, versions, talk.now_ms);
    return talk;
}

/* Expects START with that version as payload; without payload for 1. */
static void expect_start(struct talk *talk, uint8_t version)
{
    struct mp_command command = {0};
    cr_assert(device_next(&talk->device, talk->now_ms, &command), "START was expected");
    cr_assert_eq(command.code, MP_START, "START was expected, not %u", command.code);
    cr_assert_eq(command.length, version == 3 ? 2 : version > 1 ? 1 : 0);
    if (version > 1)
        cr_assert_eq(command.payload[0], version);
}

/* METADATA, DESCRIPTION, START in the stream, first STATUS. */
static struct talk talk_in_stream(void)
{
    struct talk talk = talk_that_reads(STREAM_OFFERED);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    cr_assert_not(say_description(&talk, STREAM_OFFERED));
    expect_start(&talk, MODE_STREAM);
    cr_assert_eq(device_mode(&talk.device), MODE_AUTO, "not answered yet");
    say_answer(&talk, true);
    cr_assert_eq(device_mode(&talk.device), MODE_STREAM);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 100, true);
    expect_quiet(&talk);
    return talk;
}

Test(device_modes, it_is_started_in_the_version_that_it_offers_and_we_read)
{
    talk_in_stream();

    struct talk talk = talk_that_reads(1 << MODE_CALLS);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    say_description(&talk, STREAM_OFFERED);
    expect_start(&talk, MODE_CALLS);
    say_answer(&talk, true);
    cr_assert_eq(device_mode(&talk.device), MODE_CALLS);
}

Test(device_modes, one_that_offers_no_calls_is_not_asked_for_them)
{
    struct talk talk = talk_that_reads(0xE);
    device_want_mode(&talk.device, MODE_CALLS, 0xE, talk.now_ms);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    say_description(&talk, 1 << MODE_STREAM);
    expect_start(&talk, MODE_STREAM);
    say_answer(&talk, true);
    cr_assert_eq(device_mode(&talk.device), MODE_STREAM);
}

Test(device_modes, one_that_does_not_profile_any_more_is_started_in_the_same_version)
{
    struct talk talk = talk_in_stream();
    say_status(&talk, 100, false);
    expect_start(&talk, MODE_STREAM);
}

Test(device_modes, the_users_start_asks_for_the_same_version)
{
    struct talk talk = talk_in_stream();
    device_ask(&talk.device, &(struct mp_command){.code = MP_STOP}, talk.now_ms);
    expect_sent(&talk, MP_STOP);
    say_answer(&talk, true);
    device_ask(&talk.device, &(struct mp_command){.code = MP_START}, talk.now_ms);
    expect_start(&talk, MODE_STREAM);
    say_answer(&talk, true);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_ACK);
    expect_quiet(&talk);
}

Test(device_modes, a_tree_that_finds_too_little_room_is_asked_for_flat)
{
    struct talk talk = talk_that_reads(0xE);
    device_want_mode(&talk.device, MODE_TREE, 0xE, talk.now_ms);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    say_description(&talk, 0xE);
    expect_start(&talk, MODE_TREE);
    say_answer(&talk, true);
    device_crowded(&talk.device, talk.now_ms);
    struct mp_command command;
    cr_assert(device_next(&talk.device, talk.now_ms, &command));
    cr_assert(command.code == MP_START && command.length == 2 && command.payload[0] == 3 &&
              command.payload[1] == 1);
    say_answer(&talk, true);
    cr_assert_eq(device_mode(&talk.device), MODE_TREE);
    device_crowded(&talk.device, talk.now_ms); /* a repetition changes nothing */
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 0, true);
    expect_quiet(&talk);
}

Test(device, a_target_with_cores_that_are_not_measured_is_asked_for_their_hooks)
{
    for (int has_cores = 0; has_cores <= 1; has_cores++) {
        struct talk talk = talk_that_reads(0x6);
        device_want_mode(&talk.device, MODE_STREAM, 0x6, talk.now_ms);
        expect_sent(&talk, MP_GET_METADATA);
        say_metadata(&talk);
        expect_sent(&talk, MP_DESCRIBE);
        say_run(&talk, 0x6, (struct event_run){.has_other_cores = has_cores});
        expect_start(&talk, MODE_STREAM);
        say_answer(&talk, true);
        expect_sent(&talk, MP_DESCRIBE); /* which run it is */
        say_run(&talk, 0x6,
                (struct event_run){
                    .number = 1, .mode = MODE_STREAM, .is_on = true, .has_other_cores = has_cores});
        struct mp_command command;
        cr_assert(device_next(&talk.device, talk.now_ms, &command));
        cr_assert_eq(command.code, MP_GET_STATUS);
        cr_assert_eq(command.length, has_cores, "one that does not have them is asked as ever");
        cr_assert_eq(mp_command_wants_cores(&command), (bool)has_cores);
        cr_assert_not(mp_command_wants_triggers(&command));
    }
}

/* METADATA, DESCRIPTION, START of the tree, first STATUS. */
static struct talk talk_in_tree(void)
{
    struct talk talk = talk_that_reads(0xE);
    device_want_mode(&talk.device, MODE_TREE, 0xE, talk.now_ms);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    say_description(&talk, 0xE);
    expect_start(&talk, MODE_TREE);
    say_answer(&talk, true);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 100, true);
    expect_quiet(&talk);
    return talk;
}

/* The line was lost and is back; the device sends metadata, its status and its description. */
static void come_back(struct talk *talk, uint32_t counted, bool profiling)
{
    device_disconnect(&talk->device);
    device_connect(&talk->device, 0, talk->now_ms);
    cr_assert_eq(device_mode(&talk->device), MODE_AUTO, "unknown yet");
    expect_sent(talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(talk));
    expect_sent(talk, MP_GET_STATUS);
    cr_assert_not(say_status(talk, counted, profiling));
    expect_sent(talk, MP_DESCRIBE);
    say_description(talk, 0xE);
}

Test(device_modes, one_that_went_on_counting_while_the_line_was_away_is_not_started_anew)
{
    struct talk talk = talk_in_tree();
    for (uint32_t i = 1; i < 4; i++) {
        come_back(&talk, 100 + i, true);
        cr_assert_eq(device_mode(&talk.device), MODE_TREE);
        wait_for_deadline(&talk, timing.status_ms);
        expect_sent(&talk, MP_GET_STATUS);
        say_status(&talk, 100 + i, true);
    }
}

Test(device_modes, one_that_went_on_counting_while_it_was_silent_is_not_started_anew)
{
    struct talk talk = talk_in_tree();
    wait_for_deadline(&talk, timing.status_ms);
    expect_sent(&talk, MP_GET_STATUS);
    stay_silent(&talk, MP_GET_STATUS);
    wait_for_deadline(&talk, timing.slow_ms);
    cr_assert(device_is_silent(&talk.device));
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 200, true);
    expect_quiet(&talk);
    cr_assert_eq(device_mode(&talk.device), MODE_TREE);
}

Test(device_modes, one_that_does_not_count_any_more_is_started_when_the_line_is_back)
{
    struct talk talk = talk_in_tree();
    come_back(&talk, 200, false);
    expect_start(&talk, MODE_TREE);
}

Test(device_modes, one_that_counts_and_is_wanted_in_another_mode_by_then_is_started_in_that)
{
    struct talk talk = talk_in_tree();
    device_disconnect(&talk.device);
    device_want_mode(&talk.device, MODE_STREAM, 0xE, talk.now_ms);
    come_back(&talk, 200, true);
    expect_start(&talk, MODE_STREAM);
}

Test(device_modes, a_device_that_restarted_is_started_though_it_counts)
{
    struct talk talk = talk_in_tree();
    device_disconnect(&talk.device);
    device_connect(&talk.device, 0, talk.now_ms);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_GET_STATUS);
    cr_assert(say_status(&talk, 5, true), "its count fell");
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    say_description(&talk, 0xE);
    expect_start(&talk, MODE_TREE);
}

/* It sends the running calls once a second. */
Test(device_modes, one_that_went_on_streaming_is_not_started_anew)
{
    struct talk talk = talk_in_stream();
    come_back(&talk, 200, true);
    expect_quiet(&talk);
    cr_assert_eq(device_mode(&talk.device), MODE_STREAM);
}

/* The device sent metadata after `took_ms`, and does not answer DESCRIBE; it answers the next GET_METADATA. */
static void stay_silent_on_describe(uint64_t took_ms, uint64_t wait_ms)
{
    struct talk talk = talk_that_reads(STREAM_OFFERED);
    expect_sent(&talk, MP_GET_METADATA);
    talk.now_ms += took_ms;
    say_metadata(&talk);
    uint64_t begin_ms = talk.now_ms;
    expect_sent(&talk, MP_DESCRIBE);
    for (int again = 0; again < 2; again++) {
        wait_for_deadline(&talk, wait_ms);
        expect_sent(&talk, MP_DESCRIBE);
    }
    wait_for_deadline(&talk, wait_ms);
    cr_assert_not(device_is_silent(&talk.device));
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_eq(talk.now_ms - begin_ms, 3 * wait_ms);
    say_metadata(&talk);
    expect_quiet(&talk);
    say_answer(&talk, false); /* a late NACK: not START's */
    wait_for_deadline(&talk, wait_ms);
    expect_start(&talk, MODE_CALLS);
    say_answer(&talk, true);
    for (int i = 0; i < 3; i++) {
        talk.now_ms = device_deadline_ms(&talk.device);
        expect_sent(&talk, MP_GET_STATUS);
        say_status(&talk, 100, true);
    }
}

Test(device_modes, silence_on_describe_costs_little_and_is_no_error)
{
    stay_silent_on_describe(0, 60);
    stay_silent_on_describe(9, 72);
    stay_silent_on_describe(100, timing.describe_ms);
}

/* The device answers nothing for a while. */
static void fall_silent_on_describe(struct talk *talk)
{
    for (int again = 0; again < 3; again++) {
        expect_sent(talk, MP_DESCRIBE);
        talk->now_ms = device_deadline_ms(&talk->device);
    }
    expect_sent(talk, MP_GET_METADATA);
}

Test(device_modes, one_that_is_slow_to_describe_itself_is_not_started_in_mode_calls)
{
    struct talk talk = talk_that_reads(STREAM_OFFERED);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    fall_silent_on_describe(&talk);
    talk.now_ms += timing.answer_ms - 1;
    say_description(&talk, STREAM_OFFERED); /* it answers in the order in which it was asked */
    say_description(&talk, STREAM_OFFERED);
    cr_assert_not(say_metadata(&talk));
    expect_start(&talk, MODE_STREAM);
}

Test(device_modes, one_that_is_silent_after_describe_is_asked_again_when_it_answers)
{
    struct talk talk = talk_that_reads(STREAM_OFFERED);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    fall_silent_on_describe(&talk);
    stay_silent(&talk, MP_GET_METADATA);
    wait_for_deadline(&talk, timing.slow_ms);
    cr_assert(device_is_silent(&talk.device));
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    expect_sent(&talk, MP_DESCRIBE);
    say_description(&talk, STREAM_OFFERED);
    expect_start(&talk, MODE_STREAM);
}

Test(device_modes, one_that_is_wanted_in_mode_calls_is_started_without_a_description)
{
    struct talk talk = talk_that_reads(STREAM_OFFERED);
    device_want_mode(&talk.device, MODE_CALLS, STREAM_OFFERED, talk.now_ms);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    for (int again = 0; again < 3; again++) {
        expect_sent(&talk, MP_DESCRIBE);
        talk.now_ms = device_deadline_ms(&talk.device);
    }
    expect_quiet(&talk); /* a late NACK of DESCRIBE is not START's */
    talk.now_ms = device_deadline_ms(&talk.device);
    expect_start(&talk, MODE_CALLS);
}

Test(device_modes, a_device_slow_to_answer_gets_the_full_describe_timeout)
{
    struct talk talk = talk_that_reads(STREAM_OFFERED);
    expect_sent(&talk, MP_GET_METADATA);
    wait_for_deadline(&talk, timing.answer_ms);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk); /* the answer to either of the two */
    expect_sent(&talk, MP_DESCRIBE);
    wait_for_deadline(&talk, timing.describe_ms);
}

Test(device_modes, an_ack_is_no_description)
{
    struct talk talk = talk_that_reads(STREAM_OFFERED);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    say_answer(&talk, true);
    expect_quiet(&talk);
    say_description(&talk, STREAM_OFFERED);
    expect_start(&talk, MODE_STREAM);
}

Test(device_modes, it_is_asked_once_and_again_only_after_a_restart_or_on_a_new_line)
{
    struct talk talk = talk_in_stream();
    talk.now_ms = device_deadline_ms(&talk.device);
    expect_sent(&talk, MP_GET_STATUS);
    stay_silent(&talk, MP_GET_STATUS);
    wait_for_deadline(&talk, timing.slow_ms);
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    expect_sent(&talk, MP_GET_STATUS);
    cr_assert_not(say_status(&talk, 100, true));
    expect_quiet(&talk); /* it was described before */

    cr_assert(say_metadata(&talk), "a restart");
    expect_sent(&talk, MP_DESCRIBE);
    say_answer(&talk, false);
    expect_start(&talk, MODE_CALLS); /* another firmware */
    say_answer(&talk, true);

    device_disconnect(&talk.device);
    device_connect(&talk.device, 0, talk.now_ms);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
}

Test(device_modes, a_late_description_has_it_started_again)
{
    struct talk talk = talk_that_reads(STREAM_OFFERED);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    refuse_to_describe(&talk);
    expect_start(&talk, MODE_CALLS);
    say_answer(&talk, true);
    say_description(&talk, STREAM_OFFERED);
    expect_start(&talk, MODE_STREAM);
}

Test(device_modes, a_change_of_mode_sends_a_start)
{
    struct talk talk = talk_in_stream();
    device_want_mode(&talk.device, MODE_TREE, STREAM_OFFERED, talk.now_ms);
    expect_quiet(&talk);
    device_want_mode(&talk.device, MODE_CALLS, STREAM_OFFERED, talk.now_ms);
    expect_start(&talk, MODE_CALLS);
    say_answer(&talk, true);
    device_ask(&talk.device, &(struct mp_command){.code = MP_STOP}, talk.now_ms);
    expect_sent(&talk, MP_STOP);
    say_answer(&talk, true);
    device_want_mode(&talk.device, MODE_STREAM, STREAM_OFFERED, talk.now_ms);
    expect_quiet(&talk);
}

Test(device_modes, a_changed_setting_is_read_back)
{
    struct talk talk = talk_in_stream();
    const struct mp_command set = {.code = MP_SET_CONFIG, .length = 5, .payload = {2, 7}};
    device_ask(&talk.device, &set, talk.now_ms);
    expect_sent(&talk, MP_SET_CONFIG);
    say_answer(&talk, true);
    expect_sent(&talk, MP_DESCRIBE);
    say_description(&talk, STREAM_OFFERED);
    expect_quiet(&talk);
    cr_assert_eq(device_mode(&talk.device), MODE_STREAM, "it goes on");

    device_ask(&talk.device, &set, talk.now_ms);
    expect_sent(&talk, MP_SET_CONFIG);
    say_answer(&talk, false);
    expect_quiet(&talk);
}

Test(device_modes, one_that_does_not_describe_itself_is_not_asked_after_a_setting)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    device_ask(&talk.device, &(struct mp_command){.code = MP_SET_CONFIG, .length = 5, .payload = {2, 7}},
               talk.now_ms);
    expect_sent(&talk, MP_SET_CONFIG);
    say_answer(&talk, true);
    expect_quiet(&talk);
}

Test(device_modes, one_that_is_only_visited_is_neither_started_nor_stopped_but_by_the_user)
{
    struct talk talk = talk_that_reads(STREAM_OFFERED);
    device_visit(&talk.device);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    say_description(&talk, STREAM_OFFERED);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 100, false);
    expect_quiet(&talk);
    device_ask(&talk.device, &(struct mp_command){.code = MP_START}, talk.now_ms);
    expect_start(&talk, MODE_STREAM);
    say_answer(&talk, true);
    device_stop(&talk.device, talk.now_ms);
    expect_quiet(&talk);
    cr_assert(device_has_stopped(&talk.device));
}
