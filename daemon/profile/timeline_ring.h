/* timeline_ring.h - the last finished calls, one by one, as the ingest thread keeps them: a ring of chunks,
 * which frozen views share (snapshot/timeline.h says what a call in it tells). */
#ifndef PROFILE_TIMELINE_RING_H
#define PROFILE_TIMELINE_RING_H

#include "snapshot/timeline.h"

/* A full chunk never changes again, and one that is being filled only grows behind what a frozen copy knows
 * of, so copies share chunks with the writer. */
struct timeline {
    struct timeline_chunk **chunks; /* a ring: `first` is the oldest */
    uint32_t first, count, capacity;
    uint64_t gone_ticks;              /* latest end of the calls that went; 0: none went */
    uint64_t gone_from_ticks;         /* earliest start of these; meaningless while none went */
    bool abandons;                    /* the next call does */
    struct timeline_call *next, *end; /* where the newest chunk has room */
    uint64_t from_ticks, to_ticks;    /* what the newest chunk covers */
};

/* Makes room for about `calls` calls, at least one chunk. False when memory is used up. */
bool timeline_init(struct timeline *timeline, uint32_t calls);
void timeline_fini(struct timeline *timeline);
void timeline_clear(struct timeline *timeline);

/* Adds a call; the oldest chunk goes when the ring is full. */
void timeline_add(struct timeline *timeline, const struct timeline_call *call);

/* Makes room for many calls, which the caller writes itself: returns where, and *n becomes how many there is
 * room for, one at least. NULL when memory is used up. */
struct timeline_call *timeline_room(struct timeline *timeline, size_t *n);

/* Adds the n calls, one at least, that were written to the room; `from_ticks` is their earliest start,
 * `to_ticks` their latest end. */
void timeline_fill(struct timeline *timeline, size_t n, uint64_t from_ticks, uint64_t to_ticks);

/* True when nothing was lost since this was said last. */
void timeline_judge(struct timeline *timeline, bool complete);

/* No time is measured from a call so far to one to come. */
void timeline_break(struct timeline *timeline);

/* The callers of calls so far that have none yet will not come. */
void timeline_abandon(struct timeline *timeline);

/* Makes the view that a snapshot holds, with references of its own, which snapshot_timeline_free() ends; NULL
 * when memory is used up. */
struct snapshot_timeline *timeline_freeze(struct timeline *timeline);

#endif
