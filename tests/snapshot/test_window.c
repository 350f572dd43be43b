/* test_window.c - ranges of time against the whole, and against calls whose callers are known. */
#include "profile/profile.h"
#include "support/calls.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct snapshot *freeze(struct profile *profile)
{
    static const struct snapshot_source source;
    static const struct snapshot_target target;
    static const struct snapshot_link link;
    struct snapshot *snapshot = profile_freeze(profile, &source, &target, &link);
    cr_assert_not_null(snapshot);
    cr_assert_eq(snapshot->ledger.broken, 0, "sums that have to be equal are not: %u",
                 snapshot->ledger.broken);
    return snapshot;
}

static struct snapshot *window_of(struct snapshot *whole, uint64_t from, uint64_t to)
{
    struct snapshot *window = snapshot_window(whole, from, to);
    cr_assert_not_null(window);
    cr_assert(window->range.is_set && window->range.from_ticks == from && window->range.to_ticks == to);
    cr_assert_eq(window->function_count, whole->function_count);
    cr_assert_eq(window->node_count, whole->node_count);
    return window;
}

static void expect_same(const struct snapshot *window, const struct snapshot *whole, uint64_t seed)
{
    for (uint32_t i = 0; i < whole->function_count; i++) {
        const struct snapshot_function *a = &window->functions[i], *b = &whole->functions[i];
        cr_assert_eq(a->name, b->name);
        cr_assert_eq(a->calls, b->calls, "seed %" PRIu64 ": %s", seed, b->name);
        cr_assert_eq(a->total_ticks, b->total_ticks, "seed %" PRIu64 ": %s", seed, b->name);
        cr_assert_eq(a->self_ticks, b->self_ticks, "seed %" PRIu64 ": %s", seed, b->name);
        cr_assert_eq(a->sum_ticks, b->sum_ticks);
        cr_assert_eq(a->known, b->known, "seed %" PRIu64 ": %s", seed, b->name);
        cr_assert_eq(a->running, b->running, "seed %" PRIu64 ": %s", seed, b->name);
        if (b->calls == 0)
            continue;
        cr_assert_eq(a->periods, b->periods, "seed %" PRIu64 ": %s", seed, b->name);
        cr_assert_eq(a->period_min_ticks, b->period_min_ticks);
        cr_assert_eq(a->period_max_ticks, b->period_max_ticks);
        cr_assert_eq(a->period_mean_ticks, b->period_mean_ticks);
        cr_assert_eq(a->period_jitter_ticks, b->period_jitter_ticks);
        cr_assert_eq(a->min_ticks, b->min_ticks);
        cr_assert_eq(a->max_ticks, b->max_ticks);
        cr_assert_eq(a->p50_ticks, b->p50_ticks);
        cr_assert_eq(a->p99_ticks, b->p99_ticks);
        cr_assert_eq(a->stddev_ticks, b->stddev_ticks);
    }
    for (uint32_t i = 0; i < whole->node_count; i++) {
        const struct snapshot_node *a = &window->nodes[i], *b = &whole->nodes[i];
        const char *name = i > 0 ? whole->functions[b->function].name : "";
        cr_assert_eq(a->parent, b->parent);
        cr_assert_eq(a->calls, b->calls, "seed %" PRIu64 ": node %u %s", seed, i, name);
        cr_assert_eq(a->total_ticks, b->total_ticks,
                     "seed %" PRIu64 ": node %u %s: %" PRIu64 " of %" PRIu64 " ticks", seed, i, name,
                     a->total_ticks, b->total_ticks);
        cr_assert_eq(a->self_ticks, b->self_ticks, "seed %" PRIu64 ": node %u %s", seed, i, name);
    }
}

/* Expects that adjacent ranges add up to the whole, and that none shows rows that the whole lacks. */
static void expect_parts_add_up(struct snapshot *whole, struct test_random *random, uint64_t seed)
{
    enum { PARTS = 7 };
    uint64_t first, last;
    if (!snapshot_timeline_range(whole, &first, &last))
        return;
    uint64_t *node_self = calloc(whole->node_count, sizeof *node_self);
    uint64_t *node_total = calloc(whole->node_count, sizeof *node_total);
    uint64_t *function_self = calloc(whole->function_count, sizeof *function_self);
    uint64_t from = 0;
    for (int part = 0; part < PARTS; part++) {
        uint64_t to =
            part == PARTS - 1 ? UINT64_MAX : from + test_random_next(random) % (1 + (last - first) / 4);
        if (part == 0)
            to += first;
        struct snapshot *window = window_of(whole, from, to);
        for (uint32_t i = 0; i < whole->node_count; i++) {
            node_self[i] += window->nodes[i].self_ticks;
            node_total[i] += window->nodes[i].total_ticks;
            cr_assert_leq(window->nodes[i].calls, whole->nodes[i].calls, "seed %" PRIu64, seed);
        }
        for (uint32_t i = 0; i < whole->function_count; i++)
            function_self[i] += window->functions[i].self_ticks;
        snapshot_unref(window);
        from = to;
    }
    for (uint32_t i = 0; i < whole->node_count; i++) {
        cr_assert_eq(node_self[i], whole->nodes[i].self_ticks, "seed %" PRIu64 ": node %u", seed, i);
        cr_assert_eq(node_total[i], whole->nodes[i].total_ticks, "seed %" PRIu64 ": node %u", seed, i);
    }
    for (uint32_t i = 0; i < whole->function_count; i++)
        cr_assert_eq(function_self[i], whole->functions[i].self_ticks, "seed %" PRIu64, seed);
    free(function_self);
    free(node_total);
    free(node_self);
}

static void expect_windows_fit(struct profile *profile, struct test_random *random, uint64_t seed)
{
    struct snapshot *whole = freeze(profile);
    struct snapshot *all = window_of(whole, 0, UINT64_MAX);
    expect_same(all, whole, seed);
    expect_parts_add_up(whole, random, seed);
    snapshot_unref(all);
    snapshot_unref(whole);
}

static void apply_bare(struct profile *profile, enum event_kind kind)
{
    profile_apply(profile, &(struct event){.kind = (uint8_t)kind}, 1);
}

/* Packets of a run, some lost, some with records missing at their ends; restarts and pauses in between. */
static void feed_packets(struct profile *profile, struct test_random *random, const struct calls *calls,
                         uint32_t lost_percent)
{
    uint64_t now_ms = 1;
    for (size_t at = 0, n; at < calls->n; at += n) {
        n = 1 + test_random_below(random, 40);
        if (n > calls->n - at)
            n = calls->n - at;
        size_t trim = test_random_below(random, 100) < lost_percent ? test_random_below(random, n) : 0;
        if (test_random_below(random, 100) < lost_percent)
            apply_bare(profile, test_random_below(random, 4) ? EVENT_LOST : EVENT_RESET);
        else
            profile_apply(profile, calls->events + at + trim, n - trim);
        if (test_random_below(random, 5) == 0)
            profile_tick(profile, now_ms += 1 + test_random_below(random, 600));
    }
}

Test(window, a_range_over_everything_is_the_whole_whatever_was_lost)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct test_random random = {seed * 104729};
        struct calls calls;
        calls_make(&calls, &random, 3000, 12, seed % 3 == 0, (uint16_t)(seed % 4));
        struct profile *profile = profile_new(&(struct profile_limits){.pending_calls = seed % 5 ? 0 : 64});
        feed_packets(profile, &random, &calls, seed % 2 ? 0 : (uint32_t)(seed % 7) * 6);
        expect_windows_fit(profile, &random, seed);
        if (seed % 2)
            profile_finish(profile);
        else
            apply_bare(profile, EVENT_RESET);
        expect_windows_fit(profile, &random, seed);
        profile_free(profile);
        calls_free(&calls);
    }
}

/* Begins and ends in a few contexts, from tick *at on, which becomes where they ended; some are lost, known
 * or unknown. */
static void feed_live(struct profile *profile, struct test_random *random, size_t n, uint32_t lost_percent,
                      uint64_t *at)
{
    struct {
        uint32_t functions[8], depth;
    } stacks[3] = {0};
    for (size_t i = 0; i < n; i++) {
        uint32_t context = (uint32_t)test_random_below(random, 3);
        *at += test_random_below(random, 9);
        struct event event = {.context = 10 * context, .ticks = *at};
        if (stacks[context].depth == 8 || (stacks[context].depth > 0 && test_random_below(random, 2))) {
            event.kind = EVENT_EXIT;
            event.call.address = calls_address(stacks[context].functions[--stacks[context].depth]);
        } else {
            uint32_t function = (uint32_t)test_random_below(random, CALLS_FUNCTIONS);
            event.kind = EVENT_ENTER;
            event.call.address = calls_address(function);
            stacks[context].functions[stacks[context].depth++] = function;
        }
        if (test_random_below(random, 100) >= lost_percent)
            profile_apply(profile, &event, 1);
        else if (test_random_below(random, 4) == 0)
            apply_bare(profile, EVENT_LOST);
    }
}

Test(window, entries_and_exits_count_alike_running_or_not)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct test_random random = {seed * 7907};
        struct profile *profile = profile_new(NULL);
        uint64_t at = 5000;
        feed_live(profile, &random, 1500, seed % 2 ? 0 : 10, &at);
        expect_windows_fit(profile, &random, seed);
        profile_free(profile);
    }
}

Test(window, entries_and_finished_calls_may_share_a_profile)
{
    struct test_random random = test_random_start("window-both");
    struct calls calls;
    calls_make(&calls, &random, 1000, 8, false, 1);
    struct profile *profile = profile_new(NULL);
    uint64_t now = 5000;
    for (size_t at = 0; at < calls.n; at += 100) {
        profile_apply(profile, calls.events + at, at + 100 < calls.n ? 100 : calls.n - at);
        feed_live(profile, &random, 30, 5, &now);
    }
    expect_windows_fit(profile, &random, 0);
    profile_free(profile);
    calls_free(&calls);
}

Test(window, rows_merged_at_the_ceiling_count_as_in_the_whole)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct test_random random = {seed * 31337};
        struct calls calls;
        calls_make(&calls, &random, 3000, 12, false, (uint16_t)(seed % 3));
        struct profile *profile = profile_new(&(struct profile_limits){
            .nodes = 2 + (uint32_t)test_random_below(&random, 60), .functions = 4 + (uint32_t)(seed % 12)});
        feed_packets(profile, &random, &calls, 10);
        uint64_t now = 5000;
        feed_live(profile, &random, 500, 10, &now);
        struct snapshot *whole = freeze(profile), *all = window_of(whole, 0, UINT64_MAX);
        uint64_t in_whole = 0, in_window = 0;
        for (uint32_t i = 0; i < whole->function_count; i++)
            cr_assert_eq(all->functions[i].calls, whole->functions[i].calls);
        for (uint32_t i = 0; i < whole->node_count; i++) {
            in_whole += whole->nodes[i].calls;
            in_window += all->nodes[i].calls;
        }
        cr_assert_eq(in_window, in_whole);
        snapshot_unref(all);
        snapshot_unref(whole);
        profile_free(profile);
        calls_free(&calls);
    }
}

/* Functions of the target have the names of the profile's placeholders. */
Test(window, names_that_look_like_placeholders_are_functions_like_any_other)
{
    static const char *const names[] = {"[depth 0 running]", "[depth 1 not seen]", "(other)", "[cycle 1]"};
    struct profile *profile = profile_new(NULL);
    uint64_t now = 100;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 4; i++, now += 5)
            profile_apply(profile,
                          &(struct event){.kind = EVENT_ENTER,
                                          .flags = EVENT_BY_NAME,
                                          .ticks = now,
                                          .named = {names[i], (uint32_t)strlen(names[i])}},
                          1);
        for (size_t i = 4; i-- > 0; now += 5)
            profile_apply(profile,
                          &(struct event){.kind = EVENT_EXIT,
                                          .flags = EVENT_BY_NAME,
                                          .ticks = now,
                                          .named = {names[i], (uint32_t)strlen(names[i])}},
                          1);
    }
    /* Beside them, the real ones. */
    struct event lost = {
        .kind = EVENT_CALL, .depth = 2, .ticks = 300, .call = {.address = 0x100, .duration = 20}};
    profile_apply(profile, &lost, 1);
    profile_finish(profile);
    struct snapshot *whole = freeze(profile), *all = window_of(whole, 0, UINT64_MAX);
    expect_same(all, whole, 0);
    for (uint32_t i = 0; i < 4; i++) {
        cr_expect_eq(whole->functions[i].kind, KIND_FUNCTION);
        cr_expect_eq(all->functions[i].calls, 3);
    }
    snapshot_unref(all);
    snapshot_unref(whole);
    profile_free(profile);
}

static uint64_t part_of(const struct event *event, uint64_t from, uint64_t to)
{
    uint64_t start = event->ticks > from ? event->ticks : from;
    uint64_t end = event->ticks + event->call.duration < to ? event->ticks + event->call.duration : to;
    return end > start ? end - start : 0;
}

static const struct snapshot_function *function_at(const struct snapshot *snapshot, uint64_t address)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (snapshot->functions[i].has_address && snapshot->functions[i].address == address)
            return &snapshot->functions[i];
    cr_assert_fail("no function at 0x%" PRIx64, address);
    return NULL;
}

static int by_ticks(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Expects a percentile of the sorted durations within its bucket. */
static void expect_percentile(uint64_t got, const uint64_t *durations, size_t n, size_t percent)
{
    uint64_t want = durations[(n * percent + 99) / 100 - 1];
    cr_assert(got >= want - want / 32 && got <= want + want / 32,
              "p%zu of %zu calls: %" PRIu64 ", not %" PRIu64, percent, n, got, want);
}

/* Expects the calls in [from, to] of a run without losses. Times are cut to the range, durations are those of whole
 * calls. */
static void expect_counted(const struct snapshot *window, const struct calls *calls, uint64_t from,
                           uint64_t to)
{
    for (uint32_t f = 0; f < CALLS_FUNCTIONS; f++) {
        uint64_t n = 0, sum = 0, self = 0, total = 0;
        uint64_t *durations = malloc(calls->n * sizeof *durations);
        cr_assert_not_null(durations);
        for (size_t i = 0; i < calls->n; i++) {
            const struct event *event = &calls->events[i];
            uint64_t part = part_of(event, from, to);
            uint32_t caller = calls->caller[i];
            if (caller != UINT32_MAX && calls->events[caller].call.address == calls_address(f))
                self -= part;
            if (event->call.address != calls_address(f))
                continue;
            bool is_point = event->call.duration == 0 && event->ticks >= from && event->ticks <= to;
            self += part;
            total += part;
            if (part == 0 && !is_point)
                continue;
            durations[n++] = event->call.duration;
            sum += event->call.duration;
        }
        const struct snapshot_function *row = function_at(window, calls_address(f));
        cr_assert_eq(row->calls, n, "%" PRIu64 " calls, not %" PRIu64, row->calls, n);
        cr_assert_eq(row->sum_ticks, sum);
        cr_assert_eq(row->self_ticks, self);
        cr_assert_leq(row->total_ticks, total, "of recursion the outermost call counts");
        if (n > 0) {
            qsort(durations, n, sizeof *durations, by_ticks);
            cr_assert_eq(row->min_ticks, durations[0]);
            cr_assert_eq(row->max_ticks, durations[n - 1]);
            expect_percentile(row->p50_ticks, durations, n, 50);
            expect_percentile(row->p99_ticks, durations, n, 99);
        }
        free(durations);
    }
}

Test(window, times_are_cut_to_the_range_and_durations_are_not)
{
    struct test_random random = test_random_start("window-parts");
    struct calls calls;
    calls_make(&calls, &random, 4000, 9, false, 0);
    struct profile *profile = profile_new(NULL);
    feed_packets(profile, &random, &calls, 0);
    profile_finish(profile);
    struct snapshot *whole = freeze(profile);
    uint64_t first, last;
    cr_assert(snapshot_timeline_range(whole, &first, &last));
    for (int round = 0; round < 30; round++) {
        uint64_t from = first + test_random_next(&random) % (last - first);
        uint64_t to = from + test_random_next(&random) % (round % 2 ? 40 : last - from + 1);
        struct snapshot *window = window_of(whole, from, to);
        expect_counted(window, &calls, from, to);
        snapshot_unref(window);
    }
    snapshot_unref(whole);
    profile_free(profile);
    calls_free(&calls);
}

Test(window, time_before_the_oldest_kept_call_counts_nothing)
{
    struct test_random random = test_random_start("window-held");
    struct calls calls;
    calls_make(&calls, &random, 60000, 12, false, 0);
    struct profile *profile = profile_new(&(struct profile_limits){.timeline_calls = 3 * 4096});
    feed_packets(profile, &random, &calls, 0);
    profile_finish(profile);
    struct snapshot *whole = freeze(profile);
    struct snapshot *window = window_of(whole, 0, UINT64_MAX);
    uint64_t held = window->range.held_from_ticks;
    cr_assert(held > 0);
    uint64_t last = calls.events[calls.n - 1].ticks + calls.events[calls.n - 1].call.duration;
    expect_counted(window, &calls, held, last);
    snapshot_unref(window);
    window = window_of(whole, 0, held - 1);
    for (uint32_t i = 0; i < window->function_count; i++)
        cr_assert_eq(window->functions[i].calls, 0);
    snapshot_unref(window);
    snapshot_unref(whole);
    profile_free(profile);
    calls_free(&calls);
}

static void hear(void *user, const struct snapshot_span *span)
{
    uint64_t *heard = user;
    cr_assert(span->start_ticks >= 2000 && span->start_ticks + span->duration_ticks <= 3000);
    *heard += span->duration_ticks;
}

Test(window, the_spread_the_calls_and_the_messages_are_those_of_the_range)
{
    struct profile *profile = profile_new(NULL);
    for (uint64_t i = 0; i < 50; i++) {
        const struct event events[2] = {
            {.kind = EVENT_CALL, .ticks = 100 * i, .call = {.address = 0x100, .duration = 60}},
            {.kind = EVENT_TEXT, .ticks = 100 * i, .text = {.text = "hello", .n = 5}},
        };
        profile_apply(profile, events, 2);
    }
    const struct event counted[2] = {{.kind = EVENT_SAMPLE, .sample = {.address = 0x100, .count = 7}},
                                     {.kind = EVENT_ARC, .arc = {.from = 0x200, .to = 0x100, .calls = 3}}};
    profile_apply(profile, counted, 2);
    profile_finish(profile);
    struct snapshot *whole = freeze(profile), *window = window_of(whole, 2000, 3000);
    struct snapshot_histogram histogram;
    uint64_t n = 0, heard = 0;
    cr_assert(snapshot_histogram(whole, 0, &histogram));
    for (size_t i = 0; i < histogram.n; i++)
        n += histogram.buckets[i].count;
    cr_expect_eq(n, 50);
    free(histogram.buckets);
    n = 0;
    cr_assert(snapshot_histogram(window, 0, &histogram));
    for (size_t i = 0; i < histogram.n; i++)
        n += histogram.buckets[i].count;
    free(histogram.buckets);
    snapshot_timeline_each(window, hear, &heard);
    cr_expect_eq(n, 10);
    cr_expect_eq(heard, 600);
    cr_expect_eq(window->functions[0].calls, 10);
    cr_expect_eq(window->functions[0].p50_ticks, 60);
    cr_expect_eq(window->message_count, 11);
    cr_expect_eq(window->messages[0]->ticks, 2000);
    cr_expect_eq(window->arc_count, 0, "their times are unknown");
    cr_expect_eq(window->functions[0].known & FUNCTION_SAMPLES, 0);
    snapshot_unref(whole); /* the window keeps what it needs */
    cr_expect_str_eq(window->messages[10]->text, "hello");
    cr_expect_str_eq(window->functions[0].name, "0x00000100");
    snapshot_unref(window);
    profile_free(profile);
}

static void apply_call(struct profile *profile, enum event_kind kind, uint64_t ticks)
{
    profile_apply(
        profile, &(struct event){.kind = (uint8_t)kind, .ticks = ticks, .call.address = calls_address(0)}, 1);
}

/* True when the range has self time of unknown callers. */
static bool has_unknown_time(struct snapshot *whole, uint64_t from, uint64_t to)
{
    struct snapshot *window = window_of(whole, from, to);
    bool has_time = false, is_there = false;
    for (uint32_t i = 0; i < window->function_count; i++)
        if (window->functions[i].kind == KIND_UNKNOWN) {
            is_there = true;
            has_time = window->functions[i].known & FUNCTION_TIMES;
            cr_expect_eq(has_time, window->functions[i].self_ticks > 0);
        }
    snapshot_unref(window);
    cr_assert(is_there);
    return has_time;
}

Test(window, a_caller_that_is_not_known_has_a_time_where_it_ran_itself_only)
{
    struct profile *profile = profile_new(NULL);
    profile_apply(profile, &(struct event){.kind = EVENT_STACK, .ticks = 100, .stack = {0, 1, 0}}, 1);
    apply_call(profile, EVENT_ENTER, 200);
    apply_call(profile, EVENT_EXIT, 300);
    apply_call(profile, EVENT_ENTER, 400);
    struct snapshot *whole = freeze(profile);
    cr_expect(has_unknown_time(whole, 0, UINT64_MAX));
    cr_expect(has_unknown_time(whole, 150, 250));
    cr_expect_not(has_unknown_time(whole, 210, 290));
    snapshot_unref(whole);
    profile_free(profile);
}

Test(window, a_call_runs_only_in_ranges_that_it_overlaps)
{
    struct profile *profile = profile_new(NULL);
    apply_call(profile, EVENT_ENTER, 100);
    apply_call(profile, EVENT_EXIT, 200);
    apply_call(profile, EVENT_ENTER, 400);
    profile_apply(profile,
                  &(struct event){.kind = EVENT_ENTER, .ticks = 500, .call.address = calls_address(1)}, 1);
    struct snapshot *whole = freeze(profile);
    const struct {
        uint64_t from, to;
        uint32_t running;
    } ranges[] = {{0, 600, 1}, {100, 300, 0}, {300, 450, 1}, {450, 490, 1}, {600, 700, 0}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        struct snapshot *window = window_of(whole, ranges[i].from, ranges[i].to);
        const struct snapshot_function *row = function_at(window, calls_address(0));
        cr_expect_eq(row->running, ranges[i].running, "range %zu: %u", i, (unsigned)row->running);
        cr_expect_eq(!!(row->known & FUNCTION_RUNNING), ranges[i].running, "range %zu", i);
        snapshot_unref(window);
    }
    snapshot_unref(whole);
    profile_free(profile);
}

Test(window, a_call_without_time_is_where_it_was_and_no_call_touches_a_range_at_its_end)
{
    const struct event events[] = {
        {.kind = EVENT_CALL, .ticks = 100, .call = {.address = calls_address(0), .duration = 0}},
        {.kind = EVENT_CALL, .ticks = 200, .call = {.address = calls_address(0), .duration = 100}}};
    const struct {
        uint64_t from, to, calls;
    } ranges[] = {{90, 110, 1}, {100, 150, 1}, {50, 100, 1}, {120, 150, 0}, {150, 250, 1}, {300, 400, 0}};
    struct profile *profile = profile_new(NULL);
    profile_apply(profile, events, sizeof events / sizeof *events);
    profile_finish(profile);
    struct snapshot *whole = freeze(profile);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        struct snapshot *window = window_of(whole, ranges[i].from, ranges[i].to);
        uint64_t calls = function_at(window, calls_address(0))->calls;
        cr_expect_eq(calls, ranges[i].calls, "range %zu: %u", i, (unsigned)calls);
        snapshot_unref(window);
    }
    snapshot_unref(whole);
    profile_free(profile);
}
