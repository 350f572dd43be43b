/* unnamed.h - functions for which no ELF has a name. */
#ifndef SNAPSHOT_UNNAMED_H
#define SNAPSHOT_UNNAMED_H

#include "snapshot/snapshot.h"

/* How many functions are at addresses of no ELF, of those that an address is known about. */
struct snapshot_unnamed {
    uint32_t unnamed, told;
    double share;       /* of own time, or of samples where there is no time: 0 to 1 */
    bool has_share;     /* there is either */
    bool is_of_samples; /* the share is */
};

/* Counts them. All is 0 without an ELF that has symbols. */
struct snapshot_unnamed snapshot_count_unnamed(const struct snapshot *snapshot);

/* True when there are any; `sentence` then says how many, with which share of own time, and
 * what that means. */
bool snapshot_unnamed(const struct snapshot *snapshot, struct error *sentence);

#endif
