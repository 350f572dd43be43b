/* test_clock.c - ticks to microseconds, at the rate that this file was compiled for. */
#include "mpt_clock.h"

#include <criterion/criterion.h>

#include "support/random.h"

static uint64_t exact_us(uint64_t ticks)
{
    return (uint64_t)((unsigned __int128)ticks * 1000000u / MPT_TICK_HZ);
}

Test(clock, it_agrees_with_wide_arithmetic_after_any_steps)
{
    struct test_random random = test_random_start("clock");
    struct mpt_clock clock = {0};
    uint64_t ticks = 0;

    for (int i = 0; i < 20000; i++) {
        ticks += test_random_next(&random) >> (32 + test_random_below(&random, 32));
        mpt_clock_advance(&clock, (uint32_t)ticks);
        cr_assert_eq(clock.us, (uint32_t)exact_us(ticks), "at tick %llu", (unsigned long long)ticks);

        uint32_t before = (uint32_t)(test_random_next(&random) >> (32 + test_random_below(&random, 32)));
        if (before > ticks)
            continue;
        cr_assert_eq(mpt_clock_us_since(&clock, (uint32_t)(ticks - before)),
                     (uint32_t)(exact_us(ticks) - exact_us(ticks - before)), "%u ticks before tick %llu",
                     before, (unsigned long long)ticks);
    }
}

Test(clock, no_time_is_no_time)
{
    struct mpt_clock clock = {0};

    cr_assert_eq(mpt_clock_us_since(&clock, 0), 0);
    mpt_clock_advance(&clock, 0);
    cr_assert_eq(clock.us, 0);
}
