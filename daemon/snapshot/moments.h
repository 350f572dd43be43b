/* moments.h - gaps, markers and checkpoints in a snapshot. */
#ifndef SNAPSHOT_MOMENTS_H
#define SNAPSHOT_MOMENTS_H

#include "snapshot/snapshot.h"

/* One gap, marker or passed checkpoint. */
struct moment {
    uint64_t from_ticks, to_ticks; /* equal except for a gap */
    uint64_t count;                /* overflows that are reported together, or records of a gap; 0: unknown */
    uint64_t calls;   /* STOP: calls that had not returned; DISCARD: calls that are no longer shown */
    const char *name; /* CHECKPOINT: NULL when unknown; lives as long as the profile's names */
    uint32_t topic, checkpoint;
    enum snapshot_marker_kind kind;
};

/* The data for snapshot_gaps() and snapshot_markers(). One block of memory. */
struct snapshot_moments {
    uint64_t first_ticks; /* the first reported time; 0: none, or unknown */
    uint32_t gap_count, marker_count, checkpoint_count;
    struct moment rows[]; /* in that order, each kind in the order of arrival */
};

/* Finds the time of the profile's first record, buffered or not: the earliest start of a completed call, or
 * the first time of anything else reported since the profile began or was cleared. It only becomes earlier
 * when a call ends that began before it. Returns false when nothing has a time yet. */
bool snapshot_first_ticks(const struct snapshot *snapshot, uint64_t *ticks);

#endif
