/* test_spread.c - a spread is a frozen copy of its histogram. */
#include "snapshot/spread.h"

#include "support/random.h"

#include <criterion/criterion.h>

enum { BUCKETS_MOST = HISTOGRAM_OCTAVES * HISTOGRAM_FINE };

struct told {
    uint32_t n;
    uint64_t low[BUCKETS_MOST], high[BUCKETS_MOST], count[BUCKETS_MOST];
};

static void tell(void *user, uint64_t low, uint64_t high, uint64_t count)
{
    struct told *told = user;
    cr_assert_lt(told->n, BUCKETS_MOST);
    told->low[told->n] = low;
    told->high[told->n] = high;
    told->count[told->n++] = count;
}

static void expect_same(const struct told *got, const struct told *want)
{
    cr_assert_eq(got->n, want->n);
    cr_expect_arr_eq(got->low, want->low, got->n * sizeof *got->low);
    cr_expect_arr_eq(got->high, want->high, got->n * sizeof *got->high);
    cr_expect_arr_eq(got->count, want->count, got->n * sizeof *got->count);
}

/* Few blocks: some octaves are counted as a whole. */
Test(spread, it_stays_as_it_was_while_its_histogram_goes_on)
{
    static struct told before, then, after;
    struct test_random random = test_random_start("spread");
    struct histogram histogram = {0};
    struct histogram_budget budget = {.blocks_left = 8};
    for (int i = 0; i < 5000; i++)
        histogram_add(&histogram, &budget, test_random_next(&random) >> test_random_below(&random, 64));
    histogram_walk(&histogram, tell, &before);
    struct spread *spread = spread_new(&histogram);
    cr_assert_not_null(spread);
    for (int i = 0; i < 5000; i++)
        histogram_add(&histogram, &budget, test_random_next(&random) >> test_random_below(&random, 64));
    spread_walk(spread, tell, &then);
    expect_same(&then, &before);

    struct spread *kept = spread_ref(spread);
    spread_unref(spread);
    histogram_fini(&histogram, &budget);
    spread_walk(kept, tell, &after);
    expect_same(&after, &before);
    spread_unref(kept);
}

Test(spread, a_count_past_four_billion_is_kept)
{
    static struct told told;
    struct histogram histogram = {0};
    struct histogram_budget budget = {.blocks_left = 8};
    histogram_add(&histogram, &budget, 7);
    histogram.fine[0][7] = UINT32_MAX;
    histogram_add(&histogram, &budget, 7);
    struct spread *spread = spread_new(&histogram);
    spread_walk(spread, tell, &told);
    cr_assert_eq(told.n, 1);
    cr_expect_eq(told.low[0], 7);
    cr_expect_eq(told.count[0], UINT64_C(1) << 32);
    spread_unref(spread);
    histogram_fini(&histogram, &budget);
}

Test(spread, null_and_empty_spreads_have_no_figures)
{
    static struct told told;
    struct spread *spread = spread_new(&(struct histogram){0});
    cr_assert_not_null(spread);
    spread_walk(spread, tell, &told);
    spread_walk(NULL, tell, &told);
    cr_expect_eq(told.n, 0);
    cr_expect_null(spread_ref(NULL));
    spread_unref(NULL);
    spread_unref(spread);
}

static struct histogram of_one(struct histogram_budget *budget, uint64_t value)
{
    struct histogram histogram = {0};
    histogram_add(&histogram, budget, value);
    return histogram;
}

static void expect_tells_only(const struct spread *spread, uint64_t value)
{
    struct told told = {0};
    spread_walk(spread, tell, &told);
    cr_assert_eq(told.n, 1);
    cr_expect_eq(told.low[0], value);
    cr_expect_eq(told.count[0], 1);
}

Test(spread, an_unused_spread_is_reused)
{
    struct histogram_budget budget = {.blocks_left = 8};
    struct histogram first = of_one(&budget, 3), second = of_one(&budget, 5);
    struct spread *spare = spread_new(&first);
    struct spread *next = spread_renew(spare, &second);
    cr_expect_eq(next, spare);
    expect_tells_only(next, 5);
    spread_unref(next);
    histogram_fini(&first, &budget);
    histogram_fini(&second, &budget);
}

Test(spread, a_spread_in_use_is_not_reused)
{
    struct histogram_budget budget = {.blocks_left = 8};
    struct histogram first = of_one(&budget, 3), second = of_one(&budget, 5);
    struct spread *read = spread_new(&first);
    struct spread *next = spread_renew(spread_ref(read), &second);
    cr_expect_neq(next, read);
    expect_tells_only(read, 3);
    expect_tells_only(next, 5);
    spread_unref(read);
    spread_unref(next);
    histogram_fini(&first, &budget);
    histogram_fini(&second, &budget);
}

Test(spread, the_next_has_room_of_its_own_where_the_spare_one_has_too_little)
{
    static struct told told, want;
    struct histogram_budget budget = {.blocks_left = 8};
    struct histogram histogram = of_one(&budget, 3);
    struct spread *spare = spread_new(&histogram);
    histogram_add(&histogram, &budget, 3000); /* another octave */
    struct spread *next = spread_renew(spare, &histogram);
    histogram_walk(&histogram, tell, &want);
    spread_walk(next, tell, &told);
    cr_assert_eq(want.n, 2);
    expect_same(&told, &want);
    spread_unref(next);
    next = spread_renew(NULL, &histogram);
    cr_expect_not_null(next);
    spread_unref(next);
    histogram_fini(&histogram, &budget);
}
