/* scarcity.h - counts failed allocations after which the work continues, so that a result can be reported as
 * incomplete. Any thread may call these functions. */
#ifndef BASE_SCARCITY_H
#define BASE_SCARCITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns `got`, the result of an allocation, and counts it when it is NULL. Not needed where the caller
 * returns an error for it. */
void *scarcity_watch(void *got);

/* Resizes an array on the heap to `room` elements of `size` bytes. `array` is the address of the pointer to
 * it, which may be NULL. Returns false, and counts that, when memory is used up or the size overflows; the
 * array is then unchanged. */
bool scarcity_grow(void *array, size_t room, size_t size);

/* Returns the number of counted failures in this process. */
uint64_t scarcity_count(void);

/* Like scarcity_watch(), for failures that affect an answer, not the profile: only scarcity_here() counts them. */
void *scarcity_note(void *got);

/* Returns the number of failures of both kinds in this thread. A result is complete if the number did not
 * change meanwhile. */
uint64_t scarcity_here(void);

#endif
