/* test_clock.c - the warning about a target's timer with another rate than reported. */
#include "snapshot/clock_doubt.h"

#include <criterion/criterion.h>
#include <string.h>

static char doubt[CLOCK_DOUBT_SIZE];

static bool is_doubted(bool is_off, bool stands, double ratio)
{
    const struct snapshot_target target = {.has_metadata = true,
                                           .timer_hz = 48000000,
                                           .ticks_per_second = 1000000,
                                           .clock = {.is_off = is_off, .stands = stands, .ratio = ratio}};
    return snapshot_clock_doubt(&target, doubt);
}

Test(clock, a_clock_at_its_stated_rate_is_not_doubted)
{
    cr_expect_not(is_doubted(false, false, 1));
    cr_expect_not(is_doubted(false, false, 48), "nothing has shown that it is off");
    cr_expect_str_eq(doubt, "");
}

Test(clock, a_wrong_clock_is_reported_with_advice)
{
    cr_expect(is_doubted(true, false, 48) && strstr(doubt, "48.00 of this machine's clock"), "%s", doubt);
    cr_expect(strstr(doubt, "time_unit=ticks"), "%s", doubt);
    cr_expect(is_doubted(true, false, 40) && strstr(doubt, "40.00 s: correct the rate"), "%s", doubt);
    cr_expect(is_doubted(true, true, 48) && strstr(doubt, "stands still"), "%s", doubt);
}
