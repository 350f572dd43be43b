/* test_roster.c - the choice of functions with separate metrics, from one scrape to the next. */
#include "export/export_prometheus.h"

#include "support/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 40, MOST = 4 };

static struct snapshot_function functions[ROWS];
static struct snapshot snapshot = {.functions = functions};
static struct roster roster;

static void begin(void)
{
    roster_init(&roster, MOST);
    for (uint32_t i = 0; i < ROWS; i++)
        functions[i] = (struct snapshot_function){
            .name = "f", .has_address = true, .address = 0x100 + i, .known = FUNCTION_CALLS | FUNCTION_SELF};
}

static void end(void)
{
    roster_fini(&roster);
}

TestSuite(roster, .init = begin, .fini = end);

static const struct figure *calls_figure(void)
{
    const struct figure *figure = figures_function;
    while (strcmp(figure->key, "calls") != 0)
        figure++;
    return figure;
}

static uint64_t other_calls(void)
{
    uint64_t sum;
    return roster_sum(&roster, &snapshot, calls_figure(), &sum) ? sum : 0;
}

/* Any function may become busier than the others at any time: none that was listed is missing later, those
 * that are stay few, and neither the sum of the rest nor that of all ever falls. */
Test(roster, a_series_stays_and_its_counter_never_falls)
{
    struct test_random random = test_random_start("roster");
    uint8_t was_listed[ROWS] = {0};
    uint64_t other_before = 0;
    for (unsigned scrape = 0; scrape < 200; scrape++) {
        if (snapshot.function_count < ROWS && test_random_below(&random, 3) == 0)
            snapshot.function_count++;
        for (unsigned i = 0; snapshot.function_count > 0 && i < 10; i++) {
            struct snapshot_function *one = &functions[test_random_below(&random, snapshot.function_count)];
            one->calls += 1 + test_random_below(&random, 5);
            one->self_ticks += test_random_below(&random, 100);
        }
        cr_assert(roster_follow(&roster, &snapshot));
        uint32_t listed = 0;
        for (uint32_t row = 0; row < snapshot.function_count; row++) {
            cr_assert(roster.is_listed[row] >= was_listed[row], "row %u is there no more", row);
            was_listed[row] = roster.is_listed[row];
            listed += was_listed[row];
        }
        cr_assert_eq(listed, roster.listed);
        cr_assert_leq(listed, 2 * MOST);
        uint64_t other = other_calls();
        cr_assert_geq(other, other_before, "scrape %u", scrape);
        other_before = other;
    }
    cr_assert_eq(snapshot.function_count, ROWS);
    cr_assert_gt(other_before, 0);
}

Test(roster, the_busiest_are_listed_at_first)
{
    snapshot.function_count = 10;
    for (uint32_t i = 0; i < 10; i++) {
        functions[i].calls = 1;
        functions[i].self_ticks = i * 7 % 10;
    }
    cr_assert(roster_follow(&roster, &snapshot));
    for (uint32_t i = 0; i < 10; i++)
        cr_expect_eq(roster.is_listed[i], functions[i].self_ticks >= 6, "row %u", i);
    cr_expect_eq(other_calls(), 6);
}

/* Functions that are new since the last scrape were in no sum. */
Test(roster, there_is_no_sum_if_all_functions_fit)
{
    for (snapshot.function_count = 0; snapshot.function_count <= MOST; snapshot.function_count++) {
        functions[snapshot.function_count].calls = 3;
        uint64_t sum;
        cr_assert(roster_follow(&roster, &snapshot));
        cr_expect_not(roster_sum(&roster, &snapshot, calls_figure(), &sum));
    }
}

Test(roster, a_profile_that_was_cleared_begins_anew)
{
    snapshot.function_count = ROWS;
    cr_assert(roster_follow(&roster, &snapshot));
    functions[ROWS - 1].self_ticks = 5;
    cr_assert(roster_follow(&roster, &snapshot));
    cr_expect_eq(roster.listed, MOST + 1);
    snapshot.cleared_at = 9;
    snapshot.function_count = 2;
    cr_assert(roster_follow(&roster, &snapshot));
    cr_expect_eq(roster.listed, 2);
    cr_expect_eq(other_calls(), 0);
    snapshot.cleared_at = 0;
}

Test(roster, there_is_room_for_every_figure)
{
    size_t n = 0;
    while (figures_function[n].key)
        n++;
    cr_assert_leq(n, ROSTER_FIGURES);
}

/* A function may have the name of the sum: the kind distinguishes them. */
Test(roster, a_function_of_the_name_of_the_sum_is_another_series)
{
    struct sink_buffer text;
    snapshot.function_count = MOST + 1;
    functions[0].name = "(other)";
    functions[0].self_ticks = 100;
    for (uint32_t i = 0; i <= MOST; i++)
        functions[i].calls = 10 + i;
    sink_buffer_init(&text);
    prometheus_write(&snapshot, &roster, &text.sink);
    cr_expect(strstr(text.bytes, "\nminiprofd_function_calls_total{function=\"(other)\"} 10\n"));
    cr_expect(
        strstr(text.bytes, "\nminiprofd_function_calls_total{function=\"(other)\",kind=\"other\"} 14\n"));
    sink_buffer_fini(&text);
}
