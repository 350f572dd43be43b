/* target.h - stores what the target has reported about itself. */
#ifndef DEVICE_TARGET_H
#define DEVICE_TARGET_H

#include "event.h"
#include "snapshot/snapshot.h"

struct target {
    struct snapshot_target told; /* has_match and elf_match are set by symbols.h */
    bool has_counters;           /* the next two are the target's newest values */
    uint32_t overflows, captured;
    uint64_t restarts;
};

/* Initially, only `ticks_per_second` is set, until the target reports another rate; 0 when unknown. */
void target_init(struct target *target, uint64_t ticks_per_second);

/* Reads TARGET, CLOCK, STATUS, ROOM and DESCRIPTION events; ignores others. */
void target_hear(struct target *target, const struct event *event);

/* True when a TARGET event has the same program as the last one: the same version and build, whatever the
 * clock. */
bool target_runs_the_same(const struct target *target, const struct event *event);

/* The target restarted: its counters begin again, and its description is outdated. */
void target_restart(struct target *target);

/* It may be another target: its description is dropped until it is sent again. */
void target_connect(struct target *target);

/* True when a counter that went from `before` to `after` was reset, and did not wrap at 2^32: no counter
 * grows by 2^24 between two STATUS. */
bool target_counter_fell(uint32_t before, uint32_t after);

#endif
