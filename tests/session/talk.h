/* talk.h - plays a conversation between struct device and a device: the test expects each command and gives each
 * answer. */
#ifndef TESTS_SESSION_TALK_H
#define TESTS_SESSION_TALK_H

#include "protocol/description.h"
#include "device/device.h"

#include <criterion/criterion.h>

static const struct device_timing timing = {
    .answer_ms = 500, .describe_ms = 100, .status_ms = 1000, .slow_ms = 2000};

/* A struct device and its time. */
struct talk {
    struct device device;
    uint64_t now_ms;
};

static inline struct talk talk_new(void)
{
    struct talk talk = {.now_ms = 5000};
    device_init(&talk.device, &timing, true);
    device_connect(&talk.device, 0, talk.now_ms);
    return talk;
}

static inline void expect_sent(struct talk *talk, uint8_t code)
{
    struct mp_command command = {0};
    cr_assert(device_next(&talk->device, talk->now_ms, &command), "expected command %u, nothing was sent",
              code);
    cr_assert_eq(command.code, code, "expected command %u, got %u", code, command.code);
}

static inline void expect_quiet(struct talk *talk)
{
    struct mp_command command = {0};
    cr_assert_not(device_next(&talk->device, talk->now_ms, &command), "command %u was sent", command.code);
    uint64_t deadline_ms = device_deadline_ms(&talk->device);
    cr_assert_gt(deadline_ms, talk->now_ms, "a deadline that has passed and nothing to do is a busy loop");
}

/* Advances time to the next deadline, which must be `after_ms` from now. */
static inline void wait_for_deadline(struct talk *talk, uint64_t after_ms)
{
    expect_quiet(talk);
    cr_assert_eq(device_deadline_ms(&talk->device), talk->now_ms + after_ms, "due in %lld ms",
                 (long long)(device_deadline_ms(&talk->device) - talk->now_ms));
    talk->now_ms += after_ms;
}

static inline bool say(struct talk *talk, struct event event)
{
    return device_hear(&talk->device, &event, talk->now_ms);
}

static inline bool say_metadata(struct talk *talk)
{
    return say(talk, (struct event){.kind = EVENT_TARGET});
}

static inline bool say_answer(struct talk *talk, bool ack)
{
    return say(talk, (struct event){.kind = EVENT_ANSWER, .answer.ack = ack});
}

static inline bool say_status(struct talk *talk, uint32_t captured, bool profiling)
{
    return say(talk, (struct event){.kind = EVENT_STATUS,
                                    .status = {.records_captured = captured, .profiling = profiling}});
}

/* Answers DESCRIBE as a device of version 1 does. */
static inline void refuse_to_describe(struct talk *talk)
{
    expect_sent(talk, MP_DESCRIBE);
    cr_assert_not(say_answer(talk, false));
}

static inline bool say_description(struct talk *talk, uint32_t versions)
{
    struct event_description description = {.versions = versions};
    return say(talk, (struct event){.kind = EVENT_DESCRIPTION, .description = &description});
}

/* Sends a description with the numbers of start and run. */
static inline bool say_run(struct talk *talk, uint32_t versions, struct event_run run)
{
    struct event_description description = {.versions = versions, .run = run};
    description.run.is_told = true;
    return say(talk, (struct event){.kind = EVENT_DESCRIPTION, .description = &description});
}

/* Sends a description with the setting for the rate of the line. */
static inline bool say_baud_description(struct talk *talk, uint32_t least, uint32_t most, uint32_t value)
{
    struct event_description description = {
        .versions = 6,
        .setting_count = 1,
        .settings = {{.key = MP_SETTING_BAUD,
                      .least = least,
                      .most = most,
                      .value = value,
                      .name = "baud",
                      .name_n = 4}},
    };
    return say(talk, (struct event){.kind = EVENT_DESCRIPTION, .description = &description});
}

static inline void ask_for_baud(struct talk *talk, uint32_t baud)
{
    struct mp_command command = {.code = MP_SET_CONFIG, .length = 5, .payload = {MP_SETTING_BAUD}};
    mp_store_u32(command.payload + 1, baud);
    device_ask(&talk->device, &command, talk->now_ms);
}

/* METADATA, DESCRIBE without an answer, START, first STATUS. */
static inline void shake_hands(struct talk *talk)
{
    expect_sent(talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(talk));
    refuse_to_describe(talk);
    expect_sent(talk, MP_START);
    cr_assert_not(say_answer(talk, true));
    expect_sent(talk, MP_GET_STATUS);
    cr_assert_not(say_status(talk, 100, true));
    expect_quiet(talk);
}

/* Leaves the outstanding command, sent once already, unanswered. */
static inline void stay_silent(struct talk *talk, uint8_t code)
{
    for (int again = 0; again < 2; again++) {
        wait_for_deadline(talk, timing.answer_ms);
        expect_sent(talk, code);
    }
    wait_for_deadline(talk, timing.answer_ms);
}

/* The stopped device has sent all of its records. */
static inline void hear_out(struct talk *talk)
{
    struct mp_command command;
    cr_assert(device_is_draining(&talk->device) && !device_has_stopped(&talk->device));
    cr_assert_not(device_next(&talk->device, talk->now_ms, &command), "nothing is said meanwhile");
    cr_assert_eq(device_deadline_ms(&talk->device), UINT64_MAX);
    device_heard_out(&talk->device);
}

#endif
