/* scarcity.c - counts failed allocations. */
#include "base/scarcity.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic uint64_t count;
static _Thread_local uint64_t here;

void *scarcity_watch(void *got)
{
    if (!got)
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return scarcity_note(got);
}

bool scarcity_grow(void *array, size_t room, size_t size)
{
    void *block; /* copied, since accessing the pointer as another type breaks strict aliasing */
    memcpy(&block, array, sizeof block);
    block = scarcity_watch(reallocarray(block, room, size));
    if (block)
        memcpy(array, &block, sizeof block);
    return block != NULL;
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
