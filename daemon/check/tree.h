/* tree.h - compares two call trees: finds chains of callers that became slower. */
#ifndef CHECK_TREE_H
#define CHECK_TREE_H

#include "check/measured.h"

/* Returns the node of `function` (a row of profile `now`) whose self time grew most compared with the same chain in
 * `then`: self time per call, times its calls; with `by_calls`, the sum over all its calls. MEASURED_NO_NODE when
 * it has no node. */
uint32_t tree_grown(const struct measured *then, const struct measured *now, uint32_t function,
                    bool by_calls);

/* Returns, by row of `then`, the time that a function may have taken over from callees that it calls less often in
 * `now` or no longer, as after inlining: ns per call of the function. The caller frees it. NULL when `then` has no
 * tree, or memory is used up. */
double *tree_taken_over(const struct measured *then, const struct measured *now);

#endif
