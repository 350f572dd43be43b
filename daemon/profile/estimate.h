/* estimate.h - a call tree guessed from arcs and samples. */
#ifndef PROFILE_ESTIMATE_H
#define PROFILE_ESTIMATE_H

#include "profile/arcs.h"
#include "profile/calltree.h"
#include "profile/functions.h"

/* Fills `tree` again; ticks are samples, or ticks where the target counts each function's own. What a
 * function costs, with all it calls, is split among its callers in proportion to their calls, which is also
 * what gprof assumes: true on average, false for a callee that is cheap for one caller and dear for another.
 * Functions that call each other in a circle are one node "[cycle N]" with its members below. */
void estimate_fill(struct calltree *tree, struct functions *functions, const struct arcs *arcs);

/* Zeroes what estimate_fill() counted; its nodes stay. */
void estimate_forget(struct calltree *tree, const struct functions *functions);

#endif
