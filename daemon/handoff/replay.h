/* replay.h - lets a thread of the web server, which may not make sessions, have a recording of this run read. */
#ifndef HANDOFF_REPLAY_H
#define HANDOFF_REPLAY_H

#include "base/bound.h"
#include "base/error.h"
#include "handoff/board.h"

/* All pointers are borrowed during the call. */
struct replay_order {
    const char *path;           /* of the recording */
    const struct bound *limits; /* limits, by which breaches are found again */
    size_t limits_n;            /* BOUNDS_MAX at most */
    struct board *board;        /* of the live session; closing it ends the reading */
    uint32_t most_ms;           /* time limit */
};

struct replay {
    /* Reads the recording to its end. Returns a snapshot with a reference that the caller owns. Its sequence is 0,
     * unlike those of the live session. NULL with an error when it cannot be read, or not in time. Several threads may
     * call this at once; each call has its own profile. */
    struct snapshot *(*read)(const void *user, const struct replay_order *order, struct error *err);
    const void *user;
};

#endif
