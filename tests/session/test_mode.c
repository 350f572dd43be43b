/* test_mode.c - which way of telling its calls a device is asked for. */
#include "session/mode.h"

#include <criterion/criterion.h>

enum {
    CALLS = 1 << MODE_CALLS,
    STREAM = 1 << MODE_STREAM,
    TREE = 1 << MODE_TREE,
    ALL = CALLS | STREAM | TREE,
};

Test(mode, what_is_wanted_is_asked_for_where_it_is_offered_and_read)
{
    cr_expect_eq(mode_choose(MODE_CALLS, ALL, ALL), MODE_CALLS);
    cr_expect_eq(mode_choose(MODE_STREAM, ALL, ALL), MODE_STREAM);
    cr_expect_eq(mode_choose(MODE_TREE, ALL, ALL), MODE_TREE);
    cr_expect_eq(mode_choose(MODE_AUTO, ALL, ALL), MODE_STREAM);
}

Test(mode, without_the_tree_it_is_the_stream)
{
    cr_expect_eq(mode_choose(MODE_TREE, CALLS | STREAM, ALL), MODE_STREAM);
    cr_expect_eq(mode_choose(MODE_TREE, ALL, CALLS | STREAM), MODE_STREAM);
    cr_expect_eq(mode_choose(MODE_TREE, CALLS, ALL), MODE_CALLS);
    cr_expect_eq(mode_choose(MODE_STREAM, CALLS | TREE, ALL), MODE_CALLS, "a tree was not asked for");
}

Test(mode, calls_are_what_every_device_has)
{
    for (int wanted = MODE_AUTO; wanted < MODES; wanted++) {
        cr_expect_eq(mode_choose((enum mode)wanted, 0, ALL), MODE_CALLS, "it does not describe itself");
        cr_expect_eq(mode_choose((enum mode)wanted, ALL, 0), MODE_CALLS, "nobody could read it");
        cr_expect_eq(mode_choose((enum mode)wanted, STREAM, TREE), MODE_CALLS);
        cr_expect_eq(mode_choose((enum mode)wanted, 1u << 31, 1u << 31), MODE_CALLS);
    }
}
