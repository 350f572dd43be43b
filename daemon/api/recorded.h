/* recorded.h - the recordings that viewers have ended in this run: the daemon reads them again, and no other
 * file. */
#ifndef API_RECORDED_H
#define API_RECORDED_H

#include "snapshot/snapshot.h"

#include <pthread.h>

enum { RECORDED_MOST = 16 };

struct recorded {
    pthread_mutex_t lock;
    size_t n;
    struct recorded_row {
        char path[sizeof((struct snapshot_recording *)NULL)->path];
        uint64_t bytes, wall_ns; /* when it was begun */
    } rows[RECORDED_MOST];       /* oldest first */
};

void recorded_init(struct recorded *recorded);
void recorded_fini(struct recorded *recorded);

/* Notes one that has ended; the oldest gives up its place when there is none. */
void recorded_add(struct recorded *recorded, const struct snapshot_recording *recording);

/* Copies them, newest first, and returns how many there are. */
size_t recorded_list(struct recorded *recorded, struct recorded_row rows[static RECORDED_MOST]);

#endif
