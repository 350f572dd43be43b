/* balance.h - fills in the ledger of a snapshot. */
#ifndef PROFILE_BALANCE_H
#define PROFILE_BALANCE_H

#include "profile/profile_private.h"

/* Books what the profile and the link have counted, and what the snapshot shows of it, and compares the sums
 * that must be equal. The snapshot's rows must be filled in. */
void balance_fill(struct profile *profile, struct snapshot *snapshot);

/* Returns the number of calls reported since the last clear or discard. Arcs are only counted when there are
 * no calls. */
uint64_t balance_calls_told(const struct profile *profile);

#endif
