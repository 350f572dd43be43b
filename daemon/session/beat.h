/* beat.h - how often snapshots are made while there is something new. */
#ifndef SESSION_BEAT_H
#define SESSION_BEAT_H

#include <stdint.h>

/* Zero except for every_ms: the first one may be made at once. */
struct beat {
    uint32_t every_ms; /* how often people want one */
    uint64_t next_ms;  /* none is made before then, unless it is urgent */
};

/* A snapshot was made at `now_ms` and took `took_ns` to copy: sets when the next one may be.
 *
 * Copying a large profile may cost a twentieth of the thread's time, no more; but people wait no longer than
 * 2 s. One that came a little late, by less than half of every_ms, does not make all that follow later. */
void beat_made(struct beat *beat, uint64_t now_ms, uint64_t took_ns);

#endif
