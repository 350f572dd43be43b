/* test_device_run.c - the numbers of start and run in a description, and what they prove: a restart, that the run
 * continues, or nothing. */
#include "talk.h"

#include "protocol/tree.h"

enum { OFFERED = 0xE };

static const struct event_run idle = {.boot = 100, .mode = MODE_AUTO};
static const struct event_run counts = {.boot = 100, .number = 1, .mode = MODE_TREE, .is_on = true};

/* The device sends metadata, and gets DESCRIBE. */
static void meet(struct talk *talk)
{
    expect_sent(talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(talk));
    expect_sent(talk, MP_DESCRIBE);
}

static struct talk talk_that_wants(enum mode mode)
{
    struct talk talk = talk_new();
    device_want_mode(&talk.device, mode, OFFERED, talk.now_ms);
    return talk;
}

/* Expects START with these flags; for a tree, also those for chains and eviction. */
static void expect_start(struct talk *talk, enum mode mode, uint8_t flags)
{
    struct mp_command command = {0};
    cr_assert(device_next(&talk->device, talk->now_ms, &command));
    cr_assert_eq(command.code, MP_START, "START was expected, not %u", command.code);
    flags |= mode == MODE_TREE ? MP_TREE_WANT_CHAINS | MP_TREE_WANT_EVICTION : 0;
    cr_assert_eq(command.length > 1 ? command.payload[1] : 0, flags, "flags %u", command.payload[1]);
    cr_assert_eq(command.length ? command.payload[0] : MODE_CALLS, mode);
}

/* The device was started in mode tree, and has described that run; no STATUS arrived yet. */
static struct talk talk_in_tree(void)
{
    struct talk talk = talk_that_wants(MODE_TREE);
    meet(&talk);
    cr_assert_not(say_run(&talk, OFFERED, idle));
    expect_start(&talk, MODE_TREE, 0);
    say_answer(&talk, true);
    expect_sent(&talk, MP_DESCRIBE);
    cr_assert_not(say_run(&talk, OFFERED, counts));
    return talk;
}

static void hear_status(struct talk *talk, uint32_t counted)
{
    expect_sent(talk, MP_GET_STATUS);
    cr_assert_not(say_status(talk, counted, true));
}

Test(device_run, it_is_asked_which_run_it_is_once_it_was_started)
{
    struct talk talk = talk_in_tree();
    hear_status(&talk, 100);
    expect_quiet(&talk);
    cr_assert_eq(device_mode(&talk.device), MODE_TREE);
}

static void reconnect(struct talk *talk)
{
    device_disconnect(&talk->device);
    device_connect(&talk->device, 0, talk->now_ms);
}

Test(device_run, the_same_start_and_run_go_on_after_the_line_was_away)
{
    struct talk talk = talk_in_tree();
    reconnect(&talk); /* no count of calls is known that would show a restart */
    meet(&talk);
    cr_assert_not(say_run(&talk, OFFERED, counts));
    cr_assert_eq(device_mode(&talk.device), MODE_TREE);
    hear_status(&talk, 100);
    expect_quiet(&talk);
}

static void fall_silent(struct talk *talk, uint8_t code)
{
    expect_sent(talk, code);
    stay_silent(talk, code);
    wait_for_deadline(talk, timing.slow_ms);
}

Test(device_run, the_same_start_and_run_go_on_after_a_silence)
{
    struct talk talk = talk_in_tree();
    fall_silent(&talk, MP_GET_STATUS);
    meet(&talk);
    cr_assert_not(say_run(&talk, OFFERED, counts));
    hear_status(&talk, 100);
    cr_assert_eq(device_mode(&talk.device), MODE_TREE);
    expect_quiet(&talk);
}

Test(device_run, another_start_is_a_restart_however_many_calls_it_counts)
{
    struct talk talk = talk_in_tree();
    hear_status(&talk, 100);
    talk.now_ms = device_deadline_ms(&talk.device);
    fall_silent(&talk, MP_GET_STATUS);
    expect_sent(&talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(&talk), "it was asked for that");
    hear_status(&talk, 5000);
    expect_sent(&talk, MP_DESCRIBE);
    struct event_run other = {.boot = 101, .mode = MODE_AUTO};
    cr_assert(say_run(&talk, OFFERED, other));
    meet(&talk);
    cr_assert_not(say_run(&talk, OFFERED, other));
    expect_start(&talk, MODE_TREE, 0);
}

Test(device_run, a_number_of_0_proves_nothing)
{
    struct talk talk = talk_in_tree();
    reconnect(&talk);
    meet(&talk);
    struct event_run unknown = counts;
    unknown.boot = 0;
    cr_assert_not(say_run(&talk, OFFERED, unknown), "no restart");
    hear_status(&talk, 100); /* it profiles in the wanted mode, in any run */
    cr_assert_eq(device_mode(&talk.device), MODE_TREE);
}

Test(device_run, another_run_proves_nothing_its_packets_tell)
{
    struct talk talk = talk_in_tree();
    hear_status(&talk, 100);
    reconnect(&talk);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    hear_status(&talk, 120);
    expect_sent(&talk, MP_DESCRIBE);
    struct event_run other = counts;
    other.number = 9;
    cr_assert_not(say_run(&talk, OFFERED, other));
    expect_quiet(&talk);
    cr_assert_eq(device_mode(&talk.device), MODE_TREE);
}

Test(device_run, a_new_boot_number_with_our_run_is_not_trusted_again)
{
    struct talk talk = talk_in_tree();
    reconnect(&talk);
    meet(&talk);
    struct event_run odd = counts;
    odd.boot = 101;
    cr_assert_not(say_run(&talk, OFFERED, odd));
    cr_assert(talk.device.watch.boot_is_unsteady);
}

/* Each description has another number of the start. */
Test(device_run, one_that_changes_its_number_all_the_time_is_restarted_once_and_then_left_alone)
{
    struct talk talk = talk_in_tree();
    struct event_run run = counts;
    unsigned restarts = 0, starts = 0, sent = 0;
    reconnect(&talk);
    run.number = 2;
    for (uint64_t end_ms = talk.now_ms + 60000; talk.now_ms < end_ms;) {
        struct mp_command command;
        while (device_next(&talk.device, talk.now_ms, &command)) {
            cr_assert_lt(++sent, 200, "it never rests");
            starts += command.code == MP_START;
            run.boot++;
            switch (command.code) {
            case MP_GET_METADATA: restarts += say_metadata(&talk); break;
            case MP_GET_STATUS: restarts += say_status(&talk, 100, true); break;
            case MP_DESCRIBE: restarts += say_run(&talk, OFFERED, run); break;
            default: say_answer(&talk, true);
            }
        }
        talk.now_ms = device_deadline_ms(&talk.device);
    }
    cr_assert_eq(restarts, 1);
    cr_assert_leq(starts, 2);
}

Test(device_run, a_start_that_may_have_been_obeyed_is_repeated_so_that_its_run_goes_on)
{
    for (enum mode mode = MODE_CALLS; mode <= MODE_TREE; mode++) {
        struct talk talk = talk_that_wants(mode);
        meet(&talk);
        say_run(&talk, OFFERED, idle);
        expect_start(&talk, mode, 0);
        wait_for_deadline(&talk, timing.answer_ms);
        expect_start(&talk, mode, MP_START_RESUMES);
        say_answer(&talk, true);
        cr_assert_eq(device_mode(&talk.device), mode);
        cr_assert_not(talk.device.flat);
    }
}

Test(device_run, a_start_by_the_user_while_it_profiles_changes_nothing)
{
    struct talk talk = talk_in_tree();
    hear_status(&talk, 100);
    device_ask(&talk.device, &(struct mp_command){.code = MP_START}, talk.now_ms);
    expect_start(&talk, MODE_TREE, MP_START_RESUMES);
    say_answer(&talk, true);
    cr_assert_eq(device_user_answer(&talk.device), DEVICE_ACK);
    cr_assert_eq(device_mode(&talk.device), MODE_TREE);
    cr_assert_not(talk.device.flat);
}

Test(device_run, a_start_by_the_user_is_sent_if_the_run_is_unknown)
{
    struct talk talk = talk_that_wants(MODE_TREE);
    meet(&talk);
    say_description(&talk, OFFERED);
    expect_start(&talk, MODE_TREE, 0);
    wait_for_deadline(&talk, timing.answer_ms);
    expect_start(&talk, MODE_TREE, 0);
}

/* The device profiles already when the session begins. */
static struct talk talk_that_joins(enum mode wanted, struct event_run run)
{
    struct talk talk = talk_that_wants(wanted);
    meet(&talk);
    cr_assert_not(say_run(&talk, OFFERED, run));
    return talk;
}

Test(device_run, a_run_in_the_wanted_mode_is_joined)
{
    for (enum mode mode = MODE_CALLS; mode <= MODE_TREE; mode++) {
        struct event_run run = {.boot = 100, .number = 7, .mode = mode, .is_on = true};
        struct talk talk = talk_that_joins(mode, run);
        hear_status(&talk, 100);
        expect_quiet(&talk);
        cr_assert_eq(device_mode(&talk.device), mode);
        cr_assert(talk.device.run.is_joined);
        device_stop(&talk.device, talk.now_ms);
        expect_sent(&talk, MP_STOP);
    }
    struct event_run flat = counts;
    flat.is_flat = true;
    struct talk talk = talk_that_joins(MODE_TREE, flat);
    hear_status(&talk, 100);
    expect_quiet(&talk);
    cr_assert(talk.device.flat);
    struct event_run streams = {.boot = 100, .number = 7, .mode = MODE_STREAM, .is_on = true};
    talk = talk_that_joins(MODE_AUTO, streams);
    hear_status(&talk, 100);
    cr_assert_eq(device_mode(&talk.device), MODE_STREAM);
}

/* The line was lost; the device has counted this many calls when it is back. */
static void meet_again(struct talk *talk, uint32_t counted)
{
    reconnect(talk);
    expect_sent(talk, MP_GET_METADATA);
    cr_assert_not(say_metadata(talk));
    hear_status(talk, counted);
    expect_sent(talk, MP_DESCRIBE);
}

/* A session that measures; the device profiles already when it begins. */
static struct talk talk_that_measures(struct event_run run)
{
    struct talk talk = talk_that_wants(MODE_TREE);
    device_begin_own(&talk.device);
    meet(&talk);
    cr_assert(device_awaits_own_run(&talk.device), "what it does is not known yet");
    cr_assert_not(say_run(&talk, OFFERED, run));
    return talk;
}

Test(device_run, one_that_measures_begins_a_run_of_its_own)
{
    struct talk talk = talk_that_measures(counts);
    cr_assert(device_awaits_own_run(&talk.device));
    expect_start(&talk, MODE_TREE, 0);
    say_answer(&talk, true);
    cr_assert_not(device_awaits_own_run(&talk.device));
    cr_assert_not(talk.device.run.is_joined);
    struct event_run ours = counts;
    ours.number = 2;
    expect_sent(&talk, MP_DESCRIBE);
    cr_assert_not(say_run(&talk, OFFERED, ours));
    hear_status(&talk, 100);
    meet_again(&talk, 200);
    cr_assert_not(say_run(&talk, OFFERED, ours));
    expect_quiet(&talk);
    cr_assert_eq(device_mode(&talk.device), MODE_TREE);
    cr_assert_not(talk.device.run.is_joined);
}

/* A repeated START must not resume the run that it was to end; another number of the run shows that it ended. */
Test(device_run, a_measurement_without_an_ack_accepts_only_a_new_run)
{
    for (int was_obeyed = 0; was_obeyed < 2; was_obeyed++) {
        struct talk talk = talk_that_measures(counts);
        for (int tries = 0; tries < 3; tries++) {
            expect_start(&talk, MODE_TREE, 0);
            wait_for_deadline(&talk, timing.answer_ms);
        }
        wait_for_deadline(&talk, timing.slow_ms);
        meet(&talk);
        struct event_run run = counts;
        run.number = (uint8_t)(counts.number + was_obeyed);
        cr_assert_not(say_run(&talk, OFFERED, run));
        cr_assert_eq(device_awaits_own_run(&talk.device), !was_obeyed);
        if (was_obeyed)
            hear_status(&talk, 100);
        else
            expect_start(&talk, MODE_TREE, 0);
    }
}

Test(device_run, one_that_measures_does_not_wait_for_a_device_that_rests_or_does_not_answer)
{
    struct talk talk = talk_that_measures(idle);
    cr_assert_not(device_awaits_own_run(&talk.device));
    talk = talk_that_wants(MODE_TREE);
    device_begin_own(&talk.device);
    fall_silent(&talk, MP_GET_METADATA);
    cr_assert_not(device_awaits_own_run(&talk.device));
}

Test(device_run, a_joined_run_stays_one_until_another_begins)
{
    struct talk talk = talk_that_joins(MODE_TREE, counts);
    hear_status(&talk, 100);
    meet_again(&talk, 200);
    cr_assert_not(say_run(&talk, OFFERED, counts));
    cr_assert(talk.device.run.is_joined);
    for (int is_another = 0; is_another < 2; is_another++) {
        struct event_run run = counts;
        run.number = (uint8_t)(counts.number + is_another);
        device_ask(&talk.device, &(struct mp_command){.code = MP_START}, talk.now_ms);
        expect_start(&talk, MODE_TREE, MP_START_RESUMES);
        say_answer(&talk, true);
        expect_sent(&talk, MP_DESCRIBE);
        cr_assert_not(say_run(&talk, OFFERED, run));
        cr_assert_eq(talk.device.run.is_joined, !is_another);
    }
    struct event_run calls = {.boot = 100, .mode = MODE_CALLS, .is_on = true}; /* which have no number */
    talk = talk_that_joins(MODE_CALLS, calls);
    hear_status(&talk, 100);
    cr_assert(talk.device.run.is_joined);
    device_ask(&talk.device, &(struct mp_command){.code = MP_STOP}, talk.now_ms);
    expect_sent(&talk, MP_STOP);
    say_answer(&talk, true);
    cr_assert_not(talk.device.run.is_joined);
}

Test(device_run, one_that_profiles_otherwise_or_was_stopped_by_the_user_is_not_joined)
{
    struct talk talk = talk_that_joins(MODE_STREAM, counts);
    expect_start(&talk, MODE_STREAM, 0);
    say_answer(&talk, true);
    cr_assert_not(talk.device.run.is_joined);
    struct event_run stopped = counts;
    stopped.is_on = false;
    talk = talk_that_joins(MODE_TREE, stopped);
    expect_start(&talk, MODE_TREE, 0);

    talk = talk_that_wants(MODE_TREE);
    device_visit(&talk.device);
    meet(&talk);
    cr_assert_not(say_run(&talk, OFFERED, counts));
    cr_assert_eq(device_mode(&talk.device), MODE_AUTO, "who only visits leaves it as it is");
}

Test(device_run, a_run_that_a_trigger_of_an_earlier_session_slowed_down_is_not_joined)
{
    struct event_description description = {
        .versions = OFFERED,
        .run = counts,
        .setting_count = 1,
        .settings = {{.key = 13, .most = 3, .value = 1, .name = "window", .name_n = 6}}};
    description.run.is_told = true;
    for (int wanted = 0; wanted < 2; wanted++) {
        struct talk talk = talk_that_wants(MODE_TREE);
        device_want_trigger(&talk.device, wanted);
        meet(&talk);
        cr_assert_not(say(&talk, (struct event){.kind = EVENT_DESCRIPTION, .description = &description}));
        expect_sent(&talk, wanted ? MP_GET_STATUS : MP_SET_CONFIG);
    }
}

Test(device_run, a_start_whose_answers_were_all_lost_is_found_to_have_been_obeyed)
{
    struct talk talk = talk_that_wants(MODE_TREE);
    meet(&talk);
    say_run(&talk, OFFERED, idle);
    expect_start(&talk, MODE_TREE, 0);
    stay_silent(&talk, MP_START);
    wait_for_deadline(&talk, timing.slow_ms);
    meet(&talk);
    cr_assert_not(say_run(&talk, OFFERED, counts));
    cr_assert_eq(device_mode(&talk.device), MODE_TREE);
    cr_assert_not(talk.device.start_unanswered);
    hear_status(&talk, 100);
    expect_quiet(&talk);
}

Test(device_run, without_a_description_a_wanted_mode_is_not_replaced)
{
    struct talk talk = talk_that_wants(MODE_TREE);
    expect_sent(&talk, MP_GET_METADATA);
    say_metadata(&talk);
    struct mp_command command;
    unsigned asked = 0;
    for (uint64_t end_ms = talk.now_ms + 30000; talk.now_ms < end_ms;
         talk.now_ms = device_deadline_ms(&talk.device))
        while (device_next(&talk.device, talk.now_ms, &command)) {
            cr_assert_eq(command.code, MP_DESCRIBE, "command %u", command.code);
            asked++;
        }
    cr_assert(asked > 10 && asked < 100, "%u", asked);
    cr_assert(device_awaits_description(&talk.device));
    say_run(&talk, OFFERED, idle);
    cr_assert_not(device_awaits_description(&talk.device));
    while (device_next(&talk.device, talk.now_ms, &command) && command.code != MP_START)
        ;
    cr_assert(command.code == MP_START && command.payload[0] == MODE_TREE);
}

Test(device_run, a_device_that_refuses_describe_is_started_in_mode_calls)
{
    struct talk talk = talk_that_wants(MODE_TREE);
    meet(&talk);
    say_answer(&talk, false);
    expect_start(&talk, MODE_CALLS, 0);
}

Test(device_run, while_it_is_silent_nothing_is_sent_but_questions)
{
    struct talk talk = talk_in_tree();
    hear_status(&talk, 100);
    struct mp_command command;
    for (uint64_t end_ms = talk.now_ms + 60000; talk.now_ms < end_ms;
         talk.now_ms = device_deadline_ms(&talk.device))
        while (device_next(&talk.device, talk.now_ms, &command))
            cr_assert(command.code == MP_GET_STATUS || command.code == MP_GET_METADATA ||
                          command.code == MP_DESCRIBE,
                      "command %u", command.code);
    cr_assert(device_is_silent(&talk.device));
    cr_assert_eq(talk.device.watch.boot, counts.boot);
}
