/* timeline.h - the calls that a snapshot has one by one.
 *
 * They are in the order in which they returned. Each has a mark of how its caller was found, so the call tree
 * of any time range can be rebuilt without a new guess: the caller is the next later call with one level
 * less, if the mark allows it. */
#ifndef SNAPSHOT_TIMELINE_H
#define SNAPSHOT_TIMELINE_H

#include "snapshot/snapshot.h"

#include <stdatomic.h>

/* One finished call, or the time between two checkpoints. */
struct timeline_call {
    uint64_t start_ticks, duration_ticks;
    uint32_t function;
    uint16_t context;
    uint16_t place; /* depth and enum timeline_place, see timeline_place() */
};

enum { TIMELINE_DEPTH_BITS = 10 };

/* The function of a VERDICT that only marks a break: no period is measured across it. */
enum { TIMELINE_BREAKS = 1 };

/* How a call was reported, and what is known about its caller. "Next" is the next later call with one level
 * less. */
enum timeline_place {
    /* Called by next. */
    TIMELINE_CALLED = 0 << TIMELINE_DEPTH_BITS,
    /* Called by next if that ADOPTS; then UNSURE if the call has no length and ends where next begins. If next
     * does not, the caller was lost, or is still running if no later call has less depth. */
    TIMELINE_OPEN = 1 << TIMELINE_DEPTH_BITS,
    /* Its caller was lost. */
    TIMELINE_ORPHAN = 2 << TIMELINE_DEPTH_BITS,
    /* Called by next, but its begin or end was not reported: it counts as time, not as a call. */
    TIMELINE_CUT = 3 << TIMELINE_DEPTH_BITS,
    /* Not a call: the time between two checkpoints. */
    TIMELINE_STRETCH = 4 << TIMELINE_DEPTH_BITS,
    /* CALLED if by the next VERDICT nothing was lost, else ORPHAN. */
    TIMELINE_UNSURE = 5 << TIMELINE_DEPTH_BITS,
    /* Not a call: duration 1 if nothing was lost since the last VERDICT, else 0; or TIMELINE_BREAKS. */
    TIMELINE_VERDICT = 6 << TIMELINE_DEPTH_BITS,
    /* Not a call: the context did not run. The depth is the number of calls on its stack, the function is an
     * enum snapshot_away. */
    TIMELINE_AWAY = 7 << TIMELINE_DEPTH_BITS,

    TIMELINE_TIES = 7 << TIMELINE_DEPTH_BITS,
    TIMELINE_ADOPTS = 1 << 13, /* OPEN calls directly below it are its own. */
    TIMELINE_EDGE =
        1
        << 13, /* The same bit in a LIVE call: it began before the window that reports it, or ended after it, so it took
     * longer than reported. */
    TIMELINE_LIVE = 1 << 14,     /* Reported by its begin and end, on a stack per context. */
    TIMELINE_ABANDONS = 1 << 15, /* Earlier calls that are not LIVE do not have their caller here or later. */
};

/* True for a call that the edge of a window cuts. */
static inline bool timeline_is_at_edge(const struct timeline_call *call)
{
    return call->place & TIMELINE_LIVE && call->place & TIMELINE_EDGE;
}

/* True for a call whose duration is unknown: its begin or end was not reported, or the edge of a window cuts it.
 * It counts as time, not as a call, and has no part in a distribution of durations or periods. */
static inline bool timeline_is_cut(const struct timeline_call *call)
{
    return (call->place & TIMELINE_TIES) == TIMELINE_CUT || timeline_is_at_edge(call);
}

/* True for an entry across which no period is counted: a cut call, or the mark of a possible loss. */
static inline bool timeline_breaks_periods(const struct timeline_call *call)
{
    uint32_t tie = call->place & TIMELINE_TIES;
    if (tie == TIMELINE_VERDICT)
        return call->function == TIMELINE_BREAKS;
    return tie != TIMELINE_AWAY && timeline_is_cut(call);
}

/* Combines the depth of a call, which is below 1 << TIMELINE_DEPTH_BITS, and bits of enum timeline_place. */
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

/* Calls that the ingest thread appends, shared with every view frozen since. */
struct timeline_chunk {
    atomic_uint references;
    uint32_t count;                /* at the last freeze; a frozen view has its own */
    uint64_t from_ticks, to_ticks; /* likewise */
    struct timeline_call calls[TIMELINE_CHUNK];
};

/* Makes an empty chunk with one reference, the caller's; NULL when memory is used up. */
struct timeline_chunk *timeline_chunk_new(void);
struct timeline_chunk *timeline_chunk_ref(struct timeline_chunk *chunk);
void timeline_chunk_unref(struct timeline_chunk *chunk);

/* The calls that were in a chunk when the view was frozen. */
struct timeline_view {
    struct timeline_chunk *chunk; /* holds a reference */
    const struct timeline_call *calls;
    uint32_t count;
    uint64_t from_ticks, to_ticks; /* earliest start, latest end */
};

/* A call that has begun but not ended. */
struct timeline_open {
    uint64_t start_ticks, newest_ticks; /* newest: latest time of its context */
    uint32_t function;
    uint16_t context, depth;
};

/* The calls of a snapshot: chunks, and what was still running. */
struct snapshot_timeline {
    uint64_t gone_ticks;        /* latest end of the calls that are no longer buffered; 0: none was dropped */
    uint64_t gone_from_ticks;   /* earliest start of these; undefined when none was dropped */
    bool abandoned;             /* calls that have no caller yet will not get one */
    struct timeline_open *open; /* callers before their callees */
    uint32_t open_count;
    uint32_t count;
    struct timeline_view views[]; /* oldest first */
};

/* Releases its references; NULL is allowed. */
void snapshot_timeline_free(struct snapshot_timeline *timeline);

#endif
