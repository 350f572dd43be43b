/* test_livestacks.c - entries and exits against the finished calls of the same run. */
#include "profile/functions.h"
#include "profile/profile.h"
#include "support/calls.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct snapshot *freeze(struct profile *profile)
{
    static const struct snapshot_source source;
    static const struct snapshot_target target;
    static const struct snapshot_link link;
    return profile_freeze(profile, &source, &target, &link);
}

static struct event edge(enum event_kind kind, uint64_t address, uint64_t ticks)
{
    return (struct event){.kind = (uint8_t)kind, .ticks = ticks, .call.address = address};
}

/* Reports `calls` as entries and exits: before an exit come those of its callees, which arrived earlier. */
static size_t as_edges(const struct calls *calls, uint32_t call, struct event *out)
{
    size_t n = 0;
    out[n++] = edge(EVENT_ENTER, calls->events[call].call.address, calls->events[call].ticks);
    for (uint32_t callee = 0; callee < call; callee++)
        if (calls->caller[callee] == call)
            n += as_edges(calls, callee, out + n);
    out[n++] = edge(EVENT_EXIT, calls->events[call].call.address,
                    calls->events[call].ticks + calls->events[call].call.duration);
    return n;
}

static const char *path_of(const struct snapshot *snapshot, uint32_t node, char *out)
{
    if (node == 0)
        return strcpy(out, "");
    path_of(snapshot, (uint32_t)snapshot->nodes[node].parent, out);
    strcat(strcat(out, ";"), snapshot->functions[snapshot->nodes[node].function].name);
    return out;
}

static void expect_same(const struct snapshot *got, const struct snapshot *want)
{
    char path[4096], other[4096];
    for (uint32_t i = 1; i < want->node_count; i++) {
        path_of(want, i, path);
        uint32_t j = 1;
        while (j < got->node_count && strcmp(path_of(got, j, other), path) != 0)
            j++;
        cr_assert_lt(j, got->node_count, "%s is there", path);
        cr_assert_eq(got->nodes[j].calls, want->nodes[i].calls, "%s", path);
        cr_assert_eq(got->nodes[j].total_ticks, want->nodes[i].total_ticks, "%s", path);
        cr_assert_eq(got->nodes[j].self_ticks, want->nodes[i].self_ticks, "%s", path);
    }
    cr_assert_eq(got->node_count, want->node_count);
}

Test(livestacks, entries_and_exits_give_the_profile_of_finished_calls)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct test_random random = {seed};
        struct calls calls;
        calls_make(&calls, &random, 400, 8, false, 0);
        struct event *edges = malloc(2 * calls.n * sizeof *edges);
        size_t n = 0;
        for (uint32_t call = 0; call < calls.n; call++)
            if (calls.caller[call] == UINT32_MAX)
                n += as_edges(&calls, call, edges + n);
        cr_assert_eq(n, 2 * calls.n);
        struct profile *finished = profile_new(NULL), *live = profile_new(NULL);
        profile_apply(finished, calls.events, calls.n);
        profile_finish(finished);
        for (size_t at = 0; at < n; at += 7) {
            profile_apply(live, edges + at, n - at < 7 ? n - at : 7);
            snapshot_unref(freeze(live)); /* being looked at changes nothing */
        }
        struct snapshot *want = freeze(finished), *got = freeze(live);
        expect_same(got, want);
        cr_assert_eq(got->link.orphan_exits + got->link.missing_exits, 0);
        snapshot_unref(want);
        snapshot_unref(got);
        profile_free(finished);
        profile_free(live);
        free(edges);
        calls_free(&calls);
    }
}

Test(livestacks, a_running_call_has_its_time_so_far_and_no_count)
{
    struct profile *profile = profile_new(NULL);
    struct event events[] = {edge(EVENT_ENTER, 0x100, 1000), edge(EVENT_ENTER, 0x200, 1100),
                             edge(EVENT_EXIT, 0x200, 1150)};
    profile_apply(profile, events, 3);
    for (int look = 0; look < 3; look++) {
        struct snapshot *snapshot = freeze(profile);
        cr_assert_eq(snapshot->nodes[1].calls, 0);
        cr_assert_eq(snapshot->nodes[1].total_ticks, 150);
        cr_assert_eq(snapshot->nodes[2].calls, 1);
        cr_assert_eq(snapshot->nodes[2].total_ticks, 50);
        snapshot_unref(snapshot);
    }
    profile_free(profile);
}

Test(livestacks, mismatched_exits_are_counted)
{
    struct profile *profile = profile_new(NULL);
    struct event events[] = {
        edge(EVENT_EXIT, 0x900, 10), /* nobody saw it begin */
        edge(EVENT_ENTER, 0x100, 20), edge(EVENT_ENTER, 0x200, 30), edge(EVENT_ENTER, 0x300, 40),
        edge(EVENT_EXIT, 0x300, 45),  edge(EVENT_EXIT, 0x100, 60), /* 0x200 must have ended unseen */
    };
    profile_apply(profile, events, 6);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(snapshot->link.orphan_exits, 1);
    cr_assert_eq(snapshot->link.missing_exits, 1);
    uint64_t calls = 0, self = 0;
    for (uint32_t i = 0; i < snapshot->node_count; i++) {
        calls += snapshot->nodes[i].calls;
        self += snapshot->nodes[i].self_ticks;
    }
    cr_assert_eq(calls, 2, "0x100 and 0x300");
    cr_assert_eq(self, 40, "all of 0x100's time is somebody's");
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(livestacks, each_context_has_a_stack_of_its_own)
{
    struct profile *profile = profile_new(NULL);
    struct event events[] = {edge(EVENT_ENTER, 0x100, 1), edge(EVENT_ENTER, 0x100, 2),
                             edge(EVENT_EXIT, 0x100, 5), edge(EVENT_EXIT, 0x100, 9)};
    events[1].context = events[3].context = 77;
    profile_apply(profile, events, 4);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(snapshot->context_count, 2);
    cr_assert_str_eq(snapshot->contexts[1].name, "context 77");
    cr_assert_eq(snapshot->node_count, 3);
    cr_assert_eq(snapshot->nodes[1].total_ticks, 4);
    cr_assert_eq(snapshot->nodes[2].total_ticks, 7);
    cr_assert_eq(snapshot->nodes[2].context, 1);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(livestacks, after_a_loss_nothing_is_taken_for_a_caller_that_may_have_ended)
{
    struct profile *profile = profile_new(NULL);
    struct event events[] = {edge(EVENT_ENTER, 0x100, 1),
                             {.kind = EVENT_LOST},
                             edge(EVENT_ENTER, 0x200, 5),
                             edge(EVENT_EXIT, 0x200, 6)};
    profile_apply(profile, events, 4);
    struct snapshot *snapshot = freeze(profile);
    for (uint32_t i = 1; i < snapshot->node_count; i++)
        cr_assert_eq(snapshot->nodes[i].parent, 0);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(livestacks, the_difference_of_snapshots_has_the_events_between)
{
    struct profile *profile = profile_new(NULL);
    struct event first[] = {edge(EVENT_ENTER, 0x100, 0), edge(EVENT_EXIT, 0x100, 10)};
    struct event then[] = {edge(EVENT_ENTER, 0x100, 20), edge(EVENT_ENTER, 0x200, 21),
                           edge(EVENT_EXIT, 0x200, 24), edge(EVENT_EXIT, 0x100, 50)};
    profile_apply(profile, first, 2);
    struct snapshot *older = freeze(profile);
    profile_apply(profile, then, 4);
    struct snapshot *newer = freeze(profile);
    struct snapshot *between = snapshot_since(newer, older);
    cr_assert_eq(between->functions[0].calls, 1);
    cr_assert_eq(between->functions[0].total_ticks, 30);
    cr_assert_eq(between->nodes[1].self_ticks, 27);
    cr_assert_eq(between->nodes[2].calls, 1, "a node that was not there before is all new");
    cr_assert_eq(newer->functions[0].calls, 2, "the newer one is as it was");
    uint64_t later_ns = newer->frozen_ns - older->frozen_ns;
    cr_assert_eq(between->between_ns, later_ns ? later_ns : 1);
    cr_assert_eq(newer->between_ns, 0, "it is no difference");
    profile_clear(profile);
    struct snapshot *cleared = freeze(profile);
    struct snapshot *after = snapshot_since(cleared, newer);
    cr_assert_eq(after, cleared, "nothing can be subtracted over a clear");
    snapshot_unref(older);
    snapshot_unref(newer);
    cr_assert_str_eq(between->functions[0].name, "0x00000100", "it keeps alive what it needs");
    snapshot_unref(between);
    snapshot_unref(after);
    snapshot_unref(cleared);
    profile_free(profile);
}

Test(livestacks, calls_of_unknown_contexts_are_counted_but_not_joined)
{
    struct profile *profile = profile_new(NULL);
    const struct event events[] = {
        {.kind = EVENT_ENTER, .context = EVENT_CONTEXT_UNKNOWN, .ticks = 1, .call = {.address = 0x100}},
        {.kind = EVENT_ENTER, .context = EVENT_CONTEXT_UNKNOWN, .ticks = 2, .call = {.address = 0x200}},
        {.kind = EVENT_EXIT, .context = EVENT_CONTEXT_UNKNOWN, .ticks = 3, .call = {.address = 0x200}},
    };
    profile_apply(profile, events, sizeof events / sizeof *events);
    struct snapshot *snapshot = freeze(profile);
    cr_expect_eq(snapshot->node_count, 1, "the root");
    cr_expect_eq(snapshot->link.over_limit, 3);
    snapshot_unref(snapshot);
    profile_free(profile);
}

static struct event shape(uint32_t low, uint32_t unknown, uint32_t high, uint64_t ticks)
{
    return (struct event){.kind = EVENT_STACK, .ticks = ticks, .stack = {low, unknown, high}};
}

static const struct snapshot_node *node_of(const struct snapshot *snapshot, const char *path)
{
    char other[4096];
    for (uint32_t i = 1; i < snapshot->node_count; i++)
        if (!strcmp(path_of(snapshot, i, other), path))
            return &snapshot->nodes[i];
    cr_assert(false, "%s is there", path);
    return NULL;
}

Test(livestacks, calls_that_began_unseen_are_placeholders_until_they_are_named)
{
    struct profile *profile = profile_new(NULL);
    struct event open = {.kind = EVENT_OPEN, .depth = 0, .ticks = 200, .call.address = 0x100};
    struct event events[] = {
        shape(0, 2, 0, 100),           edge(EVENT_ENTER, 0x300, 110),
        edge(EVENT_EXIT, 0x300, 120),  open,
        edge(EVENT_ENTER, 0x300, 210), edge(EVENT_EXIT, 0x300, 240),
        shape(1, 0, 0, 250),           edge(EVENT_ENTER, 0x400, 260),
        edge(EVENT_EXIT, 0x400, 300),
    };
    profile_apply(profile, events, sizeof events / sizeof *events);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(node_of(snapshot, ";[depth 0 running];[depth 1 running];0x00000300")->total_ticks, 10);
    cr_assert_eq(node_of(snapshot, ";0x00000100;[depth 1 running];0x00000300")->total_ticks, 30);
    cr_assert_eq(node_of(snapshot, ";0x00000100;0x00000400")->total_ticks, 40);
    cr_assert_eq(node_of(snapshot, ";0x00000100")->total_ticks, 100, "from when it was named until now");
    cr_assert_eq(snapshot->link.orphan_exits + snapshot->link.missing_exits, 0);
    struct snapshot *all = snapshot_window(snapshot, 0, UINT64_MAX);
    for (uint32_t i = 1; i < snapshot->node_count; i++)
        cr_assert_eq(all->nodes[i].total_ticks, snapshot->nodes[i].total_ticks);
    snapshot_unref(all);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(livestacks, calls_named_above_others_that_are_not_leave_those_after_them_counted)
{
    struct profile *profile = profile_new(NULL);
    struct event open = {.kind = EVENT_OPEN, .depth = 2, .ticks = 100, .call.address = 0x100}, inner = open;
    inner.depth = 3;
    struct event events[] = {
        shape(0, 4, 0, 100), open, inner, edge(EVENT_ENTER, 0x300, 110), edge(EVENT_EXIT, 0x300, 120),
    };
    profile_apply(profile, events, sizeof events / sizeof *events);
    struct snapshot *snapshot = freeze(profile);
    const char *path = ";[depth 0 running];[depth 1 running];0x00000100;0x00000100;0x00000300";
    cr_assert_eq(node_of(snapshot, path)->calls, 1);
    cr_assert_eq(snapshot->link.over_limit, 0);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(livestacks, calls_that_ended_in_a_loss_are_not_counted)
{
    struct profile *profile = profile_new(NULL);
    struct event events[] = {
        edge(EVENT_ENTER, 0x100, 0),   edge(EVENT_ENTER, 0x200, 10), edge(EVENT_ENTER, 0x300, 20),
        shape(1, 1, 0, 100), /* both ended, and one of which nothing is known began */
        edge(EVENT_ENTER, 0x400, 110), edge(EVENT_EXIT, 0x400, 115), shape(1, 0, 0, 120),
        edge(EVENT_EXIT, 0x100, 200),
    };
    profile_apply(profile, events, sizeof events / sizeof *events);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(node_of(snapshot, ";0x00000100")->calls, 1);
    cr_assert_eq(node_of(snapshot, ";0x00000100")->total_ticks, 200);
    cr_assert_eq(node_of(snapshot, ";0x00000100;0x00000200")->calls, 0);
    cr_assert_eq(node_of(snapshot, ";0x00000100;[depth 1 running];0x00000400")->total_ticks, 5);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(livestacks, an_unknown_call_ran_until_its_exit_and_not_until_the_event_before)
{
    struct profile *profile = profile_new(NULL);
    struct event exits = shape(1, 0, 0, 140);
    exits.flags = EVENT_ENDS_NOW;
    struct event events[] = {
        edge(EVENT_ENTER, 0x100, 0),
        shape(1, 1, 0, 100),
        edge(EVENT_ENTER, 0x400, 110),
        edge(EVENT_EXIT, 0x400, 115),
        exits,
        edge(EVENT_EXIT, 0x100, 200),
    };
    profile_apply(profile, events, sizeof events / sizeof *events);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(node_of(snapshot, ";0x00000100;[depth 1 running]")->total_ticks, 40);
    cr_assert_eq(node_of(snapshot, ";0x00000100")->self_ticks, 160);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(livestacks, calls_ended_by_longjmp_count_up_to_their_last_event)
{
    struct profile *profile = profile_new(NULL);
    struct event end = edge(EVENT_EXIT, 0x100, 90);
    end.flags = EVENT_ENDS_INNER;
    struct event events[] = {
        edge(EVENT_ENTER, 0x100, 0), edge(EVENT_ENTER, 0x200, 10), edge(EVENT_ENTER, 0x300, 20),
        edge(EVENT_EXIT, 0x300, 50), edge(EVENT_ENTER, 0x300, 60), end,
    };
    profile_apply(profile, events, sizeof events / sizeof *events);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(node_of(snapshot, ";0x00000100;0x00000200;0x00000300")->calls, 2);
    cr_assert_eq(node_of(snapshot, ";0x00000100;0x00000200")->calls, 1);
    cr_assert_eq(node_of(snapshot, ";0x00000100;0x00000200")->total_ticks, 50);
    cr_assert_eq(node_of(snapshot, ";0x00000100")->self_ticks, 40);
    cr_assert_eq(snapshot_incomplete(snapshot).n, 0, "nothing is missing");
    snapshot_unref(snapshot);
    profile_free(profile);
}
