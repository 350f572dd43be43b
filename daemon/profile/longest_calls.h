/* longest_calls.h - keeps the longest calls of a function, and the first in each bucket of its histogram. */
#ifndef PROFILE_LONGEST_CALLS_H
#define PROFILE_LONGEST_CALLS_H

#include "snapshot/outliers.h"

#include <stdbool.h>

/* How many firsts all functions may keep together: 6 MiB of them. */
struct longest_budget {
    uint32_t firsts_left;
};
enum { LONGEST_FIRSTS = 262144 };

/* Those of one function. Zero is the empty one, which owns its firsts. */
struct longest {
    struct outlier calls[OUTLIERS_LONGEST]; /* the longest first */
    uint32_t count;
    uint32_t first_count, first_room;
    struct outlier *firsts;
    bool is_changed;         /* since `frozen` was made */
    struct outliers *frozen; /* what the last snapshot has; NULL: none */
};

/* Frees what it owns, and gives it back to the budget. */
void longest_fini(struct longest *longest, struct longest_budget *budget);

/* Keeps the call if it is among the longest; of equals those received first. Returns the length that a call
 * has to exceed from now on to be kept; 0 while there is room. */
uint64_t longest_keep(struct longest *longest, const struct outlier *call);

/* Keeps a call that is the first of its bucket, while the budget has room. */
void longest_keep_first(struct longest *longest, struct longest_budget *budget, const struct outlier *call);

/* Brings `frozen` up to date. False when memory is used up. */
bool longest_settle(struct longest *longest);

#endif
