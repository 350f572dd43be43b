/* scarcity.c - counts how often memory was asked for without success. */
#include "base/scarcity.h"

#include <stdatomic.h>

static _Atomic uint64_t count;
static _Thread_local uint64_t here;

void *scarcity_watch(void *got)
{
    if (!got)
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return scarcity_note(got);
}

void *scarcity_note(void *got)
{
    if (!got)
        here++;
    return got;
}

uint64_t scarcity_count(void)
{
    return atomic_load_explicit(&count, memory_order_relaxed);
}

uint64_t scarcity_here(void)
{
    return here;
}
