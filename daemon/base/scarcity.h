/* scarcity.h - counts how often memory was asked for in vain where the work goes on without it, so that
 * whoever tells a result can tell that it is not all of it. Any thread may call these. */
#ifndef BASE_SCARCITY_H
#define BASE_SCARCITY_H

#include <stdint.h>

/* Returns `got`, what an allocation answered, and counts it when it is NULL. Not for those after which the
 * caller gives up with an error, which tells enough. */
void *scarcity_watch(void *got);

/* How often it was, in this process. */
uint64_t scarcity_count(void);

#endif
