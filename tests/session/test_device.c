/* test_device.c - the conversation with the device, without a device: what is sent when, what answers mean.
 */
#include "session/device.h"

#include "support/random.h"

#include <criterion/criterion.h>

static const struct device_timing timing = {.answer_ms = 500, .status_ms = 1000, .slow_ms = 2000};

/* A device struct and the time it lives in. */
struct talk {
    struct device device;
    uint64_t now_ms;
};

static struct talk talk_new(void)
{
    struct talk talk = {.now_ms = 5000};
    device_init(&talk.device, &timing, true);
    device_connect(&talk.device, talk.now_ms);
    return talk;
}

static void expect_sent(struct talk *talk, uint8_t code)
{
    struct mp_command command = {0};
    cr_assert(device_next(&talk->device, talk->now_ms, &command), "expected command %u, nothing was sent",
              code);
    cr_assert_eq(command.code, code, "expected command %u, got %u", code, command.code);
}

static void expect_quiet(struct talk *talk)
{
    struct mp_command command = {0};
    cr_assert_not(device_next(&talk->device, talk->now_ms, &command), "command %u was sent", command.code);
    uint64_t deadline_ms = device_deadline_ms(&talk->device);
    cr_assert_gt(deadline_ms, talk->now_ms, "a deadline that has passed and nothing to do is a busy loop");
}

/* Goes to the next deadline, which must be `after_ms` from now. */
static void wait_for_deadline(struct talk *talk, uint64_t after_ms)
{
    expect_quiet(talk);
    cr_assert_eq(device_deadline_ms(&talk->device), talk->now_ms + after_ms, "due in %lld ms",
                 (long long)(device_deadline_ms(&talk->device) - talk->now_ms));
    talk->now_ms += after_ms;
}

static bool say(struct talk *talk, struct event event)
{
    return device_hear(&talk->device, &event, talk->now_ms);
}

static bool say_metadata(struct talk *talk)
{
    return say(talk, (struct event){.kind = EVENT_TARGET});
}

static bool say_answer(struct talk *talk, bool ack)
{
    return say(talk, (struct event){.kind = EVENT_ANSWER, .answer.ack = ack});
}

static bool say_status(struct talk *talk, uint32_t captured, bool profiling)
{
    return say(talk, (struct event){.kind = EVENT_STATUS,
                                    .status = {.records_captured = captured, .profiling = profiling}});
}

/* METADATA, START, first STATUS. */
static void shake_hands(struct talk *talk)
{
    expect_sent(talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(talk));
    expect_sent(talk, MP_START);
    cr_assert_not(say_answer(talk, true));
    expect_sent(talk, MP_GET_STATUS);
    cr_assert_not(say_status(talk, 100, true));
    expect_quiet(talk);
}

/* The outstanding command, sent once already, stays unanswered. */
static void stay_silent(struct talk *talk, uint8_t code)
{
    for (int again = 0; again < 2; again++) {
        wait_for_deadline(talk, timing.answer_ms);
        expect_sent(talk, code);
    }
    wait_for_deadline(talk, timing.answer_ms);
}

Test(device, it_is_asked_who_it_is_then_started_then_asked_how_it_is_once_a_second)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    for (uint32_t i = 1; i < 5; i++) {
        wait_for_deadline(&talk, timing.status_ms);
        expect_sent(&talk, MP_GET_STATUS);
        cr_assert_not(say_status(&talk, 100 + i, true));
    }
}

Test(device, one_command_is_outstanding_at_a_time)
{
    struct talk talk = talk_new();
    device_ask(&talk.device, &(struct mp_command){.code = MP_RESET_BUFFERS});
    expect_sent(&talk, MP_RESET_BUFFERS);
    expect_quiet(&talk);
    say_answer(&talk, true);
    expect_sent(&talk, MP_GET_METADATA);
    expect_quiet(&talk);
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
    cr_assert_not(device_is_silent(&talk.device));
    expect_sent(&talk, MP_START);
}

Test(device, one_that_sends_data_but_does_not_say_who_it_is_gets_started)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    say(&talk, (struct event){.kind = EVENT_CALL});
    stay_silent(&talk, MP_GET_METADATA);
    expect_sent(&talk, MP_START);
}

/* Its transmit line is connected, its receive line is not: the page says so, and must not flicker. */
Test(device, one_that_sends_but_never_answers_stays_silent_while_it_is_started_in_vain)
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

Test(device, one_that_the_user_starts_before_it_says_who_it_is_is_not_started_twice)
{
    struct talk talk = talk_new();
    device_ask(&talk.device, &(struct mp_command){.code = MP_START});
    expect_sent(&talk, MP_START);
    say_answer(&talk, true);
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    expect_sent(&talk, MP_GET_STATUS);
}

Test(device, one_that_is_connected_again_after_the_end_is_left_alone)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    device_stop(&talk.device, talk.now_ms);
    device_disconnect(&talk.device);
    cr_assert(device_has_stopped(&talk.device), "nobody is there to be told");
    device_connect(&talk.device, talk.now_ms);
    expect_quiet(&talk);
    cr_assert_eq(device_deadline_ms(&talk.device), UINT64_MAX);
}

Test(device, one_that_stops_answering_is_asked_again_who_it_is_and_started_again)
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

Test(device, a_late_answer_is_not_taken_for_a_restart)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    wait_for_deadline(&talk, timing.answer_ms);
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    expect_sent(&talk, MP_START);
    say_answer(&talk, true);
    cr_assert_not(say_metadata(&talk), "it was asked twice");
}

Test(device, a_late_ack_is_not_taken_for_the_next_commands)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_START);
    wait_for_deadline(&talk, timing.answer_ms);
    expect_sent(&talk, MP_START);
    say_answer(&talk, true);
    device_ask(&talk.device, &(struct mp_command){.code = MP_RESET_BUFFERS});
    expect_quiet(&talk);
    say_answer(&talk, true); /* START's second */
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_PENDING);
    wait_for_deadline(&talk, timing.answer_ms);
    expect_sent(&talk, MP_RESET_BUFFERS);
    say_answer(&talk, false);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_NACK);
}

Test(device, an_ack_does_not_answer_a_question)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    say_answer(&talk, true);
    expect_quiet(&talk);
    say_metadata(&talk);
    expect_sent(&talk, MP_START);
}

Test(device, a_refused_start_is_tried_again_later_while_status_goes_on)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
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

Test(device, one_that_refuses_to_say_who_it_is_gets_started_all_the_same)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    say_answer(&talk, false);
    expect_sent(&talk, MP_START);
}

Test(device, metadata_that_nobody_asked_for_is_a_restart_and_profiling_is_started_again)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    talk.now_ms += 10;
    cr_assert(say_metadata(&talk));
    expect_sent(&talk, MP_START);
    say_answer(&talk, true);
    expect_sent(&talk, MP_GET_STATUS);
    cr_assert_not(say_status(&talk, 5, true), "its count is a new one");
}

Test(device, metadata_twice_in_a_row_is_one_restart)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    cr_assert(say_metadata(&talk));
    cr_assert_not(say_metadata(&talk));
}

Test(device, a_count_that_falls_is_a_restart)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    wait_for_deadline(&talk, timing.status_ms);
    expect_sent(&talk, MP_GET_STATUS);
    cr_assert(say_status(&talk, 3, false));
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    expect_sent(&talk, MP_START);
}

Test(device, a_count_that_wraps_is_no_restart)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    cr_assert_not(say_status(&talk, UINT32_MAX - 10, true));
    cr_assert_not(say_status(&talk, 10, true));
}

Test(device, a_count_that_falls_because_we_asked_for_that_is_no_restart)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    device_ask(&talk.device, &(struct mp_command){.code = MP_RESET_BUFFERS});
    expect_sent(&talk, MP_RESET_BUFFERS);
    say_answer(&talk, true);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_ACK);
    cr_assert_not(say_status(&talk, 0, true));
    cr_assert_not(say_status(&talk, 50, true));
    cr_assert(say_status(&talk, 3, true), "but the next time it is");
}

Test(device, a_restart_while_the_line_was_away_is_noticed_before_it_is_started)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    device_disconnect(&talk.device);
    cr_assert_eq(device_deadline_ms(&talk.device), UINT64_MAX);
    device_connect(&talk.device, talk.now_ms);
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    expect_sent(&talk, MP_GET_STATUS);
    cr_assert(say_status(&talk, 0, false));
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    expect_sent(&talk, MP_START);
}

Test(device, one_that_stopped_by_itself_is_started_again)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    cr_assert_not(say_status(&talk, 100, false));
    expect_sent(&talk, MP_START);
}

Test(device, one_that_the_user_stopped_stays_so_even_after_a_restart)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    device_ask(&talk.device, &(struct mp_command){.code = MP_STOP});
    expect_sent(&talk, MP_STOP);
    say_answer(&talk, true);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_ACK);
    cr_assert_not(say_status(&talk, 100, false));
    expect_quiet(&talk);
    cr_assert(say_metadata(&talk));
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 0, false);
    expect_quiet(&talk);
    device_ask(&talk.device, &(struct mp_command){.code = MP_START});
    expect_sent(&talk, MP_START);
}

Test(device, the_user_gets_every_kind_of_answer)
{
    struct talk talk = talk_new();
    shake_hands(&talk);
    device_ask(&talk.device, &(struct mp_command){.code = MP_GET_STATUS});
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 100, true);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_ACK);

    device_ask(&talk.device, &(struct mp_command){.code = MP_GET_METADATA});
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk), "it was asked for");
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_ACK);

    device_ask(&talk.device, &(struct mp_command){.code = MP_SET_CONFIG});
    expect_sent(&talk, MP_SET_CONFIG);
    say_answer(&talk, false);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_NACK);

    device_ask(&talk.device, &(struct mp_command){.code = MP_SET_CONFIG});
    expect_sent(&talk, MP_SET_CONFIG);
    stay_silent(&talk, MP_SET_CONFIG);
    struct mp_command command;
    device_next(&talk.device, talk.now_ms, &command);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_SILENT);

    device_ask(&talk.device, &(struct mp_command){.code = MP_SET_CONFIG});
    device_disconnect(&talk.device);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_AWAY);
    device_ask(&talk.device, &(struct mp_command){.code = MP_SET_CONFIG});
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_AWAY);
}

Test(device, payload_bytes_reach_it)
{
    struct talk talk = talk_new();
    device_ask(&talk.device, &(struct mp_command){.code = MP_SET_CONFIG, .length = 2, .payload = {7, 9}});
    struct mp_command command;
    cr_assert(device_next(&talk.device, talk.now_ms, &command));
    cr_assert(command.length == 2 && command.payload[0] == 7 && command.payload[1] == 9);
}

Test(device, without_control_nothing_is_ever_sent)
{
    struct talk talk = talk_new();
    device_init(&talk.device, &timing, false);
    device_connect(&talk.device, talk.now_ms);
    expect_quiet(&talk);
    cr_assert_eq(device_deadline_ms(&talk.device), UINT64_MAX);
    cr_assert_not(say_metadata(&talk));
    cr_assert_not(say_status(&talk, 100, true));
    cr_assert(say_metadata(&talk), "restarts are noticed all the same");
    cr_assert(say_status(&talk, 5, true) == false && say_status(&talk, 2, true));
    expect_quiet(&talk);
    device_ask(&talk.device, &(struct mp_command){.code = MP_START});
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_AWAY);
    device_stop(&talk.device, talk.now_ms);
    cr_assert(device_has_stopped(&talk.device));
}

Test(device, at_the_end_it_is_told_to_stop_and_given_bounded_time)
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

Test(device, one_that_we_never_started_is_not_told_to_stop)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    device_stop(&talk.device, talk.now_ms);
    cr_assert(device_has_stopped(&talk.device));
}

/* Whatever is said and asked, in whatever order: one command at a time, no try before the last one's time is
 * up, and never a deadline that has passed with nothing to do, for that would be a busy loop. */
Test(device, no_order_of_things_makes_it_spin_or_speak_out_of_turn)
{
    struct test_random random = test_random_start("device");
    for (int life = 0; life < 200; life++) {
        struct talk talk = talk_new();
        uint64_t silent_until_ms = 0;
        for (int step = 0; step < 300; step++) {
            bool heard = true;
            switch (test_random_below(&random, 9)) {
            case 0: say_metadata(&talk); break;
            case 1: say_answer(&talk, test_random_below(&random, 3) > 0); break;
            case 2:
                say_status(&talk, (uint32_t)test_random_next(&random), test_random_below(&random, 2));
                break;
            case 3: say(&talk, (struct event){.kind = EVENT_CALL}); break;
            case 4:
                if (!talk.device.order.waits)
                    device_ask(&talk.device,
                               &(struct mp_command){.code = (uint8_t)(1 + test_random_below(&random, 6))});
                break;
            case 5:
                device_disconnect(&talk.device);
                if (test_random_below(&random, 2))
                    device_connect(&talk.device, talk.now_ms);
                break;
            case 6:
                if (talk.device.phase == PHASE_AWAY)
                    device_connect(&talk.device, talk.now_ms);
                break;
            case 7:
                if (test_random_below(&random, 50) == 0)
                    device_stop(&talk.device, talk.now_ms);
                break;
            default: heard = false; break;
            }
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
