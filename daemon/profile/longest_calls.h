/* longest_calls.h - keeps the longest calls of a function, and the first in each bucket of its histogram. */
#ifndef PROFILE_LONGEST_CALLS_H
#define PROFILE_LONGEST_CALLS_H

#include "snapshot/outliers.h"

#include <stdbool.h>

/* How many firsts all functions may still keep: 6 MiB in total. */
struct longest_budget {
    uint32_t firsts_left;
};
enum { LONGEST_FIRSTS = 262144 };

/* The outliers of one function. All zero is the empty list, which owns its firsts. */
struct longest {
    struct outlier calls[OUTLIERS_LONGEST]; /* the longest first */
    uint32_t count;
    uint32_t first_count, first_room;
    struct outlier *firsts;
    bool is_changed;         /* since `frozen` was made */
    struct outliers *frozen; /* as in the last snapshot; NULL: none */
};

/* Frees the list, and returns its firsts to the budget. */
void longest_fini(struct longest *longest, struct longest_budget *budget);

/* Keeps the call if it is among the longest; of equal ones, those received first stay. Returns the duration
 * that a call must exceed from now on to be kept; 0 while there is room. */
uint64_t longest_keep(struct longest *longest, const struct outlier *call);

/* Keeps a call that is the first in its bucket, if the budget allows. */
void longest_keep_first(struct longest *longest, struct longest_budget *budget, const struct outlier *call);

/* Updates `frozen`. Returns false when memory is used up. */
bool longest_settle(struct longest *longest);

#endif
