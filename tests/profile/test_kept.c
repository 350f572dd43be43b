/* test_kept.c - windows that a target keeps beside its tree are shown and not counted; and, where every call is sent,
 * the list of long calls. */
#include "support/frozen.h"

#include <stdlib.h>

enum { MAIN = 0x1000, SLOW = 0x2000, LEAF = 0x3000, HANDLER = 0x4000, TASK = 0, INTERRUPT = 31 };

static struct profile *fresh(void)
{
    struct profile *profile = profile_new(NULL);
    cr_assert_not_null(profile);
    return profile;
}

static void apply(struct profile *profile, struct event event)
{
    profile_apply(profile, &event, 1);
}

static void apply_node(struct profile *profile, uint32_t number, uint32_t parent, uint64_t address,
                       uint64_t calls, uint64_t ticks)
{
    struct event_node node = {
        .number = number, .parent = parent, .address = address, .calls = calls, .ticks = ticks};
    apply(profile, (struct event){.kind = EVENT_NODE, .context = TASK, .ticks = 5000, .node = &node});
}

/* Applies the target's counts by tick 5000. */
static void apply_tree(struct profile *profile)
{
    apply_node(profile, 0, EVENT_NO_NODE, MAIN, 1, 1000);
    apply_node(profile, 1, 0, SLOW, 10, 2000);
    apply_node(profile, 2, 1, LEAF, 20, 1500);
}

static struct event kept(enum event_kind kind, uint32_t context, uint64_t ticks, uint64_t address)
{
    return (struct event){.kind = (uint8_t)kind,
                          .flags = EVENT_KEPT,
                          .context = context,
                          .ticks = ticks,
                          .call.address = address};
}

static struct event stage(enum event_window_stage stage, uint64_t ticks)
{
    return (struct event){
        .kind = EVENT_WINDOW, .ticks = ticks, .window = {.stage = (uint8_t)stage, .is_whole = true}};
}

static struct event told(uint64_t ticks, uint64_t duration, uint32_t missed)
{
    struct event event = stage(WINDOW_TELLS, ticks);
    event.window.reason = WINDOW_SLOW;
    event.window.address = SLOW;
    event.window.duration = duration;
    event.window.missed = missed;
    return event;
}

/* From 3000 to 4000 main() ran; SLOW from 3100 to 3900 with an interrupt from 3300 to 3500. */
static void apply_window(struct profile *profile)
{
    struct event running = kept(EVENT_STACK, TASK, 3000, 0);
    running.stack.unknown = 1;
    struct event handler = kept(EVENT_SWITCH, INTERRUPT, 3300, 0);
    handler.flags |= EVENT_INTERRUPT;
    const struct event events[] = {
        stage(WINDOW_BEGINS, 3000),
        kept(EVENT_SWITCH, TASK, 3000, 0),
        running,
        kept(EVENT_OPEN, TASK, 3000, MAIN),
        told(3900, 800, 3),
        kept(EVENT_ENTER, TASK, 3100, SLOW),
        kept(EVENT_ENTER, TASK, 3200, LEAF),
        handler,
        kept(EVENT_ENTER, INTERRUPT, 3300, HANDLER),
        kept(EVENT_EXIT, INTERRUPT, 3500, HANDLER),
        kept(EVENT_SWITCH, TASK, 3500, 0),
        kept(EVENT_EXIT, TASK, 3600, LEAF),
        kept(EVENT_EXIT, TASK, 3900, SLOW),
        kept(EVENT_ENTER, TASK, 3950, LEAF),
        stage(WINDOW_ENDS, 4000),
    };
    profile_apply(profile, events, sizeof events / sizeof *events);
}

static size_t spans_of(struct snapshot *snapshot, struct snapshot_span *spans, size_t max)
{
    return snapshot_timeline_window(snapshot, 0, 10000, spans, max);
}

static struct snapshot_span span_of(struct snapshot *snapshot, uint64_t address, uint64_t start)
{
    struct snapshot_span spans[16];
    size_t n = spans_of(snapshot, spans, 16);
    for (size_t i = 0; i < n; i++)
        if (spans[i].function == row_of(snapshot, address) && spans[i].start_ticks == start)
            return spans[i];
    cr_assert_fail("a call of %" PRIx64 " at %" PRIu64 " is on the timeline", address, start);
    abort();
}

Test(kept, a_window_is_shown_and_not_counted)
{
    struct profile *profile = fresh();
    apply_tree(profile);
    struct snapshot *before = freeze(profile);
    apply_window(profile);
    struct snapshot *after = freeze(profile);

    const uint64_t addresses[] = {MAIN, SLOW, LEAF};
    for (size_t i = 0; i < 3; i++) {
        const struct snapshot_function *a = function_of(before, addresses[i]),
                                       *b = function_of(after, addresses[i]);
        cr_expect_eq(a->calls, b->calls);
        cr_expect_eq(a->total_ticks, b->total_ticks);
        cr_expect_eq(a->self_ticks, b->self_ticks);
        cr_expect_eq(a->known, b->known);
    }
    cr_expect_eq(after->contexts[0].running_ticks, before->contexts[0].running_ticks);
    cr_expect_not(after->contexts[0].has_waits, "a part of the time says nothing of all of it");

    cr_expect_eq(span_of(after, SLOW, 3100).duration_ticks, 800u);
    cr_expect_eq(span_of(after, SLOW, 3100).depth, 1);
    cr_expect_eq(span_of(after, LEAF, 3200).duration_ticks, 400u);
    cr_expect_eq(span_of(after, HANDLER, 3300).context, 1u);
    cr_expect_eq(span_of(after, MAIN, 3000).duration_ticks, 1000u, "it ran before, and runs on");
    cr_expect_eq(span_of(after, LEAF, 3950).duration_ticks, 50u, "cut where the window ends");
    cr_expect(span_of(after, MAIN, 3000).is_cut);
    cr_expect(span_of(after, LEAF, 3950).is_cut);
    cr_expect_not(span_of(after, SLOW, 3100).is_cut, "all of it is inside");
    cr_expect_not(span_of(after, LEAF, 3200).is_cut);
    cr_expect_not(span_of(after, HANDLER, 3300).is_cut);
    struct snapshot_span away[4];
    cr_assert_eq(snapshot_timeline_away(after, 0, 10000, away, 4), 1u);
    cr_expect_eq(away[0].start_ticks, 3300u);
    cr_expect_eq(away[0].duration_ticks, 200u);
    snapshot_unref(before);
    snapshot_unref(after);
    profile_free(profile);
}

/* The longest of merged calls decides. */
Test(kept, a_call_at_the_edge_is_marked_where_calls_are_merged)
{
    struct profile *profile = fresh();
    apply_tree(profile);
    apply_window(profile);
    struct snapshot *snapshot = freeze(profile);
    struct snapshot_span spans[4];
    size_t n = snapshot_timeline_window(snapshot, 0, 1000000, spans, 4), cut = 0;
    for (size_t i = 0; i < n; i++)
        cut += spans[i].is_cut;
    cr_expect_eq(n, 4u);
    cr_expect_eq(cut, 1u, "main, and of the leaf's calls the one inside is the longer");
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(kept, a_call_that_ended_inside_the_window_and_began_before_is_marked)
{
    struct profile *profile = fresh();
    apply_tree(profile);
    struct event running = kept(EVENT_STACK, TASK, 3000, 0);
    running.stack.unknown = 1;
    const struct event events[] = {stage(WINDOW_BEGINS, 3000),
                                   kept(EVENT_SWITCH, TASK, 3000, 0),
                                   running,
                                   kept(EVENT_OPEN, TASK, 3000, MAIN),
                                   kept(EVENT_ENTER, TASK, 3000, SLOW),
                                   kept(EVENT_EXIT, TASK, 3200, SLOW),
                                   kept(EVENT_EXIT, TASK, 3300, MAIN),
                                   stage(WINDOW_ENDS, 4000)};
    profile_apply(profile, events, sizeof events / sizeof *events);
    struct snapshot *snapshot = freeze(profile);
    cr_expect(span_of(snapshot, MAIN, 3000).is_cut);
    cr_expect_not(span_of(snapshot, SLOW, 3000).is_cut, "it began in that very tick");
    snapshot_unref(snapshot);
    profile_free(profile);
}

static struct event missed_so_far(uint32_t n)
{
    return (struct event){.kind = EVENT_STATUS,
                          .status = {.profiling = true,
                                     .losses_told = true,
                                     .counts_sums = true,
                                     .has_triggers = true,
                                     .triggers_missed = n}};
}

static void expect_missed(struct profile *profile, uint64_t n)
{
    struct snapshot *snapshot = freeze(profile);
    cr_expect_eq(snapshot->windows.missed, n, "%" PRIu64, snapshot->windows.missed);
    cr_expect_eq(snapshot->link.triggers_missed, n);
    snapshot_unref(snapshot);
}

/* A window reports three. */
Test(kept, missed_triggers_come_with_a_status_and_count_once)
{
    struct profile *profile = fresh();
    apply_tree(profile);
    apply(profile, missed_so_far(3));
    expect_missed(profile, 3);
    apply_window(profile);
    expect_missed(profile, 3);
    apply(profile, missed_so_far(53));
    expect_missed(profile, 53);
    apply(profile, missed_so_far(53));
    expect_missed(profile, 53);
    apply(profile, missed_so_far(2)); /* of another run */
    expect_missed(profile, 55);
    profile_clear(profile);
    expect_missed(profile, 0);
    apply(profile, missed_so_far(4));
    expect_missed(profile, 2);
    profile_free(profile);
}

static struct event hooks_of_other_cores(uint32_t n)
{
    return (struct event){
        .kind = EVENT_STATUS,
        .status = {.profiling = true, .losses_told = true, .has_cores = true, .other_core_hooks = n}};
}

static void expect_other_cores(struct profile *profile, uint64_t n)
{
    struct snapshot *snapshot = freeze(profile);
    struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
    cr_expect(snapshot->link.has_other_cores);
    cr_expect_eq(snapshot->link.other_core_hooks, n, "%" PRIu64, snapshot->link.other_core_hooks);
    cr_expect_eq(reasons.n, n > 0);
    cr_expect(n == 0 || strstr(reasons.text[0], "Other cores of the device"), "%s", reasons.text[0]);
    snapshot_unref(snapshot);
}

Test(kept, hooks_of_other_cores_make_a_profile_incomplete)
{
    struct profile *profile = fresh();
    struct snapshot *snapshot = freeze(profile);
    cr_expect_not(snapshot->link.has_other_cores, "none was reported");
    snapshot_unref(snapshot);
    apply(profile, hooks_of_other_cores(UINT32_MAX - 5));
    expect_other_cores(profile, 0); /* they ran before */
    apply(profile, hooks_of_other_cores(UINT32_MAX - 2));
    expect_other_cores(profile, 3);
    apply(profile, hooks_of_other_cores(7)); /* of another start */
    expect_other_cores(profile, 10);
    profile_clear(profile);
    expect_other_cores(profile, 0);
    apply(profile, hooks_of_other_cores(9));
    expect_other_cores(profile, 2);
    profile_free(profile);
}

Test(kept, a_window_has_its_reason)
{
    struct profile *profile = fresh();
    apply_tree(profile);
    apply_window(profile);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(snapshot->windows.count, 1u);
    const struct snapshot_kept *row = &snapshot->windows.rows[0];
    cr_expect_eq(row->from_ticks, 3000u);
    cr_expect_eq(row->to_ticks, 4000u);
    cr_expect_eq(row->reason, WINDOW_SLOW);
    cr_expect_eq(row->function, row_of(snapshot, SLOW));
    cr_expect_eq(row->duration_ticks, 800u);
    cr_expect_eq(row->trigger_ticks, 3900u);
    cr_expect(row->is_excerpt && row->is_whole && !row->is_open);
    cr_expect_eq(snapshot->link.windows, 1u);
    cr_expect_eq(snapshot->link.triggers_missed, 3u);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(kept, a_range_counts_only_calls_in_windows)
{
    struct profile *profile = fresh();
    apply_tree(profile);
    apply_window(profile);
    struct snapshot *whole = freeze(profile), *range = snapshot_window(whole, 3000, 4000);
    cr_assert_not_null(range);
    cr_expect_eq(function_of(range, SLOW)->calls, 1u);
    cr_expect_eq(function_of(range, SLOW)->total_ticks, 600u, "200 of its 800 were the interrupt's");
    const struct snapshot_function *leaf = function_of(range, LEAF), *outer = function_of(range, MAIN);
    cr_expect_eq(leaf->calls, 1u, "the edge cuts the other one");
    cr_expect_eq(leaf->total_ticks, 250u, "of which 50 are the other one's");
    cr_expect_eq(leaf->min_ticks, 400u);
    cr_expect_eq(leaf->p50_ticks, 400u);
    cr_expect_eq(outer->calls, 0u);
    cr_expect_eq(outer->total_ticks, 800u);
    cr_expect_eq(outer->self_ticks, 800u - 600u - 50u);
    cr_expect(function_of(range, SLOW)->known & FUNCTION_EACH);
    cr_expect_eq(snapshot_incomplete(range).n, 0u);
    snapshot_unref(range);

    range = snapshot_window(whole, 3500, 4500);
    cr_assert_not_null(range);
    cr_expect_eq(snapshot_incomplete(range).n, 1u, "half of it lies in no window");
    cr_expect_eq(function_of(range, SLOW)->total_ticks, 400u);
    snapshot_unref(range);

    range = snapshot_window(whole, 100, 200);
    cr_assert_not_null(range);
    cr_expect_eq(function_of(range, SLOW)->known, 0u, "unknown whether it was called there");
    snapshot_unref(range);
    snapshot_unref(whole);
    profile_free(profile);
}

/* Twenty windows, each with one call inside and one that each edge cuts, against a count of what was made. */
Test(kept, calls_that_an_edge_cuts_have_no_part_in_figures_of_durations)
{
    enum { WINDOWS = 20 };
    struct profile *profile = fresh();
    apply_tree(profile);
    uint64_t sum = 0, longest = 0;
    for (uint64_t i = 0; i < WINDOWS; i++) {
        uint64_t at = 10000 + 1000 * i, takes = 100 + 7 * i;
        struct event running = kept(EVENT_STACK, TASK, at, 0);
        running.stack.unknown = 1;
        const struct event events[] = {stage(WINDOW_BEGINS, at),
                                       kept(EVENT_SWITCH, TASK, at, 0),
                                       running,
                                       kept(EVENT_OPEN, TASK, at, LEAF),
                                       kept(EVENT_EXIT, TASK, at + 3, LEAF),
                                       kept(EVENT_ENTER, TASK, at + 10, LEAF),
                                       kept(EVENT_EXIT, TASK, at + 10 + takes, LEAF),
                                       kept(EVENT_ENTER, TASK, at + 310, LEAF),
                                       stage(WINDOW_ENDS, at + 900)};
        profile_apply(profile, events, sizeof events / sizeof *events);
        sum += takes;
        longest = takes;
    }
    struct snapshot *whole = freeze(profile), *range = snapshot_window(whole, 10000, 10000 + 1000 * WINDOWS);
    cr_assert_not_null(range);
    const struct snapshot_function *leaf = function_of(range, LEAF);
    cr_expect_eq(leaf->calls, (uint64_t)WINDOWS);
    cr_expect_eq(leaf->sum_ticks, sum);
    cr_expect_eq(leaf->min_ticks, 100u);
    cr_expect_eq(leaf->max_ticks, longest, "not the 590 ticks that were seen of another");
    cr_expect_leq(leaf->p99_ticks, longest);
    cr_expect_eq(leaf->total_ticks, sum + WINDOWS * (3 + 590), "all the time that was seen");
    cr_expect_eq(leaf->periods, 0u, "no two whole calls without a cut one between them");
    snapshot_unref(range);
    snapshot_unref(whole);
    profile_free(profile);
}

Test(kept, counts_without_a_tree_are_unchanged)
{
    struct profile *profile = fresh();
    apply(profile, (struct event){.kind = EVENT_ARC,
                                  .flags = EVENT_BY_ENTRY,
                                  .arc = {.from = 0, .to = MAIN, .calls = 1, .ticks = 900}});
    apply(profile, (struct event){.kind = EVENT_ARC,
                                  .flags = EVENT_BY_ENTRY,
                                  .arc = {.from = MAIN, .to = SLOW, .calls = 3, .ticks = 300}});
    apply_window(profile);
    struct snapshot *snapshot = freeze(profile);
    cr_expect(snapshot->call_tree_estimated);
    cr_expect_eq(function_of(snapshot, SLOW)->calls, 3u);
    cr_expect_eq(function_of(snapshot, SLOW)->self_ticks, 300u);
    uint64_t self = 0;
    for (uint32_t i = 1; i < snapshot->node_count; i++)
        self += snapshot->nodes[i].self_ticks;
    cr_expect_eq(self, 1200u, "the estimate is of all of it");
    cr_expect_eq(span_of(snapshot, SLOW, 3100).duration_ticks, 800u);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(kept, a_loss_in_a_window_is_a_gap)
{
    struct profile *profile = fresh();
    apply_tree(profile);
    struct event lost = kept(EVENT_LOST, TASK, 3200, 0);
    lost.lost.records = 7;
    lost.lost.to_ticks = 3300;
    lost.lost.stacks_told = true;
    const struct event events[] = {stage(WINDOW_BEGINS, 3000), kept(EVENT_SWITCH, TASK, 3000, 0), lost,
                                   stage(WINDOW_ENDS, 3400)};
    profile_apply(profile, events, 4);
    struct snapshot *snapshot = freeze(profile);
    struct snapshot_gap gaps[SNAPSHOT_GAPS_MAX];
    cr_assert_eq(snapshot_gaps(snapshot, 0, 10000, gaps), 1u);
    cr_expect_eq(gaps[0].from_ticks, 3200u);
    cr_expect_eq(gaps[0].to_ticks, 3300u);
    cr_expect_eq(gaps[0].records, 7u);
    cr_expect_eq(snapshot->windows.rows[0].lost, 7u);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(kept, a_window_without_an_end_ends_at_its_last_event)
{
    struct profile *profile = fresh();
    apply_tree(profile);
    apply(profile, stage(WINDOW_BEGINS, 1000));
    apply(profile, kept(EVENT_SWITCH, TASK, 1000, 0));
    apply(profile, kept(EVENT_ENTER, TASK, 1100, SLOW));
    apply(profile, kept(EVENT_ENTER, TASK, 1200, LEAF));
    struct snapshot *snapshot = freeze(profile);
    cr_expect(snapshot->windows.rows[0].is_open);
    cr_expect_eq(function_of(snapshot, SLOW)->total_ticks, 3500u, "what runs is not counted, either");
    snapshot_unref(snapshot);

    apply_window(profile);
    snapshot = freeze(profile);
    cr_assert_eq(snapshot->windows.count, 2u);
    cr_expect_not(snapshot->windows.rows[0].is_open);
    cr_expect_not(snapshot->windows.rows[0].is_whole);
    cr_expect_eq(snapshot->windows.rows[0].to_ticks, 1200u);
    cr_expect_eq(span_of(snapshot, SLOW, 1100).duration_ticks, 100u);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(kept, the_rest_of_a_window_is_dropped_after_a_clear)
{
    struct profile *profile = fresh();
    apply(profile, stage(WINDOW_BEGINS, 1000));
    apply(profile, kept(EVENT_SWITCH, TASK, 1000, 0));
    apply(profile, kept(EVENT_ENTER, TASK, 1100, SLOW));
    profile_clear(profile);
    apply(profile, kept(EVENT_EXIT, TASK, 1200, SLOW));
    apply(profile, stage(WINDOW_ENDS, 1300));
    struct snapshot *snapshot = freeze(profile);
    struct snapshot_span spans[4];
    cr_expect_eq(snapshot->windows.count, 0u);
    cr_expect_eq(spans_of(snapshot, spans, 4), 0u);
    snapshot_unref(snapshot);
    profile_free(profile);
}

/* ---- where every call is sent ---- */

Test(kept, a_call_longer_than_the_trigger_is_listed)
{
    struct profile *profile = fresh();
    profile_watch(profile, SLOW | 1, 50);
    const struct event events[] = {call(SLOW, 100, 50, 1), call(SLOW, 200, 51, 1), call(LEAF, 300, 500, 1),
                                   call(MAIN, 0, 1000, 0)};
    profile_apply(profile, events, 4);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(snapshot->windows.count, 1u);
    const struct snapshot_kept *row = &snapshot->windows.rows[0];
    cr_expect_eq(row->from_ticks, 200u);
    cr_expect_eq(row->to_ticks, 251u);
    cr_expect_eq(row->duration_ticks, 51u);
    cr_expect_eq(row->function, row_of(snapshot, SLOW));
    cr_expect(row->is_whole && !row->is_excerpt);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(kept, a_long_call_with_entry_and_exit_is_listed)
{
    struct profile *profile = fresh();
    profile_watch(profile, SLOW, 50);
    for (uint64_t i = 0; i < 2; i++) {
        apply(profile, (struct event){.kind = EVENT_ENTER, .ticks = 100 * i, .call.address = SLOW});
        apply(profile, (struct event){.kind = EVENT_EXIT, .ticks = 100 * i + 50 + i, .call.address = SLOW});
    }
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(snapshot->windows.count, 1u);
    cr_expect_eq(snapshot->windows.rows[0].from_ticks, 100u);
    cr_expect_eq(function_of(snapshot, SLOW)->calls, 2u, "it is counted as well");
    cr_expect_eq(snapshot_incomplete(snapshot).n, 0u);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(kept, the_newest_are_listed_and_the_longest_before)
{
    enum { CALLS = 1000 };
    struct profile *profile = fresh();
    profile_watch(profile, SLOW, 0);
    for (uint64_t i = 0; i < CALLS; i++) {
        struct event one = call(SLOW, 10000 * i, i % 100 == 7 ? 9000 + i : 1 + i % 50, 0);
        profile_apply(profile, &one, 1);
    }
    struct snapshot *snapshot = freeze(profile);
    cr_expect_eq(snapshot->windows.told, (uint64_t)CALLS);
    cr_assert_eq(snapshot->windows.count, (uint32_t)KEPT_MAX);
    uint32_t long_ones = 0;
    for (uint32_t i = 0; i < KEPT_MAX; i++) {
        const struct snapshot_kept *row = &snapshot->windows.rows[i];
        long_ones += row->duration_ticks >= 9000;
        if (i > 0)
            cr_assert_gt(row->number, row[-1].number);
        if (i >= KEPT_LONGEST_MAX)
            cr_assert_eq(row->number, CALLS - KEPT_MAX + (uint64_t)i);
    }
    cr_expect_eq(long_ones, 10u, "none of the long ones is gone");
    snapshot_unref(snapshot);
    profile_free(profile);
}
