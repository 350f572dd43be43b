/* pauses.h - snapshots that are held for viewers who have paused, so that all they ask for is of one moment.
 *
 * A snapshot shares its timeline's chunks with the live ring until that writes over them; held, it keeps at
 * most one ring more. So there are few places, and each is given back after a time without use. */
#ifndef API_PAUSES_H
#define API_PAUSES_H

#include "snapshot/snapshot.h"

#include <pthread.h>

enum {
    PAUSES_MOST = 4,
    PAUSES_SECONDS = 1800, /* from when one was asked for last until it is let go */
};

struct pauses {
    pthread_mutex_t lock;
    uint64_t last_id;
    struct pause {
        uint64_t id; /* 0: the place is free */
        uint64_t until_ms;
        struct snapshot *snapshot; /* a reference */
    } places[PAUSES_MOST];
};

/* False when the system has no random number for the first id: ids of another run of the program must not
 * fit. */
bool pauses_init(struct pauses *pauses);
void pauses_fini(struct pauses *pauses);

/* Holds a reference of its own to `snapshot` and returns the id of that, which is below 2^53. When all places
 * are taken, the pause goes that was not asked for longest: else any client could keep others out. Times are
 * clock_monotonic_ms(). */
uint64_t pauses_hold(struct pauses *pauses, struct snapshot *snapshot, uint64_t now_ms);

/* Returns what is held, with a reference that is the caller's, and begins its time again; NULL when it is not
 * held any more, or never was. */
struct snapshot *pauses_find(struct pauses *pauses, uint64_t id, uint64_t now_ms);

/* Lets one go before its time; false when it is not held. */
bool pauses_release(struct pauses *pauses, uint64_t id);

/* Lets go what has not been asked for in its time. To be called now and then, also when nobody
 * asks for one. */
void pauses_sweep(struct pauses *pauses, uint64_t now_ms);

#endif
