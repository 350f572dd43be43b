/* babble.h - a target that sends random events in any order, and random changes to its profile. */
#ifndef TESTS_EXPORT_BABBLE_H
#define TESTS_EXPORT_BABBLE_H

#include "profile/profile.h"
#include "support/random.h"
#include "symbol/symtab.h"

enum { BABBLE_FUNCTIONS = 20, BABBLE_STEP = 0x40, BABBLE_BASE = 0x1000 };

/* Returns an event at about `now`. `kinds` are those of this target: 1 finished calls, 2 entries and exits, 4 arcs
 * and samples, 8 checkpoints; messages are always possible. */
struct event babble_event(struct test_random *random, uint32_t kinds, uint64_t now);

/* Functions f0, f1 ..., moved by `shift` bytes. The caller ends with
 * symtab_unref(). */
struct symtab *babble_symbols(uint64_t shift);

/* Now and then clears the profile, sets other symbols or none, advances its time or ends a batch. */
void babble_disturb(struct profile *profile, struct test_random *random, struct symtab *const symbols[2]);

#endif
