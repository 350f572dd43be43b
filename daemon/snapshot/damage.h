/* damage.h - the times at which bytes of the line were damaged or missing.
 *
 * Calls are numbered, so lost calls are counted and reported. Switches of contexts are not numbered: after a
 * loss it is unknown which context ran. */
#ifndef SNAPSHOT_DAMAGE_H
#define SNAPSHOT_DAMAGE_H

#include <stdbool.h>
#include <stdint.h>

enum { DAMAGE_MOST = 16 };

/* All zero is the initial state. */
struct snapshot_damage {
    uint32_t n;
    struct damage_stretch {
        uint64_t from_ticks, to_ticks;
    } at[DAMAGE_MOST]; /* in order of time; when full, the first covers all older ones */
};

/* Adds damage between what arrived at `from_ticks` and what arrived at `to_ticks`. The ticks must not be
 * earlier than those of the call before. */
void snapshot_damage_add(struct snapshot_damage *damage, uint64_t from_ticks, uint64_t to_ticks);

/* True when there was damage in [from_ticks, to_ticks]. */
bool snapshot_damage_in(const struct snapshot_damage *damage, uint64_t from_ticks, uint64_t to_ticks);

#endif
