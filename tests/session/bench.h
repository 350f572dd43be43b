/* bench.h - a device and a session that listens to it. */
#ifndef TESTS_SESSION_BENCH_H
#define TESTS_SESSION_BENCH_H

#include "handoff/board.h"
#include "fake.h"
#include "support/folder.h"
#include "session/session.h"

enum { BENCH_PATIENCE_MS = 120000 }; /* the longest wait for what must come */

struct bench {
    struct folder folder, recordings;
    struct fake fake;
    struct session_settings settings; /* waits are short; to be changed before bench_start() */
    struct board *board;
    struct session *session;
    struct snapshot *shown; /* the last that was looked at, or NULL */
};

void bench_init(struct bench *bench, bool plugged_in);
void bench_start(struct bench *bench);
void bench_fini(struct bench *bench);

/* Waits for a snapshot of which `is_it` is true; good until the next one is waited for. */
const struct snapshot *bench_await(struct bench *bench, bool (*is_it)(const struct snapshot *));

/* Finished calls of the function at `address`; 0 when it is not known. */
uint64_t bench_calls_of(const struct snapshot *snapshot, uint64_t address);

bool bench_is_profiling(const struct snapshot *snapshot);

/* The last snapshot of what is in the capture at `path`, read at `speed` times the pace it was recorded at,
 * or in a hurry (0). The caller ends with snapshot_unref(). */
struct snapshot *bench_replay(const char *path, double speed);

/* Does that in a hurry, and holds it to a limit. */
struct snapshot *bench_replay_held_to(const char *path, const struct bound *bound);

/* As many rounds of fake_send_rounds() have come. */
bool bench_has_ten_rounds(const struct snapshot *snapshot);

#endif
