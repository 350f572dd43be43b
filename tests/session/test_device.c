/* test_device.c - the conversation with the device, without a device: which command is sent when, and the meaning of
 * answers. */
#include "talk.h"

#include "support/random.h"

Test(device, metadata_is_requested_before_start_and_status_every_second)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    for (uint32_t i = 1; i < 5; i++) {
        wait_for_deadline(&talk, timing.status_ms);
        expect_sent(&talk, MP_GET_STATUS);
        cr_assert_not(say_status(&talk, 100 + i, true));
    }
}

Test(device, a_command_is_sent_three_times_then_the_device_is_silent_and_asked_slowly)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    stay_silent(&talk, MP_GET_METADATA);
    cr_assert_not(device_is_silent(&talk.device));
    wait_for_deadline(&talk, timing.slow_ms);
    cr_assert(device_is_silent(&talk.device));
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    refuse_to_describe(&talk);
    cr_assert_not(device_is_silent(&talk.device));
    expect_sent(&talk, MP_START);
}

Test(device, a_sending_device_without_metadata_is_started)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    say(&talk, (struct event){.kind = EVENT_CALL});
    stay_silent(&talk, MP_GET_METADATA);
    expect_sent(&talk, MP_START);
}

/* Its transmit line is connected, its receive line is not. The page shows that and must not flicker. */
Test(device, unanswered_starts_keep_the_device_silent)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    stay_silent(&talk, MP_GET_METADATA);
    wait_for_deadline(&talk, timing.slow_ms);
    for (int again = 0; again < 3; again++) {
        expect_sent(&talk, MP_GET_METADATA);
        say(&talk, (struct event){.kind = EVENT_CALL});
        stay_silent(&talk, MP_GET_METADATA);
        expect_sent(&talk, MP_START);
        cr_assert(device_is_silent(&talk.device));
        stay_silent(&talk, MP_START);
        wait_for_deadline(&talk, timing.slow_ms);
        cr_assert(device_is_silent(&talk.device));
    }
    expect_sent(&talk, MP_GET_METADATA);
    stay_silent(&talk, MP_GET_METADATA);
    expect_sent(&talk, MP_START);
    say_answer(&talk, true);
    cr_assert_not(device_is_silent(&talk.device), "the line is whole again");
}

Test(device, one_that_is_connected_again_after_the_end_is_left_alone)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    device_stop(&talk.device, talk.now_ms);
    device_disconnect(&talk.device);
    cr_assert(device_has_stopped(&talk.device), "there is no device to send it to");
    device_connect(&talk.device, 0, talk.now_ms);
    expect_quiet(&talk);
    cr_assert_eq(device_deadline_ms(&talk.device), UINT64_MAX);
}

Test(device, a_device_that_stopped_answering_is_identified_and_restarted)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    wait_for_deadline(&talk, timing.status_ms);
    expect_sent(&talk, MP_GET_STATUS);
    stay_silent(&talk, MP_GET_STATUS);
    wait_for_deadline(&talk, timing.slow_ms);
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    expect_sent(&talk, MP_GET_STATUS);
    cr_assert_not(say_status(&talk, 100, false));
    expect_sent(&talk, MP_START);
}

Test(device, a_refused_start_is_tried_again_later_while_status_goes_on)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    refuse_to_describe(&talk);
    expect_sent(&talk, MP_START);
    say_answer(&talk, false);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 0, false);
    wait_for_deadline(&talk, timing.status_ms);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 0, false);
    wait_for_deadline(&talk, timing.slow_ms - timing.status_ms);
    expect_sent(&talk, MP_START);
}

Test(device, a_device_that_refuses_metadata_is_started)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    say_answer(&talk, false);
    expect_sent(&talk, MP_START);
}

/* Its answers were lost among its data. */
Test(device, metadata_is_requested_again_from_a_sending_device)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    device_hear_calls(&talk.device);
    stay_silent(&talk, MP_GET_METADATA);
    expect_sent(&talk, MP_START);
    say_answer(&talk, true);
    struct mp_command command = {0};
    for (unsigned turn = 0; turn < 10 && command.code != MP_GET_METADATA; turn++) {
        cr_assert(device_next(&talk.device, talk.now_ms, &command));
        if (command.code == MP_GET_STATUS) {
            say_status(&talk, 100, true);
            talk.now_ms = device_deadline_ms(&talk.device);
        }
    }
    cr_assert_eq(command.code, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk), "no restart");
    expect_sent(&talk, MP_DESCRIBE);
}

Test(device, the_end_sends_stop_and_waits_a_limited_time)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    wait_for_deadline(&talk, timing.status_ms);
    expect_sent(&talk, MP_GET_STATUS);
    device_stop(&talk.device, talk.now_ms);
    cr_assert_not(device_has_stopped(&talk.device));
    expect_sent(&talk, MP_STOP);
    say_status(&talk, 100, true); /* what was outstanding */
    cr_assert_not(device_has_stopped(&talk.device));
    say_answer(&talk, true);
    hear_out(&talk);
    cr_assert(device_has_stopped(&talk.device));
    expect_quiet(&talk);

    talk = talk_new();
    shake_hands(&talk);
    device_stop(&talk.device, talk.now_ms);
    expect_sent(&talk, MP_STOP);
    stay_silent(&talk, MP_STOP);
    struct mp_command command;
    cr_assert_not(device_next(&talk.device, talk.now_ms, &command));
    cr_assert(device_has_stopped(&talk.device));
}

Test(device, a_device_that_was_not_started_is_not_stopped)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    device_stop(&talk.device, talk.now_ms);
    cr_assert(device_has_stopped(&talk.device));
}

/* Makes a random action of the device, the user or the line; false for none. */
static bool do_something(struct talk *talk, struct test_random *random)
{
    struct device *device = &talk->device;
    switch (test_random_below(random, 14)) {
    case 0: say_metadata(talk); break;
    case 1: say_answer(talk, test_random_below(random, 3) > 0); break;
    case 2: say_status(talk, (uint32_t)test_random_next(random), test_random_below(random, 2)); break;
    case 3: say(talk, (struct event){.kind = EVENT_CALL}); break;
    case 4:
        if (!device->order.waits)
            device_ask(device, &(struct mp_command){.code = (uint8_t)(1 + test_random_below(random, 7))},
                       talk->now_ms);
        break;
    case 5:
        device_disconnect(device);
        if (test_random_below(random, 2))
            device_connect(device, 115200, talk->now_ms);
        break;
    case 6:
        if (device->phase == PHASE_AWAY)
            device_connect(device, 115200, talk->now_ms);
        break;
    case 7:
        if (test_random_below(random, 50) == 0)
            device_stop(device, talk->now_ms);
        break;
    case 8: say_description(talk, (uint32_t)test_random_below(random, 16)); break;
    case 9: device_want_mode(device, (enum mode)test_random_below(random, MODES), 0xE, talk->now_ms); break;
    case 10: say_baud_description(talk, 115200, 3000000, 115200); break;
    case 11:
        if (!device->order.waits)
            ask_for_baud(talk, 9600 * (1 + (uint32_t)test_random_below(random, 100)));
        break;
    case 12:
        if (device_baud(device) && test_random_below(random, 10) == 0)
            device_baud_impossible(device, &(struct error){"No."}, talk->now_ms);
        break;
    default: return false;
    }
    return true;
}

/* With any answers and orders: one command at a time, no retry before its timeout, and no deadline in the past
 * without work, which would be a busy loop. */
Test(device, random_events_never_cause_spinning_or_early_commands)
{
    struct test_random random = test_random_start("device");
    for (int life = 0; life < 200; life++) {
        struct talk talk = talk_new();
        uint64_t silent_until_ms = 0;
        device_raise_baud(&talk.device, life % 3 ? 921600 : 0);
        for (int step = 0; step < 300; step++) {
            bool heard = do_something(&talk, &random);
            struct mp_command command;
            unsigned sent = 0;
            while (device_next(&talk.device, talk.now_ms, &command)) {
                cr_assert(heard || talk.now_ms >= silent_until_ms, "it spoke before anything was due");
                cr_assert_lt(++sent, 2, "two commands at once");
            }
            uint64_t deadline_ms = device_deadline_ms(&talk.device);
            cr_assert_gt(deadline_ms, talk.now_ms);
            if (deadline_ms != UINT64_MAX)
                talk.now_ms += test_random_below(&random, (size_t)(deadline_ms - talk.now_ms) + 2);
            silent_until_ms = deadline_ms;
        }
    }
}
