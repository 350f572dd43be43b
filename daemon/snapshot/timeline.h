/* timeline.h - the calls that a snapshot holds one by one.
 *
 * They stand in the order in which they returned, and each says how its caller was found, so that the call
 * tree of any stretch can be reported again without a new guess: the caller is the next later call of one
 * level less, as the tie has it. */
#ifndef SNAPSHOT_TIMELINE_H
#define SNAPSHOT_TIMELINE_H

#include "snapshot/snapshot.h"

#include <stdatomic.h>

/* One finished call, or a stretch between two checkpoints. */
struct timeline_call {
    uint64_t start_ticks, duration_ticks;
    uint32_t function;
    uint16_t context;
    uint16_t place; /* depth and enum timeline_place, see timeline_place() */
};

enum { TIMELINE_DEPTH_BITS = 10 };

/* The function of a VERDICT that is none: no time is measured from a call before it to one after it. */
enum { TIMELINE_BREAKS = 1 };

/* How a call was reported, and what is known about its caller. */
enum timeline_place {
    TIMELINE_CALLED = 0 << TIMELINE_DEPTH_BITS, /* by the next later call of one level less */
    TIMELINE_OPEN = 1 << TIMELINE_DEPTH_BITS,   /* by that one if it ADOPTS, as UNSURE if it has no length and
                                                   ends as that one begins; else by one that was lost, or that
                                                   is running still if no later call has less depth */
    TIMELINE_ORPHAN = 2 << TIMELINE_DEPTH_BITS, /* its caller was lost */
    TIMELINE_CUT = 3 << TIMELINE_DEPTH_BITS,    /* CALLED, but its begin or end was not reported: it counts as
                                                   time    and as no call */
    TIMELINE_STRETCH = 4 << TIMELINE_DEPTH_BITS, /* no call: what lies between two checkpoints */
    TIMELINE_UNSURE =
        5 << TIMELINE_DEPTH_BITS, /* CALLED if the next VERDICT says that nothing was lost, else ORPHAN */
    TIMELINE_VERDICT = 6 << TIMELINE_DEPTH_BITS, /* no call: whether, since the VERDICT before, nothing was
                                                 lost: the duration is 1 then, else 0; or TIMELINE_BREAKS */
    TIMELINE_AWAY = 7 << TIMELINE_DEPTH_BITS, /* no call: its context did not run, with that many calls on its
                                                 stack; the function is one of enum snapshot_away */
    TIMELINE_TIES = 7 << TIMELINE_DEPTH_BITS,
    TIMELINE_ADOPTS = 1 << 13, /* calls OPEN right below it are its own */
    TIMELINE_EDGE = 1 << 13,   /* the same bit of a LIVE call: it began before the window that tells of it, or
                                  ended after that, and took longer than is reported */
    TIMELINE_LIVE = 1 << 14,   /* reported by its begin and its end, in a stack per context */
    TIMELINE_ABANDONS = 1 << 15, /* no earlier call that is not LIVE has its caller here or later */
};

/* Puts together the place of a call at `depth`, which is below 1 << TIMELINE_DEPTH_BITS, and bits of enum
 * timeline_place. */
static inline uint16_t timeline_place(uint32_t depth, uint32_t bits)
{
    return (uint16_t)(depth | bits);
}

/* The depth of a call: 0 is the outermost. */
static inline uint16_t timeline_depth(const struct timeline_call *call)
{
    return call->place & ((1 << TIMELINE_DEPTH_BITS) - 1);
}

enum { TIMELINE_CHUNK = 4096 }; /* calls */

/* Calls that the ingest thread writes and every view that was frozen meanwhile reads. */
struct timeline_chunk {
    atomic_uint references;
    uint32_t count;                /* as of the last freeze; a frozen view has its own */
    uint64_t from_ticks, to_ticks; /* likewise */
    struct timeline_call calls[TIMELINE_CHUNK];
};

/* An empty chunk has one reference, the caller's; NULL when memory is used up. */
struct timeline_chunk *timeline_chunk_new(void);
struct timeline_chunk *timeline_chunk_ref(struct timeline_chunk *chunk);
void timeline_chunk_unref(struct timeline_chunk *chunk);

/* The calls of one chunk that were there when it was frozen. */
struct timeline_view {
    struct timeline_chunk *chunk; /* holds a reference */
    const struct timeline_call *calls;
    uint32_t count;
    uint64_t from_ticks, to_ticks; /* earliest start, latest end */
};

/* A call that had begun and not ended. */
struct timeline_open {
    uint64_t start_ticks, newest_ticks; /* of its context */
    uint32_t function;
    uint16_t context, depth;
};

/* The calls of a snapshot: chunks, and what was still running. */
struct snapshot_timeline {
    uint64_t gone_ticks;        /* latest end of the calls that are held no more; 0: all are */
    uint64_t gone_from_ticks;   /* earliest start of these; meaningless while all are held */
    bool abandoned;             /* the callers of calls that have none yet will not come */
    struct timeline_open *open; /* callers before what runs inside them */
    uint32_t open_count;
    uint32_t count;
    struct timeline_view views[]; /* oldest first */
};

/* Gives its references back; NULL is fine. */
void snapshot_timeline_free(struct snapshot_timeline *timeline);

#endif
