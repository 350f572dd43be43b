/* test_overtime.c - a function over time against all true calls. */
#include "snapshot/overtime.h"
#include "snapshot/histogram.h"
#include "support/frozen.h"
#include "support/random.h"

#include <math.h>
#include <stdlib.h>

enum { CALLS = 3000, F = 0x100, OTHER = 0x200 };

static struct event calls[CALLS];

static struct snapshot *run(struct test_random *random, struct profile **profile)
{
    uint64_t ticks = 500;
    *profile = profile_new(NULL);
    for (size_t i = 0; i < CALLS; i++) {
        uint64_t duration = test_random_below(random, 2u << test_random_below(random, 12));
        calls[i] = call(test_random_below(random, 3) ? F : OTHER, ticks, duration, 0);
        ticks += duration + test_random_below(random, 1u << test_random_below(random, 8));
    }
    profile_apply(*profile, calls, CALLS);
    profile_finish(*profile);
    return freeze(*profile);
}

static int rising(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* The least value that a share of all does not exceed. */
static uint64_t rank(const uint64_t *sorted, size_t n, unsigned percent)
{
    size_t at = 0;
    while ((at + 1) * 100 < n * percent)
        at++;
    return sorted[at];
}

/* Extremes and standard deviation of the column's periods. */
static void spread_of(uint64_t *periods, struct overtime_column *want)
{
    if (want->periods == 0)
        return;
    double squares = 0, mean = (double)want->period_ticks / (double)want->periods;
    qsort(periods, want->periods, sizeof *periods, rising);
    for (size_t i = 0; i < want->periods; i++)
        squares += pow((double)periods[i] - mean, 2);
    want->period_min_ticks = periods[0];
    want->period_max_ticks = periods[want->periods - 1];
    want->period_jitter_ticks = (uint64_t)lround(sqrt(squares / (double)want->periods));
}

/* Recomputes a column; false when no call began in it. */
static bool recompute(const struct overtime_stretch *stretch, uint64_t column, struct overtime_column *want)
{
    static uint64_t durations[CALLS], periods[CALLS];
    const struct event *before = NULL;
    size_t n = 0;
    *want = (struct overtime_column){.column = (uint32_t)column};
    for (size_t i = 0; i < CALLS; i++) {
        const struct event *event = &calls[i];
        if (event->call.address != F || event->ticks < stretch->from_ticks ||
            event->ticks > stretch->to_ticks)
            continue;
        if ((event->ticks - stretch->from_ticks) / stretch->step_ticks == column) {
            if (before)
                periods[want->periods++] = event->ticks - before->ticks;
            want->period_ticks += before ? event->ticks - before->ticks : 0;
            if (n == 0 || event->call.duration > want->max_ticks) {
                want->max_ticks = event->call.duration;
                want->start_ticks = event->ticks;
            }
            durations[n++] = event->call.duration;
        }
        before = event;
    }
    if (n == 0)
        return false;
    spread_of(periods, want);
    qsort(durations, n, sizeof *durations, rising);
    want->calls = n;
    want->min_ticks = durations[0];
    want->p50_ticks = histogram_reported(rank(durations, n, 50), durations[0], durations[n - 1]);
    want->p99_ticks = histogram_reported(rank(durations, n, 99), durations[0], durations[n - 1]);
    return true;
}

static void check(const struct snapshot *snapshot, uint64_t from, uint64_t to, uint32_t columns)
{
    const struct overtime_stretch stretch = {row_of(snapshot, F), from, to, overtime_step(from, to, columns)};
    size_t n, at = 0;
    struct overtime_column *got = snapshot_over_time(snapshot, &stretch, &n), want;
    cr_assert_not_null(got);
    for (uint64_t column = 0; column < columns; column++) {
        if (!recompute(&stretch, column, &want))
            continue;
        cr_assert_lt(at, n);
        cr_expect_eq(got[at].column, want.column);
        cr_expect_eq(got[at].calls, want.calls);
        cr_expect_eq(got[at].min_ticks, want.min_ticks);
        cr_expect_eq(got[at].p50_ticks, want.p50_ticks);
        cr_expect_eq(got[at].p99_ticks, want.p99_ticks);
        cr_expect_eq(got[at].max_ticks, want.max_ticks);
        cr_expect_eq(got[at].periods, want.periods);
        cr_expect_eq(got[at].period_ticks, want.period_ticks);
        cr_expect_eq(got[at].period_min_ticks, want.period_min_ticks);
        cr_expect_eq(got[at].period_max_ticks, want.period_max_ticks);
        cr_expect_eq(got[at].period_jitter_ticks, want.period_jitter_ticks);
        cr_expect_eq(got[at].start_ticks, want.start_ticks);
        at++;
    }
    cr_expect_eq(at, n, "no column but these");
    free(got);
}

Test(overtime, columns_are_those_of_a_plain_recomputation)
{
    struct test_random random = test_random_start("overtime");
    struct profile *profile;
    struct snapshot *snapshot = run(&random, &profile);
    uint64_t from, to;
    cr_assert(snapshot_timeline_range(snapshot, &from, &to));
    check(snapshot, from, to, 1);
    check(snapshot, 0, UINT64_MAX, 7);
    for (int i = 0; i < 30; i++) {
        uint64_t begin = from + test_random_below(&random, (uint32_t)(to - from));
        check(snapshot, begin, begin + test_random_below(&random, (uint32_t)(to - begin + 1)),
              1 + (uint32_t)test_random_below(&random, 60));
    }
    snapshot_unref(snapshot);
    profile_free(profile);
}

/* All views show one p50 and one p99. */
Test(overtime, percentiles_of_one_column_are_those_of_the_function_in_the_same_range)
{
    struct test_random random = test_random_start("overtime-percentiles");
    struct profile *profile;
    struct snapshot *snapshot = run(&random, &profile);
    uint32_t row = row_of(snapshot, F);
    const struct snapshot_function *whole = &snapshot->functions[row];
    for (size_t first = 0; first < CALLS; first += 500) {
        uint64_t from = calls[first].ticks, to = calls[CALLS - 1].ticks + calls[CALLS - 1].call.duration;
        const struct overtime_stretch stretch = {row, from, to, overtime_step(from, to, 1)};
        size_t n;
        struct overtime_column *column = snapshot_over_time(snapshot, &stretch, &n);
        struct snapshot *range = snapshot_window(snapshot, from, to);
        const struct snapshot_function *ranged = &range->functions[row];
        cr_assert_eq(n, 1);
        cr_expect_eq(column->calls, ranged->calls);
        cr_expect_eq(column->p50_ticks, ranged->p50_ticks);
        cr_expect_eq(column->p99_ticks, ranged->p99_ticks);
        cr_expect(first > 0 ||
                  (column->p50_ticks == whole->p50_ticks && column->p99_ticks == whole->p99_ticks));
        snapshot_unref(range);
        free(column);
    }
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(overtime, no_period_crosses_a_loss)
{
    struct profile *profile = profile_new(NULL);
    const struct event events[] = {call(F, 100, 5, 0),
                                   call(F, 200, 5, 0),
                                   {.kind = EVENT_LOST, .lost.records = 1},
                                   call(F, 400, 5, 0),
                                   call(F, 500, 5, 0)};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        profile_apply(profile, &events[i], 1);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    const struct overtime_stretch stretch = {row_of(snapshot, F), 0, 999, 1000};
    size_t n;
    struct overtime_column *column = snapshot_over_time(snapshot, &stretch, &n);
    cr_assert_eq(n, 1);
    cr_expect_eq(column->calls, 4);
    cr_expect_eq(column->periods, 2);
    cr_expect_eq(column->period_ticks, 200);
    free(column);
    snapshot_unref(snapshot);
    profile_free(profile);
}
