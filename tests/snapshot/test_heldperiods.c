/* test_heldperiods.c - the spread of periods against all true calls, and against a
 * function's figures. */
#include "snapshot/heldperiods.h"
#include "support/frozen.h"
#include "support/random.h"

#include <stdlib.h>

enum { CALLS = 3000, F = 0x100, OTHER = 0x200, CONTEXTS = 3 };

static struct event calls[CALLS];

static struct snapshot *run(struct test_random *random, struct profile **profile)
{
    uint64_t ticks = 500;
    *profile = profile_new(NULL);
    for (size_t i = 0; i < CALLS; i++) {
        uint64_t duration = test_random_below(random, 40);
        calls[i] = call(test_random_below(random, 3) ? F : OTHER, ticks, duration, 0);
        ticks += duration + test_random_below(random, 1u << test_random_below(random, 12));
    }
    profile_apply(*profile, calls, CALLS);
    profile_finish(*profile);
    return freeze(*profile);
}

/* Every period is in its bucket, and every example is one of its bucket, the newest. */
static void expect_buckets(const struct heldperiods *got, uint64_t from, uint64_t to)
{
    uint64_t *counted = calloc(got->histogram.n + 1, sizeof *counted), n = 0;
    const struct event *before = NULL;
    for (size_t i = 0; i < CALLS; i++) {
        const struct event *event = &calls[i];
        if (event->call.address != F || event->ticks < from || event->ticks > to)
            continue;
        uint64_t since = before ? event->ticks - before->ticks : 0;
        for (size_t b = 0; before && b < got->histogram.n; b++) {
            if (since < got->histogram.buckets[b].low_ticks || since > got->histogram.buckets[b].high_ticks)
                continue;
            counted[b]++;
            n++;
            if (counted[b] < got->histogram.buckets[b].count)
                continue;
            cr_assert_eq(got->examples[b].period_ticks, since);
            cr_assert_eq(got->examples[b].start_ticks, before->ticks);
            cr_assert_eq(got->examples[b].duration_ticks, before->call.duration);
        }
        before = event;
    }
    for (size_t b = 0; b < got->histogram.n; b++)
        cr_assert_eq(counted[b], got->histogram.buckets[b].count);
    cr_assert_eq(n, got->n);
    free(counted);
}

static void expect_figures(const struct heldperiods *got, const struct snapshot_function *row)
{
    cr_assert_eq(got->n, row->periods);
    cr_assert_eq(got->n > 0, (row->known & FUNCTION_PERIOD) != 0);
    if (got->n == 0)
        return;
    cr_assert_eq(got->min_ticks, row->period_min_ticks);
    cr_assert_eq(got->max_ticks, row->period_max_ticks);
    cr_assert_eq(got->mean_ticks, row->period_mean_ticks);
    cr_assert_eq(got->jitter_ticks, row->period_jitter_ticks);
    cr_assert(got->min_ticks <= got->p50_ticks && got->p50_ticks <= got->p90_ticks &&
              got->p90_ticks <= got->p99_ticks && got->p99_ticks <= got->max_ticks);
}

Test(heldperiods, are_those_of_the_calls_and_add_up_to_the_functions_figures)
{
    struct test_random random = test_random_start("heldperiods");
    struct profile *profile;
    struct snapshot *snapshot = run(&random, &profile);
    uint32_t row = row_of(snapshot, F);
    struct heldperiods got;
    cr_assert(heldperiods_find(snapshot, row, 0, UINT64_MAX, &got));
    cr_assert_gt(got.n, CALLS / 2);
    expect_buckets(&got, 0, UINT64_MAX);
    expect_figures(&got, &snapshot->functions[row]);
    heldperiods_fini(&got);
    for (int i = 0; i < 20; i++) {
        uint64_t from = calls[test_random_below(&random, CALLS)].ticks;
        uint64_t to = from + test_random_below(&random, 100000);
        cr_assert(heldperiods_find(snapshot, row, from, to, &got));
        expect_buckets(&got, from, to);
        heldperiods_fini(&got);
    }
    snapshot_unref(snapshot);
    profile_free(profile);
}

/* Each context has separate periods, and none crosses a loss. */
Test(heldperiods, periods_are_per_context_and_cross_no_loss)
{
    struct test_random random = test_random_start("heldperiods-contexts");
    struct profile *profile = profile_new(NULL);
    uint64_t ticks = 100;
    for (int i = 0; i < 600; i++) {
        uint16_t context = (uint16_t)test_random_below(&random, CONTEXTS);
        const struct event events[] = {
            {.kind = EVENT_ENTER, .context = context, .ticks = ticks, .call = {.address = F}},
            {.kind = EVENT_EXIT, .context = context, .ticks = ticks + 5, .call = {.address = F}},
            {.kind = EVENT_LOST, .ticks = ticks + 5, .lost.records = 1}};
        profile_apply(profile, events, test_random_below(&random, 20) ? 2 : 3);
        ticks += 6 + test_random_below(&random, 500);
    }
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    uint32_t row = row_of(snapshot, F);
    struct heldperiods got;
    cr_assert(heldperiods_find(snapshot, row, 0, UINT64_MAX, &got));
    cr_assert_gt(got.n, 300);
    expect_figures(&got, &snapshot->functions[row]);
    heldperiods_fini(&got);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(heldperiods, a_recursive_function_has_none)
{
    struct profile *profile = profile_new(NULL);
    const struct event events[] = {call(F, 110, 5, 1), call(F, 100, 50, 0), call(F, 200, 5, 0),
                                   call(F, 300, 5, 0)};
    profile_apply(profile, events, sizeof events / sizeof *events);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    struct heldperiods got;
    cr_assert(heldperiods_find(snapshot, row_of(snapshot, F), 0, UINT64_MAX, &got));
    cr_expect_eq(got.n, 0);
    cr_expect_eq(got.histogram.n, 0);
    heldperiods_fini(&got);
    snapshot_unref(snapshot);
    profile_free(profile);
}
