/* test_publish.c - how often snapshots are made. */
#include "session/ingest.h"

#include <criterion/criterion.h>

Test(publish, a_profile_that_is_copied_fast_is_shown_as_often_as_wanted)
{
    cr_assert_eq(ingest_pause_ms(100, 0), 100);
    cr_assert_eq(ingest_pause_ms(100, 5000000), 100, "5 ms of every 100");
}

Test(publish, a_large_one_less_often_so_that_copying_never_takes_more_than_a_twentieth)
{
    cr_assert_eq(ingest_pause_ms(100, 6000000), 120);
    cr_assert_eq(ingest_pause_ms(100, 60000000), 1200);
}

Test(publish, people_wait_two_seconds_at_most_but_for_what_they_asked_for)
{
    cr_assert_eq(ingest_pause_ms(100, 1000000000), 2000);
    cr_assert_eq(ingest_pause_ms(100, UINT64_MAX), 2000);
    cr_assert_eq(ingest_pause_ms(5000, 1000000000), 5000);
}

Test(publish, a_late_update_makes_the_next_ones_no_later)
{
    cr_assert_eq(ingest_pace_from_ms(1000, 1000, 100), 1000);
    cr_assert_eq(ingest_pace_from_ms(1000, 1049, 100), 1000, "the machine was busy");
    cr_assert_eq(ingest_pace_from_ms(1000, 1050, 100), 1050, "nothing came, or it was very late");
    cr_assert_eq(ingest_pace_from_ms(1000, 900, 100), 900, "an urgent one, ahead of its time");
}
