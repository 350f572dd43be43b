/* coverage.h - for scripts/coverage, which has the compiler read it before each file of C.
 *
 * What has run is told at exit(), into files. The processes of the annex end with _exit(), so they tell it
 * there, and keep the right to open a file, as under a sanitizer. A process that is killed tells nothing. */
#ifndef SCRIPTS_COVERAGE_H
#define SCRIPTS_COVERAGE_H

#include <unistd.h> /* which declares _exit() */

#define IS_OBSERVED 1

void __gcov_dump(void);
#define _exit(status) (__gcov_dump(), _exit(status))

#endif
