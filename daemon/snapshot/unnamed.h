/* unnamed.h - counts functions for which no ELF has a name. */
#ifndef SNAPSHOT_UNNAMED_H
#define SNAPSHOT_UNNAMED_H

#include "snapshot/snapshot.h"

/* `told`: functions with an address; `unnamed`: how many of them are in no ELF. */
struct snapshot_unnamed {
    uint32_t unnamed, told;
    double share;       /* of own time, or of samples if there are no times: 0 to 1 */
    bool has_share;     /* there are times or samples */
    bool is_of_samples; /* the share is of samples */
};

/* Counts them. All is 0 when there is no ELF with symbols. */
struct snapshot_unnamed snapshot_count_unnamed(const struct snapshot *snapshot);

/* True when there are unnamed functions. `sentence` then has their number, their share of own time, and the
 * likely cause. */
bool snapshot_unnamed(const struct snapshot *snapshot, struct error *sentence);

#endif
