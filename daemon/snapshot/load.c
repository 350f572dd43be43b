/* load.c - adds up how long the processor is known to have run any context. */
#include "snapshot/snapshot.h"

uint64_t snapshot_known_ticks(const struct snapshot *snapshot)
{
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < snapshot->context_count; i++)
        if (snapshot->contexts[i].has_times)
            ticks += snapshot->contexts[i].running_ticks;
    return ticks;
}
