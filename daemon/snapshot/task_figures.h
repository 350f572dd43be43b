/* task_figures.h - how quickly each context did its work, and its longest waits, from buffered turns and
 * calls.
 *
 * An *activation* of a thread lasts from the end of one wait for work to the start of the next. A wait for
 * work is one at the least depth of the stack with at least a twentieth of the thread's waits. Deeper waits,
 * for example for a mutex, are inside of activations. In a context that never waits, such as an interrupt,
 * each outermost call is an activation. The *response* is how long an activation lasts, including waits and
 * preemptions in it. */
#ifndef SNAPSHOT_TASK_FIGURES_H
#define SNAPSHOT_TASK_FIGURES_H

#include "snapshot/snapshot.h"

/* The longest stretch of its kind; none when `ticks` is 0. */
struct task_stretch {
    uint64_t start_ticks, ticks;
};

/* All in ticks. */
struct task_figures {
    bool has_turns; /* the target reported turns of the context; if not, there are no stretches */
    uint64_t activations;
    uint64_t min_ticks, p50_ticks, p99_ticks; /* of responses; undefined without activations */
    struct task_stretch slowest;              /* the longest response */
    struct task_stretch work_wait, call_wait; /* waits for work, and others; current ones count so far */
    struct task_stretch preempted;            /* likewise */
    bool has_ready;                           /* it is known which contexts it would have preempted */
    struct task_stretch ready;                /* upper limit of how long it was ready before it ran */
};

/* Fills in a row for each of snapshot->context_count contexts, from the buffered part of [from_ticks,
 * to_ticks], and sets *held_ticks to the start of that part. Stretches with missing records or damaged bytes
 * are left out. Returns false when memory is used up. Reads all calls, and twice all turns, of that time. */
bool task_figures_find(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                       struct task_figures *figures, uint64_t *held_ticks);

#endif
