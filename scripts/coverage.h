/* coverage.h - writes a process's coverage counters when it calls _exit(). scripts/coverage includes it before
 * each C file.
 *
 * gcc writes the counters at exit(). The processes of the annex end with _exit(), so they write them there, and
 * keep the right to open a file, as under a sanitizer. A process that is killed writes nothing. <unistd.h>
 * declares the function below again; a file may not include it. */
#ifndef SCRIPTS_COVERAGE_H
#define SCRIPTS_COVERAGE_H

#define IS_OBSERVED 1
#define _exit       coverage_exit

void __gcov_dump(void);

_Noreturn static inline void coverage_exit(int status)
{
    __gcov_dump();
    __builtin__exit(status);
}

#endif
