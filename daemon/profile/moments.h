/* moments.h - what happened besides calls: where records are missing, and single ticks worth a mark on the
 * timeline. */
#ifndef PROFILE_MOMENTS_H
#define PROFILE_MOMENTS_H

#include "event.h"
#include "snapshot/moments.h"

/* The last ones of each sort are kept. */
enum { MOMENTS_GAPS_MAX = 8192, MOMENTS_MARKERS_MAX = 4096, MOMENTS_CHECKPOINTS_MAX = 16384 };

/* A ring. */
struct moments_ring {
    struct moment *rows; /* NULL until needed */
    uint32_t first, count, limit;
};

/* Newest ticks are those of the timeline so far: of the latest end of a call, or event. */
struct moments {
    struct moments_ring gaps, markers, checkpoints;
    uint64_t newest_ticks;
    bool has_newest;         /* something with a time was told */
    bool gap_open;           /* the newest gap ends at the next time that is told */
    bool overflows_from_0;   /* the target counts its buffer's overflows from 0 within this profile */
    bool has_overflows;      /* it has told how many: */
    uint32_t last_overflows; /* so often, by its own counter */
};

void moments_init(struct moments *moments);
void moments_fini(struct moments *moments);
void moments_clear(struct moments *moments);

/* LOST: records are missing between the newest ticks and the next time that is told. The first of several
 * without a time in between counts; a loss before the first time is none of the timeline's. */
void moments_lose(struct moments *moments, uint64_t records);

/* A marker at the newest ticks; `count` things in one. */
void moments_mark(struct moments *moments, enum snapshot_marker_kind kind, uint64_t count);

/* A checkpoint was passed. */
void moments_checkpoint(struct moments *moments, const struct event *event, const char *name);

/* RESET: the target starts anew, and with it its count of overflows. */
void moments_reset(struct moments *moments);

/* STATUS tells how often the target's buffer has overflowed: a marker when it did since the last one. Returns
 * how often it did within this profile, as far as that is known: of overflows that the first STATUS tells of
 * nobody knows when they happened, unless the target was seen to start, or calls have come before. */
uint32_t moments_hear_overflows(struct moments *moments, uint32_t overflows);

void moments_end_gap(struct moments *moments);

/* A call ended at `ticks`, or something else that has a time was told. */
static inline void moments_pass(struct moments *moments, uint64_t ticks)
{
    if (ticks > moments->newest_ticks)
        moments->newest_ticks = ticks;
    moments->has_newest = true;
    if (__builtin_expect(moments->gap_open, false))
        moments_end_gap(moments);
}

/* A frozen copy; NULL when memory is used up. */
struct snapshot_moments *moments_freeze(const struct moments *moments);

#endif
