/* mpt_numbers.h - numbers for the tasks of a kernel that has none: the agent's tasks are 0 to MPT_TASKS - 1.
 *
 * 0 is what runs before the kernel does. Numbers that were taken back are given out again, the one that has
 * been free for longest first. When all are in use, further tasks share the last one, whose name shows it:
 * what is reported for these is not to be trusted, MPT_TASKS is to be raised.
 *
 * Names are copied, since tasks may have ended before they are sent: MPT_NUMBERS_NAME bytes of RAM each. */
#ifndef MPT_NUMBERS_H
#define MPT_NUMBERS_H

#include "mpt_port.h"

#include <stdbool.h>
#include <stdint.h>

#ifndef MPT_NUMBERS_NAME
#define MPT_NUMBERS_NAME 16 /* with the NUL that ends it; longer ones are cut */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A task that has not run yet: its number. `name` may be NULL. From tasks and before the kernel runs. */
MPT_NOT_INSTRUMENTED uint8_t mpt_number_give(const void *task, const char *name);

/* 0 when it has none; goes through all tasks. */
MPT_NOT_INSTRUMENTED uint8_t mpt_number_find(const void *task);

/* It is called otherwise from now on; 0 is ignored. */
MPT_NOT_INSTRUMENTED void mpt_number_name(uint8_t number, const char *name);

/* The task has ended, or is about to; 0 is ignored. */
MPT_NOT_INSTRUMENTED void mpt_number_take_back(uint8_t number);

#ifdef __cplusplus
}
#endif

#endif
