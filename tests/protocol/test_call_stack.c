/* test_call_stack.c - which calls of a stack are known, and which are forgotten instead of guessed. */
#include "protocol/call_stack.h"

#include <criterion/criterion.h>

enum { ROOM = 4 };

static uint32_t functions[ROOM];

static struct mp_call_stack stack_of(const char *calls)
{
    struct mp_call_stack stack = {.function = functions, .room = ROOM};

    for (; *calls; calls++)
        mp_call_stack_enter(&stack, (uint32_t)*calls);
    return stack;
}

/* A function, weighted by a level of the gap. */
static uint32_t at(uint32_t function, int level)
{
    for (; level > 0; level--)
        function *= MP_CALL_WEIGHT;
    for (; level < 0; level++)
        function *= MP_CALL_LESS_WEIGHT;
    return function;
}

Test(call_stack, a_call_has_the_index_and_the_depth_that_it_began_with)
{
    struct mp_call_stack stack = stack_of("ab");
    cr_assert_eq(mp_call_stack_enter(&stack, 'c'), 2);
    cr_assert_eq(mp_call_stack_exit(&stack, 'c'), 2);
    cr_assert_eq(mp_call_stack_exit(&stack, 'b'), 1);
    cr_assert_eq(mp_call_stack_exit(&stack, 'a'), 0);
    cr_assert_eq(mp_call_stack_depth(&stack), 0);
}

Test(call_stack, an_exit_ends_the_calls_above_its_call)
{
    struct mp_call_stack stack = stack_of("abca");
    cr_assert_eq(mp_call_stack_exit(&stack, 'b'), 1);
    cr_assert_eq(mp_call_stack_depth(&stack), 1);
    cr_assert_eq(mp_call_stack_exit(&stack, 'x'), MP_NO_CALL);
    cr_assert_eq(mp_call_stack_depth(&stack), 0, "an exit that nothing explains leaves nothing");
}

Test(call_stack, calls_too_deep_for_the_room_are_counted_and_those_below_kept)
{
    struct mp_call_stack stack = stack_of("aaaaaa");
    cr_assert_eq(mp_call_stack_depth(&stack), 6);
    cr_assert_eq(mp_call_stack_exit(&stack, 'a'), MP_NO_CALL);
    cr_assert_eq(mp_call_stack_exit(&stack, 'a'), MP_NO_CALL);
    cr_assert_eq(mp_call_stack_exit(&stack, 'a'), 3);
}

Test(call_stack, after_a_gap_the_calls_that_it_spared_are_known)
{
    struct mp_call_stack stack = stack_of("abc");
    /* c and b leave, x and y come */
    mp_call_stack_gap(&stack, 0, -2, 0u - at('c', -1) - at('b', -2) + at('x', -2) + at('y', -1));
    cr_assert_eq(mp_call_stack_depth(&stack), 3);
    cr_assert_eq(mp_call_stack_enter(&stack, 'd'), 1);
    cr_assert_eq(mp_call_stack_depth_of(&stack, 1), 3);
    cr_assert_eq(mp_call_stack_exit(&stack, 'd'), 1);
    cr_assert_eq(mp_call_stack_exit(&stack, 'y'), MP_NO_CALL);
    cr_assert_eq(mp_call_stack_exit(&stack, 'x'), MP_NO_CALL);
    cr_assert_eq(mp_call_stack_exit(&stack, 'a'), 0);
}

Test(call_stack, a_gap_whose_sum_is_not_that_of_the_calls_it_ended_spares_none)
{
    struct mp_call_stack stack = stack_of("abc");
    mp_call_stack_gap(&stack, -1, -1, 0u - at('b', -1)); /* a longjmp ended c, then b left */
    cr_assert_eq(mp_call_stack_depth(&stack), 2);
    cr_assert_eq(mp_call_stack_exit(&stack, 'a'), MP_NO_CALL);
}

Test(call_stack, a_gap_with_other_calls_spares_none)
{
    struct mp_call_stack stack = stack_of("ab");
    mp_call_stack_gap(&stack, 1, 0, 'x');
    cr_assert_eq(mp_call_stack_exit(&stack, 'y'), MP_NO_CALL);
    cr_assert_eq(mp_call_stack_exit(&stack, 'b'), MP_NO_CALL);
    stack = stack_of("ab");
    mp_call_stack_gap(&stack, 1, 0, 'a'); /* this a, or the other one after a longjmp */
    cr_assert_eq(mp_call_stack_exit(&stack, 'a'), MP_NO_CALL);
    cr_assert_eq(mp_call_stack_exit(&stack, 'b'), MP_NO_CALL);
}

Test(call_stack, a_second_gap_before_the_first_is_over_makes_one_of_both)
{
    struct mp_call_stack stack = stack_of("a");
    mp_call_stack_gap(&stack, 1, 0, 'x');
    cr_assert_eq(mp_call_stack_enter(&stack, 'b'), 1);
    mp_call_stack_gap(&stack, 1, 0, 'y');
    cr_assert_eq(mp_call_stack_depth(&stack), 4);
    for (const char *exits = "ybx"; *exits; exits++)
        cr_assert_eq(mp_call_stack_exit(&stack, (uint32_t)*exits), MP_NO_CALL);
    cr_assert_eq(mp_call_stack_exit(&stack, 'a'), 0);
}

Test(call_stack, a_gap_longer_than_the_stack_leaves_calls_begun_in_it)
{
    struct mp_call_stack stack = stack_of("a");
    mp_call_stack_gap(&stack, -2, -3, 0);
    cr_assert_eq(mp_call_stack_depth(&stack), 1);
    cr_assert_eq(mp_call_stack_exit(&stack, 'x'), MP_NO_CALL);
    cr_assert_eq(mp_call_stack_depth(&stack), 0);
}

Test(call_stack, calls_named_from_the_outermost_are_known)
{
    struct mp_call_stack stack = stack_of("");
    mp_call_stack_reset(&stack, 3);
    cr_assert_eq(mp_call_stack_tell(&stack, 1, 'b'), MP_NO_CALL, "not before the one below");
    cr_assert_eq(mp_call_stack_tell(&stack, 0, 'a'), 0);
    cr_assert_eq(mp_call_stack_tell(&stack, 1, 'b'), 1);
    cr_assert_eq(mp_call_stack_tell(&stack, 2, 'c'), 2);
    cr_assert_eq(mp_call_stack_tell(&stack, 3, 'd'), MP_NO_CALL);
    cr_assert_eq(mp_call_stack_exit(&stack, 'c'), 2);
    cr_assert_eq(mp_call_stack_exit(&stack, 'b'), 1);
}

Test(call_stack, named_calls_stay_known_through_a_gap_that_keeps_them)
{
    struct mp_call_stack stack = stack_of("");
    mp_call_stack_reset(&stack, 2);
    mp_call_stack_tell(&stack, 0, 'a');
    mp_call_stack_tell(&stack, 1, 'b');
    /* b ends and is called again. */
    mp_call_stack_gap(&stack, 0, -1, 0);
    cr_assert_eq(mp_call_stack_depth(&stack), 2);
    cr_assert_eq(mp_call_stack_exit(&stack, 'b'), MP_NO_CALL);
    cr_assert_eq(mp_call_stack_exit(&stack, 'a'), 0);
}
