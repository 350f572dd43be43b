/* test_ticks.c - ticks in nanoseconds. */
#include "export/ticks.h"
#include "support/random.h"

#include <criterion/criterion.h>

Test(ticks, are_rounded_down_to_whole_nanoseconds)
{
    cr_expect_eq(ticks_nanoseconds(0, 1), 0);
    cr_expect_eq(ticks_nanoseconds(1, 1), 1000000000);
    cr_expect_eq(ticks_nanoseconds(1, 168000000), 5);
    cr_expect_eq(ticks_nanoseconds(168000000, 168000000), 1000000000);
    cr_expect_eq(ticks_nanoseconds(UINT64_MAX, 1000000000), UINT64_MAX);
    cr_expect_eq(ticks_nanoseconds(UINT64_MAX, UINT64_MAX), 1000000000);
}

Test(ticks, that_do_not_fit_stop_at_the_greatest_number)
{
    cr_expect_eq(ticks_nanoseconds(UINT64_MAX, 1), UINT64_MAX);
    cr_expect_eq(ticks_nanoseconds(18446744073, 1), 18446744073000000000u);
    cr_expect_eq(ticks_nanoseconds(18446744074, 1), UINT64_MAX);
    cr_expect_eq(ticks_nanoseconds(UINT64_MAX, 999999999), UINT64_MAX);
}

Test(ticks, are_neither_too_few_nor_too_many)
{
    struct test_random random = test_random_start("ticks");
    for (int i = 0; i < 10000; i++) {
        uint64_t rate = 1 + (test_random_next(&random) >> test_random_below(&random, 32) >> 32);
        uint64_t ticks = test_random_next(&random) >> 32;
        uint64_t found = ticks_nanoseconds(ticks, rate); /* ticks fit 32 bits, so this fits 64: */
        cr_assert(found * rate <= ticks * 1000000000 && (found + 1) * rate > ticks * 1000000000,
                  "%llu ticks at %llu Hz", (unsigned long long)ticks, (unsigned long long)rate);
    }
}
