/* test_running.c - figures of functions that have not returned. */
#include "support/frozen.h"

static struct event edge(enum event_kind kind, uint64_t address, uint64_t ticks)
{
    return (struct event){.kind = (uint8_t)kind, .ticks = ticks, .call.address = address};
}

static void expect_row(const struct snapshot_function *row, uint64_t running, uint64_t total, uint64_t self)
{
    cr_expect_eq(row->running, running, "%s", row->name);
    cr_expect_eq(row->total_ticks, total, "%s", row->name);
    cr_expect_eq(row->self_ticks, self, "%s", row->name);
    cr_expect_eq(!!(row->known & FUNCTION_RUNNING), running > 0, "%s", row->name);
}

/* 0x200 calls itself, and 0x300 has just begun. */
Test(running, a_function_that_runs_has_its_time_so_far_and_the_tree_adds_up_to_it)
{
    struct profile *profile = profile_new(NULL);
    struct event events[] = {edge(EVENT_ENTER, 0x100, 1000), edge(EVENT_ENTER, 0x200, 1010),
                             edge(EVENT_EXIT, 0x200, 1040),  edge(EVENT_ENTER, 0x200, 1050),
                             edge(EVENT_ENTER, 0x200, 1060), edge(EVENT_ENTER, 0x300, 1100)};
    profile_apply(profile, events, 6);
    struct snapshot *snapshot = freeze(profile);
    expect_row(&snapshot->functions[0], 1, 100, 20);
    expect_row(&snapshot->functions[1], 2, 80, 80);
    expect_row(&snapshot->functions[2], 1, 0, 0);
    cr_assert_eq(snapshot->functions[1].calls, 1);
    cr_assert_eq(snapshot->functions[1].max_ticks, 30, "only calls that have returned are shown one by one");
    uint64_t self = 0;
    for (uint32_t i = 0; i < snapshot->node_count; i++)
        self += snapshot->nodes[i].self_ticks;
    cr_assert_eq(self, 100);
    uint64_t sequence = snapshot->sequence;
    snapshot_unref(snapshot);
    /* After a loss their time so far stays, and they are not counted as calls. */
    profile_apply(profile, &(struct event){.kind = EVENT_LOST}, 1);
    snapshot = freeze(profile);
    expect_row(&snapshot->functions[0], 0, 100, 20);
    expect_row(&snapshot->functions[1], 0, 80, 80);
    cr_expect_eq(snapshot->functions[0].calls, 0);
    cr_expect_eq(snapshot->functions[1].calls, 1);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_gt(snapshot->functions[i].changed, sequence, "a reader that held it gets it");
    snapshot_unref(snapshot);
    profile_free(profile);
}
