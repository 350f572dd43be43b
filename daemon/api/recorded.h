/* recorded.h - lists the recordings that viewers have ended in this run. The daemon reads only these again, no other
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
        uint64_t bytes, wall_ns; /* size, and time of its start */
    } rows[RECORDED_MOST];       /* oldest first */
};

void recorded_init(struct recorded *recorded);
void recorded_fini(struct recorded *recorded);

/* Adds a recording that has ended. When the list is full, it replaces the oldest. */
void recorded_add(struct recorded *recorded, const struct snapshot_recording *recording);

/* Copies the list, newest first. Returns the number of recordings. */
size_t recorded_list(struct recorded *recorded, struct recorded_row rows[static RECORDED_MOST]);

#endif
