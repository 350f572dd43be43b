/* turns.h - which context the target's processor ran, and when.
 *
 * Turns are stored in chunks of calls (snapshot/timeline.h). Start and duration are those of the turn, the
 * function is its kind, and the depth is the number of calls on the context's stack. Turns that have not
 * ended are among the open calls. */
#ifndef SNAPSHOT_TURNS_H
#define SNAPSHOT_TURNS_H

#include "snapshot/snapshot.h"
#include "snapshot/timeline.h"

enum turn_kind {
    TURN_NONE,      /* unknown, or of an interrupt that does not run; such turns are not stored */
    TURN_RUNNING,   /* the processor runs it */
    TURN_PREEMPTED, /* ready, but another context runs */
    TURN_BLOCKED,   /* it waits for something */
    TURNS,
};

/* The part of a turn inside a time range. */
struct turn {
    uint64_t from_ticks, to_ticks;
    uint32_t kind; /* enum turn_kind */
    uint32_t context;
    uint32_t depth; /* calls on its stack when it ended */
};

/* Calls `each` for the turns in [from_ticks, to_ticks), cut to that range: first completed ones, in the order
 * in which they ended, then current ones, that of the running context first. `turns` may be NULL. */
typedef void (*turn_fn)(void *user, const struct turn *turn);
void turns_each(const struct snapshot_timeline *turns, uint64_t from_ticks, uint64_t to_ticks, turn_fn each,
                void *user);

/* Fills in the times of `n` contexts in [from_ticks, to_ticks]. They are marked as unknown when no turns were
 * reported, or when some turns of the range are no longer buffered. */
void turns_count(const struct snapshot_timeline *turns, uint64_t from_ticks, uint64_t to_ticks,
                 struct snapshot_context *contexts, uint32_t n);

/* How long contexts ran, in columns of a time range. Column n begins at from_ticks + n * step_ticks. */
struct turns_columns {
    uint64_t from_ticks, step_ticks;
    uint32_t columns, contexts;
    bool has_some;        /* a turn was reported in the range */
    uint64_t ran_ticks[]; /* [columns * context + column] */
};

/* Computes them for [from_ticks, to_ticks), from the first tick on whose turns are still buffered, in at most
 * `columns` columns. The caller frees the result. NULL when memory is used up. */
struct turns_columns *turns_over_time(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                                      uint32_t columns);

#endif
