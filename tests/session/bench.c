/* bench.c - a fake device and a session connected to it. */
#include "bench.h"

#include "base/clock.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <stdio.h>

void bench_init(struct bench *bench, bool plugged_in)
{
    *bench = (struct bench){.folder = folder_new(), .recordings = folder_new()};
    fake_init(&bench->fake, folder_file(&bench->folder, "device").text, plugged_in);
    bench->settings = (struct session_settings){
        .source = {.spec = bench->fake.spec, .baud = 115200},
        .dialect = dialect_find("miniprof"),
        .record_dir = bench->recordings.path,
        .control = true,
        .timing = {.update_ms = 5,
                   .answer_ms = BENCH_PATIENCE_MS, /* enough for an answer on a busy machine */
                   .status_ms = 20,
                   .slow_ms = 30,
                   .retry_first_ms = 5,
                   .retry_most_ms = 20,
                   .idle_ms = 10,
                   .quiet_ms = 5,
                   .gather_ms = 1,
                   .elf_check_ms = 10,
                   .record_flush_ms = 10},
    };
    bench->board = board_new();
}

void bench_start(struct bench *bench)
{
    struct error err = {""};
    bench->session = session_new(&bench->settings, bench->board, &err);
    cr_assert_not_null(bench->session, "%s", err.text);
    cr_assert(session_start(bench->session, &err), "%s", err.text);
}

void bench_fini(struct bench *bench)
{
    snapshot_unref(bench->shown);
    session_free(bench->session);
    board_free(bench->board);
    fake_fini(&bench->fake);
    folder_free(&bench->folder);
    folder_free(&bench->recordings);
}

const struct snapshot *bench_await(struct bench *bench, bool (*is_it)(const struct snapshot *))
{
    uint64_t deadline_ms = clock_monotonic_ms() + BENCH_PATIENCE_MS, seen = 0;
    for (;;) {
        uint64_t now_ms = clock_monotonic_ms();
        cr_assert_lt(now_ms, deadline_ms, "it never came to that");
        struct snapshot *snapshot = board_wait(bench->board, seen, deadline_ms - now_ms, NULL);
        cr_assert_not_null(snapshot, "it never came to that");
        snapshot_unref(bench->shown);
        bench->shown = snapshot;
        if (is_it(snapshot))
            return snapshot;
        seen = snapshot->sequence;
    }
}

uint64_t bench_calls_of(const struct snapshot *snapshot, uint64_t address)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (snapshot->functions[i].has_address && snapshot->functions[i].address == address)
            return snapshot->functions[i].calls;
    return 0;
}

bool bench_is_profiling(const struct snapshot *snapshot)
{
    return snapshot->target.has_status && snapshot->target.profiling;
}

bool bench_has_ten_rounds(const struct snapshot *snapshot)
{
    return bench_calls_of(snapshot, 0x1000) == 10;
}

static struct snapshot *replay(const char *path, double speed, const struct bound *bound)
{
    char spec[640];
    snprintf(spec, sizeof spec, "file:%s", path);
    struct session_settings settings = {.source = {.spec = spec, .speed = speed},
                                        .dialect = dialect_find("miniprof"),
                                        .control = true,
                                        .limits = bound,
                                        .limits_n = bound != NULL};
    struct error err = {""};
    struct session *session = session_new(&settings, NULL, &err);
    cr_assert_not_null(session, "%s", err.text);
    cr_assert(session_start(session, &err), "%s", err.text);
    struct pollfd wait = {.fd = session_ended_fd(session), .events = POLLIN};
    cr_assert_eq(poll(&wait, 1, BENCH_PATIENCE_MS), 1);
    session_stop(session);
    struct snapshot *snapshot = session_snapshot(session);
    session_free(session);
    return snapshot;
}

struct snapshot *bench_replay(const char *path, double speed)
{
    return replay(path, speed, NULL);
}

struct snapshot *bench_replay_held_to(const char *path, const struct bound *bound)
{
    return replay(path, 0, bound);
}
