/* mpt_numbers.h - numbers for the tasks of a kernel that has none: the agent's tasks are 0 to MPT_TASKS - 1.
 *
 * 0 is the code that runs before the kernel does. Released numbers are allocated again, the one that has been
 * free for longest first. When all are in use, further tasks share the last one, whose name shows it: do not
 * trust what is reported for them, and raise MPT_TASKS.
 *
 * Names are copied, since tasks may have ended before they are sent: MPT_NUMBERS_NAME bytes of RAM each. */
#ifndef MPT_NUMBERS_H
#define MPT_NUMBERS_H

#include "mpt_port.h"

#include <stdbool.h>
#include <stdint.h>

#ifndef MPT_NUMBERS_NAME
#define MPT_NUMBERS_NAME 16 /* with the NUL that ends it; longer names are cut */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the number of a task that has not run yet. `name` may be NULL. Call it from tasks or before the
 * kernel runs. */
MPT_NOT_INSTRUMENTED uint8_t mpt_number_give(const void *task, const char *name);

/* Returns the task's number, 0 when it has none; searches all tasks. */
MPT_NOT_INSTRUMENTED uint8_t mpt_number_find(const void *task);

/* Changes the task's name; number 0 is ignored. */
MPT_NOT_INSTRUMENTED void mpt_number_name(uint8_t number, const char *name);

/* Releases the number of a task that has ended, or is about to; number 0 is ignored. */
MPT_NOT_INSTRUMENTED void mpt_number_take_back(uint8_t number);

#ifdef __cplusplus
}
#endif

#endif
