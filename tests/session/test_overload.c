/* test_overload.c - when a line is considered too slow. */
#include "session/overload.h"

#include <criterion/criterion.h>

/* The decision after some seconds, in each of which `lost` of `calls` calls were lost. */
static bool after(const uint64_t (*seconds)[2], unsigned n)
{
    struct overload overload = {0};
    uint64_t lost = 500, came = 7, now_ms = 12345; /* of before */
    bool is_over = overload_look(&overload, now_ms, lost, came);
    for (unsigned i = 0; i < n; i++) {
        now_ms += 400;
        is_over |= overload_look(&overload, now_ms, lost + seconds[i][0] / 2, came); /* too early to decide */
        now_ms += 600;
        lost += seconds[i][0];
        came += seconds[i][1] - seconds[i][0];
        is_over |= overload_look(&overload, now_ms, lost, came);
    }
    return is_over;
}

Test(overload, over_one_percent_lost_for_two_seconds_is_overload)
{
    cr_assert(after((const uint64_t[][2]){{20, 1000}, {11, 1000}}, 2));
    cr_assert(after((const uint64_t[][2]){{0, 1000}, {999, 1000}, {999, 1000}}, 3));
}

Test(overload, small_losses_and_single_bursts_are_no_overload)
{
    cr_assert_not(after((const uint64_t[][2]){{10, 1000}, {10, 1000}, {10, 1000}}, 3));
    cr_assert_not(after((const uint64_t[][2]){{900, 1000}, {0, 1000}, {900, 1000}, {0, 1000}}, 4));
    cr_assert_not(after((const uint64_t[][2]){{9, 9}, {9, 9}, {9, 9}}, 3)); /* too few calls to decide */
    cr_assert_not(after((const uint64_t[][2]){{0, 0}, {0, 0}}, 2));
}
