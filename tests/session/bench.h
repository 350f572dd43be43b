/* bench.h - a fake device and a session connected to it. */
#ifndef TESTS_SESSION_BENCH_H
#define TESTS_SESSION_BENCH_H

#include "handoff/board.h"
#include "fake.h"
#include "support/folder.h"
#include "session/session.h"

enum { BENCH_PATIENCE_MS = 120000 }; /* the longest wait for an expected result */

struct bench {
    struct folder folder, recordings;
    struct fake fake;
    struct session_settings settings; /* with short timeouts; change it before bench_start() */
    struct board *board;
    struct session *session;
    struct snapshot *shown; /* the last one awaited, or NULL */
};

void bench_init(struct bench *bench, bool plugged_in);
void bench_start(struct bench *bench);
void bench_fini(struct bench *bench);

/* Waits for a snapshot for which `is_it` is true. It is valid until the next wait. */
const struct snapshot *bench_await(struct bench *bench, bool (*is_it)(const struct snapshot *));

/* Finished calls of the function at `address`; 0 when it is not known. */
uint64_t bench_calls_of(const struct snapshot *snapshot, uint64_t address);

bool bench_is_profiling(const struct snapshot *snapshot);

/* Replays the capture at `path`, at `speed` times its pace or as fast as possible (0), and returns the last
 * snapshot. The caller ends with snapshot_unref(). */
struct snapshot *bench_replay(const char *path, double speed);

/* As bench_replay() at full speed, with a limit. */
struct snapshot *bench_replay_held_to(const char *path, const struct bound *bound);

/* True when ten rounds of fake_send_rounds() were received. */
bool bench_has_ten_rounds(const struct snapshot *snapshot);

#endif
