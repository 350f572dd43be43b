/* test_device_end.c - the end of the conversation with the device: STOP, and the evidence that everything was sent. */
#include "talk.h"

enum { OFFERED = 0xE };

/* A device that describes itself, and was started in that mode. */
static struct talk talk_with(enum mode mode)
{
    struct talk talk = talk_new();
    device_want_mode(&talk.device, mode, OFFERED, talk.now_ms);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    say_description(&talk, OFFERED);
    expect_sent(&talk, MP_START);
    say_answer(&talk, true);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 100, true);
    return talk;
}

static void say_closed(struct talk *talk, enum mode mode, bool is_whole)
{
    say(talk, (struct event){.kind = EVENT_CLOSED, .closed = {.mode = (uint8_t)mode, .is_whole = is_whole}});
}

/* Expects STOP with that payload (0 for none), and answers it. */
static void expect_stop(struct talk *talk, uint8_t payload)
{
    struct mp_command command = {0};
    cr_assert(device_next(&talk->device, talk->now_ms, &command));
    cr_assert_eq(command.code, MP_STOP);
    cr_assert_eq(command.length, payload != 0);
    cr_assert_eq(command.payload[0], payload);
    say_answer(talk, true);
}

Test(device_end, one_that_describes_itself_is_asked_for_a_closing_packet_which_ends_the_wait)
{
    for (enum mode mode = MODE_CALLS; mode <= MODE_TREE; mode++) {
        struct talk talk = talk_with(mode);
        device_stop(&talk.device, talk.now_ms);
        expect_stop(&talk, MP_STOP_CLOSES);
        cr_assert(device_is_draining(&talk.device));
        say_closed(&talk, mode, true);
        cr_assert(device_has_stopped(&talk.device));
        cr_assert_not(device_is_unclosed(&talk.device));
    }
}

Test(device_end, a_device_without_description_gets_a_plain_stop)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    device_stop(&talk.device, talk.now_ms);
    expect_stop(&talk, 0);
    say_closed(&talk, MODE_CALLS, true); /* a packet that happens to be empty */
    hear_out(&talk);
    cr_assert(device_has_stopped(&talk.device));
    cr_assert_not(device_is_unclosed(&talk.device), "it was not to say anything");
}

Test(device_end, the_line_being_quiet_is_enough_for_one_that_never_sent_a_closing_packet)
{
    struct talk talk = talk_with(MODE_STREAM);
    device_stop(&talk.device, talk.now_ms);
    expect_stop(&talk, MP_STOP_CLOSES);
    device_line_is_quiet(&talk.device);
    cr_assert(device_has_stopped(&talk.device));
    cr_assert_not(device_is_unclosed(&talk.device));
}

Test(device_end, a_closing_packet_shows_that_stop_was_obeyed_though_its_ack_was_lost)
{
    struct talk talk = talk_with(MODE_TREE);
    device_stop(&talk.device, talk.now_ms);
    expect_sent(&talk, MP_STOP);
    say_closed(&talk, MODE_TREE, true);
    cr_assert(device_has_stopped(&talk.device));
    expect_quiet(&talk);
}

Test(device_end, a_closing_packet_before_stop_is_ignored)
{
    struct talk talk = talk_with(MODE_STREAM);
    say_closed(&talk, MODE_STREAM, true);
    wait_for_deadline(&talk, timing.status_ms);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 100, true);
    device_stop(&talk.device, talk.now_ms);
    expect_stop(&talk, MP_STOP_CLOSES);
    cr_assert(device_is_draining(&talk.device));
}

Test(device_end, sums_that_are_missing_are_asked_for_again)
{
    struct talk talk = talk_with(MODE_TREE);
    device_stop(&talk.device, talk.now_ms);
    expect_stop(&talk, MP_STOP_CLOSES);
    say_closed(&talk, MODE_TREE, false);
    cr_assert_not(device_has_stopped(&talk.device));
    expect_stop(&talk, MP_STOP_CLOSES);
    say_closed(&talk, MODE_TREE, true);
    cr_assert(device_has_stopped(&talk.device));
    cr_assert_not(device_is_unclosed(&talk.device));
}

Test(device_end, an_incomplete_tree_is_requested_three_times)
{
    struct talk talk = talk_with(MODE_TREE);
    device_stop(&talk.device, talk.now_ms);
    for (int i = 0; i < 3; i++) {
        cr_assert_not(device_has_stopped(&talk.device));
        expect_stop(&talk, MP_STOP_CLOSES);
        say_closed(&talk, MODE_TREE, false);
    }
    cr_assert(device_has_stopped(&talk.device));
    cr_assert(device_is_unclosed(&talk.device));
}

Test(device_end, a_closing_packet_that_is_lost_after_an_earlier_one_is_asked_for_again)
{
    struct talk talk = talk_with(MODE_TREE);
    device_stop(&talk.device, talk.now_ms);
    expect_stop(&talk, MP_STOP_CLOSES);
    say_closed(&talk, MODE_TREE, false);
    for (int i = 0; i < 2; i++) {
        expect_stop(&talk, MP_STOP_CLOSES);
        device_line_is_quiet(&talk.device);
    }
    cr_assert(device_has_stopped(&talk.device));
    cr_assert(device_is_unclosed(&talk.device));
}

Test(device_end, when_there_is_no_more_time_it_is_not_asked_again)
{
    struct talk talk = talk_with(MODE_TREE);
    device_stop(&talk.device, talk.now_ms);
    expect_stop(&talk, MP_STOP_CLOSES);
    device_heard_out(&talk.device);
    cr_assert(device_has_stopped(&talk.device));
}

static struct talk talk_that_can_close(void)
{
    struct talk talk = talk_with(MODE_TREE);
    say_run(&talk, OFFERED, (struct event_run){.boot = 7, .number = 1, .mode = MODE_TREE, .is_on = true});
    return talk;
}

Test(device_end, a_missing_closing_packet_is_requested_three_times)
{
    struct talk talk = talk_that_can_close();
    device_stop(&talk.device, talk.now_ms);
    for (int i = 0; i < 3; i++) {
        expect_stop(&talk, MP_STOP_CLOSES);
        cr_assert(device_is_draining(&talk.device));
        device_line_is_quiet(&talk.device);
    }
    cr_assert(device_has_stopped(&talk.device));
    cr_assert(device_is_unclosed(&talk.device));
}

Test(device_end, a_silent_or_lost_device_is_not_asked_again)
{
    struct talk talk = talk_that_can_close();
    device_stop(&talk.device, talk.now_ms);
    expect_sent(&talk, MP_STOP);
    stay_silent(&talk, MP_STOP);
    expect_quiet(&talk);
    cr_assert(device_has_stopped(&talk.device) && device_is_unclosed(&talk.device));

    talk = talk_that_can_close();
    device_stop(&talk.device, talk.now_ms);
    expect_stop(&talk, MP_STOP_CLOSES);
    device_disconnect(&talk.device);
    cr_assert(device_has_stopped(&talk.device) && device_is_unclosed(&talk.device));
}
