/* test_tree_programs.c - version 3 of random programs against an independent count: tasks and interrupts that
 * come anywhere (in hooks as well), jumps, a tree that is too small, a line that is too slow. */
#include "tree_program.h"

#include <criterion/criterion.h>

#include "mpt_config.h"

enum { DEEPEST = 12 };

static void run(struct tree_program program)
{
    tree_program_run(&program);
}

Test(tree_programs, one_that_fits_is_told_exactly)
{
    run((struct tree_program){"tree fits", 2, 4, false, 1000});
    cr_assert_lt(tree_program_nodes(), MPT_TREE_NODES);
}

Test(tree_programs, so_is_one_that_jumps)
{
    run((struct tree_program){"tree fits and jumps", 2, 4, true, 1000});
}

Test(tree_programs, of_one_that_does_not_fit_the_rest_is_other)
{
    run((struct tree_program){"tree does not fit", 9, DEEPEST, false, 1000});
    cr_assert_eq(tree_program_nodes(), MPT_TREE_NODES);
}

Test(tree_programs, and_when_it_jumps)
{
    run((struct tree_program){"tree does not fit and jumps", 9, DEEPEST, true, 1000});
    cr_assert_eq(tree_program_nodes(), MPT_TREE_NODES);
}

/* As if 9,600 baud had 20 ms between two polls. */
Test(tree_programs, a_line_that_is_too_slow_makes_sums_older_and_not_wrong)
{
    run((struct tree_program){"tree on a slow line", 3, 6, false, 19});
}

Test(tree_programs, and_so_does_a_line_that_takes_nothing)
{
    run((struct tree_program){"tree on no line", 3, 6, false, 0});
}

/* Not so deep that callers would find no room. */
Test(tree_programs, in_the_flat_form_calls_are_told_by_function_and_caller)
{
    run((struct tree_program){"flat fits", 3, MPT_STACK_DEPTH / 4, false, 1000, true});
    cr_assert_lt(tree_program_nodes(), MPT_TREE_NODES);
}

Test(tree_programs, with_jumps_as_well)
{
    run((struct tree_program){"flat fits and jumps", 3, MPT_STACK_DEPTH / 4, true, 1000, true});
}

Test(tree_programs, and_it_may_be_too_small_too)
{
    run((struct tree_program){"flat does not fit", 40, MPT_STACK_DEPTH / 4, true, 1000, true});
    cr_assert_eq(tree_program_nodes(), MPT_TREE_NODES);
}
