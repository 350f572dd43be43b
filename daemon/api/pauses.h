/* pauses.h - keeps snapshots for viewers who have paused, so that all their requests are about one moment.
 *
 * A snapshot shares its timeline's chunks with the live ring until the ring overwrites them. So each kept
 * snapshot costs up to one more ring. Therefore there are only a few slots, and unused ones expire. */
#ifndef API_PAUSES_H
#define API_PAUSES_H

#include "snapshot/snapshot.h"

#include <pthread.h>

enum {
    PAUSES_MOST = 4,
    PAUSES_SECONDS = 1800, /* from the last request until a pause expires */
};

struct pauses {
    pthread_mutex_t lock;
    uint64_t last_id;
    struct pause {
        uint64_t id; /* 0: the slot is free */
        uint64_t until_ms;
        struct snapshot *snapshot; /* a reference */
    } places[PAUSES_MOST];
};

/* False when the system has no random number for the first id, which must differ between runs of the program. */
bool pauses_init(struct pauses *pauses);
void pauses_fini(struct pauses *pauses);

/* Keeps a reference to `snapshot` and returns the pause's id, which is below 2^53. When all slots are used, the
 * least recently requested pause is dropped, so that no client can block others. Times are clock_monotonic_ms(). */
uint64_t pauses_hold(struct pauses *pauses, struct snapshot *snapshot, uint64_t now_ms);

/* Returns the kept snapshot with a reference that the caller owns, and restarts its time. NULL when there is no
 * such pause (any more). */
struct snapshot *pauses_find(struct pauses *pauses, uint64_t id, uint64_t now_ms);

/* Ends a pause early. False when there is no such pause. */
bool pauses_release(struct pauses *pauses, uint64_t id);

/* Drops expired pauses. Call this now and then, also without requests. */
void pauses_sweep(struct pauses *pauses, uint64_t now_ms);

#endif
