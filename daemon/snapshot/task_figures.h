/* task_figures.h - how quickly each context did its work, and what it waited for longest, among the turns and
 * calls that are held.
 *
 * An *activation* of a thread lasts from the end of one wait for work to the begin of the next. A wait for
 * work is one at the least depth of the stack at which at least a twentieth of the thread's waits are; deeper
 * ones, for a mutex for example, lie inside of activations. Of a context that never waits, such as an
 * interrupt, each outermost call is an activation. How long one lasts, waits in it and preemptions included,
 * is the *response*. */
#ifndef SNAPSHOT_TASK_FIGURES_H
#define SNAPSHOT_TASK_FIGURES_H

#include "snapshot/snapshot.h"

/* The longest stretch of its kind; none where `ticks` is 0. */
struct task_stretch {
    uint64_t start_ticks, ticks;
};

/* All in ticks. */
struct task_figures {
    bool has_turns; /* the target reported what the context did; if not, there are no stretches */
    uint64_t activations;
    uint64_t min_ticks, p50_ticks, p99_ticks; /* of responses; meaningless without activations */
    struct task_stretch slowest;              /* the longest response */
    struct task_stretch work_wait, call_wait; /* waits for work, and others; what goes on counts so far */
    struct task_stretch preempted;            /* likewise */
    bool has_ready;                           /* it is known whom the context would have preempted */
    struct task_stretch ready; /* before a wait ended: the context may have been ready, and did not run. No
                                  such stretch was longer; this one may have been shorter */
};

/* Fills in a row for each of snapshot->context_count contexts from what is held of [from_ticks, to_ticks],
 * and tells in *held_ticks from when on that is. Stretches in which records are missing or bytes came damaged
 * are left out. False when memory is used up. It looks at each call and, twice, at each turn of that time. */
bool task_figures_find(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                       struct task_figures *figures, uint64_t *held_ticks);

#endif
