/* babble.h - a target that says anything, in any order, and a user who does anything to its profile. */
#ifndef TESTS_EXPORT_BABBLE_H
#define TESTS_EXPORT_BABBLE_H

#include "profile/profile.h"
#include "support/random.h"
#include "symbol/symtab.h"

enum { BABBLE_FUNCTIONS = 20, BABBLE_STEP = 0x40, BABBLE_BASE = 0x1000 };

/* An event at about `now`. `kinds` is which this target uses: 1 finished calls, 2 entries and exits, 4 arcs
 * and samples, 8 checkpoints; messages always come. */
struct event babble_event(struct test_random *random, uint32_t kinds, uint64_t now);

/* Functions f0, f1 ... at `shift` bytes from where another build has them. The caller ends with
 * symtab_unref(). */
struct symtab *babble_symbols(uint64_t shift);

/* Now and then clears the profile, gives it other symbols or none, gives it the time or ends a batch. */
void babble_disturb(struct profile *profile, struct test_random *random, struct symtab *const symbols[2]);

#endif
