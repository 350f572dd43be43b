/* timeline.h - the last finished calls, one by one.
 *
 * They stand in the order in which they returned, and each says how its caller was found, so that the call
 * tree of any stretch can be told again without a new guess: the caller is the next later call of one level
 * less, if the link says so. */
#ifndef PROFILE_TIMELINE_H
#define PROFILE_TIMELINE_H

#include "profile/snapshot.h"

struct timeline_call {
    uint64_t start_ticks, duration_ticks;
    uint32_t function;
    uint16_t context;
    uint16_t place; /* depth and enum timeline_place, see timeline_place() */
};

enum { TIMELINE_DEPTH_BITS = 10 };

/* How a call was told, and what is known of its caller. */
enum timeline_place {
    TIMELINE_CALLED = 0 << TIMELINE_DEPTH_BITS, /* by the next later call of one level less */
    TIMELINE_OPEN = 1 << TIMELINE_DEPTH_BITS, /* by that one if it ADOPTS; else by one that was lost, or that
                                                 is running still if no later call has less depth */
    TIMELINE_ORPHAN = 2 << TIMELINE_DEPTH_BITS, /* its caller was lost */
    TIMELINE_CUT = 3 << TIMELINE_DEPTH_BITS,    /* CALLED, but its end was never told: it counts as no call */
    TIMELINE_STRETCH = 4 << TIMELINE_DEPTH_BITS, /* no call: what lies between two checkpoints */
    TIMELINE_LINKS = 7 << TIMELINE_DEPTH_BITS,
    TIMELINE_ADOPTS = 1 << 13,   /* calls OPEN right below it are its own */
    TIMELINE_LIVE = 1 << 14,     /* told by its begin and its end, in a stack per context */
    TIMELINE_ABANDONS = 1 << 15, /* no earlier call that is not LIVE has its caller here or later */
};

/* The place of a call at `depth`, below 1 << TIMELINE_DEPTH_BITS. */
static inline uint16_t timeline_place(uint32_t depth, uint32_t bits)
{
    return (uint16_t)(depth | bits);
}

static inline uint16_t timeline_depth(const struct timeline_call *call)
{
    return call->place & ((1 << TIMELINE_DEPTH_BITS) - 1);
}

enum { TIMELINE_CHUNK = 4096 };

/* A ring of chunks. A full chunk never changes again, and one that is being filled only grows behind what a
 * frozen copy knows of, so copies share chunks with the writer. */
struct timeline {
    struct timeline_chunk **chunks; /* a ring: `first` is the oldest */
    uint32_t first, count, capacity;
    uint64_t gone_ticks;              /* latest end of the calls that went; 0: none went */
    bool abandons;                    /* the next call does */
    struct timeline_call *next, *end; /* where the newest chunk has room */
    uint64_t from_ticks, to_ticks;    /* what the newest chunk covers */
};

/* Room for about `calls` calls, at least one chunk. False when memory is used up. */
bool timeline_init(struct timeline *timeline, uint32_t calls);
void timeline_fini(struct timeline *timeline);
void timeline_clear(struct timeline *timeline);

/* Adds a call; the oldest chunk goes when the ring is full. */
void timeline_add(struct timeline *timeline, const struct timeline_call *call);

/* The same for many, which the caller writes itself: *n is how many there is room for, one at least; NULL
 * when memory is used up. */
struct timeline_call *timeline_room(struct timeline *timeline, size_t *n);

/* n calls, one at least, were written to the room; `from` is their earliest start, `to` their latest end. */
void timeline_fill(struct timeline *timeline, size_t n, uint64_t from_ticks, uint64_t to_ticks);

/* The callers of calls so far that have none yet will not come. */
void timeline_abandon(struct timeline *timeline);

/* A frozen view that holds references of its own; NULL when memory is used up. */
struct snapshot_timeline *timeline_freeze(struct timeline *timeline);
void snapshot_timeline_free(struct snapshot_timeline *frozen);

#endif
