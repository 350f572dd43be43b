/* test_turns.c - random programs of threads and interrupts: calls last as long as their context ran, and
 * preempted and blocked times are distinguished. */
#include "profile/livestacks.h"
#include "snapshot/turns.h"
#include "tasks_program.h"

/* ---- what is shown ---- */

static uint64_t true_total(uint32_t node)
{
    uint64_t total = p.nodes[node].self;
    for (uint32_t i = node + 1; i < p.node_count; i++)
        if (p.nodes[i].parent == node)
            total += true_total(i);
    return total;
}

static bool is_shown_as(const struct snapshot *snapshot, const struct snapshot_node *row, uint32_t context)
{
    char name[24] = "main";
    if (context > 0)
        snprintf(name, sizeof name, "context %u", context);
    return !strcmp(snapshot->contexts[row->context].name, name);
}

static uint32_t shown(const struct snapshot *snapshot, uint32_t node)
{
    uint32_t parent = p.nodes[node].parent ? shown(snapshot, p.nodes[node].parent) : 0;
    uint32_t function = row_of(snapshot, FIRST_ADDRESS + p.nodes[node].function);
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *row = &snapshot->nodes[i];
        if ((uint32_t)row->parent == parent && (uint32_t)row->function == function &&
            is_shown_as(snapshot, row, p.nodes[node].context))
            return i;
    }
    cr_assert(false, "a node is missing");
    return 0;
}

Test(turns, a_call_ran_as_long_as_its_context_did_while_it_was_there)
{
    struct test_random random = test_random_start("turns");
    for (int program = 0; program < 40; program++) {
        run_program(test_random_next(&random));
        struct snapshot *snapshot = freeze(p.profile);
        for (uint32_t i = 1; i < p.node_count; i++) {
            const struct snapshot_node *node = &snapshot->nodes[shown(snapshot, i)];
            cr_assert_eq(node->calls, p.nodes[i].calls);
            cr_assert_eq(node->self_ticks, p.nodes[i].self);
            cr_assert_eq(node->total_ticks, true_total(i));
        }
        for (uint32_t i = 0; i < FUNCTIONS; i++)
            cr_assert_eq(function_of(snapshot, FIRST_ADDRESS + i)->sum_ticks, p.elapsed[i]);
        cr_assert_eq(snapshot->link.orphan_exits + snapshot->link.missing_exits, 0);
        snapshot_unref(snapshot);
        profile_free(p.profile);
    }
}

Test(turns, contexts_have_running_preempted_and_blocked_times)
{
    struct test_random random = test_random_start("turns-contexts");
    for (int program = 0; program < 40; program++) {
        run_program(test_random_next(&random));
        struct snapshot *snapshot = freeze(p.profile);
        uint64_t running = 0;
        for (uint32_t i = 0; i < snapshot->context_count; i++) {
            const struct snapshot_context *row = &snapshot->contexts[i];
            uint32_t context = strcmp(row->name, "main") ? (uint32_t)(row->name[8] - '0') : 0;
            cr_assert(row->has_times);
            cr_assert_eq(row->running_ticks, p.contexts[context].times[RUNNING]);
            cr_assert_eq(row->preempted_ticks, p.contexts[context].times[PREEMPTED]);
            cr_assert_eq(row->blocked_ticks, p.contexts[context].times[BLOCKED]);
            running += row->running_ticks;
        }
        cr_assert_eq(running, p.now, "the processor always runs one");
        snapshot_unref(snapshot);
        profile_free(p.profile);
    }
}

Test(turns, away_times_are_listed_apart_from_calls)
{
    struct test_random random = test_random_start("turns-away");
    enum { MOST = 4 * STEPS };
    static struct snapshot_span spans[MOST];
    for (int program = 0; program < 40; program++) {
        run_program(test_random_next(&random));
        struct snapshot *snapshot = freeze(p.profile);
        uint64_t ticks[CONTEXTS][2] = {{0}}, told = 0, merged = 0;
        size_t n = snapshot_timeline_away(snapshot, 0, UINT64_MAX / 2, spans, MOST);
        for (size_t i = 0; i < n; i++) {
            const char *name = snapshot->contexts[spans[i].context].name;
            cr_assert(spans[i].calls == 1 && spans[i].depth > 0);
            ticks[strcmp(name, "main") ? name[8] - '0' : 0][spans[i].function] += spans[i].duration_ticks;
            told += spans[i].calls;
        }
        for (uint32_t i = 0; i < CONTEXTS; i++) {
            cr_assert_eq(ticks[i][AWAY_PREEMPTED], p.contexts[i].with_calls[PREEMPTED]);
            cr_assert_eq(ticks[i][AWAY_BLOCKED], p.contexts[i].with_calls[BLOCKED]);
        }
        n = snapshot_timeline_away(snapshot, 0, p.now, spans, 60);
        cr_assert_leq(n, 60);
        for (size_t i = 0; i < n; i++)
            merged += spans[i].calls;
        cr_assert_eq(merged, told, "merged or not, each is there once");
        uint64_t calls = 0, counted = 0;
        n = snapshot_timeline_window(snapshot, 0, UINT64_MAX / 2, spans, MOST);
        for (size_t i = 0; i < n; i++)
            calls += spans[i].calls;
        for (uint32_t i = 0; i < snapshot->node_count; i++)
            counted += snapshot->nodes[i].calls;
        cr_assert_eq(calls, counted);
        snapshot_unref(snapshot);
        profile_free(p.profile);
    }
}

/* A context's times, with those of another range (NULL: none), are the whole's. */
static void expect_times(const struct snapshot_context *row, const struct snapshot_context *whole,
                         const struct snapshot_context *rest)
{
    static const struct snapshot_context none;
    cr_assert(row->has_times && row->has_waits);
    rest = rest ? rest : &none;
    cr_assert_eq(row->running_ticks + rest->running_ticks, whole->running_ticks, "%s", whole->name);
    cr_assert_eq(row->preempted_ticks + rest->preempted_ticks, whole->preempted_ticks, "%s", whole->name);
    cr_assert_eq(row->blocked_ticks + rest->blocked_ticks, whole->blocked_ticks, "%s", whole->name);
}

Test(turns, ranges_that_follow_each_other_add_up_to_the_whole)
{
    struct test_random random = test_random_start("turns-ranges");
    for (int program = 0; program < 40; program++) {
        run_program(test_random_next(&random));
        struct snapshot *whole = freeze(p.profile);
        uint64_t cut = below((uint32_t)p.now);
        struct snapshot *all = snapshot_window(whole, 0, UINT64_MAX);
        struct snapshot *first = snapshot_window(whole, 0, cut);
        struct snapshot *second = snapshot_window(whole, cut, UINT64_MAX);
        for (uint32_t i = 0; i < whole->node_count; i++) {
            cr_assert_eq(all->nodes[i].calls, whole->nodes[i].calls);
            cr_assert_eq(all->nodes[i].total_ticks, whole->nodes[i].total_ticks);
            cr_assert_eq(all->nodes[i].self_ticks, whole->nodes[i].self_ticks);
            cr_assert_eq(first->nodes[i].total_ticks + second->nodes[i].total_ticks,
                         whole->nodes[i].total_ticks);
            cr_assert_eq(first->nodes[i].self_ticks + second->nodes[i].self_ticks,
                         whole->nodes[i].self_ticks);
        }
        uint64_t ran = 0;
        for (uint32_t i = 0; i < whole->context_count; i++) {
            expect_times(&all->contexts[i], &whole->contexts[i], NULL);
            expect_times(&first->contexts[i], &whole->contexts[i], &second->contexts[i]);
            ran += first->contexts[i].running_ticks;
        }
        cr_assert_eq(ran, cut, "the processor always runs one");
        for (uint32_t i = 0; i < whole->function_count; i++) {
            cr_assert_eq(all->functions[i].total_ticks, whole->functions[i].total_ticks);
            cr_assert_eq(all->functions[i].max_ticks, whole->functions[i].max_ticks);
        }
        snapshot_unref(first);
        snapshot_unref(second);
        snapshot_unref(all);
        snapshot_unref(whole);
        profile_free(p.profile);
    }
}

Test(turns, a_range_has_the_times_of_each_context)
{
    p = (typeof(p)){.profile = profile_new(NULL)};
    run_until(100, 0, false);
    run_until(130, 1, true);  /* 0 waits */
    run_until(170, 0, false); /* 1 could go on */
    run_until(200, 1, false);
    p.now = 240;
    tell(EVENT_ENTER, 1, 0, 0);
    struct snapshot *whole = freeze(p.profile), *part = snapshot_window(whole, 120, 210);
    const struct snapshot_context *zero = &part->contexts[0], *one = &part->contexts[1];
    cr_assert(zero->has_times && one->has_times);
    cr_assert_eq(zero->running_ticks, 10 + 30);
    cr_assert_eq(zero->blocked_ticks, 40);
    cr_assert_eq(zero->preempted_ticks, 10, "it goes on");
    cr_assert_eq(one->running_ticks, 40 + 10);
    cr_assert_eq(one->preempted_ticks, 30);
    cr_assert_eq(one->blocked_ticks, 0);
    cr_assert_eq(snapshot_known_ticks(part), 90);
    snapshot_unref(part);
    snapshot_unref(whole);
    /* What runs between a loss and the next switch is unknown. */
    profile_apply(p.profile, &(struct event){.kind = EVENT_LOST}, 1);
    run_until(300, 0, false);
    whole = freeze(p.profile);
    part = snapshot_window(whole, 230, 310);
    cr_assert_eq(snapshot_known_ticks(part), 10);
    snapshot_unref(part);
    snapshot_unref(whole);
    profile_free(p.profile);
}

Test(turns, each_column_has_the_times_of_its_range)
{
    struct test_random random = test_random_start("turns-columns");
    for (int program = 0; program < 20; program++) {
        run_program(test_random_next(&random));
        struct snapshot *whole = freeze(p.profile);
        uint64_t from = below((uint32_t)p.now), to = from + 1 + below((uint32_t)(p.now - from));
        uint32_t columns = 1 + below(50);
        struct turns_columns *over = turns_over_time(whole, from, to, columns);
        cr_assert(over->has_some && over->from_ticks == from);
        cr_assert_geq(over->step_ticks * columns, to - from);
        for (uint32_t column = 0; column < columns; column++) {
            uint64_t begin = from + column * over->step_ticks, end = begin + over->step_ticks;
            struct snapshot_context times[CONTEXTS];
            memcpy(times, whole->contexts, sizeof times);
            turns_count(whole->turns, begin, end < to ? end : to, times, CONTEXTS);
            for (uint32_t i = 0; i < CONTEXTS; i++)
                cr_assert_eq(over->ran_ticks[columns * i + column], times[i].running_ticks);
        }
        free(over);
        snapshot_unref(whole);
        profile_free(p.profile);
    }
}

Test(turns, a_range_with_missing_turns_has_no_times)
{
    enum { SWITCHES = 9000 };
    p = (typeof(p)){.profile = profile_new(&(struct profile_limits){.timeline_calls = 4096})};
    for (uint32_t i = 0; i < SWITCHES; i++)
        run_until(10 + 10 * i, i % 2, false);
    struct snapshot *whole = freeze(p.profile), *early = snapshot_window(whole, 0, UINT64_MAX);
    uint64_t last = 10 + 10 * (SWITCHES - 1);
    struct snapshot *late = snapshot_window(whole, last - 1000, last);
    cr_assert(whole->contexts[0].has_times);
    cr_assert_not(early->contexts[0].has_times || early->contexts[1].has_times);
    expect_times(&late->contexts[0], &(struct snapshot_context){.running_ticks = 500, .preempted_ticks = 500},
                 NULL);
    snapshot_unref(late);
    snapshot_unref(early);
    snapshot_unref(whole);
    profile_free(p.profile);
}

/* The deepest stack that is kept: what it did not run is one level deeper on the timeline. */
Test(turns, a_range_has_the_times_of_the_deepest_stack)
{
    p = (typeof(p)){.profile = profile_new(NULL)};
    run_until(10, 0, false);
    for (; p.now < 10 + LIVESTACKS_DEPTH_MAX + 6; p.now++)
        tell(EVENT_ENTER, 0, 0, 0);
    run_until(p.now + 1000, 1, false);
    run_until(p.now + 1000, 0, false);
    p.now += 50;
    for (uint32_t i = 0; i < 10; i++, p.now += 5)
        tell(EVENT_EXIT, 0, 0, EVENT_ENDS_INNER);
    struct snapshot *whole = freeze(p.profile), *all = snapshot_window(whole, 0, UINT64_MAX);
    for (uint32_t i = 0; i < whole->node_count; i++)
        cr_assert_eq(all->nodes[i].self_ticks, whole->nodes[i].self_ticks, "node %u", i);
    snapshot_unref(all);
    snapshot_unref(whole);
    profile_free(p.profile);
}
