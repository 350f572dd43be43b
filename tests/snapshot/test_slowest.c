/* test_slowest.c - the slowest calls over all functions, against a check of each call. */
#include "snapshot/slowest.h"
#include "support/frozen.h"
#include "support/random.h"

#include <stdlib.h>

enum { FIRST = 0x100, FUNCTIONS = 9, CALLS = 3000, MOST = 50 };

static struct event calls[CALLS];

/* Calls of no more than one level, one after the other; few are far longer than all others. */
static struct snapshot *run(struct test_random *random, struct profile **profile)
{
    uint64_t now = 1000;
    *profile = profile_new(NULL);
    for (uint32_t i = 0; i < CALLS; i++) {
        uint32_t function = (uint32_t)test_random_below(random, FUNCTIONS);
        uint64_t duration = 100 * (function + 1) + test_random_below(random, 50);
        if (test_random_below(random, 500) == 0)
            duration *= 2 + test_random_below(random, 20);
        calls[i] = call(FIRST + function, now, duration, 0);
        now += duration + 10;
    }
    profile_apply(*profile, calls, CALLS);
    profile_finish(*profile);
    return freeze(*profile);
}

/* The longest call of each function in a stretch, where it is more than 1.2 times the p99: how much more. */
static uint64_t true_over(const struct snapshot *snapshot, uint32_t function, uint64_t from, uint64_t to)
{
    const struct snapshot_function *row = function_of(snapshot, FIRST + function);
    uint64_t longest = 0;
    for (uint32_t i = 0; i < CALLS; i++)
        if (calls[i].call.address == FIRST + function && calls[i].ticks >= from && calls[i].ticks <= to &&
            calls[i].call.duration > longest)
            longest = calls[i].call.duration;
    return 10 * longest > 12 * row->p99_ticks ? longest - row->p99_ticks : 0;
}

static void check(const struct snapshot *snapshot, uint64_t from, uint64_t to)
{
    struct slow_call found[MOST];
    size_t n = 0, wanted = 0;
    cr_assert(slowest_find(snapshot, from, to, found, MOST, &n));
    for (uint32_t function = 0; function < FUNCTIONS; function++) {
        uint64_t over = true_over(snapshot, function, from, to), told = 0;
        for (size_t i = 0; i < n; i++)
            if (found[i].function == row_of(snapshot, FIRST + function))
                told = found[i].duration_ticks - found[i].usual_ticks;
        cr_expect_eq(told, over, "function %u", function);
        wanted += over > 0;
    }
    cr_expect_eq(n, wanted);
    for (size_t i = 1; i < n; i++)
        cr_expect_geq(found[i - 1].duration_ticks - found[i - 1].usual_ticks,
                      found[i].duration_ticks - found[i].usual_ticks);
}

Test(slowest, the_worst_call_of_each_function_is_found_by_the_time_over_its_p99)
{
    struct test_random random = test_random_start("slowest");
    for (int i = 0; i < 20; i++) {
        struct profile *profile;
        struct snapshot *snapshot = run(&random, &profile);
        check(snapshot, 0, UINT64_MAX);
        check(snapshot, calls[CALLS / 3].ticks, calls[CALLS / 2].ticks);
        for (uint32_t k = 0; k < CALLS; k++) /* a range of one tick has the call that begins there */
            if (calls[k].call.duration > 100 * (FUNCTIONS + 1))
                check(snapshot, calls[k].ticks, calls[k].ticks);
        snapshot_unref(snapshot);
        profile_free(profile);
    }
}

/* Adds 200 calls of `address`, each with one of `address` + 1 inside; those numbered `slow`
 * take far longer. */
static uint64_t add_pairs(struct profile *profile, uint64_t address, uint64_t now, uint32_t n, uint32_t slow)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t inner = i == slow ? 5000 : 100;
        profile_apply(
            profile,
            (struct event[]){call(address + 1, now + 10, inner, 1), call(address, now, inner + 20, 0)}, 2);
        now += inner + 100;
    }
    return now;
}

Test(slowest, only_the_outer_of_nested_slow_calls_is_listed)
{
    struct slow_call found[MOST];
    size_t n;
    struct profile *profile = profile_new(NULL);
    uint64_t now = add_pairs(profile, 0x100, 1000, 200, 150);
    add_pairs(profile, 0x200, now, 200, 200);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    cr_assert(slowest_find(snapshot, 0, UINT64_MAX, found, MOST, &n));
    cr_assert_eq(n, 1);
    cr_expect_eq(found[0].function, row_of(snapshot, 0x100));
    cr_expect_eq(found[0].duration_ticks, 5020);
    snapshot_unref(snapshot);
    profile_free(profile);
}

/* The inner call is the slowest of its function; the outer one is slow, but not the slowest of its function. */
Test(slowest, a_slow_call_inside_another_that_is_not_the_slowest_of_its_function_is_no_entry)
{
    struct slow_call found[MOST];
    size_t n;
    struct profile *profile = profile_new(NULL);
    uint64_t now = add_pairs(profile, 0x100, 1000, 200, 150);
    profile_apply(
        profile,
        &(struct event){.kind = EVENT_CALL, .ticks = now, .call = {.address = 0x100, .duration = 9000}}, 1);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    cr_assert(slowest_find(snapshot, 0, UINT64_MAX, found, MOST, &n));
    cr_assert_eq(n, 1);
    cr_expect_eq(found[0].function, row_of(snapshot, 0x100));
    cr_expect_eq(found[0].duration_ticks, 9000);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(slowest, functions_with_few_calls_are_compared_with_twice_their_p50)
{
    struct slow_call found[MOST];
    size_t n;
    struct profile *profile = profile_new(NULL);
    uint64_t now = add_pairs(profile, 0x100, 1000, 20, 15);
    add_pairs(profile, 0x200, now, 5, 3);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    cr_assert(slowest_find(snapshot, 0, UINT64_MAX, found, MOST, &n));
    cr_assert_eq(n, 1);
    cr_expect_eq(found[0].function, row_of(snapshot, 0x100));
    cr_expect_eq(found[0].usual_ticks, 2 * function_of(snapshot, 0x100)->p50_ticks);
    snapshot_unref(snapshot);
    profile_free(profile);
}
