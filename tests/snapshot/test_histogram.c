/* test_histogram.c - percentiles and deviations against all values. */
#include "snapshot/histogram.h"
#include "support/random.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static int ascending(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static void expect_close(uint64_t got, uint64_t want)
{
    double error = got > want ? (double)(got - want) : (double)(want - got);
    cr_assert_leq(error, (double)want * 0.02 + 0.5, "%" PRIu64 " is within 2 %% of %" PRIu64, got, want);
}

Test(histogram, percentiles_are_within_two_percent_of_the_true_ones)
{
    static const double shares[] = {0.5, 0.9, 0.99};
    struct test_random random = test_random_start("histogram");
    for (unsigned bits = 4; bits <= 64; bits += 6) {
        enum { N = 5000 };
        static uint64_t values[N];
        struct histogram histogram = {0};
        struct histogram_budget budget = {1000};
        for (size_t i = 0; i < N; i++) {
            values[i] = test_random_next(&random) >> (64 - bits) >> test_random_below(&random, bits);
            histogram_add(&histogram, &budget, values[i]);
        }
        qsort(values, N, sizeof *values, ascending);
        uint64_t got[3];
        histogram_percentiles(&histogram, N, values[0], values[N - 1], shares, got, 3);
        for (size_t i = 0; i < 3; i++) {
            uint64_t value = values[(size_t)(shares[i] * N) - 1];
            expect_close(got[i], value);
            cr_assert_eq(got[i], histogram_reported(value, values[0], values[N - 1]),
                         "of sorted values it is the same");
        }
        histogram_fini(&histogram, &budget);
        cr_assert_eq(budget.blocks_left, 1000, "blocks are given back");
    }
}

static double exact_deviation(const uint64_t *values, size_t n, double *mean)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)values[i];
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += ((double)values[i] - *mean) * ((double)values[i] - *mean);
    return sqrt(squares / (double)n);
}

/* Most calls take `usual`; a few take far longer, which no percentile below 99 % shows. */
Test(histogram, a_deviation_is_that_of_all_values_with_their_rare_ones)
{
    enum { N = 5000 };
    uint64_t values[N];
    struct test_random random = test_random_start("histogram");
    for (unsigned usual = 1; usual < 100000000; usual *= 10) {
        struct histogram histogram = {0};
        struct histogram_budget budget = {1000};
        uint64_t min = UINT64_MAX, max = 0;
        for (size_t i = 0; i < N; i++) {
            values[i] = test_random_below(&random, 500) == 0 ? 90 * (uint64_t)usual
                                                             : usual + test_random_below(&random, usual);
            min = values[i] < min ? values[i] : min;
            max = values[i] > max ? values[i] : max;
            histogram_add(&histogram, &budget, values[i]);
        }
        double mean, deviation = exact_deviation(values, N, &mean);
        cr_assert_lt(fabs(histogram_deviation(&histogram, mean, min, max) - deviation), 0.02 * deviation,
                     "%u", usual);
        histogram_fini(&histogram, &budget);
    }
}

Test(histogram, values_that_are_all_the_same_do_not_deviate)
{
    struct histogram histogram = {0};
    struct histogram_budget budget = {10};
    cr_assert_eq(histogram_deviation(&histogram, 0, 0, 0), 0);
    for (int i = 0; i < 9; i++)
        histogram_add(&histogram, &budget, 123456789);
    cr_assert_eq(histogram_deviation(&histogram, 123456789, 123456789, 123456789), 0);
    histogram_fini(&histogram, &budget);
}

static void add_up(void *user, uint64_t low, uint64_t high, uint64_t count)
{
    cr_assert_leq(low, high);
    *(uint64_t *)user += count;
}

Test(histogram, without_a_budget_the_counts_stay_exact)
{
    struct histogram histogram = {0};
    struct histogram_budget budget = {0};
    for (uint64_t value = 1; value; value <<= 1)
        histogram_add(&histogram, &budget, value);
    uint64_t counted = 0;
    histogram_walk(&histogram, add_up, &counted);
    cr_assert_eq(counted, 64);
    static const double half = 0.5;
    uint64_t middle;
    histogram_percentiles(&histogram, 64, 1, (uint64_t)1 << 63, &half, &middle, 1);
    cr_assert(middle >= (uint64_t)1 << 31 && middle < (uint64_t)1 << 32, "right to a power of two");
    histogram_fini(&histogram, &budget);
}

Test(histogram, one_value_is_exact)
{
    struct histogram histogram = {0};
    struct histogram_budget budget = {10};
    static const double shares[] = {0.5, 0.99};
    uint64_t got[2];
    histogram_add(&histogram, &budget, 123456789);
    histogram_percentiles(&histogram, 1, 123456789, 123456789, shares, got, 2);
    cr_assert_eq(got[0], 123456789);
    cr_assert_eq(got[1], 123456789);
    histogram_fini(&histogram, &budget);
}

Test(histogram, a_bucket_counts_past_four_billion)
{
    struct histogram histogram = {0};
    struct histogram_budget budget = {10};
    static const double shares[] = {0.5, 0.9};
    uint64_t got[2];
    histogram_add(&histogram, &budget, 5);
    histogram.fine[0][5] = UINT32_MAX;
    histogram_add(&histogram, &budget, 5);
    histogram_add(&histogram, &budget, 7);
    histogram.fine[0][7] = 1u << 30;
    histogram_percentiles(&histogram, ((uint64_t)1 << 32) + (1u << 30), 5, 7, shares, got, 2);
    cr_assert_eq(got[0], 5, "four fifths of them");
    cr_assert_eq(got[1], 7);
    histogram_fini(&histogram, &budget);
}
