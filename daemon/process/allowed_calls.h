/* allowed_calls.h - the system calls that the confined daemon may make. */
#ifndef PROCESS_ALLOWED_CALLS_H
#define PROCESS_ALLOWED_CALLS_H

#include <stdbool.h>

struct confinement;

/* Applies the list permanently to all threads. False where the kernel cannot do that. */
bool allowed_calls_begin(const struct confinement *confinement);

#endif
