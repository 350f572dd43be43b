/* kept.c - how much of a time range is covered by windows. */
#include "snapshot/kept.h"

uint64_t snapshot_kept_ticks(const struct snapshot_windows *windows, uint64_t from_ticks, uint64_t to_ticks)
{
    uint64_t ticks = 0, told_to = from_ticks;
    for (uint32_t i = 0; i < windows->count; i++) {
        const struct snapshot_kept *row = &windows->rows[i];
        uint64_t from = row->from_ticks > told_to ? row->from_ticks : told_to;
        uint64_t to = row->to_ticks < to_ticks ? row->to_ticks : to_ticks;
        if (!row->is_excerpt || to <= from)
            continue;
        ticks += to - from;
        told_to = to;
    }
    return ticks;
}
