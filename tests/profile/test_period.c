/* test_period.c - times from the start of a call to that of the next, against all true calls. */
#include "support/calls.h"
#include "support/frozen.h"

#include <math.h>
#include <stdlib.h>

enum { CONTEXTS = 3, MOST = 4096 };

/* A plain recomputation from the calls so far. */
static struct oracle {
    uint64_t last[CONTEXTS][CALLS_FUNCTIONS];
    bool goes_on[CONTEXTS][CALLS_FUNCTIONS];
    uint64_t times[CALLS_FUNCTIONS][MOST];
    size_t n[CALLS_FUNCTIONS];
} oracle;

static void oracle_begin(uint32_t context, uint32_t function, uint64_t start)
{
    if (oracle.goes_on[context][function])
        oracle.times[function][oracle.n[function]++] = start - oracle.last[context][function];
    oracle.goes_on[context][function] = true;
    oracle.last[context][function] = start;
}

static void oracle_break(void)
{
    memset(oracle.goes_on, 0, sizeof oracle.goes_on);
}

static uint32_t function_at(uint64_t address)
{
    uint32_t i = 0;
    while (calls_address(i) != address)
        i++;
    return i;
}

static void check(const struct snapshot *snapshot)
{
    for (uint32_t f = 0; f < CALLS_FUNCTIONS; f++) {
        uint32_t row = row_of(snapshot, calls_address(f));
        size_t n = oracle.n[f];
        if (row == UINT32_MAX) {
            cr_assert_eq(n, 0);
            continue;
        }
        const struct snapshot_function *got = &snapshot->functions[row];
        cr_assert_eq(got->periods, n, "function %u: %zu, not %zu", f, (size_t)got->periods, n);
        cr_assert_eq((got->known & FUNCTION_PERIOD) != 0, n > 0);
        if (n == 0)
            continue;
        uint64_t min = UINT64_MAX, max = 0;
        double mean = 0, squares = 0;
        for (size_t i = 0; i < n; i++) {
            min = oracle.times[f][i] < min ? oracle.times[f][i] : min;
            max = oracle.times[f][i] > max ? oracle.times[f][i] : max;
            mean += (double)oracle.times[f][i] / (double)n;
        }
        for (size_t i = 0; i < n; i++)
            squares += pow((double)oracle.times[f][i] - mean, 2) / (double)n;
        cr_assert_eq(got->period_min_ticks, min);
        cr_assert_eq(got->period_max_ticks, max);
        cr_assert_lt(fabs(got->period_mean_ticks - mean), 1e-6 * (1 + mean));
        cr_assert_lt(fabs(got->period_jitter_ticks - sqrt(squares)), 1e-6 * (1 + mean));
    }
}

/* Makes functions not recursive: each depth has two separate ones. */
static void unroll(struct calls *calls)
{
    for (size_t i = 0; i < calls->n; i++) {
        struct event *event = &calls->events[i];
        event->call.address = calls_address(2 * event->depth + (uint32_t)event->ticks % 2);
    }
}

static const struct event breaks[] = {
    {.kind = EVENT_LOST, .lost.records = 1},
    {.kind = EVENT_ANSWER, .answer.ack = true},
    {.kind = EVENT_STATUS, .status.profiling = false},
};
enum { BREAKS = sizeof breaks / sizeof *breaks };

Test(period, finished_calls_are_as_far_apart_as_they_began)
{
    struct test_random random = test_random_start("period");
    for (int round = 0; round < 40; round++) {
        struct calls calls;
        calls_make(&calls, &random, 1500, 5, test_random_below(&random, 2), 0);
        unroll(&calls);
        struct profile *profile = profile_new(NULL);
        oracle = (struct oracle){.n = {0}};
        for (uint32_t i = 0; i < calls.n; i++) {
            profile_apply(profile, &calls.events[i], 1);
            oracle_begin(0, function_at(calls.events[i].call.address), calls.events[i].ticks);
            if (test_random_below(&random, 8) == 0) {
                profile_apply(profile, &breaks[test_random_below(&random, BREAKS)], 1);
                oracle_break();
            }
        }
        profile_finish(profile);
        struct snapshot *whole = freeze(profile), *range = snapshot_window(whole, 0, UINT64_MAX);
        check(whole);
        check(range);
        snapshot_unref(range);
        snapshot_unref(whole);
        profile_free(profile);
        calls_free(&calls);
    }
}

/* Each context makes its own calls, in a random order of contexts. */
Test(period, periods_are_measured_per_context)
{
    struct test_random random = test_random_start("period-contexts");
    for (int round = 0; round < 40; round++) {
        struct profile *profile = profile_new(NULL);
        uint64_t ticks = 1000;
        oracle = (struct oracle){.n = {0}};
        for (int i = 0; i < 2000; i++) {
            uint32_t context = (uint32_t)test_random_below(&random, CONTEXTS);
            uint32_t function = (uint32_t)test_random_below(&random, 4);
            uint64_t start = ticks += test_random_below(&random, 50);
            struct event event = {.kind = EVENT_ENTER,
                                  .context = context,
                                  .ticks = start,
                                  .call.address = calls_address(function)};
            profile_apply(profile, &event, 1);
            event.kind = EVENT_EXIT;
            event.ticks = ticks += test_random_below(&random, 5);
            profile_apply(profile, &event, 1);
            oracle_begin(context, function, start);
            if (test_random_below(&random, 40) == 0) {
                profile_apply(profile, &breaks[test_random_below(&random, BREAKS)], 1);
                oracle_break();
            }
        }
        struct snapshot *whole = freeze(profile), *range = snapshot_window(whole, 0, UINT64_MAX);
        check(whole);
        check(range);
        snapshot_unref(range);
        snapshot_unref(whole);
        profile_free(profile);
    }
}

Test(period, a_steady_function_has_no_jitter_however_long_it_runs)
{
    struct profile *profile = profile_new(NULL);
    for (uint64_t i = 0; i < 1000; i++) {
        struct event event = call(0x100, (i << 40) + 12345, 7, 0);
        profile_apply(profile, &event, 1);
    }
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    const struct snapshot_function *row = function_of(snapshot, 0x100);
    cr_expect_eq(row->periods, 999);
    cr_expect_eq(row->period_min_ticks, UINT64_C(1) << 40);
    cr_expect_eq(row->period_max_ticks, UINT64_C(1) << 40);
    cr_expect_eq(row->period_mean_ticks, (double)(UINT64_C(1) << 40));
    cr_expect_eq(row->period_jitter_ticks, 0);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(period, a_recursive_function_has_no_period)
{
    struct profile *profile = profile_new(NULL);
    for (uint64_t i = 0; i < 10; i++) {
        const struct event events[] = {call(0x200, i * 1000 + 20, 5, 2), call(0x100, i * 1000 + 10, 20, 1),
                                       call(0x100, i * 1000, 50, 0)};
        profile_apply(profile, events, 3);
    }
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    cr_expect_not(function_of(snapshot, 0x100)->known & FUNCTION_PERIOD);
    cr_expect_eq(function_of(snapshot, 0x200)->periods, 9);
    snapshot_unref(snapshot);
    profile_free(profile);
}
