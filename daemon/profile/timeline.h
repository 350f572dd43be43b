/* timeline.h - the last finished calls, one by one. */
#ifndef PROFILE_TIMELINE_H
#define PROFILE_TIMELINE_H

#include "profile/snapshot.h"

struct timeline_call {
    uint64_t start_ticks, duration_ticks;
    uint32_t function;
    uint16_t depth, context;
};

enum { TIMELINE_CHUNK = 4096 };

/* A ring of chunks. A full chunk never changes again, and one that is being filled only grows behind what a
 * frozen copy knows of, so copies share chunks with the writer. */
struct timeline {
    struct timeline_chunk **chunks; /* a ring: `first` is the oldest */
    uint32_t first, count, capacity;
};

/* Room for about `calls` calls, at least one chunk. False when memory is used up. */
bool timeline_init(struct timeline *timeline, uint32_t calls);
void timeline_fini(struct timeline *timeline);
void timeline_clear(struct timeline *timeline);

/* Adds a call; the oldest chunk goes when the ring is full. */
void timeline_add(struct timeline *timeline, const struct timeline_call *call);

/* A frozen view that holds references of its own; NULL when memory is used up. */
struct snapshot_timeline *timeline_freeze(const struct timeline *timeline);
void snapshot_timeline_free(struct snapshot_timeline *frozen);

#endif
