/* uftrace_dir.h - writes calls as uftrace would record them, for `uftrace report -d DIR`. */
#ifndef BENCH_UFTRACE_DIR_H
#define BENCH_UFTRACE_DIR_H

#include "bench/program.h"

#include <stdio.h>

struct uftrace_dir {
    FILE *records;
    bool failed;
};

typedef void (*uftrace_name_fn)(uint32_t function, char *out, size_t size);

/* Makes the directory, with `functions` symbols. Returns false with errno set on failure. */
bool uftrace_dir_open(struct uftrace_dir *dir, const char *path, uint32_t functions, uftrace_name_fn name);
void uftrace_dir_add(struct uftrace_dir *dir, const struct program_step *step);

/* Returns false if something could not be written. */
bool uftrace_dir_close(struct uftrace_dir *dir);

#endif
