/* test_live_end.c - the end of a live session, with and without a closing packet of the device. */
#include "live.h"

#include "base/clock.h"

#include <poll.h>

/* A device that offers mode calls only. */
static void bench_that_closes(struct bench *bench, unsigned rounds_at_end)
{
    bench_init(bench, true);
    fake_set_versions(&bench->fake, 1 << MODE_CALLS);
    bench->fake.rounds_at_end = rounds_at_end;
}

/* Ends the session once the device profiles; returns its last snapshot. */
static struct snapshot *end_session(struct bench *bench)
{
    bench_start(bench);
    bench_await(bench, bench_is_profiling);
    session_stop(bench->session);
    return session_snapshot(bench->session);
}

Test(live_end, a_closing_packet_ends_the_session_at_once)
{
    struct bench bench;
    bench_that_closes(&bench, 10);
    bench.settings.timing.quiet_ms = bench.settings.timing.drain_most_ms = BENCH_PATIENCE_MS;
    uint64_t before_ms = clock_monotonic_ms();
    struct snapshot *last = end_session(&bench);
    cr_assert_lt(clock_monotonic_ms() - before_ms, BENCH_PATIENCE_MS);
    cr_assert_eq(bench_calls_of(last, 0x2000), 10);
    cr_assert_not(last->target.is_unclosed);
    cr_assert_eq(snapshot_incomplete(last).n, 0);
    cr_assert_eq(fake_heard(&bench.fake, MP_STOP), 1);
    snapshot_unref(last);
    bench_fini(&bench);
}

Test(live_end, without_a_closing_packet_the_session_ends_by_silence)
{
    struct bench bench;
    bench_that_closes(&bench, 0);
    struct snapshot *last = end_session(&bench);
    cr_assert_eq(fake_heard(&bench.fake, MP_STOP), 1);
    cr_assert_not(last->target.is_unclosed, "it never said that it would");
    snapshot_unref(last);
    bench_fini(&bench);
}

Test(live_end, a_missing_closing_packet_makes_the_profile_incomplete)
{
    struct bench bench;
    bench_that_closes(&bench, 0);
    bench.fake.tells_run = true;
    bench.fake.boot = 7;
    struct snapshot *last = end_session(&bench);
    cr_assert_eq(fake_heard(&bench.fake, MP_STOP), 3);
    cr_assert(last->target.is_unclosed);
    struct snapshot_reasons reasons = snapshot_incomplete(last);
    cr_assert_eq(reasons.n, 1);
    cr_assert(strstr(reasons.text[0], "did not confirm"), "%s", reasons.text[0]);
    snapshot_unref(last);
    bench_fini(&bench);
}

static bool has_twice_ten_rounds(const struct snapshot *s)
{
    return s->link.reconnects > 0 && bench_calls_of(s, 0x1000) == 20;
}

/* No count was received before the line was lost, so only the number of its run shows that it continues. */
Test(live_end, a_run_goes_on_over_a_lost_line_without_another_start)
{
    struct bench bench;
    bench_that_closes(&bench, 1);
    bench.fake.tells_run = true;
    bench.fake.boot = 7;
    bench.settings.timing.status_ms = BENCH_PATIENCE_MS;
    bench_start(&bench);
    fake_await(&bench.fake, MP_DESCRIBE, 2); /* the second time it is asked which run it is */
    fake_send_rounds(&bench.fake, 10, 0);
    bench_await(&bench, bench_has_ten_rounds);
    fake_unplug(&bench.fake);
    fake_plug_in(&bench.fake);
    fake_await(&bench.fake, MP_DESCRIBE, 3);
    fake_send_rounds(&bench.fake, 10, 5000);
    const struct snapshot *s = bench_await(&bench, has_twice_ten_rounds);
    cr_assert_eq(s->link.target_resets, 0);
    cr_assert_eq(fake_heard(&bench.fake, MP_START), 1);
    bench_fini(&bench);
}

/* The device still profiles for a killed session, and sends that run's calls until it is started. */
static void bench_that_is_met_profiling(struct bench *bench)
{
    bench_that_closes(bench, 1);
    bench->fake.tells_run = bench->fake.profiling = true;
    bench->fake.boot = bench->fake.run = bench->fake.version = 1;
    bench->fake.rounds_before = 30;
}

static bool has_joined(const struct snapshot *s)
{
    return s->target.is_joined && bench_calls_of(s, 0x2000) > 0;
}

static bool has_not_joined(const struct snapshot *s)
{
    return !s->target.is_joined;
}

Test(live_end, a_measurement_of_work_begins_a_new_run)
{
    struct bench bench;
    bench_that_is_met_profiling(&bench);
    bench.settings.measures = true;
    bench.settings.work = "0x2000";
    bench.settings.work_calls = 10;
    bench_start(&bench);
    fake_await(&bench.fake, MP_DESCRIBE, 2); /* the second time it is asked which run it is */
    cr_assert_not(session_has_worked(bench.session));
    fake_send_rounds(&bench.fake, 12, 5000);
    struct pollfd ended = {.fd = session_ended_fd(bench.session), .events = POLLIN};
    cr_assert_eq(poll(&ended, 1, BENCH_PATIENCE_MS), 1);
    session_stop(bench.session);
    struct snapshot *last = session_snapshot(bench.session);
    cr_assert_eq(fake_heard(&bench.fake, MP_START), 1);
    cr_assert_eq(bench_calls_of(last, 0x2000), 12 + 1, "%llu",
                 (unsigned long long)bench_calls_of(last, 0x2000));
    cr_assert_not(last->target.is_joined);
    cr_assert_eq(last->ledger.cleared[BY_TELLING].times, 0);
    snapshot_unref(last);
    bench_fini(&bench);
}

Test(live_end, a_joined_run_is_reported_until_cleared)
{
    struct bench bench;
    bench_that_is_met_profiling(&bench);
    bench_start(&bench);
    bench_await(&bench, has_joined);
    cr_assert_eq(fake_heard(&bench.fake, MP_START), 0);
    struct order clear = {.kind = ORDER_CLEAR};
    cr_assert_eq(mailbox_ask(session_mailbox(bench.session), &clear), ORDER_DONE);
    bench_await(&bench, has_not_joined);
    bench_fini(&bench);
}

/* The wire to the device is cut, while its calls arrive to the end. */
Test(live_end, a_device_that_ignores_commands_is_not_mute)
{
    struct bench bench;
    struct error err = {""};
    bench_that_closes(&bench, 0);
    bench.fake.sends_when_deaf = true;
    bench.settings.timing.answer_ms = 100;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_set_deaf(&bench.fake, true);
    session_stop(bench.session);
    struct snapshot *last = session_snapshot(bench.session);
    cr_assert(last->target.is_deaf);
    cr_assert_eq(last->target.mute_ms, 0);
    cr_assert(session_ran(bench.session, &err), "%s", err.text);
    snapshot_unref(last);
    bench_fini(&bench);
}
