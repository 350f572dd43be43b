/* moment_log.h - events besides calls: gaps, where records are missing, and markers for single ticks. */
#ifndef PROFILE_MOMENT_LOG_H
#define PROFILE_MOMENT_LOG_H

#include "event.h"
#include "snapshot/moments.h"

/* How many of each kind are kept: the newest. */
enum { MOMENTS_GAPS_MAX = 8192, MOMENTS_MARKERS_MAX = 4096, MOMENTS_CHECKPOINTS_MAX = 16384 };

/* A ring of moments of one kind. */
struct moments_ring {
    struct moment *rows; /* NULL until needed */
    uint32_t first, count, limit;
};

/* What is known about the target's profiling. */
enum moments_profiling { PROFILING_UNKNOWN, PROFILING_OFF, PROFILING_ON };

/* `newest_ticks` is the end of the timeline: the latest end of a call, or the latest other event with a
 * time. */
struct moments {
    struct moments_ring gaps, markers, checkpoints;
    uint64_t newest_ticks;
    uint64_t first_ticks;            /* the first reported time; 0: none, or unknown */
    bool has_newest;                 /* something with a time was reported */
    struct moment due[MARKER_KINDS]; /* markers that wait for the first time, by kind; count 0: none */
    enum moments_profiling profiling;
    bool had_run;            /* EVENT_RUN was received since the target started */
    bool run_marked;         /* ... and the next one has a marker already, since STATUS reported it first */
    bool act_due;            /* a marker in `due` waits */
    bool gap_open;           /* the newest gap ends at the next reported time */
    bool gap_waits;          /* ... but not before the contents of the target's buffer have arrived */
    uint64_t status_ticks;   /* newest ticks at the last STATUS */
    uint64_t unknown_losses; /* overflows in this profile, each with an unknown number of lost records */
    uint64_t early_losses; /* of these, those reported before the first time: a run reports its own exactly */
    bool overflows_from_0; /* the target's count of overflows began at 0 in this profile */
    bool has_overflows;    /* last_overflows is known */
    uint32_t last_overflows; /* the target's count of overflows */
};

void moments_init(struct moments *moments);
void moments_fini(struct moments *moments);
void moments_clear(struct moments *moments);

/* Begins a gap (LOST): `records` records (0: unknown) are missing between the newest ticks and the next
 * reported time. Losses without a time in between are one gap. Losses before the first time are not on the
 * timeline. */
void moments_lose(struct moments *moments, uint64_t records);

/* Adds a gap with known ends, unless another is open. */
void moments_gap(struct moments *moments, uint64_t from_ticks, uint64_t to_ticks, uint64_t records);

/* Adds a marker at the newest ticks that stands for `count` events. */
void moments_mark(struct moments *moments, enum snapshot_marker_kind kind, uint64_t count);

/* Adds a marker for a passed checkpoint; `name` (or NULL) lives as long as the profile's names. */
void moments_checkpoint(struct moments *moments, const struct event *event, const char *name);

/* Adds a marker for a restart of the target (RESET), which also restarts its count of overflows. Nothing from
 * before is in its buffer any more. */
void moments_restart(struct moments *moments);

/* Reads the target's count of overflows from a STATUS. If it increased in this profile, adds a marker and a
 * gap, and returns true. Overflows in the first STATUS happened before the profile began, unless the target
 * was seen to start, calls have arrived, or its buffer still has data captured before (`waits`). The gap ends
 * with the first time that is reported after a STATUS without waiting data. */
bool moments_hear_overflows(struct moments *moments, uint32_t overflows, bool waits);

/* Ends the open gap at the newest ticks, and adds the waiting markers there. */
void moments_reach(struct moments *moments);

/* Adds a marker for an action on the profile or the target that concerns `calls` calls. It is at the newest
 * ticks, or at the next ones if there are none; a start is always at the next ones. */
void moments_act(struct moments *moments, enum snapshot_marker_kind kind, uint64_t calls);

/* Record whether the target reports that it profiles, while `running` calls have not returned; and that a run
 * begins (EVENT_RUN). Each start and each stop gets one marker, whichever of the two reports it first. If the
 * target profiled before anything was reported, there is no start.
 *
 * A run reports its own losses with their number. So overflows that a STATUS reported before the first packet
 * of the run do not count as other losses. */
void moments_hear_profiling(struct moments *moments, bool is_on, uint64_t running);
void moments_begin_run(struct moments *moments);

/* Records that a call ended at `ticks`, or that something else with a time was reported. */
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

/* Makes the copy for a snapshot, which the caller frees; NULL when memory is used up. */
struct snapshot_moments *moments_freeze(const struct moments *moments);

#endif
