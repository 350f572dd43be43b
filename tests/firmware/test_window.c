/* test_window.c - windows of the newest events beside the tree: their trigger, content and end. */
#include "tree_talk.h"
#include "window_truth.h"

#include <string.h>

enum { SLOW = 100 };

static void set(uint8_t key, uint32_t value)
{
    sim_config(key, value);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
}

/* Starts the tree, with a window for calls of 0x200 longer than SLOW. */
static void start_with(uint32_t mode, uint32_t after)
{
    sim_start(NULL);
    truth_start();
    set(MPT_CONFIG_WINDOW_FUNCTION, 0x200);
    set(MPT_CONFIG_WINDOW_TICKS, SLOW);
    set(MPT_CONFIG_WINDOW_AFTER, after);
    set(MPT_CONFIG_WINDOW, mode);
    start();
}

static void calls(uint32_t function, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        pass(1);
        call(function, 1);
    }
}

/* Makes calls whose window needs more than one packet, while rounds of the tree are due. */
static void long_calls(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        pass(1 << 20);
        call(0x1000 + 0x1000 * (i % 16), 1 << 20);
        mpt_keep_time();
    }
}

static void second(void)
{
    sim_pass_us(1000000);
}

static uint32_t setting(uint8_t key)
{
    struct mp_description description;
    struct mp_setting setting = {0};

    sim_command(MP_DESCRIBE);
    const struct heard *heard = sim_hear();
    struct mp_bytes bytes = mp_bytes_over(heard->description, heard->description_size);

    cr_assert(mp_description_decode(&description, &bytes));
    for (uint32_t i = 0; i < description.settings && setting.key != key; i++)
        cr_assert(mp_setting_decode(&setting, &bytes));
    cr_assert_eq(setting.key, key);
    return setting.value;
}

Test(window, a_slow_call_keeps_events_before_and_after_it)
{
    start_with(1, 50);
    sim_enter(0x100);
    calls(0x300, 100);
    pass(1);
    call(0x200, SLOW); /* not longer than SLOW */
    pass(1);
    call(0x200, SLOW + 1);
    calls(0x400, 100);
    (void)sim_hear();
    cr_assert_eq(truth.windows, 1);
    const struct told_window *window = &truth.window[0];

    truth_assert_windows();
    cr_assert_eq(window->why, MP_WINDOW_SLOW_CALL);
    cr_assert_eq(window->function, 0x200);
    cr_assert_eq(window->ticks, SLOW + 1);
    cr_assert_eq(window->events, 2 * MPT_RING_RECORDS);
    cr_assert_eq(window->time[MPT_RING_RECORDS - 1], window->triggered, "half of them come after it");
    cr_assert_eq(window->opens, 1, "0x100 runs when it begins");
    stop();
    assert_row(0x200, 0x100, 2, 2 * SLOW + 1);
    assert_row(0x400, 0x100, 100, 100);
}

Test(window, the_outermost_call_counts_and_a_jump_ends_it)
{
    start_with(1, 0);
    sim_enter(0x100);
    pass(1);
    sim_enter(0x200);
    pass(61);
    call(0x200, 60);
    pass(1);
    sim_exit(0x200);
    pass(1);
    (void)sim_hear();
    cr_assert_eq(truth.windows, 1);
    cr_assert_eq(truth.window[0].ticks, 122);
    sim_enter(0x200);
    pass(90);
    sim_exit(0x100); /* a longjmp left it */
    pass(1);
    sim_enter(0x100);
    pass(90);
    call(0x200, 5);
    (void)sim_hear();
    cr_assert_eq(truth.windows, 1, "nothing took long");
}

Test(window, silence_ends_a_window)
{
    start_with(1, 100);
    call(0x200, SLOW + 1);
    calls(0x300, 5);
    (void)sim_hear();
    cr_assert_eq(truth.windows, 0);
    second();
    (void)sim_hear();
    cr_assert_eq(truth.windows, 1);
    cr_assert_eq(truth.window[0].events, 12);
    truth_assert_windows();
}

Test(window, value_2_keeps_a_single_window)
{
    start_with(2, 0);
    call(0x200, SLOW + 1);
    pass(1);
    call(0x200, SLOW + 1);
    (void)sim_hear();
    cr_assert_eq(truth.windows, 1);
    cr_assert_eq(setting(MPT_CONFIG_WINDOW), 0);
    call(0x200, SLOW + 1);
    (void)sim_hear();
    cr_assert_eq(truth.windows, 1);
    set(MPT_CONFIG_WINDOW, 2);
    cr_assert_eq(setting(MPT_CONFIG_WINDOW), 2);
    call(0x200, SLOW + 1);
    (void)sim_hear();
    cr_assert_eq(truth.windows, 2);
    cr_assert_eq(truth.window[1].missed, 0, "what came while none was wanted was not missed");
    cr_assert_eq(truth.window[1].events, 2, "nothing is left of the one before");
}

Test(window, triggers_during_a_window_are_counted_as_missed)
{
    start_with(1, 50);
    for (int i = 0; i < 4; i++) {
        pass(1);
        call(0x200, SLOW + 1);
    }
    second();
    (void)sim_hear();
    cr_assert_eq(truth.windows, 1);
    cr_assert_eq(truth.window[0].missed, 0);
    call(0x200, SLOW + 1);
    second();
    (void)sim_hear();
    cr_assert_eq(truth.windows, 2);
    cr_assert_eq(truth.window[1].missed, 3);
}

/* Also when no later window has them. */
Test(window, status_has_missed_triggers_on_request)
{
    start_with(1, 50);
    for (int i = 0; i < 4; i++) {
        pass(1);
        call(0x200, SLOW + 1);
    }
    sim_ask_triggers();
    cr_assert_eq(sim_hear()->triggers_missed, 3, "before the window is sent");
    second();
    (void)sim_hear();
    call(0x200, SLOW + 1);
    call(0x200, SLOW + 1);
    sim_ask_triggers();
    cr_assert_eq(sim_hear()->triggers_missed, 4);
    sim_command(MP_GET_STATUS);
    cr_assert_not(sim_hear()->has_triggers, "a host that does not ask gets the short one");
    start_with(1, 50);
    sim_ask_triggers();
    const struct heard *heard = sim_hear();
    cr_assert(heard->has_triggers);
    cr_assert_eq(heard->triggers_missed, 0, "another run");
}

Test(window, a_requested_window_begins_at_the_request)
{
    start_with(0, 50);
    calls(0x300, 10);
    set(MPT_CONFIG_WINDOW, 3);
    calls(0x400, 10);
    second();
    (void)sim_hear();
    cr_assert_eq(truth.windows, 1);
    cr_assert_eq(truth.window[0].why, MP_WINDOW_ASKED);
    cr_assert_eq(truth.window[0].events, 20);
    cr_assert_eq(setting(MPT_CONFIG_WINDOW), 0, "it goes on as before");
    set(MPT_CONFIG_WINDOW, 1);
    calls(0x500, 5);
    set(MPT_CONFIG_WINDOW, 3);
    second();
    (void)sim_hear();
    cr_assert_eq(truth.windows, 2);
    cr_assert_eq(truth.window[1].events, 10, "those before it");
    truth_assert_windows();
    cr_assert_eq(setting(MPT_CONFIG_WINDOW), 1);
}

Test(window, bad_settings_and_requests_without_a_tree_are_refused)
{
    sim_start(NULL);
    sim_config(MPT_CONFIG_WINDOW_AFTER, 101);
    cr_assert_eq(sim_answer(), MP_NACK);
    sim_config(MPT_CONFIG_WINDOW, 4);
    cr_assert_eq(sim_answer(), MP_NACK);
    sim_config(MPT_CONFIG_WINDOW, 3);
    cr_assert_eq(sim_answer(), MP_NACK);
    cr_assert_eq(setting(MPT_CONFIG_WINDOW_AFTER), 50);
    set(MPT_CONFIG_WINDOW_FUNCTION, 0x12345678);
    cr_assert_eq(setting(MPT_CONFIG_WINDOW_FUNCTION), 0x12345678);
    set(MPT_CONFIG_WINDOW_TICKS, UINT32_MAX);
    cr_assert_eq(setting(MPT_CONFIG_WINDOW_TICKS), UINT32_MAX);
}

/* No part of a window is sent after any of these. */
static void end_by(uint8_t command)
{
    sim_command(command);
    cr_assert_eq(sim_hear()->types[0], MP_ACK);
}

Test(window, stop_start_and_reset_drop_an_unfinished_window)
{
    static const uint8_t commands[] = {MP_STOP, MP_START, MP_RESET_BUFFERS};

    for (size_t i = 0; i < 3; i++) {
        start_with(1, 50);
        calls(0x300, 10);
        call(0x200, SLOW + 1);
        end_by(commands[i]);
        second();
        calls(0x400, 3);
        (void)sim_hear();
        cr_assert_eq(truth.windows, i, "command %u", commands[i]);
        start();
        call(0x200, SLOW + 1);
        second();
        (void)sim_hear();
        cr_assert_eq(truth.windows, i + 1, "command %u", commands[i]);
        cr_assert_eq(truth.window[i].events, 2, "command %u: no older event", commands[i]);
        end_by(MP_STOP);
    }
}

Test(window, stop_while_sending_a_window_keeps_the_stream_intact)
{
    start_with(1, 50);
    sim_enter(0x100);
    long_calls(300);
    pass(1);
    call(0x200, SLOW + 1);
    long_calls(100);
    sim.tx_room = 30;
    (void)mpt_poll(); /* the first packet is on its way */
    sim_command(MP_STOP);
    sim.tx_room = SIZE_MAX;
    (void)sim_hear();
    cr_assert_eq(truth.windows, 0);
    cr_assert_eq(truth.window[0].packets, 1, "nothing of it comes after STOP");
    sim.note = NULL;
    sim_start_version(2);
    cr_assert_eq(sim_answer(), MP_ACK);
    call(0x500, 5);
    sim_exit(0x100);
    sim_pass_us(MPT_FLUSH_US);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_pairs, 2);
    cr_assert_eq(heard->pairs[0].depth, 1);
    cr_assert_eq(heard->pairs[1].function, 0x100);
}

Test(window, packets_of_tree_and_window_alternate)
{
    uint32_t trees = 0;

    start_with(1, 50);
    sim_enter(0x100);
    long_calls(300);
    pass(1);
    call(0x200, 1 << 20);
    long_calls(100);
    const struct heard *heard = sim_hear();

    for (size_t i = 0; i < heard->n_packets; i++)
        trees += heard->types[i] == MP_PROFILE_DATA;
    trees -= truth.window[0].packets;
    cr_assert_eq(truth.windows, 1);
    cr_assert_gt(truth.window[0].packets, 1);
    cr_assert_gt(trees, 0);
    truth_assert_windows();
}

Test(window, a_task_that_has_ended_leaves_no_calls_to_the_next_of_its_number)
{
    start_with(1, 50);
    sim_enter(0x100);
    mpt_context_switch(1);
    sim_enter(0x300);
    calls(0x310, 2);
    mpt_context_block();
    mpt_context_switch(0);
    mpt_context_begin(1);
    calls(0x320, 1);
    mpt_context_switch(1);
    sim.note = NULL; /* window_truth.c does not model tasks that end */
    truth.is_depth_known = false;
    pass(1);
    truth.top[MP_CONTEXT_TASK(1)] = 0;
    truth_start();
    truth.is_depth_known = true;
    sim_enter(0x400);
    pass(1);
    call(0x200, SLOW + 1);
    calls(0x410, 70);
    (void)sim_hear();
    cr_assert_eq(truth.windows, 1);
    truth_assert_windows();
}
