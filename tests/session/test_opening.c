/* test_opening.c - a disk that stalls while the file of a recording is created delays neither line nor profile. */
#include "base/clock.h"
#include "live.h"
#include "support/scarce.h"

#include <pthread.h>
#include <sched.h>

static bool has_fifteen_rounds(const struct snapshot *s)
{
    return bench_calls_of(s, 0x1000) == 15;
}

/* A client of the API that waits for the answer. */
struct client {
    pthread_t thread;
    struct bench *bench;
    struct order order;
    enum order_result result;
};

static void *ask_for_recording(void *user)
{
    struct client *client = user;
    client->order = (struct order){.kind = ORDER_RECORD};
    client->result = mailbox_ask(session_mailbox(client->bench->session), &client->order);
    return NULL;
}

/* Stalls the disk, after ten rounds, at the file of the recording that `client` orders. */
static void stall_over_recording(struct bench *bench, struct client *client)
{
    bench_init(bench, true);
    bench_start(bench);
    bench_await(bench, bench_is_profiling);
    fake_send_rounds(&bench->fake, 10, 0);
    bench_await(bench, bench_has_ten_rounds);
    scarce_stall(bench->recordings.path);
    *client = (struct client){.bench = bench};
    cr_assert_eq(pthread_create(&client->thread, NULL, ask_for_recording, client), 0);
    scarce_await_stalled();
}

static size_t files_in(const struct folder *folder)
{
    DIR *dir = opendir(folder->path);
    size_t n = 0;
    for (struct dirent *file; (file = readdir(dir));)
        n += file->d_name[0] != '.';
    closedir(dir);
    return n;
}

Test(opening, a_stalled_disk_delays_nothing_and_loses_nothing)
{
    struct bench bench;
    struct client client;
    struct order other = {.kind = ORDER_RECORD}, end = {.kind = ORDER_RECORD_END};
    stall_over_recording(&bench, &client);
    fake_send_rounds(&bench.fake, 5, 100000);
    const struct snapshot *meanwhile = bench_await(&bench, has_fifteen_rounds);
    cr_expect_str_eq(meanwhile->source.recording.path, "", "no file is shown that is not there");
    cr_expect_eq(mailbox_ask(session_mailbox(bench.session), &other), ORDER_REFUSED);
    cr_expect_str_eq(
        other.why.text,
        "A recording is being begun already, whose file the disk has not made yet; wait until it has.");
    cr_expect_eq(mailbox_ask(session_mailbox(bench.session), &end), ORDER_REFUSED);
    cr_expect_str_eq(end.why.text, "The disk has not made the file of the recording yet; try again then.");

    scarce_go_on();
    pthread_join(client.thread, NULL);
    cr_assert_eq(client.result, ORDER_DONE, "%s", client.order.why.text);
    end = (struct order){.kind = ORDER_RECORD_END};
    cr_assert_eq(mailbox_ask(session_mailbox(bench.session), &end), ORDER_DONE, "%s", end.why.text);
    cr_expect_str_eq(end.recording.path, client.order.recording.path);
    cr_expect_eq(end.recording.bytes_lost, 0);
    struct snapshot *replay = bench_replay(end.recording.path, 0);
    cr_expect_eq(bench_calls_of(replay, 0x1000), 5);
    cr_expect_eq(replay->link.bytes, end.recording.bytes);
    cr_expect_eq(replay->link.bytes_skipped, 0);
    snapshot_unref(replay);
    bench_fini(&bench);
}

Test(opening, a_stalled_disk_does_not_delay_the_end)
{
    struct bench bench;
    struct client client;
    struct error err = {""};
    stall_over_recording(&bench, &client);
    uint64_t before_ms = clock_monotonic_ms();
    session_stop(bench.session);
    cr_expect_lt(clock_monotonic_ms() - before_ms, BENCH_PATIENCE_MS / 4);
    pthread_join(client.thread, NULL);
    cr_expect_eq(client.result, ORDER_FAILED);
    cr_expect(strstr(client.order.why.text, "did not make the file of the recording"), "%s",
              client.order.why.text);
    cr_expect(session_recorded(bench.session, &err), "%s", err.text);
    scarce_go_on();
    while (files_in(&bench.recordings) < 2) /* the file is created though the order was given up */
        sched_yield();
    bench_fini(&bench);
}

Test(opening, a_missing_folder_fails_the_order)
{
    struct bench bench;
    struct client client;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    folder_free(&bench.recordings);
    client.bench = &bench;
    ask_for_recording(&client);
    cr_expect_eq(client.result, ORDER_FAILED);
    cr_expect(strstr(client.order.why.text, "Cannot write the recording"), "%s", client.order.why.text);
    cr_expect_str_eq(bench_await(&bench, bench_is_profiling)->source.recording.path, "");
    bench.recordings = folder_new();
    bench_fini(&bench);
}

/* ---- the time around a broken limit ---- */

static struct folder kept;

static void stall_over_breach(struct bench *bench, struct bound *bound)
{
    struct error err;
    cr_assert(bound_parse("0x00001000:period<150us", bound, &err));
    bench_init(bench, true);
    kept = folder_new();
    bench->settings.keep_dir = kept.path;
    bench->settings.keep_ms = 300;
    bench->settings.limits = bound;
    bench->settings.limits_n = 1;
    bench_start(bench);
    bench_await(bench, bench_is_profiling);
    fake_send_rounds(&bench->fake, 5, 0); /* one each 100 us */
    scarce_stall(kept.path);
    fake_send_rounds(&bench->fake, 5, 5000);
    scarce_await_stalled();
    fake_send_rounds(&bench->fake, 5, 6000);
    bench_await(bench, has_fifteen_rounds);
}

static bool has_kept_one(const struct snapshot *s)
{
    return s->source.keeping.count == 1 && !s->source.keeping.rows[0].is_open;
}

Test(opening, the_time_around_a_broken_limit_is_kept_when_the_disk_goes_on)
{
    struct bench bench;
    struct bound bound;
    stall_over_breach(&bench, &bound);
    cr_expect_eq(bench.shown->source.keeping.count, 0);
    cr_expect_eq(bench.shown->source.keeping.made, 0);
    scarce_go_on();
    const struct snapshot *shown = bench_await(&bench, has_kept_one);
    cr_expect_eq(shown->source.keeping.made, 1);
    cr_expect_str_eq(shown->source.keeping.failure, "");
    char path[PATH_MAX + 80];
    snprintf(path, sizeof path, "%s/%s", kept.path, shown->source.keeping.rows[0].name);
    struct snapshot *replay = bench_replay_held_to(path, &bound);
    cr_expect_geq(bench_calls_of(replay, 0x1000), 10, "before the disk stalled, and after");
    cr_expect_geq(replay->bounds.told, 1);
    snapshot_unref(replay);
    bench_fini(&bench);
    folder_free(&kept);
}

Test(opening, the_end_reports_a_recording_that_was_not_kept)
{
    struct bench bench;
    struct bound bound;
    stall_over_breach(&bench, &bound);
    session_stop(bench.session);
    struct snapshot *last = session_snapshot(bench.session);
    cr_expect_eq(last->source.keeping.count, 0);
    cr_expect(strstr(last->source.keeping.failure, "in time"), "%s", last->source.keeping.failure);
    snapshot_unref(last);
    scarce_go_on();
    while (files_in(&kept) < 2)
        sched_yield();
    bench_fini(&bench);
    folder_free(&kept);
}
