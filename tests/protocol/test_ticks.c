/* test_ticks.c - widening of ticks at its limits. */
#include "protocol/ticks.h"

#include <criterion/criterion.h>

#include "support/random.h"

Test(ticks, the_short_way_round_is_taken)
{
    cr_assert_eq(mp_ticks_distance(5, 9, 32), 4);
    cr_assert_eq(mp_ticks_distance(9, 5, 32), -4);
    cr_assert_eq(mp_ticks_distance(0xFFFFFFFE, 3, 32), 5);
    cr_assert_eq(mp_ticks_distance(3, 0xFFFFFFFE, 32), -5);
    cr_assert_eq(mp_ticks_distance(0, 0x7FFFFF, 24), 0x7FFFFF);
    cr_assert_eq(mp_ticks_distance(0, 0x800000, 24), -0x800000);
    cr_assert_eq(mp_ticks_distance(UINT64_MAX, 1, 64), 2);
}

Test(ticks, any_step_shorter_than_half_a_period_is_found_again_in_either_direction)
{
    struct test_random random = test_random_start("ticks");
    for (int round = 0; round < 20000; round++) {
        unsigned bits = 1 + (unsigned)test_random_below(&random, 63);
        uint64_t half = UINT64_C(1) << (bits - 1);
        uint64_t reference = (test_random_next(&random) >> 1) + half;
        uint64_t time = reference - half + test_random_below(&random, 2 * half);
        uint64_t mask = 2 * half - 1;
        cr_assert_eq(mp_ticks_widen(reference, time & mask, bits), time);
    }
}

Test(ticks, a_down_counter_of_any_period_gives_elapsed_ticks)
{
    cr_assert_eq(mp_ticks_elapsed_down(100, 60, 0xFFFFFF), 40);
    cr_assert_eq(mp_ticks_elapsed_down(0, 0xFFFFFE, 0xFFFFFF), 1, "the step through zero is one tick");
    cr_assert_eq(mp_ticks_elapsed_down(5, 5, 0xFFFFFF), 0);
}
