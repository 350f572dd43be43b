/* replay.h - how a thread of the web server, which may make no session, has a recording of this run read. */
#ifndef HANDOFF_REPLAY_H
#define HANDOFF_REPLAY_H

#include "base/bound.h"
#include "base/error.h"
#include "handoff/board.h"

/* All of it is borrowed until the answer is there. */
struct replay_order {
    const char *path;           /* of the recording */
    const struct bound *limits; /* what it is held to, so that breaches are found again */
    size_t limits_n;            /* BOUNDS_MAX at most */
    struct board *board;        /* of the live session: closed, it ends the reading */
    uint32_t most_ms;           /* what takes longer is given up */
};

struct replay {
    /* Reads the recording to its end and returns the snapshot of that, with a reference that is the caller's
     * and sequence 0: it is none of the live session's. NULL with a sentence when it cannot be read, or not
     * in time. Threads may call it at the same time; each call holds a profile of its own. */
    struct snapshot *(*read)(const void *user, const struct replay_order *order, struct error *err);
    const void *user;
};

#endif
