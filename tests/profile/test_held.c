/* test_held.c - how long finished calls wait for a caller that may return soon. */
#include "profile/profile.h"
#include "support/calls.h"
#include "support/effort.h"
#include "support/frozen.h"

#include <criterion/criterion.h>
#include <inttypes.h>

/* A loop at depth 0 that never returns: rounds of `inside` calls at depth 2 below one at depth 1, each of two
 * ms. */
static uint32_t next_of_rounds(uint32_t at, uint32_t inside, struct event *event)
{
    uint64_t round = at / (inside + 1), step = at % (inside + 1), length = 2 * (uint64_t)inside + 2;
    *event = step < inside ? call(0x200 + 0x10 * (step % 4), round * length + 2 * step + 2, 1, 2)
                           : call(0x100, round * length + 1, length - 2, 1);
    return at + 1;
}

static uint64_t below_passing(const struct snapshot *snapshot)
{
    uint64_t ticks = 0;
    for (uint32_t node = 1; node < snapshot->node_count; node++) {
        const struct snapshot_function *row = &snapshot->functions[snapshot->nodes[node].function];
        if (row->kind == KIND_RUNNING && row->number > 0)
            ticks += snapshot->nodes[node].total_ticks;
    }
    return ticks;
}

static uint32_t nodes_that_count(const struct snapshot *snapshot)
{
    uint32_t n = 0;
    for (uint32_t node = 1; node < snapshot->node_count; node++)
        n += snapshot->nodes[node].total_ticks > 0;
    return n;
}

Test(held, calls_inside_a_round_wait_for_its_end)
{
    for (uint64_t seed = 1; seed <= test_effort(10, 40); seed++) {
        struct test_random random = {seed * 7919};
        struct profile *profile = profile_new(NULL);
        const uint32_t inside = 4 + (uint32_t)test_random_below(&random, 200);
        uint64_t now_ms = 5, first_ms = 0;
        for (uint32_t at = 0; at < 4000;) {
            for (uint64_t n = 1 + test_random_below(&random, 20); n > 0; n--) {
                struct event event;
                at = next_of_rounds(at, inside, &event);
                profile_apply(profile, &event, 1);
                now_ms += 2;
            }
            profile_tick(profile, now_ms);
            struct snapshot *snapshot = freeze(profile);
            uint32_t nodes = nodes_that_count(snapshot);
            if (nodes > 0 && first_ms == 0)
                first_ms = now_ms;
            /* At first the length of a round was unknown. */
            if (now_ms > 4 * (inside + 1) + 100) {
                cr_assert_eq(below_passing(snapshot), 0, "seed %" PRIu64 " at %" PRIu64 " ms", seed, now_ms);
                cr_assert_eq(nodes, 6, "seed %" PRIu64 ": a loop, a round, and four", seed);
            }
            snapshot_unref(snapshot);
        }
        cr_assert(first_ms > 0 && first_ms < 300, "seed %" PRIu64 ": %" PRIu64 " ms", seed, first_ms);
        profile_free(profile);
    }
}

Test(held, calls_inside_a_long_call_are_shown_before_its_end)
{
    struct profile *profile = profile_new(NULL);
    struct event event;
    uint64_t now_ms = 5;
    uint32_t at = 0;
    while (at < 200) {
        at = next_of_rounds(at, 9, &event);
        profile_apply(profile, &event, 1);
        profile_tick(profile, now_ms += 2);
    }
    uint64_t begin = event.ticks + 100, shown_ms = 0;
    for (uint64_t ticks = begin + 1; ticks < begin + 3000; ticks += 2) {
        event = call(0x200, ticks, 1, 2);
        profile_apply(profile, &event, 1);
        profile_tick(profile, now_ms += 2);
        struct snapshot *snapshot = freeze(profile);
        if (below_passing(snapshot) > 0 && shown_ms == 0)
            shown_ms = ticks - begin;
        snapshot_unref(snapshot);
    }
    cr_assert(shown_ms >= 900 && shown_ms < 1300, "%" PRIu64 " ms", shown_ms);
    event = call(0x100, begin, 3001, 1);
    profile_apply(profile, &event, 1);
    profile_tick(profile, now_ms += 2);
    profile_tick(profile, now_ms + 1);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(below_passing(snapshot), 0, "it is known whose they were");
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(held, a_quiet_line_releases_waiting_calls)
{
    struct profile *profile = profile_new(NULL);
    struct event inner[] = {call(0x500, 120, 1, 5), call(0x400, 115, 7, 4)};
    struct event first = call(0x100, 1, 9, 0);
    profile_apply(profile, &first, 1);
    profile_tick(profile, 1);
    profile_apply(profile, inner, 2);
    profile_tick(profile, 10);
    profile_tick(profile, 900);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(function_of(snapshot, 0x400)->calls, 0, "its caller may be about to return");
    snapshot_unref(snapshot);
    profile_tick(profile, 1011);
    snapshot = freeze(profile);
    cr_assert_eq(function_of(snapshot, 0x400)->calls, 1);
    cr_assert_eq(function_of(snapshot, 0x500)->calls, 1);
    snapshot_unref(snapshot);
    profile_free(profile);
}

/* Adds n calls at that depth, from `ticks` on, whose caller has not returned. */
static void let_wait(struct profile *profile, unsigned n, uint64_t ticks, uint16_t depth)
{
    for (unsigned i = 0; i < n; i++) {
        const struct event inner = call(0x400 + 0x10 * i, ticks + 10 * i, 7, depth);
        profile_apply(profile, &inner, 1);
    }
}

static uint64_t calls_shown(struct profile *profile)
{
    struct snapshot *snapshot = freeze(profile);
    uint64_t calls = function_of(snapshot, 0x400)->calls;
    snapshot_unref(snapshot);
    return calls;
}

Test(held, calls_after_an_end_or_a_clear_wait_as_long_as_the_first_ones)
{
    void (*const ends[])(struct profile *) = {profile_finish, profile_clear};
    for (unsigned i = 0; i < 6; i++) {
        const unsigned end = i % 2, n = 1 + i / 2;
        struct profile *profile = profile_new(NULL);
        const struct event first = call(0x100, 1, 9, 0);
        profile_apply(profile, &first, 1);
        profile_finish(profile);
        let_wait(profile, 2, 115, 4);
        profile_tick(profile, 10);
        ends[end](profile);
        let_wait(profile, n, 315, 8);
        uint64_t before = calls_shown(profile);
        profile_tick(profile, 1500);
        cr_expect_eq(calls_shown(profile), before, "%u: the caller may be about to return", i);
        profile_tick(profile, 2600);
        cr_expect_eq(calls_shown(profile), before + 1, "%u", i);
        profile_free(profile);
    }
}

Test(held, no_more_than_8192_calls_wait)
{
    enum { MOST = 8192 };
    struct profile *profile = profile_new(NULL);
    const struct event first = call(0x100, 1, 9, 4);
    profile_apply(profile, &first, 1);
    for (uint64_t i = 0; i < MOST - 2; i++) {
        const struct event inner = call(0x400, 100 + 10 * i, 5, 5);
        profile_apply(profile, &inner, 1);
    }
    cr_expect_eq(calls_shown(profile), 0);
    const struct event last = call(0x400, 1000000, 5, 5);
    profile_apply(profile, &last, 1);
    cr_expect_eq(calls_shown(profile), MOST - 1);
    profile_free(profile);
}
