/* coverage.h - for scripts/coverage, which has the compiler read it before each file of C.
 *
 * What has run is reported at exit(), into files. The processes of the annex end with _exit(), so they report
 * it there, and keep the right to open a file, as under a sanitizer. A process that is killed reports nothing.
 * <unistd.h>, where it is included, declares the function below once more; a test may do without it. */
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
