/* test_trigger.c - sending a trigger to a device, whatever the device supports and does. */
#include "elf_file.h"
#include "live.h"
#include "device/trigger.h"
#include "support/stream.h"

enum { HZ = 48000000 };

static struct snapshot_description described(uint32_t most_ticks)
{
    return (struct snapshot_description){
        .is_known = true,
        .tick_hz = HZ,
        .setting_count = 3,
        .settings = {{.key = 0x10, .name = "window-function", .most = UINT32_MAX},
                     {.key = 0x11, .name = "window-ticks", .most = most_ticks},
                     {.key = 0x13, .name = "window", .most = 3}}};
}

static struct trigger at_address(uint64_t ns)
{
    struct trigger trigger = {.counts_tree = true};
    struct limit limit = {.name = "0x2001", .ns = ns};
    struct error err = {""};
    cr_assert(trigger_set(&trigger, &limit, NULL, NULL, &err), "%s", err.text);
    return trigger;
}

static void expect_next(struct trigger *trigger, uint8_t key, uint32_t value)
{
    struct snapshot_description description = described(UINT32_MAX);
    struct mp_command command;
    cr_assert(trigger_next(trigger, &description, &command));
    cr_expect_eq(command.code, MP_SET_CONFIG);
    cr_expect_eq(command.length, 5);
    cr_expect_eq(command.payload[0], key);
    uint32_t told = (uint32_t)command.payload[1] | (uint32_t)command.payload[2] << 8 |
                    (uint32_t)command.payload[3] << 16 | (uint32_t)command.payload[4] << 24;
    cr_expect_eq(told, value, "%u, not %u", told, value);
    cr_expect_not(trigger_next(trigger, &description, &command), "one after the other");
    trigger_hear(trigger, DEVICE_ACK);
}

static void expect_all(struct trigger *trigger)
{
    expect_next(trigger, 0x10, 0x2000);
    expect_next(trigger, 0x11, 24000);
    expect_next(trigger, 0x13, 1);
    cr_expect(trigger_is_settled(trigger));
    cr_expect_eq(trigger->told.state, TRIGGER_ARMED);
}

Test(trigger, function_and_time_are_set_before_the_trigger_is_armed)
{
    struct trigger trigger = at_address(500000);
    expect_all(&trigger);
    trigger_clear(&trigger);
    expect_next(&trigger, 0x13, 0);
    cr_expect(trigger_is_settled(&trigger));
    cr_expect_eq(trigger.told.state, TRIGGER_OFF);
}

Test(trigger, it_is_sent_with_each_tree_only)
{
    struct trigger trigger = at_address(500000);
    expect_all(&trigger);
    trigger_follow(&trigger, false);
    cr_expect_eq(trigger.told.state, TRIGGER_WATCHING);
    cr_expect(trigger_is_settled(&trigger));
    trigger_follow(&trigger, true);
    expect_all(&trigger);
}

Test(trigger, a_new_trigger_restarts_the_sequence)
{
    struct snapshot_description description = described(UINT32_MAX);
    struct mp_command command;
    struct trigger trigger = at_address(100);
    cr_assert(trigger_next(&trigger, &description, &command));
    struct limit limit = {.name = "0x2001", .ns = 500000};
    cr_assert(trigger_set(&trigger, &limit, NULL, NULL, NULL));
    trigger_hear(&trigger, DEVICE_ACK); /* of the one before */
    expect_all(&trigger);
}

Test(trigger, a_window_now_does_not_change_the_trigger)
{
    struct snapshot_description description = described(UINT32_MAX);
    struct trigger trigger = at_address(500000);
    expect_all(&trigger);
    cr_assert(trigger_ask(&trigger, &description, NULL));
    expect_next(&trigger, 0x13, 3);
    cr_expect_eq(trigger.told.state, TRIGGER_ARMED);
}

Test(trigger, a_device_without_support_gives_an_error)
{
    struct snapshot_description description = described(1000);
    struct mp_command command;
    struct error err;
    struct trigger trigger = at_address(500000);
    cr_assert(trigger_next(&trigger, &description, &command));
    trigger_hear(&trigger, DEVICE_ACK);
    cr_expect_not(trigger_next(&trigger, &description, &command));
    cr_expect_eq(trigger.told.state, TRIGGER_FAILED);
    cr_expect_not_null(strstr(trigger.told.detail, "window-ticks is from 0 to 1000"));

    description.setting_count = 0;
    trigger = at_address(500000);
    cr_expect_not(trigger_next(&trigger, &description, &command));
    cr_expect_not_null(strstr(trigger.told.detail, "keeps no windows"));
    cr_expect_not(trigger_ask(&trigger, &description, &err));
    trigger = at_address(500000);
    description = described(UINT32_MAX);
    cr_assert(trigger_next(&trigger, &description, &command));
    trigger_hear(&trigger, DEVICE_NACK);
    cr_expect_eq(trigger.told.state, TRIGGER_FAILED);
    cr_expect(trigger_is_settled(&trigger));
}

Test(trigger, an_unknown_function_gives_a_suggestion)
{
    struct folder folder = folder_new();
    struct folder_path elf = folder_file(&folder, "fw.elf");
    program_write(&elf, "control_cycle", 1);
    struct symtab *symtab = symtab_load(elf.text, NULL);
    struct trigger trigger = {.counts_tree = true};
    struct limit limit = {.name = "contrl_cicle", .ns = 1};
    struct error err;
    cr_expect_not(trigger_set(&trigger, &limit, symtab, "fw.elf", &err));
    cr_expect_str_eq(err.text,
                     "There is no function 'contrl_cicle' in fw.elf; the nearest is 'control_cycle'.");
    cr_expect_not(trigger_set(&trigger, &limit, NULL, NULL, &err));
    cr_expect_not_null(strstr(err.text, "--elf"));
    strcpy(limit.name, "control_cycle");
    cr_expect(trigger_set(&trigger, &limit, symtab, "fw.elf", &err));
    cr_expect_eq(trigger.told.address, 0x1000u);

    program_write(&elf, "another", 2); /* the file changes, and it is gone */
    symtab_unref(symtab);
    symtab = symtab_load(elf.text, NULL);
    trigger_rename(&trigger, symtab, "fw.elf");
    cr_expect_eq(trigger.told.state, TRIGGER_FAILED);
    cr_expect_eq(trigger.told.address, 0u);

    program_write(&elf, "control_cycle", 3); /* and back: the device is sent it again */
    symtab_unref(symtab);
    symtab = symtab_load(elf.text, NULL);
    trigger_rename(&trigger, symtab, "fw.elf");
    cr_expect_neq(trigger.told.state, TRIGGER_FAILED);
    cr_expect_eq(trigger.told.address, 0x1000u);
    cr_expect_not(trigger_is_settled(&trigger));
    struct trigger off = {.counts_tree = true};
    trigger_rename(&off, symtab, "fw.elf");
    cr_expect_eq(off.told.state, TRIGGER_OFF);
    symtab_unref(symtab);
    folder_free(&folder);
}

Test(trigger, a_partial_address_is_a_name)
{
    static const char *const names[] = {"0",       "0x",    "0y2000", "1x2000",
                                        "0x2000 ", "0x20g", "0x0",    "0x10000000000000000"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct trigger trigger = {.counts_tree = true};
        struct limit limit = {.ns = 1};
        struct error err = {""};
        strcpy(limit.name, names[i]);
        cr_expect_not(trigger_set(&trigger, &limit, NULL, NULL, &err), "%s", names[i]);
        cr_expect(strstr(err.text, names[i]) && strstr(err.text, "--elf"), "%s", err.text);
        cr_expect_eq(trigger.told.state, TRIGGER_OFF);
        cr_expect(trigger_is_settled(&trigger));
    }
}

Test(trigger, a_silent_device_gets_the_trigger_with_its_next_tree)
{
    struct snapshot_description description = described(UINT32_MAX);
    struct mp_command command;
    struct trigger trigger = at_address(500000);
    expect_next(&trigger, 0x10, 0x2000);
    cr_assert(trigger_next(&trigger, &description, &command));
    trigger_hear(&trigger, DEVICE_PENDING);
    cr_expect_eq(trigger.told.state, TRIGGER_ARMING);
    trigger_hear(&trigger, DEVICE_SILENT);
    cr_expect_eq(trigger.told.state, TRIGGER_FAILED);
    cr_expect_not_null(strstr(trigger.told.detail, "does not answer"));
    cr_expect_not(trigger_next(&trigger, &description, &command), "not half of it");
    trigger_hear(&trigger, DEVICE_ACK); /* which is late */
    cr_expect_eq(trigger.told.state, TRIGGER_FAILED);
    trigger_follow(&trigger, false);
    trigger_follow(&trigger, true);
    expect_all(&trigger);
    cr_expect_str_eq(trigger.told.detail, "");
}

Test(trigger, a_refused_window_now_does_not_fail_the_trigger)
{
    struct snapshot_description description = described(UINT32_MAX);
    struct mp_command command;
    struct trigger trigger = {.counts_tree = true};
    cr_assert(trigger_ask(&trigger, &description, NULL));
    cr_assert(trigger_next(&trigger, &description, &command));
    cr_expect_eq(command.payload[0], 0x13);
    trigger_hear(&trigger, DEVICE_NACK);
    cr_expect(trigger_is_settled(&trigger));
    cr_expect_not_null(strstr(trigger.why.text, "refused"));
    cr_expect_eq(trigger.told.state, TRIGGER_OFF);
    cr_expect_str_eq(trigger.told.detail, "");
}

Test(trigger, a_trigger_that_was_not_sent_is_not_cleared)
{
    struct trigger never = {.counts_tree = true};
    trigger_clear(&never);
    cr_expect(trigger_is_settled(&never));

    struct trigger elsewhere = at_address(500000);
    expect_all(&elsewhere);
    trigger_follow(&elsewhere, false);
    trigger_clear(&elsewhere);
    cr_expect(trigger_is_settled(&elsewhere));
    trigger_follow(&elsewhere, true);
    cr_expect(trigger_is_settled(&elsewhere), "it was cleared meanwhile");
    cr_expect_eq(elsewhere.told.state, TRIGGER_OFF);
}

Test(trigger, a_time_below_the_minimum_of_the_device_fails)
{
    struct snapshot_description description = described(UINT32_MAX);
    struct mp_command command;
    struct trigger trigger = at_address(500000);
    expect_next(&trigger, 0x10, 0x2000);
    description.settings[1].least = 24001;
    cr_expect_not(trigger_next(&trigger, &description, &command));
    cr_expect_eq(trigger.told.state, TRIGGER_FAILED);
    cr_expect_not_null(strstr(trigger.told.detail, "from 24001"));
}

Test(trigger, a_new_file_with_the_function_where_it_was_changes_nothing)
{
    struct folder folder = folder_new();
    struct folder_path elf = folder_file(&folder, "fw.elf");
    struct trigger trigger = {.counts_tree = true};
    struct limit limit = {.name = "control_cycle", .ns = 500000};
    for (uint8_t code = 1; code < 3; code++) {
        program_write(&elf, "control_cycle", code);
        struct symtab *symtab = symtab_load(elf.text, NULL);
        if (code == 1) {
            cr_assert(trigger_set(&trigger, &limit, symtab, "fw.elf", NULL));
            expect_next(&trigger, 0x10, 0x1000);
            expect_next(&trigger, 0x11, 24000);
            expect_next(&trigger, 0x13, 1);
        }
        trigger_rename(&trigger, symtab, "fw.elf");
        cr_expect(trigger_is_settled(&trigger));
        cr_expect_eq(trigger.told.state, TRIGGER_ARMED);
        symtab_unref(symtab);
    }
    /* A trigger whose function is missing is not sent to the next tree. */
    program_write(&elf, "another", 3);
    struct symtab *symtab = symtab_load(elf.text, NULL);
    trigger_rename(&trigger, symtab, "fw.elf");
    trigger_follow(&trigger, false);
    trigger_follow(&trigger, true);
    cr_expect(trigger_is_settled(&trigger));
    cr_expect_eq(trigger.told.state, TRIGGER_FAILED);
    symtab_unref(symtab);
    folder_free(&folder);
}

/* ---- with a device ---- */

static bool is_armed(const struct snapshot *s)
{
    return s->target.mode == MODE_TREE && s->target.trigger.state == TRIGGER_ARMED;
}

static void begin_in_tree(struct bench *bench)
{
    bench_init(bench, true);
    bench->settings.mode = MODE_TREE;
    bench->settings.trigger = "0x2000>500us";
    fake_set_versions(&bench->fake, 0xE);
    fake_keep_windows(&bench->fake);
}

Test(trigger, the_trigger_is_sent_at_each_start)
{
    struct bench bench;
    begin_in_tree(&bench);
    bench_start(&bench);
    bench_await(&bench, is_armed);
    fake_await_windows(&bench.fake, 0x2000, 24000, 1);
    fake_restart(&bench.fake, true);
    fake_await_windows(&bench.fake, 0x2000, 24000, 1);
    fake_unplug(&bench.fake);
    fake_restart_away(&bench.fake);
    fake_plug_in(&bench.fake);
    fake_await_windows(&bench.fake, 0x2000, 24000, 1);
    bench_await(&bench, is_armed);
    bench_fini(&bench);
}

static bool is_tree(const struct snapshot *s)
{
    return s->target.mode == MODE_TREE && bench_is_profiling(s);
}

Test(trigger, the_trigger_is_cleared_at_the_end)
{
    struct bench bench;
    begin_in_tree(&bench);
    bench_start(&bench);
    bench_await(&bench, is_armed);
    session_stop(bench.session);
    fake_await_windows(&bench.fake, 0, 0, 0);
    struct snapshot *last = session_snapshot(bench.session);
    cr_expect_eq(last->target.trigger.state, TRIGGER_ARMED, "it was measured with that");
    snapshot_unref(last);
    bench_fini(&bench);
}

Test(trigger, a_trigger_of_an_earlier_session_is_cleared)
{
    struct bench bench;
    begin_in_tree(&bench);
    bench.settings.trigger = NULL;
    bench.fake.windows[3] = 1; /* the session that was there was killed */
    bench_start(&bench);
    bench_await(&bench, is_tree);
    fake_await_windows(&bench.fake, 0, 0, 0);
    bench_fini(&bench);
}

static enum order_result order(struct bench *bench, const char *name, uint64_t ns, bool now,
                               struct error *why)
{
    struct order order = {.kind = ORDER_TRIGGER, .limit.ns = ns, .is_for_now = now};
    strcpy(order.limit.name, name);
    enum order_result result = mailbox_ask(session_mailbox(bench->session), &order);
    *why = order.why;
    return result;
}

Test(trigger, orders_are_answered_after_the_device_confirmed)
{
    struct bench bench;
    struct error why;
    begin_in_tree(&bench);
    bench_start(&bench);
    bench_await(&bench, is_armed);
    cr_expect_eq(order(&bench, "0x4000", 1000000, false, &why), ORDER_DONE);
    fake_await_windows(&bench.fake, 0x4000, 48000, 1);
    cr_expect_eq(order(&bench, "", 0, true, &why), ORDER_DONE);
    fake_await_windows(&bench.fake, 0x4000, 48000, 3);
    cr_expect_eq(order(&bench, "", 0, false, &why), ORDER_DONE);
    fake_await_windows(&bench.fake, 0x4000, 48000, 0);
    cr_expect_eq(order(&bench, "who", 1, false, &why), ORDER_REFUSED);
    cr_expect_not_null(strstr(why.text, "--elf"));
    cr_expect_eq(order(&bench, "0x4000", UINT64_C(3000) * 1000000000, false, &why), ORDER_REFUSED);
    cr_expect_not_null(strstr(why.text, "window-ticks"));
    bench_fini(&bench);
}

static bool has_failed(const struct snapshot *s)
{
    return s->target.trigger.state == TRIGGER_FAILED && strstr(s->source.detail, "keeps no windows");
}

Test(trigger, a_device_without_windows_fails_in_the_snapshot)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.mode = MODE_TREE;
    bench.settings.trigger = "0x2000>500us";
    fake_set_versions(&bench.fake, 0xE);
    bench_start(&bench);
    bench_await(&bench, has_failed);
    bench_fini(&bench);
}

static bool has_a_window(const struct snapshot *s)
{
    return s->windows.count > 0;
}

Test(trigger, long_calls_are_listed_if_every_call_is_sent)
{
    struct bench bench;
    struct error why;
    bench_init(&bench, true);
    bench.settings.trigger = "0x2000>3us";
    bench_start(&bench);
    fake_await(&bench.fake, MP_START, 1);
    fake_send_rounds(&bench.fake, 1, 1000);
    const struct snapshot *s = bench_await(&bench, has_a_window);
    cr_expect_eq(s->target.trigger.state, TRIGGER_WATCHING);
    cr_expect_eq(s->windows.rows[0].duration_ticks, 4u);
    cr_expect_not(s->windows.rows[0].is_excerpt);
    cr_expect_eq(order(&bench, "", 0, true, &why), ORDER_REFUSED);
    cr_expect_not_null(strstr(why.text, "timeline anyway"));
    bench_fini(&bench);
}
