/* turns.h - what the processor did with the target's contexts, stretch by stretch.
 *
 * They stand in chunks as calls do (snapshot/timeline.h): a call's start and duration are those of the turn,
 * its function is the kind of turn, its context whose turn it was. What goes on is among the open ones. */
#ifndef SNAPSHOT_TURNS_H
#define SNAPSHOT_TURNS_H

#include "snapshot/snapshot.h"
#include "snapshot/timeline.h"

enum turn_kind {
    TURN_NONE,      /* not known, or an interrupt's that does not run: no such turn is kept */
    TURN_RUNNING,   /* the processor runs it */
    TURN_PREEMPTED, /* another runs, and it could go on */
    TURN_BLOCKED,   /* it waits for something */
    TURNS,
};

/* Fills in the times of `n` contexts in [from_ticks, to_ticks], which they may have or not: they do not where
 * nobody told turns, nor where some that reach into that stretch are not held any more. */
void turns_count(const struct snapshot_timeline *turns, uint64_t from_ticks, uint64_t to_ticks,
                 struct snapshot_context *contexts, uint32_t n);

#endif
