/* recent.c - finds the longest call of each function in the last minute. */
#include "export/recent.h"

#include "snapshot/timeline.h"

#include <string.h>

static bool is_call(const struct timeline_call *call)
{
    uint32_t tie = call->place & TIMELINE_TIES;
    return tie != TIMELINE_CUT && tie != TIMELINE_VERDICT && tie != TIMELINE_AWAY && tie != TIMELINE_STRETCH;
}

/* Skips chunks that ended before `from`, so that a long timeline costs no more than its last minute. */
static void look_through(const struct snapshot *snapshot, const struct timeline_view *view, uint64_t from,
                         uint64_t *longest_ticks)
{
    for (uint32_t i = 0; view->to_ticks >= from && i < view->count; i++) {
        const struct timeline_call *call = &view->calls[i];
        if (is_call(call) && call->start_ticks + call->duration_ticks >= from &&
            call->function < snapshot->function_count && call->duration_ticks > longest_ticks[call->function])
            longest_ticks[call->function] = call->duration_ticks;
    }
}

bool recent_longest(const struct snapshot *snapshot, uint64_t *longest_ticks, uint64_t *known_ticks)
{
    const struct snapshot_timeline *timeline = snapshot->timeline;
    uint64_t minute, first, from, to;
    memset(longest_ticks, 0, snapshot->function_count * sizeof *longest_ticks);
    if (snapshot->range.is_set || !snapshot->target.ticks_per_second ||
        !snapshot_timeline_range(snapshot, &first, &to))
        return false;
    if (__builtin_mul_overflow(snapshot->target.ticks_per_second, RECENT_SECONDS, &minute))
        minute = UINT64_MAX;
    from = to > minute ? to - minute : 0;
    if (from < timeline->gone_ticks)
        from = timeline->gone_ticks;
    if (from < first)
        from = first;
    for (uint32_t i = 0; i < timeline->count; i++)
        look_through(snapshot, &timeline->views[i], from, longest_ticks);
    *known_ticks = to - from;
    return true;
}
