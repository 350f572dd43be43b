/* target.h - what the target has said about itself. */
#ifndef DEVICE_TARGET_H
#define DEVICE_TARGET_H

#include "event.h"
#include "snapshot/snapshot.h"

struct target {
    struct snapshot_target told; /* has_match and elf_match are left to symbols.h */
    bool has_counters;           /* the next two are the newest, as the target counts */
    uint32_t overflows, captured;
    uint64_t restarts;
};

/* Nothing is known but `ticks_per_second`, which holds until the target says otherwise; 0: unknown. */
void target_init(struct target *target, uint64_t ticks_per_second);

/* Takes in TARGET, CLOCK, STATUS and DESCRIPTION events, lets others pass. */
void target_hear(struct target *target, const struct event *event);

/* True when a TARGET event names the same program as the last one: its version and build,
 * whatever the clock. */
bool target_runs_the_same(const struct target *target, const struct event *event);

/* Says that the target's counters begin again, and what it said of itself is of before. */
void target_restart(struct target *target);

/* Says that it may be another target: what it said of itself is forgotten until it is said again. */
void target_connect(struct target *target);

/* True when a counter of the target that went from `before` to `after` was set back rather than wrapped at
 * 2^32: nothing counts up to 2^24 from one STATUS to the next. */
bool target_counter_fell(uint32_t before, uint32_t after);

#endif
