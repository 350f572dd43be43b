/* test_ceilings.c - rows beyond a ceiling are merged and counted. */
#include "profile/profile.h"
#include "support/effort.h"
#include "support/frozen.h"
#include "support/random.h"

#include <criterion/criterion.h>

Test(ceilings, random_depths_and_addresses_stay_below_the_ceilings)
{
    struct profile_limits limits = {
        .functions = 100, .nodes = 500, .timeline_calls = 4096, .pending_calls = 1000};
    struct profile *profile = profile_new(&limits);
    struct test_random random = {4711};
    const uint32_t calls = test_effort(50000, 200000);
    for (uint32_t i = 0; i < calls; i++) {
        struct event event =
            call(test_random_next(&random) >> (i % 2 ? 32 : 0), test_random_next(&random) >> 2,
                 test_random_next(&random) >> (2 + i % 60), (uint16_t)test_random_below(&random, 1200));
        profile_apply(profile, &event, 1);
    }
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    uint64_t counted = 0;
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        counted += snapshot->functions[i].calls;
    cr_assert_eq(counted, calls, "no call is forgotten");
    cr_assert_leq(snapshot->node_count, 500 + 1, "(other) comes on top");
    cr_assert_leq(snapshot->function_count, 100 + 1 + 2 * 1024, "placeholders and (other) come on top");
    cr_assert_gt(snapshot->link.over_limit, 0);
    snapshot_unref(snapshot);
    profile_free(profile);
}

/* Five calls of four functions: 0x100 for 20 ticks, 5 of these in 0x200, and 23 ticks of others. */
static struct snapshot *freeze_five_calls(const struct profile_limits *limits)
{
    struct profile *profile = profile_new(limits);
    struct event events[] = {call(0x200, 12, 5, 1), call(0x100, 10, 20, 0), call(0x300, 40, 7, 0),
                             call(0x400, 50, 9, 0), call(0x300, 60, 7, 0)};
    profile_apply(profile, events, 5);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    profile_free(profile);
    return snapshot;
}

Test(ceilings, functions_beyond_the_ceiling_are_one_row_that_adds_them_up)
{
    struct snapshot *snapshot = freeze_five_calls(&(struct profile_limits){.functions = 2});
    cr_assert_eq(snapshot->function_count, 2 + 1);
    cr_assert_eq(snapshot->link.over_limit, 2, "functions that got no row");
    const struct snapshot_function *caller = function_of(snapshot, 0x100), *other = &snapshot->functions[2];
    cr_assert_eq(caller->calls, 1);
    cr_assert_eq(caller->self_ticks, 15);
    cr_assert_eq(other->kind, KIND_OTHER);
    cr_assert_not(other->has_address);
    cr_assert_eq(other->calls, 3);
    cr_assert_eq(other->sum_ticks, 7 + 9 + 7);
    cr_assert_eq(other->total_ticks, 7 + 9 + 7);
    cr_assert_eq(other->self_ticks, 7 + 9 + 7);
    cr_assert_eq(other->min_ticks, 7);
    cr_assert_eq(other->max_ticks, 9);
    snapshot_unref(snapshot);
}

Test(ceilings, nodes_beyond_the_ceiling_are_one_row_and_functions_stay_exact)
{
    struct snapshot *snapshot = freeze_five_calls(&(struct profile_limits){.nodes = 3});
    cr_assert_eq(snapshot->node_count, 3 + 1, "the root, two, and (other)");
    cr_assert_eq(snapshot->link.over_limit, 1, "nodes that were not made");
    const struct snapshot_node *other = NULL;
    uint64_t calls = 0, self_ticks = 0, below_root_ticks = 0;
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        calls += node->calls;
        self_ticks += node->self_ticks;
        below_root_ticks += node->parent == 0 ? node->total_ticks : 0;
        if (node->is_other)
            other = node;
    }
    cr_assert_eq(calls, 5);
    cr_assert_eq(self_ticks, 20 + 23);
    cr_assert_eq(below_root_ticks, 20 + 23);
    cr_assert(other);
    cr_assert_eq(other->parent, 0);
    cr_assert_eq(other->calls, 2, "0x100 and what it called");
    cr_assert_eq(other->total_ticks, 20, "and not 5 of them twice");
    cr_assert_eq(other->self_ticks, 20);
    cr_assert_eq(function_of(snapshot, 0x100)->self_ticks, 15);
    cr_assert_eq(function_of(snapshot, 0x200)->total_ticks, 5);
    snapshot_unref(snapshot);
}

/* Calls for which the target had no room, and their ticks. */
static struct event outside(uint64_t calls, uint64_t ticks, bool is_flat)
{
    return (struct event){
        .kind = EVENT_OUTSIDE,
        .outside = {.ticks = 1, .other_calls = calls, .other_ticks = ticks, .is_flat = is_flat}};
}

Test(ceilings, calls_that_the_target_had_no_room_for_are_others_with_their_time)
{
    for (int is_flat = 0; is_flat < 2; is_flat++) {
        struct profile *profile = profile_new(NULL);
        const struct event events[] = {outside(3, 0, is_flat), outside(0, 0, is_flat),
                                       outside(0, 40, is_flat), outside(2, 20, is_flat)};
        profile_apply(profile, events, sizeof events / sizeof *events);
        struct snapshot *snapshot = freeze(profile);
        uint64_t calls = 0, ticks = 0;
        for (uint32_t i = 0; i < snapshot->function_count; i++)
            if (snapshot->functions[i].kind == KIND_OTHER) {
                calls += snapshot->functions[i].calls;
                ticks += snapshot->functions[i].self_ticks;
            }
        cr_expect_eq(calls, 5, "flat %d: %u", is_flat, (unsigned)calls);
        cr_expect_eq(ticks, 60, "flat %d: %u", is_flat, (unsigned)ticks);
        snapshot_unref(snapshot);
        profile_free(profile);
    }
}
