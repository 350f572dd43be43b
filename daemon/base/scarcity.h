/* scarcity.h - counts how often memory was asked for without success where the work goes on without it, so
 * that the reporter of a result can say that it is not all of it. Any thread may call these. */
#ifndef BASE_SCARCITY_H
#define BASE_SCARCITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns `got`, what an allocation answered, and counts it when it is NULL. Not for those after which the
 * caller gives up with an error, which reports enough. */
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
