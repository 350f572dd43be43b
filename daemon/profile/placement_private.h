/* placement_private.h - finds the callers of finished calls in a placement. Only for placement.c. */
#ifndef PROFILE_PLACEMENT_PRIVATE_H
#define PROFILE_PLACEMENT_PRIVATE_H

#include "profile/placement.h"

/* Finds the nodes of pending calls [from, to), and their own times without callees. `wary`: some are
 * certainly not callers. That is also detected otherwise, and then recorded in each call (`refuses`). */
void callers_find(struct placement *placement, uint32_t from, uint32_t to, bool wary);

/* Returns the node where a call counts, or will count if nothing was lost. The call must have a node. */
uint32_t callers_node(const struct placement *placement, const struct pending *call);

/* True when the call leads, or is below a call that does (doubts.h). */
bool callers_is_below_leading(const struct placement *placement, const struct pending *call);

#endif
