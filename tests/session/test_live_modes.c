/* test_live_modes.c - a session with a device that describes itself. */
#include "live.h"

/* A dialect that reads these versions, so that they are asked for. */
static struct dialect dialect_that_reads(uint32_t versions)
{
    struct dialect dialect = *dialect_find("miniprof");
    dialect.versions = versions;
    return dialect;
}

static bool is_in_stream(const struct snapshot *s)
{
    return bench_is_profiling(s) && s->target.mode == MODE_STREAM;
}

static bool is_in_calls(const struct snapshot *s)
{
    return bench_is_profiling(s) && s->target.mode == MODE_CALLS;
}

Test(live_modes, what_the_device_says_of_itself_is_shown_and_it_is_started_so)
{
    struct dialect dialect = dialect_that_reads(6);
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.dialect = &dialect;
    fake_set_versions(&bench.fake, 6);
    bench_start(&bench);
    const struct snapshot *s = bench_await(&bench, is_in_stream);
    cr_assert_eq(fake_version(&bench.fake), 2);
    const struct snapshot_description *said = &s->target.description;
    cr_assert(said->is_known && said->versions == 6 && said->ring_calls == 64 && said->stack_depth == 32);
    cr_assert_eq(said->setting_count, 1);
    const struct snapshot_setting *shortest = snapshot_setting_find(said, "shortest");
    cr_assert_not_null(shortest);
    cr_assert(shortest->key == 2 && shortest->least == 0 && shortest->most == 1000);
    cr_assert_str_eq(shortest->unit, "us");
    cr_assert_null(snapshot_setting_find(said, "short"));
    cr_assert_str_eq(s->source.detail, "");
    bench_fini(&bench);
}

Test(live_modes, a_device_that_does_not_describe_itself_is_started_as_ever)
{
    struct dialect dialect = dialect_that_reads(6);
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.dialect = &dialect;
    bench_start(&bench);
    const struct snapshot *s = bench_await(&bench, is_in_calls);
    cr_assert_not(s->target.description.is_known);
    cr_assert_eq(s->target.ticks_per_second, 1000000);
    fake_await(&bench.fake, MP_GET_STATUS, 5);
    cr_assert_eq(fake_heard(&bench.fake, MP_DESCRIBE), 1);
    cr_assert_eq(fake_version(&bench.fake), 1);
    bench_fini(&bench);
}

static bool has_a_sentence_of_modes(const struct snapshot *s)
{
    return strstr(s->source.detail,
                  "Mode tree is not to be had with this device; it profiles in mode stream.");
}

Test(live_modes, a_mode_that_is_not_to_be_had_is_said_to_be_so)
{
    struct dialect dialect = dialect_that_reads(0xE);
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.dialect = &dialect;
    bench.settings.mode = MODE_TREE;
    fake_set_versions(&bench.fake, 6);
    bench_start(&bench);
    const struct snapshot *s = bench_await(&bench, has_a_sentence_of_modes);
    cr_assert_eq(s->target.mode_wanted, MODE_TREE);
    cr_assert_eq(fake_version(&bench.fake), 2);
    bench_fini(&bench);
}

static bool describes_itself_no_more(const struct snapshot *s)
{
    return s->link.target_resets > 0 && !s->target.description.is_known && is_in_calls(s);
}

Test(live_modes, after_a_restart_it_is_asked_again)
{
    struct dialect dialect = dialect_that_reads(6);
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.dialect = &dialect;
    fake_set_versions(&bench.fake, 6);
    bench_start(&bench);
    bench_await(&bench, is_in_stream);
    fake_set_versions(&bench.fake, 0);
    fake_restart(&bench.fake, true);
    bench_await(&bench, describes_itself_no_more);
    bench_fini(&bench);
}

static bool shows_the_setting(const struct snapshot *s)
{
    return s->target.description.is_known;
}

Test(live_modes, who_sets_something_is_answered_when_the_device_has_said_how_it_is_now)
{
    struct bench bench;
    bench_init(&bench, true);
    fake_set_versions(&bench.fake, 6);
    bench_start(&bench);
    bench_await(&bench, shows_the_setting);
    for (uint32_t value = 1; value < 6; value++) {
        struct order order = {
            .kind = ORDER_COMMAND, .command = COMMAND_CONFIG, .payload = {2, (uint8_t)value}, .payload_n = 5};
        cr_assert_eq(mailbox_ask(session_mailbox(bench.session), &order), ORDER_DONE);
        struct snapshot *now = session_snapshot(bench.session);
        cr_assert_eq(now->target.description.settings[0].value, value);
        snapshot_unref(now);
    }
    cr_assert_eq(fake_setting(&bench.fake), 5);
    struct order order = {
        .kind = ORDER_COMMAND, .command = COMMAND_CONFIG, .payload = {2, 0, 0, 1}, .payload_n = 5};
    cr_assert_eq(mailbox_ask(session_mailbox(bench.session), &order), ORDER_REFUSED);
    cr_assert_eq(fake_heard(&bench.fake, MP_DESCRIBE), 6);
    bench_fini(&bench);
}
