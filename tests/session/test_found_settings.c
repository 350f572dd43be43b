/* test_found_settings.c - a session restores the device's settings at its end, and disarms a trigger of an earlier
 * session before START. */
#include "live.h"
#include "talk.h"

enum { SHORTEST = 2, DEPTH = 3, WINDOW = 0x13 };

static void say_settings(struct talk *talk, uint32_t shortest, uint32_t depth, uint32_t window)
{
    struct event_description description = {
        .versions = 0xE,
        .setting_count = 3,
        .settings = {{.key = SHORTEST, .most = 1000, .value = shortest, .name = "shortest", .name_n = 8},
                     {.key = DEPTH, .most = 32, .value = depth, .name = "depth", .name_n = 5},
                     {.key = WINDOW, .most = 3, .value = window, .name = "window", .name_n = 6}}};
    say(talk, (struct event){.kind = EVENT_DESCRIPTION, .description = &description});
}

static struct mp_command to_set(uint8_t key, uint32_t value)
{
    struct mp_command command = {.code = MP_SET_CONFIG, .length = 5, .payload = {key}};
    mp_store_u32(command.payload + 1, value);
    return command;
}

static void expect_set(struct talk *talk, uint8_t key, uint32_t value)
{
    struct mp_command command = {0}, wanted = to_set(key, value);
    cr_assert(device_next(&talk->device, talk->now_ms, &command), "nothing was sent");
    cr_assert_eq(command.code, MP_SET_CONFIG, "command %u was sent", command.code);
    cr_assert(!memcmp(command.payload, wanted.payload, 5), "key %u was set to %u", command.payload[0],
              mp_load_u32(command.payload + 1));
}

/* The device sends metadata and its description; START is next, or a command that must precede it. */
static struct talk meet(uint32_t shortest, uint32_t depth, uint32_t window)
{
    struct talk talk = talk_new();
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    say_settings(&talk, shortest, depth, window);
    return talk;
}

static void begin(struct talk *talk)
{
    expect_sent(talk, MP_START);
    say_answer(talk, true);
    expect_sent(talk, MP_GET_STATUS);
    say_status(talk, 100, true);
    expect_quiet(talk);
}

/* The user sets a value; the device then reports these settings. */
static void set(struct talk *talk, uint8_t key, uint32_t value, uint32_t shortest, uint32_t depth,
                uint32_t window)
{
    struct mp_command command = to_set(key, value);
    device_ask(&talk->device, &command, talk->now_ms);
    expect_set(talk, key, value);
    say_answer(talk, true);
    expect_sent(talk, MP_DESCRIBE);
    say_settings(talk, shortest, depth, window);
    expect_quiet(talk);
}

/* STOP, and its last sums. */
static void stop(struct talk *talk)
{
    device_stop(&talk->device, talk->now_ms);
    expect_sent(talk, MP_STOP);
    say_answer(talk, true);
    cr_assert(device_is_draining(&talk->device));
    device_heard_out(&talk->device);
}

static void expect_stopped(struct talk *talk)
{
    expect_quiet(talk);
    cr_assert(device_has_stopped(&talk->device));
}

Test(found_settings, settings_of_the_user_are_restored_after_the_last_sums)
{
    struct talk talk = meet(50, 32, 0);
    begin(&talk);
    set(&talk, SHORTEST, 10, 10, 32, 0);
    set(&talk, DEPTH, 8, 10, 8, 0);
    set(&talk, SHORTEST, 7, 7, 8, 0);
    stop(&talk);
    expect_set(&talk, DEPTH, 32);
    say_answer(&talk, true);
    expect_set(&talk, SHORTEST, 50);
    say_answer(&talk, true);
    expect_stopped(&talk);
}

Test(found_settings, unchanged_settings_are_not_restored)
{
    struct talk talk = meet(50, 8, 0);
    begin(&talk);
    set(&talk, SHORTEST, 10, 10, 8, 0);
    set(&talk, SHORTEST, 50, 50, 8, 0); /* and back */
    stop(&talk);
    expect_stopped(&talk);
}

Test(found_settings, a_value_that_the_device_rounds_is_still_ours)
{
    struct talk talk = meet(50, 32, 0);
    begin(&talk);
    set(&talk, SHORTEST, 10, 9, 32, 0);
    say_settings(&talk, 9, 32, 0);
    stop(&talk);
    expect_set(&talk, SHORTEST, 50);
    say_answer(&talk, true);
    expect_stopped(&talk);
}

Test(found_settings, settings_changed_elsewhere_are_not_restored)
{
    struct talk talk = meet(50, 32, 0);
    begin(&talk);
    set(&talk, SHORTEST, 10, 10, 32, 0);
    say_settings(&talk, 20, 32, 0);
    stop(&talk);
    expect_stopped(&talk);
}

Test(found_settings, nothing_is_restored_after_a_restart)
{
    struct talk talk = meet(50, 32, 0);
    begin(&talk);
    set(&talk, SHORTEST, 10, 10, 32, 0);
    cr_assert(say_metadata(&talk), "nobody asked");
    expect_sent(&talk, MP_DESCRIBE);
    say_settings(&talk, 10, 32, 0); /* its firmware sets it */
    expect_sent(&talk, MP_START);
    say_answer(&talk, true);
    stop(&talk);
    expect_stopped(&talk);
}

Test(found_settings, a_setting_that_cannot_be_restored_does_not_delay_the_end)
{
    struct talk talk = meet(50, 32, 0);
    begin(&talk);
    set(&talk, SHORTEST, 10, 10, 32, 0);
    set(&talk, DEPTH, 8, 10, 8, 0);
    stop(&talk);
    expect_set(&talk, DEPTH, 32);
    say_answer(&talk, false);
    expect_set(&talk, SHORTEST, 50);
    for (int tries = 1; tries < 3; tries++) {
        wait_for_deadline(&talk, timing.answer_ms);
        expect_set(&talk, SHORTEST, 50);
    }
    wait_for_deadline(&talk, timing.answer_ms);
    expect_stopped(&talk);
}

Test(found_settings, a_late_description_does_not_delay_the_end)
{
    struct talk talk = meet(50, 32, 0);
    begin(&talk);
    set(&talk, SHORTEST, 10, 10, 32, 0);
    stop(&talk);
    say_settings(&talk, 50, 32, 0); /* restored by another program */
    expect_stopped(&talk);
}

Test(found_settings, a_visit_does_not_restore_settings)
{
    struct talk talk = talk_new();
    device_visit(&talk.device);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    say_settings(&talk, 50, 32, 1);
    expect_sent(&talk, MP_GET_STATUS); /* the trigger is not disarmed, either */
    say_status(&talk, 100, false);
    set(&talk, SHORTEST, 10, 10, 32, 1);
    device_stop(&talk.device, talk.now_ms);
    expect_stopped(&talk);
}

Test(found_settings, a_trigger_that_was_left_armed_is_disarmed_before_start)
{
    struct talk talk = meet(0, 32, 1);
    expect_set(&talk, WINDOW, 0);
    say_answer(&talk, true);
    expect_sent(&talk, MP_DESCRIBE);
    say_settings(&talk, 0, 32, 0);
    begin(&talk);
    stop(&talk);
    expect_stopped(&talk);
}

Test(found_settings, a_trigger_that_stays_armed_does_not_prevent_start)
{
    struct talk talk = meet(0, 32, 1);
    expect_set(&talk, WINDOW, 0);
    say_answer(&talk, false);
    begin(&talk);

    talk = meet(0, 32, 1);
    expect_set(&talk, WINDOW, 0);
    say_settings(&talk, 0, 32, 0); /* by itself */
    say_answer(&talk, true);
    expect_sent(&talk, MP_DESCRIBE);
    say_settings(&talk, 0, 32, 1); /* the command has no effect */
    for (int i = 0; i < 2; i++) {
        expect_set(&talk, WINDOW, 0);
        say_answer(&talk, true);
        expect_sent(&talk, MP_DESCRIBE);
        say_settings(&talk, 0, 32, 1);
    }
    begin(&talk);
}

Test(found_settings, a_trigger_that_is_wanted_is_left_armed_and_taken_back_at_the_end)
{
    struct talk talk = talk_new();
    device_want_trigger(&talk.device, true);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    expect_sent(&talk, MP_DESCRIBE);
    say_settings(&talk, 0, 32, 1);
    begin(&talk);
    set(&talk, WINDOW, 1, 0, 32, 1);
    stop(&talk);
    expect_set(&talk, WINDOW, 0);
    say_answer(&talk, true);
    expect_stopped(&talk);
}

static bool describes_itself(const struct snapshot *s)
{
    return s->target.description.is_known && bench_is_profiling(s);
}

Test(found_settings, a_session_leaves_the_device_as_it_found_it)
{
    struct bench bench;
    bench_init(&bench, true);
    fake_set_versions(&bench.fake, 6);
    bench.fake.setting = 3;
    bench_start(&bench);
    bench_await(&bench, describes_itself);
    struct order order = {
        .kind = ORDER_COMMAND, .command = COMMAND_CONFIG, .payload = {2, 5}, .payload_n = 5};
    cr_assert_eq(mailbox_ask(session_mailbox(bench.session), &order), ORDER_DONE);
    cr_expect_eq(fake_setting(&bench.fake), 5u);
    session_stop(bench.session);
    cr_expect_eq(fake_setting(&bench.fake), 3u);
    struct snapshot *last = session_snapshot(bench.session);
    cr_expect(last->measured_with.is_known && last->measured_with.count == 1);
    cr_expect_eq(last->measured_with.rows[0].value, 5u);
    snapshot_unref(last);
    bench_fini(&bench);
}
