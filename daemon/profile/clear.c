/* clear.c - clears the sums: on the user's order, or because they do not fit what follows. */
#include "profile/balance.h"
#include "profile/profile_private.h"

#include <string.h>

/* Clears all sums. */
static void forget_sums(struct profile *profile)
{
    placement_clear(&profile->placement);
    witness_break(&profile->witness);
    livestacks_clear(&profile->livestacks);
    contexts_clear(&profile->contexts);
    counted_clear(&profile->counted);
    kept_clear(&profile->kept);
    bounds_clear(&profile->bounds, profile->sequence + 1);
    profile->kept.changed = profile->sequence + 1;
    arcs_clear(&profile->arcs);
    samples_clear(&profile->samples);
    messages_clear(&profile->messages);
    marks_clear(&profile->marks);
    moments_clear(&profile->moments);
    measured_settings_clear(&profile->settings);
    profile->estimate_due = profile->measured = false;
    timeline_clear(&profile->timeline);
    timeline_clear(&profile->turns);
    calltree_clear(&profile->tree);
    functions_clear(&profile->functions);
    profile->cleared_at = profile->sequence + 1;
    profile->waiting = false;
    profile->calls_told = profile->arc_calls_told = 0;
    profile->changed = true;
}

void profile_clear(struct profile *profile)
{
    forget_sums(profile);
    memset(profile->cleared, 0, sizeof profile->cleared);
    memset(&profile->carried, 0, sizeof profile->carried);
    profile->other_cores.hooks = 0;
    moments_act(&profile->moments, MARKER_CLEAR, 0);
    profile->was_cleared = true;
}

/* Returns the sum of the functions' own times, in all calls that have ended. */
static uint64_t own_ticks(const struct functions *functions)
{
    uint64_t ticks = 0;
    for (uint32_t id = 0; id < functions->count; id++)
        if (functions->rows[id].kind != KIND_OUTSIDE)
            ticks += functions->rows[id].self_ticks;
    return ticks;
}

void profile_discard(struct profile *profile, enum ledger_cause cause)
{
    struct ledger_cleared *cleared = &profile->cleared[cause];
    uint64_t unknown_losses = profile->moments.unknown_losses;
    placement_abandon(&profile->placement);   /* includes the time of calls that wait for a caller */
    livestacks_abandon(&profile->livestacks); /* includes the time so far of running calls */
    uint64_t calls = functions_calls(&profile->functions);
    bool had_some = calls > 0 || profile->functions.count > 0;
    cleared->times += had_some;
    cleared->calls += calls;
    if (profile->ticks_per_second)
        cleared->own_ns +=
            (uint64_t)((double)own_ticks(&profile->functions) / (double)profile->ticks_per_second * 1e9);
    profile->carried.told += balance_calls_told(profile);
    profile->carried.unfinished += profile->livestacks.unfinished;
    profile->carried.refused += profile->livestacks.refused;
    forget_sums(profile);
    profile->moments.unknown_losses = unknown_losses;
    if (had_some)
        moments_act(&profile->moments, MARKER_DISCARD, calls);
}
