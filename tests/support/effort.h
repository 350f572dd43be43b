/* effort.h - how much of a long test is done: part of it in a usual run, all of it where TEST_ALL is set in
 * the environment, as by scripts/test all. TEST_SHORT takes that back: one build of a run of all does random
 * tests at full length. */
#ifndef SUPPORT_EFFORT_H
#define SUPPORT_EFFORT_H

#include <stdint.h>
#include <stdlib.h>

/* `usual`, or `all` for a run that does all. */
static inline unsigned test_effort(unsigned usual, unsigned all)
{
    return getenv("TEST_ALL") && !getenv("TEST_SHORT") ? all : usual;
}

#endif
