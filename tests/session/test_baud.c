/* test_baud.c - the conversation that changes the rate of the line. */
#include "talk.h"

enum { HOME = 115200, FAST = 921600, CHANGE_MS = 20, ASK_MS = 1500, PROVE_MS = 220, RETURN_MS = 500 };

/* A line that was opened at HOME, with `most` as the highest rate wanted. */
static struct talk talk_at_home(uint32_t most)
{
    struct talk talk = {.now_ms = 5000};
    device_init(&talk.device, &timing, true);
    device_raise_baud(&talk.device, most);
    device_connect(&talk.device, HOME, talk.now_ms);
    return talk;
}

/* A device that offers up to `greatest` has sent its metadata and description. */
static struct talk talk_offered(uint32_t most, uint32_t greatest)
{
    struct talk talk = talk_at_home(most);
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk));
    expect_sent(&talk, MP_DESCRIBE);
    cr_assert_not(say_baud_description(&talk, 9600, greatest, HOME));
    return talk;
}

static void expect_asked_for(struct talk *talk, uint32_t baud)
{
    struct mp_command command = {0};
    cr_assert(device_next(&talk->device, talk->now_ms, &command), "nothing was sent");
    cr_assert_eq(command.code, MP_SET_CONFIG);
    cr_assert_eq(command.length, 5);
    cr_assert_eq(command.payload[0], MP_SETTING_BAUD);
    cr_assert_eq(mp_load_u32(command.payload + 1), baud);
}

static void expect_line(struct talk *talk, uint32_t baud)
{
    cr_assert_eq(device_baud(&talk->device), baud, "the line is at %u", device_baud(&talk->device));
}

static void expect_trouble(struct talk *talk, const char *part)
{
    cr_assert(strstr(device_baud_trouble(&talk->device), part), "it says: %s",
              device_baud_trouble(&talk->device));
}

/* Changes the rate: it is acknowledged, proven, and described again. */
static void change(struct talk *talk, uint32_t baud)
{
    expect_asked_for(talk, baud);
    say_answer(talk, true);
    expect_line(talk, baud);
    wait_for_deadline(talk, CHANGE_MS);
    expect_sent(talk, MP_GET_STATUS);
    say_status(talk, 100, false);
    expect_line(talk, baud);
    expect_sent(talk, MP_DESCRIBE);
    say_baud_description(talk, 9600, 3000000, baud);
}

static void start(struct talk *talk)
{
    expect_sent(talk, MP_START);
    say_answer(talk, true);
    expect_sent(talk, MP_GET_STATUS);
    say_status(talk, 100, true);
    expect_quiet(talk);
}

/* Answers the STATUS just requested. */
static void go_on(struct talk *talk)
{
    expect_sent(talk, MP_START);
    say_answer(talk, true);
    expect_quiet(talk);
}

/* Leaves four GET_STATUS at the new rate unanswered. */
static void fail_to_prove(struct talk *talk)
{
    wait_for_deadline(talk, CHANGE_MS);
    for (int i = 0; i < 4; i++) {
        expect_sent(talk, MP_GET_STATUS);
        wait_for_deadline(talk, PROVE_MS);
    }
    struct mp_command command;
    cr_assert_not(device_next(&talk->device, talk->now_ms, &command));
    expect_line(talk, HOME);
}

Test(baud, a_device_that_can_is_raised_before_it_is_started)
{
    struct talk talk = talk_offered(FAST, 3000000);
    change(&talk, FAST);
    go_on(&talk);
    expect_line(&talk, FAST);
    cr_assert_str_eq(device_baud_trouble(&talk.device), "");
}

Test(baud, the_rate_stays_without_a_higher_limit)
{
    struct talk talk = talk_offered(0, 3000000);
    start(&talk);
    expect_line(&talk, HOME);
    talk = talk_offered(57600, 3000000);
    start(&talk);
    expect_line(&talk, HOME);
}

Test(baud, lower_rates_are_tried_when_the_device_refuses)
{
    struct talk talk = talk_offered(FAST, 700000);
    expect_asked_for(&talk, 700000);
    say_answer(&talk, false);
    expect_asked_for(&talk, 500000);
    say_answer(&talk, false);
    expect_asked_for(&talk, 460800);
    expect_line(&talk, HOME);
    say_answer(&talk, true);
    expect_line(&talk, 460800);

    talk = talk_offered(300000, 3000000);
    expect_asked_for(&talk, 300000);
    say_answer(&talk, false);
    expect_asked_for(&talk, 250000);
    say_answer(&talk, false);
    expect_asked_for(&talk, 230400);
    say_answer(&talk, false);
    start(&talk);
    expect_line(&talk, HOME);
    expect_trouble(&talk, "stays at 115200 baud");
}

Test(baud, a_device_without_the_setting_is_reported)
{
    struct talk talk = talk_at_home(FAST);
    shake_hands(&talk);
    expect_line(&talk, HOME);
    expect_trouble(&talk, "cannot change its baud rate");
}

Test(baud, a_rate_that_does_not_work_is_left_and_not_tried_again)
{
    struct talk talk = talk_offered(FAST, 3000000);
    expect_asked_for(&talk, FAST);
    say_answer(&talk, true);
    fail_to_prove(&talk);
    expect_trouble(&talk, "At 921600 baud the device does not answer, so the line is back at 115200 baud.");
    /* The device returns to the first rate a second after the change, and is asked no sooner. */
    wait_for_deadline(&talk, 140);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 0, false);
    cr_assert_not(device_is_silent(&talk.device));
    expect_sent(&talk, MP_DESCRIBE);
    say_baud_description(&talk, 9600, 3000000, HOME);
    go_on(&talk);
    for (int i = 0; i < 10; i++) {
        wait_for_deadline(&talk, timing.status_ms);
        expect_sent(&talk, MP_GET_STATUS);
        say_status(&talk, 100, true);
        expect_line(&talk, HOME);
    }
    expect_trouble(&talk, "At 921600 baud");

    device_disconnect(&talk.device);
    device_connect(&talk.device, HOME, talk.now_ms);
    cr_assert_str_eq(device_baud_trouble(&talk.device), "", "a line that is plugged in again may be another");
}

Test(baud, no_answer_to_the_question_leaves_the_line_as_it_is)
{
    struct talk talk = talk_offered(FAST, 3000000);
    for (int i = 0; i < 3; i++) {
        expect_asked_for(&talk, FAST);
        wait_for_deadline(&talk, ASK_MS);
        expect_line(&talk, HOME);
    }
    wait_for_deadline(&talk, ASK_MS); /* more ACKs may follow, and START needs one */
    expect_sent(&talk, MP_START);
    expect_trouble(&talk, "did not answer when it was asked for 921600 baud");
    say_answer(&talk, true);
    expect_line(&talk, HOME);
}

/* Its description was in the port's buffer; it receives nothing until it is home, 3 s after that host's last command. */
Test(baud, a_device_that_a_killed_host_left_at_another_rate_is_asked_until_it_is_home)
{
    struct talk talk = talk_offered(FAST, 3000000);
    for (int i = 0; i < 2; i++) {
        expect_asked_for(&talk, FAST);
        wait_for_deadline(&talk, ASK_MS);
    }
    change(&talk, FAST);
    wait_for_deadline(&talk, ASK_MS - CHANGE_MS); /* likewise */
    start(&talk);
    expect_line(&talk, FAST);
    expect_trouble(&talk, "");
}

Test(baud, a_port_without_the_rate_waits_for_the_device_to_return)
{
    struct talk talk = talk_offered(FAST, 3000000);
    expect_asked_for(&talk, FAST);
    say_answer(&talk, true);
    device_baud_impossible(&talk.device, &(struct error){"The driver cannot."}, talk.now_ms);
    expect_line(&talk, HOME);
    wait_for_deadline(&talk, 1000 + CHANGE_MS);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 0, false);
    expect_trouble(&talk, "The driver cannot. The line stays at 115200 baud.");
}

/* A proven rate stops working, which is noticed when GET_STATUS stays unanswered. */
static struct talk talk_that_broke(void)
{
    struct talk talk = talk_offered(FAST, 3000000);
    change(&talk, FAST);
    go_on(&talk);
    wait_for_deadline(&talk, timing.status_ms);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 100, true);
    wait_for_deadline(&talk, timing.status_ms);
    expect_sent(&talk, MP_GET_STATUS);
    stay_silent(&talk, MP_GET_STATUS);
    struct mp_command command;
    cr_assert_not(device_next(&talk.device, talk.now_ms, &command));
    expect_line(&talk, HOME);
    wait_for_deadline(&talk, 140);
    expect_sent(&talk, MP_GET_STATUS);
    expect_trouble(&talk, "At 921600 baud the device ceased to answer, so the line is back at 115200 baud");
    return talk;
}

Test(baud, a_rate_that_fails_later_is_left_while_profiling_continues)
{
    struct talk talk = talk_that_broke();
    for (int i = 0; i < 5; i++) { /* it answered until now, and keeps its rate for three seconds */
        wait_for_deadline(&talk, RETURN_MS);
        expect_sent(&talk, MP_GET_STATUS);
        cr_assert_not(device_is_silent(&talk.device));
    }
    cr_assert_not(say_status(&talk, 500, true));
    expect_sent(&talk, MP_DESCRIBE);
    say_baud_description(&talk, 9600, 3000000, HOME);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 500, true);
    expect_quiet(&talk);
    expect_line(&talk, HOME);
    expect_trouble(&talk, "ceased to answer");
}

Test(baud, a_restart_does_not_count_against_the_rate)
{
    struct talk talk = talk_that_broke();
    cr_assert(say_status(&talk, 3, false), "its count fell");
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    say_baud_description(&talk, 9600, 3000000, HOME);
    change(&talk, FAST);
    go_on(&talk);
    cr_assert_str_eq(device_baud_trouble(&talk.device), "");
}

Test(baud, a_device_that_answers_at_neither_rate_is_silent)
{
    struct talk talk = talk_that_broke();
    for (int i = 0; i < 7; i++) {
        wait_for_deadline(&talk, RETURN_MS);
        expect_sent(&talk, MP_GET_STATUS);
    }
    wait_for_deadline(&talk, RETURN_MS);
    wait_for_deadline(&talk, timing.slow_ms);
    cr_assert(device_is_silent(&talk.device));
    expect_sent(&talk, MP_GET_METADATA);
}

Test(baud, the_user_may_set_it_and_is_answered_when_it_is_proven)
{
    struct talk talk = talk_offered(0, 3000000);
    start(&talk);
    ask_for_baud(&talk, 460800);
    expect_asked_for(&talk, 460800);
    say_answer(&talk, true);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_PENDING);
    wait_for_deadline(&talk, CHANGE_MS);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 100, true);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_ACK);
    expect_line(&talk, 460800);
    expect_sent(&talk, MP_DESCRIBE);
    say_baud_description(&talk, 9600, 3000000, 460800);
    expect_quiet(&talk);

    ask_for_baud(&talk, 777777);
    expect_asked_for(&talk, 777777);
    say_answer(&talk, false);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_NACK, "and no other one is tried");
    expect_trouble(&talk, "cannot run at 777777 baud, so the line stays at 460800 baud");

    ask_for_baud(&talk, FAST);
    expect_asked_for(&talk, FAST);
    say_answer(&talk, true);
    fail_to_prove(&talk);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_PENDING);
    wait_for_deadline(&talk, 140);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 100, true);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_NACK);
}

Test(baud, an_answer_to_an_earlier_command_does_not_confirm_a_rate)
{
    struct talk talk = talk_offered(0, 3000000);
    expect_sent(&talk, MP_START);
    ask_for_baud(&talk, FAST);
    say_answer(&talk, true); /* to START */
    expect_line(&talk, HOME);
    expect_asked_for(&talk, FAST);
    say_answer(&talk, false);
    expect_sent(&talk, MP_GET_STATUS);
    ask_for_baud(&talk, 460800);
    say_status(&talk, 100, true);
    expect_line(&talk, HOME);
    expect_asked_for(&talk, 460800);
    say_answer(&talk, true);
    expect_line(&talk, 460800);
}

Test(baud, other_commands_wait_until_both_ends_are_at_one_rate)
{
    struct talk talk = talk_offered(FAST, 3000000);
    expect_asked_for(&talk, FAST);
    device_ask(&talk.device, &(struct mp_command){.code = MP_RESET_BUFFERS}, talk.now_ms);
    say_answer(&talk, true);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_PENDING);
    wait_for_deadline(&talk, CHANGE_MS);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 0, false);
    expect_sent(&talk, MP_RESET_BUFFERS);
}

Test(baud, a_line_without_a_rate_has_none_to_change)
{
    struct talk talk = talk_new();
    device_raise_baud(&talk.device, FAST);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    say_baud_description(&talk, 9600, 3000000, HOME);
    start(&talk);
    cr_assert_eq(device_baud(&talk.device), 0);
    ask_for_baud(&talk, FAST);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_NACK);
    expect_trouble(&talk, "no serial port");
    expect_quiet(&talk);
}

Test(baud, the_end_restores_the_rate)
{
    struct talk talk = talk_offered(FAST, 3000000);
    change(&talk, FAST);
    go_on(&talk);
    device_stop(&talk.device, talk.now_ms);
    expect_sent(&talk, MP_STOP);
    say_answer(&talk, true);
    hear_out(&talk); /* at its present rate */
    cr_assert_not(device_has_stopped(&talk.device));
    expect_asked_for(&talk, HOME);
    say_answer(&talk, true);
    cr_assert(device_has_stopped(&talk.device));
    expect_quiet(&talk);

    talk = talk_offered(0, 3000000);
    start(&talk);
    device_stop(&talk.device, talk.now_ms);
    expect_sent(&talk, MP_STOP);
    say_answer(&talk, true);
    hear_out(&talk);
    cr_assert(device_has_stopped(&talk.device), "who is at home needs not be brought there");
}

Test(baud, a_visit_restores_the_rate)
{
    struct talk talk = talk_at_home(0);
    device_visit(&talk.device);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    say_baud_description(&talk, 9600, 3000000, HOME);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 0, false);
    ask_for_baud(&talk, FAST);
    change(&talk, FAST);
    device_stop(&talk.device, talk.now_ms);
    expect_asked_for(&talk, HOME);
    say_answer(&talk, true);
    cr_assert(device_has_stopped(&talk.device));
}

/* Key 4 is the rate only if its setting has that name. */
Test(baud, another_setting_with_the_key_does_not_change_the_line)
{
    static const char *const names[] = {"band", "bauds"};
    for (size_t i = 0; i < 2; i++) {
        struct baud baud = {.most = FAST};
        struct event_description description = {.setting_count = 1};
        description.settings[0] = (struct event_setting){
            .key = MP_SETTING_BAUD, .most = 3000000, .name = names[i], .name_n = (uint32_t)strlen(names[i])};
        baud_open(&baud, HOME);
        baud_offer(&baud, &description);
        cr_expect_not(baud.is_offered);
        cr_expect_not(baud_has_to_do(&baud, 0));
        cr_expect(strstr(baud.trouble.text, "cannot change"), "%s", baud.trouble.text);
    }
}

Test(baud, setting_another_key_does_not_change_the_line)
{
    struct baud baud = {.is_offered = true};
    struct mp_command command = {.code = MP_SET_CONFIG, .length = 5, .payload = {MP_SETTING_BAUD, 0, 1}};
    cr_assert(baud_is_set_by(&baud, &command));
    command.length = 4;
    cr_expect_not(baud_is_set_by(&baud, &command), "it is cut");
    command.length = 5;
    command.payload[0]++;
    cr_expect_not(baud_is_set_by(&baud, &command), "another setting");
    command.payload[0]--;
    command.payload[2] = 0;
    cr_expect_not(baud_is_set_by(&baud, &command), "no rate");
    command.payload[2] = 1;
    command.code = MP_START;
    cr_expect_not(baud_is_set_by(&baud, &command));
    baud.is_offered = false;
    command.code = MP_SET_CONFIG;
    cr_expect_not(baud_is_set_by(&baud, &command));
}

Test(baud, silence_at_the_raised_rate_restores_the_first_rate)
{
    struct talk talk = talk_offered(460800, 3000000);
    change(&talk, 460800);
    go_on(&talk);
    ask_for_baud(&talk, FAST);
    expect_asked_for(&talk, FAST);
    wait_for_deadline(&talk, ASK_MS);
    struct mp_command command;
    cr_assert_not(device_next(&talk.device, talk.now_ms, &command), "the device may be on its way home");
    expect_line(&talk, HOME);
    expect_trouble(&talk, "did not answer when it was asked for 921600 baud");
    wait_for_deadline(&talk, 140);
    expect_sent(&talk, MP_GET_STATUS);
    say_status(&talk, 100, true);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_NACK);
    expect_line(&talk, HOME);
}
