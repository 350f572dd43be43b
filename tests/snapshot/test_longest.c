/* test_longest.c - the longest calls of a function against all calls there were. */
#include "profile/profile.h"
#include "snapshot/longest.h"
#include "support/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { CALLS = 20000, MOST = 10 };

static int falling(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a > b ? -1 : a < b;
}

Test(longest, the_longest_are_all_told_and_each_bucket_leads_to_a_call_in_it)
{
    struct test_random random = test_random_start("longest");
    struct profile *profile = profile_new(NULL);
    static uint64_t durations[CALLS];
    size_t n = 0;
    for (uint64_t i = 0; i < CALLS; i++) {
        bool mine = test_random_below(&random, 3) > 0;
        uint64_t duration = test_random_below(&random, 1u << test_random_below(&random, 20));
        struct event call = {.kind = EVENT_CALL,
                             .ticks = i << 21,
                             .call = {.address = mine ? 0x100 : 0x200, .duration = duration}};
        profile_apply(profile, &call, 1);
        if (mine)
            durations[n++] = duration;
    }
    profile_finish(profile);
    static const struct snapshot_source source;
    static const struct snapshot_target target;
    static const struct snapshot_link link;
    struct snapshot *snapshot = profile_freeze(profile, &source, &target, &link);
    uint32_t mine = 0;
    while (snapshot->functions[mine].address != 0x100)
        mine++;
    struct snapshot_histogram histogram;
    cr_assert(snapshot_histogram(snapshot, mine, &histogram));
    struct snapshot_span *examples = calloc(histogram.n, sizeof *examples),
                         *longest = calloc(MOST, sizeof *longest);
    cr_assert_eq(snapshot_longest(snapshot, mine, &histogram, longest, MOST, examples), MOST);
    qsort(durations, n, sizeof *durations, falling);
    for (size_t i = 0; i < MOST; i++) {
        cr_expect_eq(longest[i].duration_ticks, durations[i]);
        cr_expect_eq(longest[i].function, mine);
        cr_expect_eq(longest[i].start_ticks % (1u << 21), 0);
    }
    cr_expect_eq(longest[0].duration_ticks, snapshot->functions[mine].max_ticks);
    for (size_t i = 0; i < histogram.n; i++) {
        cr_expect_eq(examples[i].calls, 1);
        cr_expect_geq(examples[i].duration_ticks, histogram.buckets[i].low_ticks);
        cr_expect_leq(examples[i].duration_ticks, histogram.buckets[i].high_ticks);
    }
    free(longest);
    free(examples);
    free(histogram.buckets);
    snapshot_unref(snapshot);
    profile_free(profile);
}
