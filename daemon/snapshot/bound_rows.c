/* bound_rows.c - looks up limits in a snapshot. */
#include "snapshot/bound_rows.h"

#include <stddef.h>

const char *snapshot_bound_state_name(enum snapshot_bound_state state)
{
    static const char *const names[BOUND_STATES] = {[BOUND_WAITS] = "waits",
                                                    [BOUND_KEPT] = "kept",
                                                    [BOUND_BROKEN] = "broken",
                                                    [BOUND_UNKNOWN] = "unknown"};
    return names[state];
}

const struct snapshot_bound *snapshot_bound_find(const struct snapshot_bounds *bounds, uint32_t id)
{
    for (uint32_t i = 0; i < bounds->count; i++)
        if (bounds->rows[i].id == id)
            return &bounds->rows[i];
    return NULL;
}

uint32_t snapshot_bounds_broken_count(const struct snapshot_bounds *bounds)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < bounds->count; i++)
        n += bounds->rows[i].breaches > 0;
    return n;
}
