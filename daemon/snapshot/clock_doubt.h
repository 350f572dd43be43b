/* clock_doubt.h - describes what is wrong with the target's clock, and what to do about it. */
#ifndef SNAPSHOT_CLOCK_DOUBT_H
#define SNAPSHOT_CLOCK_DOUBT_H

#include "snapshot/snapshot.h"

enum { CLOCK_DOUBT_SIZE = 320 };

/* Writes the sentence, or "" when no fault is known. Returns true if there is one. */
bool snapshot_clock_doubt(const struct snapshot_target *target, char out[static CLOCK_DOUBT_SIZE]);

#endif
