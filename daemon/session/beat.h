/* beat.h - limits how often snapshots are made while there is new data. */
#ifndef SESSION_BEAT_H
#define SESSION_BEAT_H

#include <stdint.h>

/* Zero except for every_ms: the first snapshot may be made at once. */
struct beat {
    uint32_t every_ms; /* the usual interval of snapshots */
    uint64_t next_ms;  /* no snapshot before then, unless it is urgent */
};

/* What a snapshot cost. */
struct beat_cost {
    uint64_t copy_ns;          /* time that the copy took */
    uint32_t functions, nodes; /* rows that differ from the snapshot before: they are sent to viewers */
};

/* Sets the time of the next snapshot after one was made at `now_ms`.
 *
 * The interval is longer than every_ms for a large profile, so that copying takes no more than a twentieth of
 * the thread's time (at most 2 s), and where many rows change, so that a viewer gets about 1 MB of text a
 * second (at most 250 ms): a browser needs more time for it than the daemon. A snapshot that is late by less
 * than half of every_ms does not delay all later ones. */
void beat_made(struct beat *beat, uint64_t now_ms, const struct beat_cost *cost);

#endif
