/* test_tree_programs.c - version 3 of random programs against an independent count: tasks, interrupts anywhere (also
 * in hooks), jumps, a tree that is too small, a line that is too slow. */
#include "tree_program.h"

#include <criterion/criterion.h>

#include "mpt_config.h"

enum { DEEPEST = 12 };

static void run(struct tree_program program)
{
    tree_program_run(&program);
}

Test(tree_programs, a_tree_that_fits_is_exact)
{
    run((struct tree_program){"tree fits", 2, 4, false, 1000});
    cr_assert_lt(tree_program_nodes(), MPT_TREE_NODES);
}

Test(tree_programs, a_tree_that_fits_is_exact_with_longjmp)
{
    run((struct tree_program){"tree fits and jumps", 2, 4, true, 1000});
}

Test(tree_programs, nodes_that_do_not_fit_are_other)
{
    run((struct tree_program){"tree does not fit", 9, DEEPEST, false, 1000});
    cr_assert_eq(tree_program_nodes(), MPT_TREE_NODES);
}

Test(tree_programs, nodes_that_do_not_fit_are_other_with_longjmp)
{
    run((struct tree_program){"tree does not fit and jumps", 9, DEEPEST, true, 1000});
    cr_assert_eq(tree_program_nodes(), MPT_TREE_NODES);
}

/* As 9,600 baud with 20 ms between two polls. */
Test(tree_programs, a_slow_line_makes_sums_old_but_not_wrong)
{
    run((struct tree_program){"tree on a slow line", 3, 6, false, 19});
}

Test(tree_programs, a_blocked_line_makes_sums_old_but_not_wrong)
{
    run((struct tree_program){"tree on no line", 3, 6, false, 0});
}

/* Not so deep that callers would find no room. */
Test(tree_programs, the_flat_form_counts_by_function_and_caller)
{
    run((struct tree_program){"flat fits", 3, MPT_STACK_DEPTH / 4, false, 1000, true});
    cr_assert_lt(tree_program_nodes(), MPT_TREE_NODES);
}

Test(tree_programs, the_flat_form_is_exact_with_longjmp)
{
    run((struct tree_program){"flat fits and jumps", 3, MPT_STACK_DEPTH / 4, true, 1000, true});
}

Test(tree_programs, the_flat_form_may_be_too_small)
{
    run((struct tree_program){"flat does not fit", 40, MPT_STACK_DEPTH / 4, true, 1000, true});
    cr_assert_eq(tree_program_nodes(), MPT_TREE_NODES);
}
