/* beat.c - limits how often snapshots are made while there is new data. */
#include "session/beat.h"

#include <stdbool.h>

enum { PAUSE_PER_COPY = 20, PAUSE_MOST_MS = 2000 };

static uint64_t pause_ms(const struct beat *beat, uint64_t took_ns)
{
    uint64_t copies_ms = took_ns / 1000000u * PAUSE_PER_COPY;
    if (copies_ms > PAUSE_MOST_MS)
        copies_ms = PAUSE_MOST_MS;
    return copies_ms > beat->every_ms ? copies_ms : beat->every_ms;
}

void beat_made(struct beat *beat, uint64_t now_ms, uint64_t took_ns)
{
    bool on_beat = now_ms >= beat->next_ms && now_ms - beat->next_ms < beat->every_ms / 2;
    beat->next_ms = (on_beat ? beat->next_ms : now_ms) + pause_ms(beat, took_ns);
}
