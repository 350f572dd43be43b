/* replay.c - a recording of a session, read by another one beside it.
 *
 * It is what `miniprofd --port file:PATH` would show. The live session goes on meanwhile; that one has its own
 * thread, profile and symbols, so the two share nothing that changes. */
#include "session/session.h"

#include "base/clock.h"

#include <poll.h>
#include <stdio.h>

enum {
    SPEC_SIZE = 1024,
    LOOK_MS = 50, /* between two looks at whether the program ends */
};

static bool await_replay_end(const struct session *session, const struct replay_order *order,
                             struct error *err)
{
    struct pollfd ended = {.fd = session_ended_fd(session), .events = POLLIN};
    uint64_t now_ms = clock_monotonic_ms();
    for (const uint64_t end_ms = now_ms + order->most_ms; now_ms < end_ms; now_ms = clock_monotonic_ms()) {
        if (board_closed(order->board))
            return error_set(err, "miniprofd is stopping.");
        if (poll(&ended, 1, LOOK_MS) > 0)
            return true;
    }
    return error_set(err,
                     "%.300s takes more than %u s to read; replay it in a miniprofd of its own, with --port "
                     "file:PATH.",
                     order->path, order->most_ms / 1000);
}

static struct snapshot *read_to_end(struct session *session, const struct replay_order *order,
                                    struct error *err)
{
    if (!session_start(session, err))
        return NULL;
    bool is_read = await_replay_end(session, order, err);
    session_stop(session);
    if (!is_read || !session_succeeded(session, err) || !session_heard(session, err))
        return NULL;
    struct snapshot *snapshot = session_snapshot(session);
    if (!snapshot)
        error_set(err, "Out of memory while reading %.300s.", order->path);
    return snapshot;
}

struct snapshot *session_replay(const void *user, const struct replay_order *order, struct error *err)
{
    const struct session_settings *live = user;
    char spec[SPEC_SIZE];
    if (snprintf(spec, sizeof spec, "file:%s", order->path) >= (int)sizeof spec) {
        error_set(err, "The name %.300s is too long to be read.", order->path);
        return NULL;
    }
    const struct session_settings settings = {
        .source = {.spec = spec},
        .dialect = live->dialect,
        .dialect_settings = live->dialect_settings,
        .elfs = live->elfs,
        .record_dir = live->record_dir,
        .trigger = live->trigger,
        .limits = order->limits,
        .limits_n = order->limits_n,
        .timing = live->timing,
        .is_quiet = true,
    };
    struct session *session = session_new(&settings, NULL, err);
    struct snapshot *snapshot = session ? read_to_end(session, order, err) : NULL;
    session_free(session);
    if (snapshot)
        snapshot->sequence = 0; /* not shared yet */
    return snapshot;
}
