/* test_start.c - the time from one start of a function to the next. */
#include "snapshot/start.h"

#include <criterion/criterion.h>

Test(start, the_first_of_a_run_has_none_before_it)
{
    struct start last = {0};
    uint64_t since;
    cr_expect_not(start_follows(&last, 7, 100, &since));
    cr_expect(start_follows(&last, 7, 130, &since));
    cr_expect_eq(since, 30);
    cr_expect_not(start_follows(&last, 8, 150, &since), "another run");
    cr_expect(start_follows(&last, 8, 150, &since), "two that begin at once");
    cr_expect_eq(since, 0);
}

Test(start, nothing_is_measured_backwards)
{
    struct start last = {0};
    uint64_t since;
    cr_expect_not(start_is_early(&last, 1, 0));
    start_follows(&last, 1, 100, &since);
    cr_expect(start_is_early(&last, 1, 99));
    cr_expect_not(start_is_early(&last, 1, 100));
    cr_expect_not(start_is_early(&last, 2, 99), "of another run");
    cr_expect_not(start_follows(&last, 1, 60, &since));
    cr_expect(start_follows(&last, 1, 100, &since), "it goes on from there");
    cr_expect_eq(since, 40);
    start_follows(&last, 1, UINT64_MAX, &since);
    cr_expect_not(start_follows(&last, 1, 0, &since));
}
