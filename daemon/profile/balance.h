/* balance.h - the ledger of a snapshot. */
#ifndef PROFILE_BALANCE_H
#define PROFILE_BALANCE_H

#include "profile/profile_private.h"

/* Books what the profile and the link have counted, and what the snapshot, whose rows are there, shows of it;
 * compares the sums that have to be equal. */
void balance_fill(struct profile *profile, struct snapshot *snapshot);

/* How many calls were reported since the rows began again. Arcs beside calls are the same ones. */
uint64_t balance_calls_told(const struct profile *profile);

#endif
