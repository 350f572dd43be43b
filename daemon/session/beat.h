/* beat.h - limits how often snapshots are made while there is new data. */
#ifndef SESSION_BEAT_H
#define SESSION_BEAT_H

#include <stdint.h>

/* Zero except for every_ms: the first snapshot may be made at once. */
struct beat {
    uint32_t every_ms; /* the usual interval of snapshots */
    uint64_t next_ms;  /* no snapshot before then, unless it is urgent */
};

/* Sets the time of the next snapshot after one was made at `now_ms`, whose copy took `took_ns`.
 *
 * Copying a large profile may use a twentieth of the thread's time; but the interval is at most 2 s. A
 * snapshot that is late by less than half of every_ms does not delay all later ones. */
void beat_made(struct beat *beat, uint64_t now_ms, uint64_t took_ns);

#endif
