/* timeline_ring.c - a ring of the last finished calls. */
#include "profile/timeline_ring.h"

#include <stdlib.h>

bool timeline_init(struct timeline *timeline, uint32_t calls)
{
    uint32_t capacity = calls / TIMELINE_CHUNK ? calls / TIMELINE_CHUNK : 1;
    *timeline =
        (struct timeline){.capacity = capacity, .chunks = calloc(capacity, sizeof(struct timeline_chunk *))};
    return timeline->chunks != NULL;
}

void timeline_clear(struct timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->count; i++)
        timeline_chunk_unref(timeline->chunks[(timeline->first + i) % timeline->capacity]);
    timeline->first = timeline->count = 0;
    timeline->gone_ticks = 0;
    timeline->abandons = false;
    timeline->next = timeline->end = NULL;
}

void timeline_fini(struct timeline *timeline)
{
    timeline_clear(timeline);
    free(timeline->chunks);
}

/* Stores count and times in the newest chunk. */
static void settle_newest_chunk(struct timeline *timeline)
{
    if (timeline->count == 0)
        return;
    struct timeline_chunk *newest =
        timeline->chunks[(timeline->first + timeline->count - 1) % timeline->capacity];
    newest->count = (uint32_t)(timeline->next - newest->calls);
    newest->from_ticks = timeline->from_ticks;
    newest->to_ticks = timeline->to_ticks;
}

static bool add_chunk(struct timeline *timeline)
{
    struct timeline_chunk *chunk = timeline_chunk_new();
    if (!chunk)
        return false;
    settle_newest_chunk(timeline);
    if (timeline->count == timeline->capacity) {
        const struct timeline_chunk *oldest = timeline->chunks[timeline->first];
        if (timeline->gone_ticks == 0 || oldest->from_ticks < timeline->gone_from_ticks)
            timeline->gone_from_ticks = oldest->from_ticks;
        if (oldest->to_ticks > timeline->gone_ticks)
            timeline->gone_ticks = oldest->to_ticks;
        timeline_chunk_unref(timeline->chunks[timeline->first]);
        timeline->first = (timeline->first + 1) % timeline->capacity;
        timeline->count--;
    }
    timeline->chunks[(timeline->first + timeline->count++) % timeline->capacity] = chunk;
    timeline->next = chunk->calls;
    timeline->end = chunk->calls + TIMELINE_CHUNK;
    timeline->from_ticks = UINT64_MAX;
    timeline->to_ticks = 0;
    return true;
}

struct timeline_call *timeline_room(struct timeline *timeline, size_t *n)
{
    if (timeline->next == timeline->end && !add_chunk(timeline))
        return NULL;
    *n = (size_t)(timeline->end - timeline->next);
    return timeline->next;
}

void timeline_fill(struct timeline *timeline, size_t n, uint64_t from_ticks, uint64_t to_ticks)
{
    if (timeline->abandons)
        timeline->next->place |= TIMELINE_ABANDONS;
    timeline->abandons = false;
    timeline->next += n;
    if (from_ticks < timeline->from_ticks)
        timeline->from_ticks = from_ticks;
    if (to_ticks > timeline->to_ticks)
        timeline->to_ticks = to_ticks;
}

void timeline_add(struct timeline *timeline, const struct timeline_call *call)
{
    size_t room;
    struct timeline_call *kept = timeline_room(timeline, &room);
    if (!kept)
        return;
    *kept = *call;
    uint32_t tie = call->place & TIMELINE_TIES;
    if (tie == TIMELINE_CUT || tie == TIMELINE_VERDICT) /* not shown */
        timeline_fill(timeline, 1, UINT64_MAX, 0);
    else
        timeline_fill(timeline, 1, call->start_ticks, call->start_ticks + call->duration_ticks);
}

void timeline_judge(struct timeline *timeline, bool complete)
{
    timeline_add(timeline, &(struct timeline_call){.duration_ticks = complete, .place = TIMELINE_VERDICT});
}

void timeline_break(struct timeline *timeline)
{
    if (timeline->count == 0) /* there is nothing before it */
        return;
    const struct timeline_call *last =
        timeline->next > timeline->end - TIMELINE_CHUNK ? timeline->next - 1 : NULL;
    if (last && (last->place & TIMELINE_TIES) == TIMELINE_VERDICT && last->function == TIMELINE_BREAKS)
        return;
    timeline_add(timeline, &(struct timeline_call){.function = TIMELINE_BREAKS, .place = TIMELINE_VERDICT});
}

void timeline_abandon(struct timeline *timeline)
{
    timeline->abandons = true;
}

struct snapshot_timeline *timeline_freeze(struct timeline *timeline)
{
    settle_newest_chunk(timeline);
    struct snapshot_timeline *frozen = malloc(sizeof *frozen + timeline->count * sizeof frozen->views[0]);
    if (!frozen)
        return NULL;
    frozen->count = timeline->count;
    frozen->gone_ticks = timeline->gone_ticks;
    frozen->gone_from_ticks = timeline->gone_from_ticks;
    frozen->abandoned = timeline->abandons;
    frozen->open = NULL;
    frozen->open_count = 0;
    for (uint32_t i = 0; i < timeline->count; i++) {
        struct timeline_chunk *chunk = timeline->chunks[(timeline->first + i) % timeline->capacity];
        frozen->views[i] = (struct timeline_view){
            .chunk = timeline_chunk_ref(chunk),
            .calls = chunk->calls,
            .count = chunk->count,
            .from_ticks = chunk->from_ticks,
            .to_ticks = chunk->to_ticks,
        };
    }
    return frozen;
}
