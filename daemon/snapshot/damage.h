/* damage.h - at which ticks bytes of the line were damaged or missing.
 *
 * Calls that are lost so are numbered, and reported. Turns of contexts are not: where one may have been lost,
 * it is not known which context ran. */
#ifndef SNAPSHOT_DAMAGE_H
#define SNAPSHOT_DAMAGE_H

#include <stdbool.h>
#include <stdint.h>

enum { DAMAGE_MOST = 16 };

/* Zero is the start state. */
struct snapshot_damage {
    uint32_t n;
    struct damage_stretch {
        uint64_t from_ticks, to_ticks;
    } at[DAMAGE_MOST]; /* in order of time; the first one holds all that were before the second */
};

/* Bytes were damaged between what came at `from_ticks` and what came at `to_ticks`, no earlier
 * than before. */
void snapshot_damage_add(struct snapshot_damage *damage, uint64_t from_ticks, uint64_t to_ticks);

/* True when any lies in [from_ticks, to_ticks]. */
bool snapshot_damage_in(const struct snapshot_damage *damage, uint64_t from_ticks, uint64_t to_ticks);

#endif
