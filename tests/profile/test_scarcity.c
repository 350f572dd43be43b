/* test_scarcity.c - without memory no snapshot is made, and the next one is not affected. */
#include "base/scarcity.h"
#include "profile/profile_private.h"
#include "profile/profile.h"
#include "support/frozen.h"
#include "support/scarce.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct snapshot_source source;
static const struct snapshot_link quiet_link;
/* It reports the cost of its hooks, so times are corrected. */
static const struct snapshot_target target = {
    .ticks_per_second = 1000000,
    .description = {.is_known = true, .tick_hz = 1000000, .hook_sixteenths = 32}};

/* Calls that ended, with callers, and one that runs. */
static struct profile *with_some_of_all(void)
{
    struct profile *profile = profile_new(NULL);
    cr_assert_not_null(profile);
    const struct event told[] = {
        {.kind = EVENT_ENTER, .ticks = 100, .context = 1, .call.address = 0x100},
        {.kind = EVENT_ENTER, .ticks = 110, .context = 1, .call.address = 0x200},
        {.kind = EVENT_EXIT, .ticks = 150, .context = 1, .call.address = 0x200},
    };
    profile_apply(profile, told, sizeof told / sizeof *told);
    return profile;
}

static uint64_t ticks_of(const struct snapshot *snapshot)
{
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        ticks += snapshot->functions[i].self_ticks + snapshot->functions[i].corrected_self_ticks +
                 snapshot->functions[i].calls;
    return ticks;
}

Test(scarce_profile, without_memory_a_snapshot_is_complete_or_absent)
{
    struct profile *profile = with_some_of_all(), *other = with_some_of_all();
    struct snapshot *good = profile_freeze(other, &source, &target, &quiet_link);
    cr_assert_not_null(good);
    unsigned refusals = 0;
    for (unsigned nth = 1;; nth++) {
        scarce_begin(nth);
        struct snapshot *snapshot = profile_freeze(profile, &source, &target, &quiet_link);
        bool is_over = !scarce_end();
        if (snapshot) {
            cr_expect(snapshot->functions && snapshot->nodes && snapshot->contexts && snapshot->arcs &&
                          snapshot->sites && snapshot->pcs && snapshot->checkpoints && snapshot->messages &&
                          snapshot->timeline && snapshot->turns && snapshot->moments && snapshot->history,
                      "refusal %u", nth);
            cr_expect_eq(ticks_of(snapshot), ticks_of(good), "refusal %u", nth);
        }
        refusals += !snapshot;
        snapshot_unref(snapshot);
        if (is_over)
            break;
    }
    cr_expect_gt(refusals, 15);
    snapshot_unref(good);
    profile_free(other);
    profile_free(profile);
}

/* A call that comes after it has nothing to do with those before. */
Test(scarce_profile, a_timeline_that_was_cleared_begins_anew)
{
    struct timeline timeline;
    cr_assert(timeline_init(&timeline, 10));
    const struct timeline_call some = {.start_ticks = 5, .duration_ticks = 2};
    timeline_add(&timeline, &some);
    timeline_abandon(&timeline);
    timeline_clear(&timeline);
    timeline_add(&timeline, &some);
    struct snapshot_timeline *frozen = timeline_freeze(&timeline);
    cr_assert_not_null(frozen);
    cr_assert_eq(frozen->count, 1);
    cr_expect_not(frozen->views[0].calls[0].place & TIMELINE_ABANDONS);
    cr_expect_not(frozen->abandoned);
    snapshot_timeline_free(frozen);
    timeline_fini(&timeline);
}

Test(scarce_profile, a_profile_without_memory_is_null_or_usable)
{
    unsigned refusals = 0;
    for (unsigned nth = 1;; nth++) {
        scarce_begin(nth);
        struct profile *profile = profile_new(NULL);
        bool is_over = !scarce_end();
        cr_assert(profile || !is_over);
        refusals += !profile;
        if (profile) {
            struct event some = call(0x100, 1, 9, 0);
            profile_apply(profile, &some, 1);
            profile_finish(profile);
        }
        profile_free(profile);
        if (is_over)
            break;
    }
    cr_expect_gt(refusals, 8);
}

/* Enters `levels` levels, and leaves them. */
static void go_deep(struct profile *profile, uint32_t levels)
{
    for (uint32_t step = 0; step < 2 * levels; step++) {
        uint32_t level = step < levels ? step : 2 * levels - 1 - step;
        const struct event event = {.kind = step < levels ? EVENT_ENTER : EVENT_EXIT,
                                    .ticks = 100 + 3 * (uint64_t)step,
                                    .context = 1,
                                    .call.address = 0x100 + 4 * level};
        profile_apply(profile, &event, 1);
    }
}

/* Missing calls are counted, and shown ones add up. */
Test(scarce_profile, calls_without_memory_are_counted_as_missing)
{
    enum { LEVELS = 100 };
    unsigned refusals = 0;
    for (unsigned nth = 1;; nth++) {
        struct profile *profile = profile_new(NULL);
        uint64_t before = scarcity_here();
        scarce_begin(nth);
        go_deep(profile, LEVELS);
        profile_finish(profile);
        bool is_over = !scarce_end();
        cr_expect_eq(scarcity_here() - before, !is_over, "refusal %u", nth);
        struct snapshot *snapshot = freeze(profile);
        uint64_t calls = 0;
        for (uint32_t i = 0; i < snapshot->function_count; i++)
            calls += snapshot->functions[i].calls;
        cr_expect(is_over ? calls == LEVELS : calls <= LEVELS, "refusal %u: %u calls", nth, (unsigned)calls);
        snapshot_unref(snapshot);
        profile_free(profile);
        if (is_over)
            break;
        refusals++;
    }
    cr_expect_gt(refusals, 10);
}

Test(scarce_profile, without_memory_an_estimated_tree_keeps_all_samples)
{
    for (unsigned nth = 1; nth < 200; nth++) {
        const struct event told[] = {
            {.kind = EVENT_SAMPLE, .sample = {.address = 0x100, .count = 7}},
            {.kind = EVENT_ARC, .arc = {.from = 0x200, .to = 0x100, .calls = 3}},
            {.kind = EVENT_ARC, .arc = {.from = 0x100, .to = 0x200, .calls = 2}},
        };
        struct profile *profile = profile_new(NULL);
        profile_apply(profile, told, sizeof told / sizeof *told);
        scarce_begin(nth);
        struct snapshot *snapshot = profile_freeze(profile, &source, &target, &quiet_link);
        bool is_over = !scarce_end();
        snapshot_unref(snapshot);
        snapshot = profile_freeze(profile, &source, &target, &quiet_link);
        cr_assert_not_null(snapshot);
        cr_expect_eq(function_of(snapshot, 0x100)->samples, 7, "refusal %u", nth);
        snapshot_unref(snapshot);
        profile_free(profile);
        if (is_over)
            return;
    }
    cr_assert(false, "more than 200 allocations");
}
