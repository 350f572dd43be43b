/* beat.c - limits how often snapshots are made while there is new data. */
#include "session/beat.h"

#include "base/smaller.h"

#include <stdbool.h>

enum { PAUSE_PER_COPY = 20, PAUSE_MOST_MS = 2000 };

/* Text of an update, measured at 12 Mbaud; names and paths add to it. */
enum { FUNCTION_BYTES = 640, NODE_BYTES = 40, TEXT_BYTES_PER_MS = 1000, TEXT_PAUSE_MOST_MS = 250 };

static uint64_t pause_ms(const struct beat *beat, const struct beat_cost *cost)
{
    uint64_t copies_ms = smaller_u64(cost->copy_ns / 1000000u * PAUSE_PER_COPY, PAUSE_MOST_MS);
    uint64_t text_bytes = (uint64_t)cost->functions * FUNCTION_BYTES + (uint64_t)cost->nodes * NODE_BYTES;
    uint64_t text_ms = smaller_u64(text_bytes / TEXT_BYTES_PER_MS, TEXT_PAUSE_MOST_MS);
    return larger_u64(beat->every_ms, larger_u64(copies_ms, text_ms));
}

void beat_made(struct beat *beat, uint64_t now_ms, const struct beat_cost *cost)
{
    bool on_beat = now_ms >= beat->next_ms && now_ms - beat->next_ms < beat->every_ms / 2;
    beat->next_ms = (on_beat ? beat->next_ms : now_ms) + pause_ms(beat, cost);
}
