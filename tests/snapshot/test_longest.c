/* test_longest.c - the longest calls and examples of a function, against all true calls. */
#include "snapshot/longest.h"
#include "support/frozen.h"
#include "support/random.h"

#include <stdlib.h>

enum { CALLS = 20000, MOST = 10, KEPT = 8, F = 0x100, CALLER = 0x200 };

static struct event calls[2 * CALLS];

/* Runs F, called by CALLER each time; the reported calls are in `calls`. */
static struct snapshot *run(struct test_random *random, uint32_t timeline_calls, struct profile **profile)
{
    *profile = profile_new(&(struct profile_limits){.timeline_calls = timeline_calls});
    for (uint64_t i = 0; i < CALLS; i++) {
        uint64_t duration = test_random_below(random, 1u << test_random_below(random, 20));
        calls[2 * i] = call(F, i << 21, duration, 1);
        calls[2 * i + 1] = call(CALLER, i << 21, duration + 1, 0);
    }
    profile_apply(*profile, calls, sizeof calls / sizeof *calls);
    profile_finish(*profile);
    return freeze(*profile);
}

static bool is_held(const struct snapshot *snapshot, uint64_t start, uint64_t duration)
{
    uint64_t from, to;
    struct snapshot_span spans[8];
    if (!snapshot_timeline_range(snapshot, &from, &to) || start < from)
        return false;
    size_t n = snapshot_timeline_window(snapshot, start, start, spans, 8);
    for (size_t i = 0; i < n; i++)
        if (spans[i].start_ticks == start && spans[i].duration_ticks == duration && spans[i].depth == 1)
            return true;
    return false;
}

static int by_length(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    if (a->call.duration != b->call.duration)
        return a->call.duration > b->call.duration ? -1 : 1;
    return a->ticks < b->ticks ? -1 : a->ticks > b->ticks;
}

static void check_longest(const struct snapshot *snapshot, const struct longest_call *longest, size_t exact)
{
    static struct event sorted[CALLS];
    for (size_t i = 0; i < CALLS; i++)
        sorted[i] = calls[2 * i];
    qsort(sorted, CALLS, sizeof *sorted, by_length);
    for (size_t i = 0; i < exact; i++) {
        cr_expect_eq(longest[i].duration_ticks, sorted[i].call.duration);
        cr_expect_eq(longest[i].start_ticks, sorted[i].ticks);
        cr_expect_eq(longest[i].depth, 1);
        cr_expect_eq(longest[i].is_held, is_held(snapshot, sorted[i].ticks, sorted[i].call.duration));
        if (i < KEPT && !snapshot->range.is_set) {
            cr_expect(longest[i].has_caller);
            cr_expect_eq(longest[i].caller, row_of(snapshot, CALLER));
        }
    }
    cr_expect_eq(longest[0].duration_ticks, function_of(snapshot, F)->max_ticks);
}

static void check_examples(const struct snapshot *snapshot, const struct longest_call *examples,
                           const struct snapshot_histogram *histogram)
{
    for (size_t i = 0; i < histogram->n; i++) {
        cr_expect(examples[i].is_there, "bucket %zu of %zu", i, histogram->n);
        cr_expect_geq(examples[i].duration_ticks, histogram->buckets[i].low_ticks);
        cr_expect_leq(examples[i].duration_ticks, histogram->buckets[i].high_ticks);
        cr_expect_eq(examples[i].is_held,
                     is_held(snapshot, examples[i].start_ticks, examples[i].duration_ticks));
    }
}

static void check(uint32_t timeline_calls, size_t exact, bool all_held)
{
    struct test_random random = test_random_start("longest");
    struct profile *profile;
    struct snapshot *snapshot = run(&random, timeline_calls, &profile);
    uint32_t f = row_of(snapshot, F);
    struct snapshot_histogram histogram;
    cr_assert(snapshot_histogram(snapshot, f, &histogram));
    struct longest_call *examples = calloc(histogram.n, sizeof *examples), longest[MOST];
    size_t held = 0;
    cr_assert_eq(snapshot_longest(snapshot, f, &histogram, longest, MOST, examples), MOST);
    check_longest(snapshot, longest, exact);
    check_examples(snapshot, examples, &histogram);
    for (size_t i = 0; i < exact; i++)
        held += longest[i].is_held;
    cr_expect(all_held ? held == exact : held < exact);
    free(examples);
    free(histogram.buckets);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(longest, the_longest_are_listed_and_each_bucket_has_an_example)
{
    check(0, MOST, true);
}

Test(longest, calls_dropped_by_the_timeline_stay_listed)
{
    check(1, KEPT, false);
}

Test(longest, a_range_lists_only_kept_calls)
{
    struct test_random random = test_random_start("longest in a range");
    struct profile *profile;
    struct snapshot *whole = run(&random, 1, &profile);
    struct snapshot *range = snapshot_window(whole, 0, UINT64_MAX);
    struct snapshot_histogram histogram;
    uint32_t f = row_of(range, F);
    cr_assert(snapshot_histogram(range, f, &histogram));
    struct longest_call *examples = calloc(histogram.n, sizeof *examples), longest[MOST];
    cr_assert_eq(snapshot_longest(range, f, &histogram, longest, MOST, examples), MOST);
    for (size_t i = 0; i < MOST; i++)
        cr_expect(longest[i].is_held);
    check_examples(range, examples, &histogram);
    free(examples);
    free(histogram.buckets);
    snapshot_unref(range);
    snapshot_unref(whole);
    profile_free(profile);
}

Test(longest, clearing_removes_them)
{
    struct test_random random = test_random_start("longest cleared");
    struct profile *profile;
    snapshot_unref(run(&random, 0, &profile));
    profile_clear(profile);
    profile_apply(profile, (struct event[]){call(F, 7, 3, 0)}, 1);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    struct snapshot_histogram histogram;
    cr_assert(snapshot_histogram(snapshot, row_of(snapshot, F), &histogram));
    struct longest_call example, longest[MOST];
    cr_assert_eq(snapshot_longest(snapshot, row_of(snapshot, F), &histogram, longest, MOST, &example), 1);
    cr_expect_eq(longest[0].start_ticks, 7);
    cr_expect_not(longest[0].has_caller);
    free(histogram.buckets);
    snapshot_unref(snapshot);
    profile_free(profile);
}
