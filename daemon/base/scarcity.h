/* scarcity.h - counts how often memory was asked for without success where the work goes on without it, so
 * that whoever tells a result can tell that it is not all of it. Any thread may call these. */
#ifndef BASE_SCARCITY_H
#define BASE_SCARCITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns `got`, what an allocation answered, and counts it when it is NULL. Not for those after which the
 * caller gives up with an error, which tells enough. */
void *scarcity_watch(void *got);

/* Lets an array on the heap have `room` elements of `size` bytes; `array` is the address of the pointer
 * to it, which may be NULL. False, and counted, when there is no memory or it would be more than can be
 * addressed; the array stays as it was. */
bool scarcity_grow(void *array, size_t room, size_t size);

/* How often it was, in this process. */
uint64_t scarcity_count(void);

/* The same where an answer will lack it and the profile does not: counted in scarcity_here() alone. */
void *scarcity_note(void *got);

/* How often either was, in this thread: who compares it before and after knows whether a result
 * is all of it. */
uint64_t scarcity_here(void);

#endif
