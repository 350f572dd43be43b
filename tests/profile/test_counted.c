/* test_counted.c - calls and times that the target counts: sums hold whatever is reported first. */
#include "profile/profile.h"
#include "support/frozen.h"
#include "support/random.h"

#include <criterion/criterion.h>

static void apply(struct profile *profile, struct event event)
{
    profile_apply(profile, &event, 1);
}

/* Time in nodes that were evicted: below node `number`, and in the function at `address`. */
static void apply_evicted(struct profile *profile, uint32_t number, uint64_t address, uint64_t ticks)
{
    apply(profile, (struct event){.kind = EVENT_BELOW, .below = {.number = number, .ticks = ticks}});
    apply(profile,
          (struct event){.kind = EVENT_EVICTED, .evicted = {.address = address, .calls = 1, .ticks = ticks}});
}

static void apply_node(struct profile *profile, uint32_t number, uint32_t parent, uint64_t ticks)
{
    const struct event_node node = {
        .address = 0x100 + 0x10 * number, .number = number, .parent = parent, .calls = 1, .ticks = ticks};
    apply(profile, (struct event){.kind = EVENT_NODE, .node = &node});
}

static void apply_outside(struct profile *profile, uint64_t ticks, uint64_t other_ticks)
{
    apply(profile, (struct event){.kind = EVENT_OUTSIDE,
                                  .outside = {.ticks = ticks, .other_calls = 1, .other_ticks = other_ticks}});
}

/* Expects the same sum over functions, nodes and contexts. */
static void expect_ticks(struct profile *profile, uint64_t ticks, uint64_t seed)
{
    struct snapshot *snapshot = freeze(profile);
    expect_adds_up(snapshot, seed);
    cr_assert_eq(snapshot_known_ticks(snapshot), ticks);
    snapshot_unref(snapshot);
}

Test(counted, time_of_evicted_nodes_that_comes_before_any_node_stays)
{
    struct profile *profile = profile_new(NULL);
    apply_evicted(profile, EVENT_NO_NODE, 0x900, 500);
    apply_node(profile, 0, EVENT_NO_NODE, 30);
    expect_ticks(profile, 530, 0);
    profile_free(profile);
}

enum { NODES = 8 };

/* Applies one report of any kind, below a node that was reported before. Returns its ticks. */
static uint64_t apply_any(struct profile *profile, struct test_random *random, uint32_t *nodes)
{
    uint64_t ticks = test_random_below(random, 1000);
    uint32_t above = *nodes > 0 ? (uint32_t)test_random_below(random, *nodes) : EVENT_NO_NODE;
    switch (test_random_below(random, *nodes < NODES ? 3 : 2)) {
    case 0: apply_evicted(profile, above, 0x100 + 0x10 * test_random_below(random, 2 * NODES), ticks); break;
    case 1: apply_outside(profile, ticks / 2, ticks - ticks / 2); break;
    default: apply_node(profile, (*nodes)++, above, ticks);
    }
    return ticks;
}

Test(counted, reports_in_any_order_add_up)
{
    struct test_random random = test_random_start("counted-order");
    for (uint64_t round = 0; round < 300; round++) {
        struct profile *profile = profile_new(NULL);
        uint64_t ticks = 0;
        uint32_t nodes = 0;
        for (size_t reports = 1 + test_random_below(&random, 20); reports > 0; reports--) {
            ticks += apply_any(profile, &random, &nodes);
            if (test_random_below(&random, 3) == 0)
                expect_ticks(profile, ticks, round);
        }
        expect_ticks(profile, ticks, round);
        profile_free(profile);
    }
}
