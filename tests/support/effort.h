/* effort.h - chooses the length of a long test: part of it in a usual run, all of it if TEST_ALL is set in the
 * environment, as by scripts/test all. TEST_SHORT overrides that, since only one build of a full run needs
 * random tests at full length. */
#ifndef SUPPORT_EFFORT_H
#define SUPPORT_EFFORT_H

#include <stdint.h>
#include <stdlib.h>

/* Returns `usual`, or `all` in a full run. */
static inline unsigned test_effort(unsigned usual, unsigned all)
{
    return getenv("TEST_ALL") && !getenv("TEST_SHORT") ? all : usual;
}

#endif
