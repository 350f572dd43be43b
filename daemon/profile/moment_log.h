/* moment_log.h - what happened besides calls: where records are missing, and single ticks worth a mark on the
 * timeline. */
#ifndef PROFILE_MOMENT_LOG_H
#define PROFILE_MOMENT_LOG_H

#include "event.h"
#include "snapshot/moments.h"

/* The newest of each sort that are kept. */
enum { MOMENTS_GAPS_MAX = 8192, MOMENTS_MARKERS_MAX = 4096, MOMENTS_CHECKPOINTS_MAX = 16384 };

/* A ring of moments of one sort. */
struct moments_ring {
    struct moment *rows; /* NULL until needed */
    uint32_t first, count, limit;
};

/* What is known about the target's profiling. */
enum moments_profiling { PROFILING_UNKNOWN, PROFILING_OFF, PROFILING_ON };

/* The newest ticks are where the timeline has come to: the latest end of a call, or the latest event with a
 * time. */
struct moments {
    struct moments_ring gaps, markers, checkpoints;
    uint64_t newest_ticks;
    uint64_t first_ticks;            /* the first time that was reported; 0: none was, or it is unknown */
    bool has_newest;                 /* something with a time was reported */
    struct moment due[MARKER_KINDS]; /* acts that wait for the first time to stand at; count 0: none does */
    enum moments_profiling profiling;
    bool had_run;            /* EVENT_RUN came since the target started */
    bool run_marked;         /* ... and the one to come is marked already, since STATUS reported it first */
    bool act_due;            /* something in `due` waits */
    bool gap_open;           /* the newest gap ends at the next time that is reported */
    bool gap_waits;          /* ... but not before what waited in the target's buffer has come */
    uint64_t status_ticks;   /* newest ticks when the last STATUS came */
    uint64_t unknown_losses; /* overflows within this profile: how often an unknown number was lost */
    uint64_t early_losses; /* of these, those reported before the first time: a run counts its own exactly */
    bool overflows_from_0; /* the target counts its buffer's overflows from 0 within this profile */
    bool has_overflows;    /* it has reported how many: */
    uint32_t last_overflows; /* its own counter */
};

void moments_init(struct moments *moments);
void moments_fini(struct moments *moments);
void moments_clear(struct moments *moments);

/* Begins a gap (LOST): `records` records (0: it is unknown how many) are missing between the newest ticks and
 * the next time that is reported. Losses without a time in between are one gap; one before the first time is
 * none of the timeline's. */
void moments_lose(struct moments *moments, uint64_t records);

/* Adds a gap of which both ends are known, unless another is open. */
void moments_gap(struct moments *moments, uint64_t from_ticks, uint64_t to_ticks, uint64_t records);

/* Puts a marker at the newest ticks, for `count` things in one. */
void moments_mark(struct moments *moments, enum snapshot_marker_kind kind, uint64_t count);

/* Puts a marker where a checkpoint was passed; `name` (NULL: none) lives as long as the profile's names. */
void moments_checkpoint(struct moments *moments, const struct event *event, const char *name);

/* Puts a marker where the target starts again (RESET), and with it its count of overflows; nothing of before
 * waits any more. */
void moments_restart(struct moments *moments);

/* Reads a STATUS, with the target's own count of overflows: puts a marker and a gap when there were more
 * within this profile, and tells whether there were. Overflows of which the first STATUS tells happened
 * before the profile began, unless the target was seen to start, calls have come, or something still `waits`
 * in its buffer that was captured before. The gap ends with the first time reported after a STATUS at which
 * nothing of the kind waits. */
bool moments_hear_overflows(struct moments *moments, uint32_t overflows, bool waits);

/* Ends the gap that is open at the newest ticks, and places what waited for a time there. */
void moments_reach(struct moments *moments);

/* Puts a marker for something that was done, to the profile or to the target, and concerns `calls` calls. It
 * stands at the newest ticks, or at the first ones to come; a start always at those to come. */
void moments_act(struct moments *moments, enum snapshot_marker_kind kind, uint64_t calls);

/* Takes in whether the target profiles, as it says, while `running` calls have not returned; and that a run
 * of profiling begins (EVENT_RUN). Each start and each stop is one marker, whichever tells it first. True
 * when it profiled before anything was reported it is unknown: that is no start.
 *
 * Such a run tells what it lost, with its size: overflows that a STATUS reported before its first packet are
 * no losses besides. */
void moments_hear_profiling(struct moments *moments, bool is_on, uint64_t running);
void moments_begin_run(struct moments *moments);

/* Takes in that a call ended at `ticks`, or something else with a time was reported. */
static inline void moments_pass(struct moments *moments, uint64_t ticks)
{
    if (ticks > moments->newest_ticks)
        moments->newest_ticks = ticks;
    if (!moments->has_newest)
        moments->first_ticks = ticks;
    moments->has_newest = true;
    if (__builtin_expect(moments->gap_open || moments->act_due, false))
        moments_reach(moments);
}

/* Makes the copy that a snapshot holds, which the caller frees; NULL when memory is used up. */
struct snapshot_moments *moments_freeze(const struct moments *moments);

#endif
