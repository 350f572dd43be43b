/* estimate.h - estimates a call tree from arcs and samples. */
#ifndef PROFILE_ESTIMATE_H
#define PROFILE_ESTIMATE_H

#include "profile/arcs.h"
#include "profile/calltree.h"
#include "profile/functions.h"

/* Fills `tree` again. Ticks are samples, or real ticks if the target counts each function's own. The total
 * cost of a function is split among its callers in proportion to their calls, as gprof does. That is right on
 * average, and wrong for a callee that is cheap for one caller and expensive for another. Functions that call
 * each other in a cycle are one node "[cycle N]" with its members below. */
void estimate_fill(struct calltree *tree, struct functions *functions, const struct arcs *arcs);

/* Resets the counts of estimate_fill() to 0; its nodes stay. */
void estimate_forget(struct calltree *tree, const struct functions *functions);

#endif
