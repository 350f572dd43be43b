/* recent.h - the longest call of each function in the last minute, for collectors of metrics.
 *
 * A maximum since the last scrape would be another one for each of two collectors, for each takes away what
 * the other has not seen. One over a stretch of the target's time that is longer than it is from scrape to
 * scrape misses nothing, whichever collector asks and however often, and nobody has to remember anything. */
#ifndef EXPORT_RECENT_H
#define EXPORT_RECENT_H

#include "snapshot/snapshot.h"

enum { RECENT_SECONDS = 60 };

/* Returns the longest call of each function among those that ended in the last minute of the target's time,
 * by the function's place, 0 where there was none; and how many ticks of that minute are known: the timeline
 * keeps a limited number of calls. False when nothing is known: without a clock, without calls, or of a
 * range. */
bool recent_longest(const struct snapshot *snapshot, uint64_t *longest_ticks, uint64_t *known_ticks);

#endif
