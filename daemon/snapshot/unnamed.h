/* unnamed.h - functions for which the ELF has no name. */
#ifndef SNAPSHOT_UNNAMED_H
#define SNAPSHOT_UNNAMED_H

#include "snapshot/snapshot.h"

/* True when an ELF with symbols was given and there are functions at addresses where it has none; `sentence`
 * then says how many, with which share of own time, and what that means. */
bool snapshot_unnamed(const struct snapshot *snapshot, struct error *sentence);

#endif
