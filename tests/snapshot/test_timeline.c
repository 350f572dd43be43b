/* test_timeline.c - windows of the timeline against all true calls. */
#include "profile/profile.h"
#include "support/calls.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

static struct snapshot *freeze(struct profile *profile)
{
    static const struct snapshot_source source;
    static const struct snapshot_target target;
    static const struct snapshot_link link;
    return profile_freeze(profile, &source, &target, &link);
}

static bool overlaps(const struct event *event, uint64_t from, uint64_t to)
{
    return event->ticks <= to && event->ticks + event->call.duration >= from;
}

Test(timeline, a_window_has_every_call_once_merged_or_not)
{
    struct test_random random = test_random_start("timeline");
    struct calls calls;
    calls_make(&calls, &random, 20000, 10, false, 0);
    struct profile *profile = profile_new(NULL);
    profile_apply(profile, calls.events, calls.n);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    uint64_t first, last;
    cr_assert(snapshot_timeline_range(snapshot, &first, &last));
    for (int round = 0; round < 200; round++) {
        uint64_t from = first + test_random_next(&random) % (last - first);
        uint64_t to = from + test_random_next(&random) % (last - from + 1);
        size_t max = 30 + test_random_below(&random, 3000);
        struct snapshot_span *spans =
            malloc(max * sizeof *spans); /* exact, so that a sanitizer sees one too many */
        size_t n = snapshot_timeline_window(snapshot, from, to, spans, max);
        cr_assert_leq(n, max);
        uint64_t told = 0, want = 0;
        for (size_t i = 0; i < n; i++) {
            told += spans[i].calls;
            cr_assert(i == 0 || spans[i].depth > spans[i - 1].depth ||
                          (spans[i].depth == spans[i - 1].depth &&
                           spans[i].start_ticks >= spans[i - 1].start_ticks),
                      "in order of depth and start");
        }
        for (size_t i = 0; i < calls.n; i++)
            want += overlaps(&calls.events[i], from, to);
        cr_assert_eq(told, want, "[%" PRIu64 ", %" PRIu64 "] in %zu rows: %" PRIu64 " of %" PRIu64, from, to,
                     max, told, want);
        free(spans);
    }
    snapshot_unref(snapshot);
    profile_free(profile);
    calls_free(&calls);
}

struct heard {
    size_t n;
    uint64_t duration;
};

static void hear(void *user, const struct snapshot_span *span)
{
    struct heard *heard = user;
    cr_assert_eq(span->calls, 1);
    heard->n++;
    heard->duration += span->duration_ticks;
}

Test(timeline, each_kept_call_is_visited_once)
{
    struct test_random random = test_random_start("timeline-each");
    struct calls calls;
    calls_make(&calls, &random, 10000, 10, false, 0);
    struct profile *profile = profile_new(NULL);
    struct snapshot *nothing = freeze(profile);
    struct heard heard = {0};
    snapshot_timeline_each(nothing, hear, &heard);
    cr_assert_eq(heard.n, 0);
    profile_apply(profile, calls.events, calls.n);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    snapshot_timeline_each(snapshot, hear, &heard);
    uint64_t duration = 0;
    for (size_t i = 0; i < calls.n; i++)
        duration += calls.events[i].call.duration;
    cr_expect_eq(heard.n, calls.n);
    cr_expect_eq(heard.duration, duration);
    snapshot_unref(nothing);
    snapshot_unref(snapshot);
    profile_free(profile);
    calls_free(&calls);
}

Test(timeline, the_oldest_calls_are_dropped_except_from_older_snapshots)
{
    struct profile_limits limits = {.timeline_calls = 8192};
    struct profile *profile = profile_new(&limits);
    for (uint32_t i = 0; i < 8192; i++)
        profile_apply(profile, &(struct event){.kind = EVENT_CALL, .ticks = 10 * i, .call = {.duration = 5}},
                      1);
    profile_finish(profile);
    struct snapshot *early = freeze(profile);
    for (uint32_t i = 8192; i < 100000; i++)
        profile_apply(profile, &(struct event){.kind = EVENT_CALL, .ticks = 10 * i, .call = {.duration = 5}},
                      1);
    profile_finish(profile);
    struct snapshot *late = freeze(profile);
    uint64_t from, to;
    cr_assert(snapshot_timeline_range(early, &from, &to));
    cr_assert_eq(from, 0);
    cr_assert_eq(to, 81915);
    struct snapshot_span span;
    cr_assert_eq(snapshot_timeline_window(early, 100, 104, &span, 1), 1);
    cr_assert_eq(span.start_ticks, 100);
    cr_assert(snapshot_timeline_range(late, &from, &to));
    cr_assert_gt(from, 900000);
    cr_assert_eq(to, 999995);
    snapshot_unref(early);
    snapshot_unref(late);
    profile_free(profile);
}

Test(timeline, merged_calls_have_busy_time_and_longest_call)
{
    struct profile *profile = profile_new(NULL);
    for (uint32_t i = 0; i < 100000; i++) { /* 2.5 % of the time, except for one call */
        struct event call = {
            .kind = EVENT_CALL, .ticks = 400 * i, .call = {.duration = i == 70000 ? 300 : 10}};
        profile_apply(profile, &call, 1);
    }
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    static struct snapshot_span spans[1000];
    size_t n = snapshot_timeline_window(snapshot, 0, 400 * 100000, spans, 1000);
    uint64_t busy = 0, longest = 0;
    for (size_t i = 0; i < n; i++) {
        busy += spans[i].busy_ticks;
        cr_assert_geq(spans[i].calls, 2);
        cr_expect_eq(spans[i].busy_ticks, spans[i].calls * 10ull + (spans[i].longest_ticks == 300) * 290);
        if (spans[i].longest_ticks == 300) {
            longest++;
            cr_expect_leq(spans[i].start_ticks, 400 * 70000);
            cr_expect_geq(spans[i].start_ticks + spans[i].duration_ticks, 400 * 70000 + 300);
        } else {
            cr_expect_eq(spans[i].longest_ticks, 10);
        }
    }
    cr_expect_eq(busy, 10 * 100000 + 290);
    cr_expect_eq(longest, 1);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(timeline, an_empty_one_has_no_range)
{
    struct profile *profile = profile_new(NULL);
    struct snapshot *snapshot = freeze(profile);
    uint64_t from, to;
    struct snapshot_span span;
    cr_assert_not(snapshot_timeline_range(snapshot, &from, &to));
    cr_assert_eq(snapshot_timeline_window(snapshot, 0, UINT64_MAX, &span, 1), 0);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(timeline, a_call_as_long_as_a_column_is_not_merged)
{
    /* The window's 1,000 ticks have five columns of 200, since there is room for 12 rows. */
    enum { ROWS = 12, COLUMN = 200 };
    struct profile *profile = profile_new(NULL);
    for (uint32_t i = 0; i < 20; i++) {
        struct event call = {.kind = EVENT_CALL,
                             .ticks = i < 2 ? 20 * i : 300 + 20 * i,
                             .call = {.duration = i == 1 ? COLUMN : 10}};
        profile_apply(profile, &call, 1);
    }
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    struct snapshot_span spans[ROWS];
    size_t n = snapshot_timeline_window(snapshot, 0, 999, spans, ROWS);
    cr_assert_geq(n, 3);
    cr_expect(spans[0].start_ticks == 0 && spans[0].duration_ticks == 10 && spans[0].calls == 1);
    cr_expect(spans[1].start_ticks == 20 && spans[1].duration_ticks == COLUMN && spans[1].calls == 1);
    cr_expect_gt(spans[2].calls, 1);
    snapshot_unref(snapshot);
    profile_free(profile);
}
