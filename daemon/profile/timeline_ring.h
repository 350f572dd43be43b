/* timeline_ring.h - a ring of the last finished calls, for the ingest thread. It consists of chunks, which
 * frozen views share; snapshot/timeline.h describes a call. */
#ifndef PROFILE_TIMELINE_RING_H
#define PROFILE_TIMELINE_RING_H

#include "snapshot/timeline.h"

/* A full chunk never changes again, and one that is being filled only grows behind what a frozen copy
 * has, so copies share chunks with the writer. */
struct timeline {
    struct timeline_chunk **chunks; /* a ring: `first` is the oldest */
    uint32_t first, count, capacity;
    uint64_t gone_ticks;              /* latest end of the calls that were dropped; 0: none was */
    uint64_t gone_from_ticks;         /* earliest start of these; undefined when none was */
    bool abandons;                    /* the next call gets TIMELINE_ABANDONS */
    struct timeline_call *next, *end; /* free part of the newest chunk */
    uint64_t from_ticks, to_ticks;    /* range of the newest chunk */
};

/* Allocates room for about `calls` calls, at least one chunk. Returns false when memory is used up. */
bool timeline_init(struct timeline *timeline, uint32_t calls);
void timeline_fini(struct timeline *timeline);
void timeline_clear(struct timeline *timeline);

/* Adds a call; drops the oldest chunk when the ring is full. */
void timeline_add(struct timeline *timeline, const struct timeline_call *call);

/* Makes room for calls that the caller writes itself: returns the address, and sets *n to how many fit, at
 * least one. NULL when memory is used up. */
struct timeline_call *timeline_room(struct timeline *timeline, size_t *n);

/* Adds the n calls, at least one, that were written to that room; `from_ticks` is their earliest start,
 * `to_ticks` their latest end. */
void timeline_fill(struct timeline *timeline, size_t n, uint64_t from_ticks, uint64_t to_ticks);

/* Adds a verdict: `complete` if nothing was lost since the last one. */
void timeline_judge(struct timeline *timeline, bool complete);

/* No period is measured from a call before this to a later one. */
void timeline_break(struct timeline *timeline);

/* Calls so far that have no caller yet will not get one. */
void timeline_abandon(struct timeline *timeline);

/* Makes a view for a snapshot, with its own references; snapshot_timeline_free() frees it. NULL when memory
 * is used up. */
struct snapshot_timeline *timeline_freeze(struct timeline *timeline);

#endif
