/* scarcity.c - counts how often memory was asked for in vain. */
#include "base/scarcity.h"

#include <stdatomic.h>

static _Atomic uint64_t count;

void *scarcity_watch(void *got)
{
    if (!got)
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return got;
}

uint64_t scarcity_count(void)
{
    return atomic_load_explicit(&count, memory_order_relaxed);
}
