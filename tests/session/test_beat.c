/* test_beat.c - how often snapshots are made. */
#include "session/beat.h"

#include <criterion/criterion.h>

/* The pause after a snapshot that is made in time. */
static uint64_t pause_ms(uint32_t every_ms, struct beat_cost cost)
{
    struct beat beat = {.every_ms = every_ms, .next_ms = 1000};
    beat_made(&beat, 1000, &cost);
    return beat.next_ms - 1000;
}

static uint64_t copy_pause_ms(uint32_t every_ms, uint64_t copy_ns)
{
    return pause_ms(every_ms, (struct beat_cost){.copy_ns = copy_ns});
}

/* The begin of the pause of 100 ms after a snapshot that was due at 1000. */
static uint64_t begin_ms(uint64_t made_ms)
{
    struct beat beat = {.every_ms = 100, .next_ms = 1000};
    beat_made(&beat, made_ms, &(struct beat_cost){0});
    return beat.next_ms - 100;
}

Test(beat, a_profile_that_is_copied_fast_is_shown_as_often_as_wanted)
{
    cr_assert_eq(copy_pause_ms(100, 0), 100);
    cr_assert_eq(copy_pause_ms(100, 5000000), 100, "5 ms of every 100");
}

Test(beat, a_large_one_less_often_so_that_copying_never_takes_more_than_a_twentieth)
{
    cr_assert_eq(copy_pause_ms(100, 6000000), 120);
    cr_assert_eq(copy_pause_ms(100, 60000000), 1200);
}

Test(beat, updates_come_every_two_seconds_unless_set_longer)
{
    cr_assert_eq(copy_pause_ms(100, 1000000000), 2000);
    cr_assert_eq(copy_pause_ms(100, UINT64_MAX), 2000);
    cr_assert_eq(copy_pause_ms(5000, 1000000000), 5000);
}

Test(beat, one_of_many_rows_delays_the_next_so_that_a_viewer_gets_a_megabyte_a_second)
{
    cr_assert_eq(pause_ms(100, (struct beat_cost){.functions = 1}), 100);
    cr_assert_eq(pause_ms(100, (struct beat_cost){.functions = 100, .nodes = 900}), 100, "64 + 36 KB");
    cr_assert_eq(pause_ms(100, (struct beat_cost){.functions = 200, .nodes = 1500}), 188, "128 + 60 KB");
}

Test(beat, many_rows_delay_it_by_a_quarter_of_a_second_at_most)
{
    cr_assert_eq(pause_ms(100, (struct beat_cost){.nodes = UINT32_MAX, .functions = UINT32_MAX}), 250);
    cr_assert_eq(pause_ms(1000, (struct beat_cost){.nodes = 100000}), 1000, "a longer interval was set");
    cr_assert_eq(pause_ms(100, (struct beat_cost){.copy_ns = 60000000, .nodes = 100000}), 1200,
                 "the longer one");
}

Test(beat, a_late_update_makes_the_next_ones_no_later)
{
    cr_assert_eq(begin_ms(1000), 1000);
    cr_assert_eq(begin_ms(1049), 1000, "the machine was busy");
    cr_assert_eq(begin_ms(1050), 1050, "nothing came, or it was very late");
    cr_assert_eq(begin_ms(900), 900, "an urgent one, ahead of its time");
}
