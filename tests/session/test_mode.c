/* test_mode.c - the mode that is requested from a device. */
#include "device/mode.h"

#include <criterion/criterion.h>

enum {
    CALLS = 1 << MODE_CALLS,
    STREAM = 1 << MODE_STREAM,
    TREE = 1 << MODE_TREE,
    ALL = CALLS | STREAM | TREE,
};

Test(mode, a_wanted_mode_is_chosen_if_offered_and_readable)
{
    cr_expect_eq(mode_choose(MODE_CALLS, false, ALL, ALL), MODE_CALLS);
    cr_expect_eq(mode_choose(MODE_STREAM, false, ALL, ALL), MODE_STREAM);
    cr_expect_eq(mode_choose(MODE_TREE, false, ALL, ALL), MODE_TREE);
    cr_expect_eq(mode_choose(MODE_AUTO, false, ALL, ALL), MODE_STREAM);
}

Test(mode, without_the_tree_it_is_the_stream)
{
    cr_expect_eq(mode_choose(MODE_TREE, false, CALLS | STREAM, ALL), MODE_STREAM);
    cr_expect_eq(mode_choose(MODE_TREE, false, ALL, CALLS | STREAM), MODE_STREAM);
    cr_expect_eq(mode_choose(MODE_TREE, false, CALLS, ALL), MODE_CALLS);
    cr_expect_eq(mode_choose(MODE_STREAM, false, CALLS | TREE, ALL), MODE_CALLS, "a tree was not asked for");
}

Test(mode, calls_are_not_requested_if_not_offered)
{
    cr_expect_eq(mode_choose(MODE_CALLS, false, STREAM, ALL), MODE_STREAM);
    cr_expect_eq(mode_choose(MODE_AUTO, true, STREAM, ALL), MODE_STREAM);
    cr_expect_eq(mode_choose(MODE_TREE, false, STREAM, ALL), MODE_STREAM);
}

Test(mode, calls_are_the_default)
{
    for (int wanted = MODE_AUTO; wanted < MODES; wanted++) {
        cr_expect_eq(mode_choose((enum mode)wanted, wanted % 2 == 0, 0, ALL), MODE_CALLS,
                     "it does not describe itself");
        cr_expect_eq(mode_choose((enum mode)wanted, wanted % 2 == 0, ALL, 0), MODE_CALLS,
                     "nobody could read it");
        cr_expect_eq(mode_choose((enum mode)wanted, wanted % 2 == 0, STREAM, TREE), MODE_CALLS);
        cr_expect_eq(mode_choose((enum mode)wanted, wanted % 2 == 0, 1u << 31, 1u << 31), MODE_CALLS);
    }
}

Test(mode, auto_chooses_the_tree_on_a_slow_line)
{
    cr_expect_eq(mode_choose(MODE_AUTO, true, ALL, ALL), MODE_TREE);
    cr_expect_eq(mode_choose(MODE_AUTO, true, CALLS | STREAM, ALL), MODE_STREAM, "there is none");
    cr_expect_eq(mode_choose(MODE_STREAM, true, ALL, ALL), MODE_STREAM, "it is not left open");
}
