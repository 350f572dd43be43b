/* turns.h - which context the target's processor ran, and when.
 *
 * Turns are stored in chunks of calls (snapshot/timeline.h). Start and duration are those of the turn, the
 * function is its kind, the context is the one that ran, and the depth is the number of calls on its stack.
 * Turns that have not ended are among the open calls. */
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

/* What of a turn lies inside a stretch of time. */
struct turn {
    uint64_t from_ticks, to_ticks;
    uint32_t kind; /* enum turn_kind */
    uint32_t context;
    uint32_t depth; /* how many calls were on its stack when it ended */
};

/* Tells `each` of the turns in [from_ticks, to_ticks), cut to that: those that are over in the order in which
 * they ended, then those that go on. None where `turns` is NULL. */
typedef void (*turn_fn)(void *user, const struct turn *turn);
void turns_each(const struct snapshot_timeline *turns, uint64_t from_ticks, uint64_t to_ticks, turn_fn each,
                void *user);

/* Fills in the times of `n` contexts in [from_ticks, to_ticks], which they may have or not: they do not where
 * no turns were reported, nor where some that reach into that stretch are not held any more. */
void turns_count(const struct snapshot_timeline *turns, uint64_t from_ticks, uint64_t to_ticks,
                 struct snapshot_context *contexts, uint32_t n);

#endif
