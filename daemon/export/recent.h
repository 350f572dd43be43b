/* recent.h - finds the longest call of each function in the last minute, for metrics.
 *
 * A maximum since the last scrape would be wrong with two collectors, since each would reset it for the other.
 * A maximum over a minute misses nothing as long as scrapes are closer than that, for any number of collectors,
 * and without state. */
#ifndef EXPORT_RECENT_H
#define EXPORT_RECENT_H

#include "snapshot/snapshot.h"

enum { RECENT_SECONDS = 60 };

/* Fills longest_ticks[], by function, with the longest call that ended in the last minute of the target's time,
 * 0 for none. *known_ticks is the part of that minute that the timeline still holds. False when nothing is
 * known: without a clock, without calls, or for a range. */
bool recent_longest(const struct snapshot *snapshot, uint64_t *longest_ticks, uint64_t *known_ticks);

#endif
