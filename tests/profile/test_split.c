/* test_split.c - what a call ran, and what kept it from running, against what a random program did
 * step by step. */
#include "snapshot/split.h"
#include "tasks_program.h"

/* Adds up what the program did while a call was there, step by step. */
static void expect_split(const struct snapshot *snapshot, const struct ended_call *call)
{
    uint64_t times[STATES] = {0}, by[CONTEXTS] = {0}, told[SNAPSHOT_CONTEXTS_MAX], since = 0;
    for (uint32_t i = 0; i < p.log_n; i++) {
        const struct moment_log *step = &p.log[i];
        uint64_t from = since > call->start ? since : call->start;
        uint64_t to = step->until < call->end ? step->until : call->end;
        since = step->until;
        if (to <= from)
            continue;
        times[step->states[call->context]] += to - from;
        if (step->states[call->context] == PREEMPTED)
            by[step->running] += to - from;
    }
    struct split split;
    cr_assert(
        split_find(snapshot, row_of_context(snapshot, call->context), call->start, call->end, &split, told));
    cr_assert(split.is_known);
    cr_assert_eq(split.ran, times[RUNNING]);
    cr_assert_eq(split.preempted, times[PREEMPTED]);
    cr_assert_eq(split.blocked, times[BLOCKED]);
    cr_assert_leq(split.wait_ticks, split.blocked);
    cr_assert_eq(split.wait_ticks > 0, split.blocked > 0);
    cr_assert_eq(split.has_last, split.blocked > 0, "somebody runs while it waits");
    for (uint32_t i = 0; i < CONTEXTS; i++)
        if (by[i] > 0)
            cr_assert_eq(told[row_of_context(snapshot, i)], by[i]);
}

Test(split, a_call_is_split_into_running_preempted_and_blocked)
{
    struct test_random random = test_random_start("split");
    for (int program = 0; program < 10; program++) {
        run_program(test_random_next(&random));
        struct snapshot *snapshot = freeze(p.profile);
        for (uint32_t i = 0; i < p.ended_n; i += 3)
            expect_split(snapshot, &p.ended[i]);
        snapshot_unref(snapshot);
        profile_free(p.profile);
    }
}

Test(split, a_wait_names_its_waker_and_a_loss_prevents_a_split)
{
    uint64_t by[SNAPSHOT_CONTEXTS_MAX];
    struct split split;
    uint32_t function;
    memset(&p, 0, sizeof p);
    p.profile = profile_new(NULL);
    run_until(100, 0, false);
    tell(EVENT_ENTER, 0, 0, 0);
    p.now = 110;
    tell(EVENT_ENTER, 0, 1, 0);
    run_until(120, 1, true);  /* 0 waits in function 1 */
    run_until(180, 2, true);  /* and 1 after it */
    run_until(200, 0, false); /* 2 woke it */
    p.now = 210;
    tell(EVENT_EXIT, 0, 1, 0);
    p.now = 220;
    tell(EVENT_EXIT, 0, 0, 0);
    struct snapshot *snapshot = freeze(p.profile);
    uint32_t zero = row_of_context(snapshot, 0);
    cr_assert(split_find(snapshot, zero, 100, 220, &split, by));
    cr_assert(split.is_known);
    cr_expect_eq(split.ran, 40);
    cr_expect_eq(split.blocked, 80);
    cr_expect_eq(split.wait_start, 120);
    cr_expect_eq(split.wait_ticks, 80);
    cr_expect(split.has_last);
    cr_expect_eq(split.ran_last, row_of_context(snapshot, 2));
    cr_assert(
        split_innermost(snapshot, zero, split.wait_start, split.wait_start + split.wait_ticks, &function));
    cr_expect_eq(function, row_of(snapshot, FIRST_ADDRESS + 1));
    snapshot_unref(snapshot);
    profile_apply(p.profile, &(struct event){.kind = EVENT_LOST}, 1);
    run_until(300, 0, false);
    run_until(320, 1, false);
    snapshot = freeze(p.profile);
    cr_assert(split_find(snapshot, zero, 210, 310, &split, by));
    cr_expect_not(split.is_known, "what ran before the switch is unknown");
    snapshot_unref(snapshot);
    profile_free(p.profile);
}
