/* test_window_programs.c - windows of random programs: one stretch of what happened, in all contexts, around
 * the calls that were slow; and the tree beside them counts what it always does. */
#include "tree_program.h"
#include "window_truth.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "mpt_config.h"

enum { WANTED = 0x110, SLOW = 60 };

static uint32_t from; /* event, when the function was asked for */

static void set(uint8_t key, uint32_t value)
{
    sim_config(key, value);
}

static void ask(uint32_t after)
{
    from = truth.n;
    set(MPT_CONFIG_WINDOW_FUNCTION, WANTED);
    set(MPT_CONFIG_WINDOW_TICKS, SLOW);
    set(MPT_CONFIG_WINDOW_AFTER, after);
    set(MPT_CONFIG_WINDOW, 1);
}

static void half(uint32_t round)
{
    if (round == 0)
        truth_start();
    if (round == 3)
        ask(50);
}

static void run(struct tree_program program)
{
    tree_program_run(&program);
    truth_assert_windows();
    uint32_t slow = truth_slow_calls(WANTED, SLOW, from), told = 0, events = 0, opens = 0;

    for (uint32_t i = 0; i < truth.windows; i++) {
        told += 1 + truth.window[i].missed;
        events += truth.window[i].events;
        opens += truth.window[i].opens;
    }
    fprintf(stderr, "%s: %u windows of %u events, %u calls told to run, %u of %u slow calls told or missed\n",
            program.name, truth.windows, truth.windows ? events / truth.windows : 0, opens, told, slow);
    cr_assert_gt(truth.windows, 20);
    /* Those after the latest window are not told of yet. */
    cr_assert_leq(told, slow + slow / 20);
}

Test(window_programs, each_is_one_stretch_of_what_happened_around_a_slow_call)
{
    run((struct tree_program){"windows", 2, 4, false, 2000, false, half});
}
