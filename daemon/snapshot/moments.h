/* moments.h - gaps, markers and checkpoints as a snapshot holds them. */
#ifndef SNAPSHOT_MOMENTS_H
#define SNAPSHOT_MOMENTS_H

#include "snapshot/snapshot.h"

/* One gap, marker or passed checkpoint. */
struct moment {
    uint64_t from_ticks, to_ticks; /* the same except for a gap */
    uint64_t count;                /* of what is reported in one: overflows; records of a gap, 0 unknown */
    uint64_t calls;                /* STOP: that had not returned; DISCARD: that are no longer shown */
    const char *name;              /* CHECKPOINT: NULL unknown; lives as long as the profile's names */
    uint32_t topic, checkpoint;
    enum snapshot_marker_kind kind;
};

/* What snapshot_gaps() and snapshot_markers() are answered from. One block of memory. */
struct snapshot_moments {
    uint64_t first_ticks; /* the first time that was reported; 0: none was, or it is unknown */
    uint32_t gap_count, marker_count, checkpoint_count;
    struct moment rows[]; /* in that order, each sort in the order in which it was reported */
};

/* Tells when the first record of the profile was, held or not: the earliest start of a call that has ended,
 * or the first time of something else that was reported, since the profile began or was cleared. It becomes
 * earlier only when a call ends that began before. False when nothing has a time yet. */
bool snapshot_first_ticks(const struct snapshot *snapshot, uint64_t *ticks);

#endif
