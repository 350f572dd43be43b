/* test_lookups.c - the estimate of lookups, against the hooks' rule applied to programs in which the order of calls
 * is known. */
#include "snapshot/lookups.h"

#include "support/random.h"

#include <criterion/criterion.h>
#include <string.h>

enum { CALLEES = 6, TURNS = 400, NONE = -1 };

/* One caller's callees, as the target's hooks see them (firmware-ref/mpt_tree_hooks.h). */
static struct {
    int last, then[CALLEES];
    uint64_t calls[CALLEES], lookups, changes;
} p;

static void set_up(void)
{
    memset(&p, 0, sizeof p);
    p.last = NONE;
    for (int i = 0; i < CALLEES; i++)
        p.then[i] = NONE;
}

TestSuite(lookups, .init = set_up);

static void call(int callee)
{
    bool is_new = p.calls[callee]++ == 0;
    if (callee == p.last)
        return;
    if (p.last != NONE && p.then[p.last] != callee) {
        p.lookups += !is_new;
        p.then[p.last] = callee;
    } else {
        p.changes += !is_new;
    }
    p.last = callee;
}

static struct lookups_caller estimated(uint64_t calls)
{
    struct lookups_callee callees[CALLEES];
    struct lookups_caller caller = {.calls = calls};
    size_t n = 0;
    for (int i = 0; i < CALLEES; i++)
        if (p.calls[i] > 0)
            callees[n++] = (struct lookups_callee){.caller = 0, .calls = p.calls[i]};
    lookups_estimate(callees, n, &caller);
    return caller;
}

static void expect_about(uint64_t calls, double most_off)
{
    const struct lookups_caller caller = estimated(calls);
    cr_expect_float_eq(caller.estimate, (double)p.lookups, most_off * (double)p.lookups + 2,
                       "%f, in truth %llu", caller.estimate, (unsigned long long)p.lookups);
    cr_expect_geq(caller.most, (double)p.lookups);
    cr_expect_float_eq(caller.changes, (double)p.changes, most_off * (double)p.changes + 2,
                       "%f, in truth %llu", caller.changes, (unsigned long long)p.changes);
}

Test(lookups, the_same_order_each_time_needs_none)
{
    for (int turn = 0; turn < TURNS; turn++)
        for (int i = 0; i < CALLEES; i++)
            for (int n = 0; n < (i == 2 ? 5 : 1); n++) /* one of them is called five times in a row */
                call(i);
    cr_assert_eq(p.lookups, 1, "the second turn is the first time that the last callee is followed");
    cr_assert_eq(estimated(TURNS).estimate, 0);
    cr_expect_float_eq(estimated(TURNS).changes, (double)p.changes, 1);
    cr_assert_eq(estimated(0).estimate, 0, "the number of calls is that of the rarest");
}

Test(lookups, a_loop_of_several_callees_needs_two_for_each_call)
{
    for (int turn = 0; turn < TURNS; turn++) {
        call(0);
        for (int n = 0; n < 6; n++)
            call(n % 3 + 1);
        call(4);
    }
    cr_assert_gt(p.lookups, TURNS);
    expect_about(TURNS, 0.01);
}

Test(lookups, a_branch_needs_two_where_it_is_taken_but_was_not_before)
{
    struct test_random random = test_random_start("lookups");
    for (int turn = 0; turn < TURNS; turn++) {
        call(0);
        if (test_random_below(&random, 4) == 0)
            call(1);
        call(2);
    }
    cr_assert_gt(p.lookups, TURNS / 10);
    expect_about(TURNS, 0.3);
}

Test(lookups, two_callees_are_looked_up_once)
{
    struct test_random random = test_random_start("lookups-two");
    for (int i = 0; i < TURNS; i++)
        call((int)test_random_below(&random, 2));
    cr_assert_eq(p.lookups, 1);
    cr_assert_eq(estimated(7).estimate, 0);
    cr_assert_eq(estimated(7).most, 1);
}

Test(lookups, none_exceed_the_limit_in_any_order)
{
    struct test_random random = test_random_start("lookups-any");
    for (uint32_t round = 0; round < 300; round++) {
        set_up();
        uint32_t callees = 1 + test_random_below(&random, CALLEES),
                 calls = 1 + test_random_below(&random, 200);
        for (uint32_t i = 0; i < calls; i++)
            call((int)test_random_below(&random, callees));
        const struct lookups_caller caller = estimated(test_random_below(&random, 100));
        cr_assert_leq((double)p.lookups, caller.most, "round %u", round);
        cr_assert_leq(caller.estimate, caller.most);
    }
}

Test(lookups, callers_are_told_apart_and_large_counts_do_not_overflow)
{
    struct lookups_callee callees[] = {{1, 20}, {0, UINT64_MAX}, {1, 10}, {0, UINT64_MAX}, {1, 20}, {0, 1}};
    struct lookups_caller callers[] = {{.calls = 1}, {.calls = 10}};
    lookups_estimate(callees, 6, callers);
    cr_assert_eq(callers[1].callees, 3);
    cr_assert_eq(callers[1].estimate, 20);
    cr_assert_gt(callers[0].most, 0x1p64);
    cr_assert_leq(callers[0].estimate, callers[0].most);
}
