/* placement_private.h - finds the callers of finished calls that wait in a placement. For
 * placement.c only. */
#ifndef PROFILE_PLACEMENT_PRIVATE_H
#define PROFILE_PLACEMENT_PRIVATE_H

#include "profile/placement.h"

/* Finds the nodes of pending calls [from, to), and what each has for itself without those that it called.
 * `wary`: some are nobody's callers; that is found out otherwise, too, and then noted with each
 * (`refuses`). */
void callers_find(struct placement *placement, uint32_t from, uint32_t to, bool wary);

/* Of a call whose node was found: where it counts, or will if nothing was lost. */
uint32_t callers_node(const struct placement *placement, const struct pending *call);

/* ... and whether it leads, or is below a call that does (doubts.h). */
bool callers_is_below_leading(const struct placement *placement, const struct pending *call);

#endif
