/* tree.h - the call tree of a profile: along which chain of callers time grew. */
#ifndef CHECK_TREE_H
#define CHECK_TREE_H

#include "check/measured.h"

/* The chain whose own time grew most: of the nodes of `function` (a row of profile `now`) that whose self
 * time a call grew most against the same chain of profile `then`, weighed with its calls; with `by_calls` all
 * its calls together. MEASURED_NO_NODE where there is none. */
uint32_t tree_grown(const struct measured *then, const struct measured *now, uint32_t function,
                    bool by_calls);

/* What each function of `then` may have taken over from callees of its own that it calls less often in `now`,
 * or no more, as one that was inlined: the time of these calls, ns for each call of the function, by its row.
 * The caller frees it. NULL where `then` has no tree, or memory is used up. */
double *tree_taken_over(const struct measured *then, const struct measured *now);

#endif
