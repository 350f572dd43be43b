/* clock_doubt.h - what is wrong with the target's clock, in a sentence that says what to do. */
#ifndef SNAPSHOT_CLOCK_DOUBT_H
#define SNAPSHOT_CLOCK_DOUBT_H

#include "snapshot/snapshot.h"

enum { CLOCK_DOUBT_SIZE = 320 };

/* Writes the sentence, "" when nothing is known to be wrong. Returns whether there is one. */
bool snapshot_clock_doubt(const struct snapshot_target *target, char out[static CLOCK_DOUBT_SIZE]);

#endif
