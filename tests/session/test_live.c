/* test_live.c - a session with a device that answers, falls silent, restarts, goes away and comes back. */
#include "base/clock.h"
#include "../contract/samples.h"
#include "live.h"

static bool is_lost(const struct snapshot *s)
{
    return s->source.state == STATE_LOST;
}

static bool does_not_answer(const struct snapshot *s)
{
    return strstr(s->source.detail, "does not answer") != NULL;
}

static bool sends_but_does_not_answer(const struct snapshot *s)
{
    return strstr(s->source.detail, "sends but does not answer") != NULL;
}

static bool is_content(const struct snapshot *s)
{
    return bench_is_profiling(s) && !*s->source.detail;
}

Test(live, a_device_is_met_started_listened_to_and_stopped)
{
    struct bench bench;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 10, 0);
    const struct snapshot *s = bench_await(&bench, bench_has_ten_rounds);
    cr_assert_eq(bench_calls_of(s, 0x2000), 10);
    cr_assert_eq(s->source.state, STATE_CONNECTED);
    cr_assert_not(s->source.listen_only);
    cr_assert_str_eq(s->target.fw_version, "fake");
    cr_assert_eq(s->target.buffer_usage_percent, 100, "clamped");
    cr_assert_eq(s->link.target_resets, 0);
    session_stop(bench.session);
    cr_assert_eq(fake_heard(&bench.fake, MP_STOP), 1);
    struct snapshot *last = session_snapshot(bench.session);
    cr_assert_eq(last->source.state, STATE_ENDED);
    snapshot_unref(last);
    bench_fini(&bench);
}

Test(live, records_sent_after_stop_count)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.timing.quiet_ms = bench.settings.timing.drain_most_ms = BENCH_PATIENCE_MS;
    bench.fake.last_rounds = 10; /* and the line is closed, so the session does not wait for it to be quiet */
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    session_stop(bench.session);
    struct snapshot *last = session_snapshot(bench.session);
    cr_assert_eq(bench_calls_of(last, 0x2000), 10);
    snapshot_unref(last);
    bench_fini(&bench);
}

Test(live, an_unanswered_start_is_reported_at_the_end)
{
    struct bench bench;
    struct error err;
    bench_init(&bench, true);
    bench.settings.timing.answer_ms = 10;
    bench.fake.ignores_start = true;
    bench_start(&bench);
    fake_await(&bench.fake, MP_START, 3); /* the third try is the last; GET_METADATA follows */
    fake_await(&bench.fake, MP_GET_METADATA, fake_heard(&bench.fake, MP_GET_METADATA) + 1);
    session_stop(bench.session);
    cr_assert_not(session_ran(bench.session, &err));
    cr_assert(strstr(err.text, "never answered START"), "%s", err.text);
    bench_fini(&bench);

    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    session_stop(bench.session);
    cr_assert(session_ran(bench.session, &err));
    bench_fini(&bench);
}

Test(live, a_device_that_goes_on_talking_after_it_was_stopped_is_left)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.timing.quiet_ms = 2 * BENCH_PATIENCE_MS; /* longer than the test */
    bench.settings.timing.drain_most_ms = 1;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    uint64_t before_ms = clock_monotonic_ms();
    session_stop(bench.session);
    cr_assert_lt(clock_monotonic_ms() - before_ms, BENCH_PATIENCE_MS);
    bench_fini(&bench);
}

Test(live, status_is_asked_for_again_and_again)
{
    struct bench bench;
    bench_init(&bench, true);
    bench_start(&bench);
    fake_await(&bench.fake, MP_GET_STATUS, 5);
    cr_assert_eq(fake_heard(&bench.fake, MP_START), 1);
    cr_assert_eq(fake_heard(&bench.fake, MP_GET_METADATA), 1);
    bench_fini(&bench);
}

Test(live, a_device_that_does_not_answer_is_asked_again_and_listened_to)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.timing.answer_ms = 10;
    fake_set_deaf(&bench.fake, true);
    bench_start(&bench);
    bench_await(&bench, does_not_answer);
    fake_await(&bench.fake, MP_GET_METADATA, 3);
    fake_send_rounds(&bench.fake, 10, 0);
    bench_await(&bench, bench_has_ten_rounds);
    bench_await(&bench, sends_but_does_not_answer);
    fake_set_deaf(&bench.fake, false);
    bench_await(&bench, is_content);
    fake_await(&bench.fake, MP_START, 1);
    bench_fini(&bench);
}

Test(live, a_restart_is_noticed_by_its_metadata)
{
    struct bench bench;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 10, 1000000);
    bench_await(&bench, bench_has_ten_rounds);
    fake_restart(&bench.fake, true);
    fake_await(&bench.fake, MP_START, 2); /* until the next STATUS, the snapshot has the last one */
    bench_await(&bench, has_reset_and_profiles);
    fake_send_rounds(&bench.fake, 10, 0);
    const struct snapshot *s = bench_await(&bench, has_twenty_rounds);
    cr_assert_eq(s->link.target_resets, 1);
    cr_assert_eq(s->link.unplaced_calls, 0);
    cr_assert_eq(fake_heard(&bench.fake, MP_START), 2);
    bench_fini(&bench);
}

Test(live, a_restart_is_noticed_by_its_counters)
{
    struct bench bench;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 10, 0);
    bench_await(&bench, bench_has_ten_rounds);
    fake_await(&bench.fake, MP_GET_STATUS, fake_heard(&bench.fake, MP_GET_STATUS) + 2);
    fake_restart(&bench.fake, false);
    const struct snapshot *s = bench_await(&bench, has_reset_and_profiles);
    cr_assert_eq(s->link.target_resets, 1);
    cr_assert_eq(fake_heard(&bench.fake, MP_START), 2);
    bench_fini(&bench);
}

Test(live, an_unplugged_device_is_reported_and_reconnected)
{
    struct bench bench;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 10, 0);
    bench_await(&bench, bench_has_ten_rounds);
    fake_unplug(&bench.fake);
    const struct snapshot *s = bench_await(&bench, is_lost);
    cr_assert(strstr(s->source.detail, bench.fake.path), "%s", s->source.detail);
    cr_assert_eq(command(&bench, MP_GET_STATUS), ORDER_NO_DEVICE);
    fake_plug_in(&bench.fake);
    s = bench_await(&bench, is_connected);
    cr_assert_eq(s->link.reconnects, 1);
    fake_await(&bench.fake, MP_GET_STATUS, fake_heard(&bench.fake, MP_GET_STATUS) + 2);
    fake_send_rounds(&bench.fake, 10, 5000);
    bench_await(&bench, has_twenty_rounds);
    cr_assert_eq(fake_heard(&bench.fake, MP_START), 1, "it went on profiling");
    bench_fini(&bench);
}

/* As ser2net does while another client has the port. */
Test(live, a_server_that_refuses_is_retried_less_often)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.timing.retry_first_ms = 10;
    bench.settings.timing.retry_most_ms = 10000;
    bench_start(&bench);
    uint64_t began_ms = clock_monotonic_ms();
    for (unsigned i = 1; i <= 5; i++) {
        fake_await(&bench.fake, MP_GET_METADATA, i);
        fake_unplug(&bench.fake);
        fake_plug_in(&bench.fake);
    }
    cr_assert_geq(clock_monotonic_ms() - began_ms, 10 + 20 + 40 + 80);
    bench_fini(&bench);
}

Test(live, a_device_that_is_not_there_yet_is_waited_for)
{
    struct bench bench;
    bench_init(&bench, false);
    bench_start(&bench);
    struct snapshot *first = board_wait(bench.board, 0, BENCH_PATIENCE_MS, NULL);
    cr_assert_eq(first->source.state, STATE_CONNECTING);
    cr_assert(strstr(first->source.detail, "There is no socket"), "%s", first->source.detail);
    snapshot_unref(first);
    fake_plug_in(&bench.fake);
    const struct snapshot *s = bench_await(&bench, bench_is_profiling);
    cr_assert_eq(s->link.reconnects, 0);
    bench_fini(&bench);
}

/* The packet lies inside the length that a damaged one before it claims. */
static bool has_one_round(const struct snapshot *s)
{
    return bench_calls_of(s, 0x1000) == 1;
}

Test(live, a_false_length_delays_nothing_on_a_quiet_line)
{
    static const uint8_t lie[] = {0xAA, 0x55, MP_PROFILE_DATA, 0xD7, 0x03, 0x01, 0x46, 0x00};
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.control = false;
    bench_start(&bench);
    bench_await(&bench, is_connected);
    fake_send(&bench.fake, lie, sizeof lie);
    fake_send_rounds(&bench.fake, 1, 0);
    bench_await(&bench, has_one_round);
    bench_fini(&bench);
}

static bool makes_no_sense(const struct snapshot *s)
{
    return strstr(s->source.detail, "none of them make sense") != NULL;
}

Test(live, bytes_that_are_no_packets_are_pointed_out)
{
    struct bench bench;
    uint8_t noise[4096];
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)(0x80 | i * 13 % 89);
    bench_init(&bench, true);
    bench.settings.control = false;
    bench_start(&bench);
    bench_await(&bench, is_connected);
    fake_send(&bench.fake, noise, sizeof noise);
    const struct snapshot *s = bench_await(&bench, makes_no_sense);
    cr_assert_eq(s->link.bytes_skipped, sizeof noise);
    bench_fini(&bench);
}

static bool looks_like_syst(const struct snapshot *s)
{
    return s->source.looks_like && !strcmp(s->source.looks_like, "syst");
}

Test(live, bytes_of_another_dialect_are_named)
{
    struct bench bench;
    struct stream stream = {0};
    sample_find("syst")->write(&stream);
    bench_init(&bench, true);
    bench.settings.control = false;
    bench_start(&bench);
    fake_send(&bench.fake, stream.bytes, stream.n);
    const struct snapshot *s = bench_await(&bench, looks_like_syst);
    cr_assert_not_null(strstr(s->source.detail, "--dialect syst"), "%s", s->source.detail);
    stream_fini(&stream);
    bench_fini(&bench);
}

static bool speaks_gprof(const struct snapshot *s)
{
    return !strcmp(s->source.dialect, "gprof");
}

static bool is_auto_and_connected(const struct snapshot *s)
{
    return is_connected(s) && !strcmp(s->source.dialect, "auto");
}

/* Until it is known that the device does not receive commands, they are sent. */
Test(live, a_dialect_found_out_ends_the_conversation_when_it_has_none)
{
    struct bench bench;
    struct stream stream = {0};
    sample_find("gprof")->write(&stream);
    bench_init(&bench, true);
    bench.settings.dialect = NULL;
    fake_set_deaf(&bench.fake, true);
    bench_start(&bench);
    bench_await(&bench, is_auto_and_connected);
    fake_await(&bench.fake, MP_GET_METADATA, 1);
    fake_send(&bench.fake, stream.bytes, stream.n);
    const struct snapshot *s = bench_await(&bench, speaks_gprof);
    cr_assert(s->source.listen_only);
    cr_assert(s->source.provides & PROVIDES_SAMPLES);
    cr_assert_str_eq(s->source.detail, "");
    stream_fini(&stream);
    bench_fini(&bench);
}

Test(live, a_device_is_met_while_its_dialect_is_found_out)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.dialect = NULL;
    bench_start(&bench);
    const struct snapshot *s = bench_await(&bench, bench_is_profiling);
    cr_assert_str_eq(s->source.dialect, "miniprof");
    cr_assert_not(s->source.listen_only);
    bench_fini(&bench);
}

/* Without changes no snapshot is made, and the thread sleeps. */
Test(live, an_idle_session_does_no_work)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.control = false;
    bench_start(&bench);
    const struct snapshot *s = bench_await(&bench, is_connected);
    cr_assert_null(board_wait(bench.board, s->sequence, 200, NULL));
    bench_fini(&bench);
}

Test(live, a_silent_device_cannot_hold_up_the_end_for_long)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.timing.answer_ms = 100;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_set_deaf(&bench.fake, true);
    uint64_t before_ms = clock_monotonic_ms();
    session_stop(bench.session);
    cr_assert_lt(clock_monotonic_ms() - before_ms, BENCH_PATIENCE_MS);
    cr_assert_geq(fake_heard(&bench.fake, MP_STOP), 1);
    bench_fini(&bench);
}
