/* timeline_chunk.c - reference-counted chunks of calls, shared by the ingest thread's timeline and frozen
 * ones. */
#include "snapshot/timeline.h"

#include "base/scarcity.h"

#include <stdlib.h>

struct timeline_chunk *timeline_chunk_new(void)
{
    /* Not cleared, which would cost time: calls that were not written are not read. */
    struct timeline_chunk *chunk = scarcity_watch(malloc(sizeof *chunk));
    if (!chunk)
        return NULL;
    chunk->count = 0;
    chunk->from_ticks = UINT64_MAX;
    chunk->to_ticks = 0;
    atomic_init(&chunk->references, 1);
    return chunk;
}

struct timeline_chunk *timeline_chunk_ref(struct timeline_chunk *chunk)
{
    atomic_fetch_add_explicit(&chunk->references, 1, memory_order_relaxed);
    return chunk;
}

void timeline_chunk_unref(struct timeline_chunk *chunk)
{
    if (atomic_fetch_sub_explicit(&chunk->references, 1, memory_order_acq_rel) == 1)
        free(chunk);
}

void snapshot_timeline_free(struct snapshot_timeline *timeline)
{
    if (!timeline)
        return;
    for (uint32_t i = 0; i < timeline->count; i++)
        timeline_chunk_unref(timeline->views[i].chunk);
    free(timeline->open);
    free(timeline);
}
