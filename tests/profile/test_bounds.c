/* test_bounds.c - limits, compared with a plain count of the same calls. */
#include "support/frozen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_MAX = 4096, TREE_MOST = 64, FUNCTIONS = 6, HZ = 1000000 };

/* A random program: its calls in the order in which they end. */
struct made {
    struct event calls[CALLS_MAX];
    size_t n;
    struct event stream[2 * CALLS_MAX]; /* the same as begins and ends */
    size_t stream_n;
    uint64_t ticks;
};

static uint64_t address_of(unsigned function)
{
    return 0x1000 + 0x100 * function;
}

/* A call at that depth, with callees. */
static void make_call(struct made *made, uint16_t depth)
{
    uint64_t start = made->ticks;
    uint64_t address = address_of((unsigned)rand() % FUNCTIONS);
    made->stream[made->stream_n++] =
        (struct event){.kind = EVENT_ENTER, .ticks = start, .call.address = address};
    made->ticks += (uint64_t)rand() % 40;
    for (int callees = depth < 4 ? rand() % 3 : 0; callees > 0; callees--)
        make_call(made, (uint16_t)(depth + 1));
    made->ticks += (uint64_t)rand() % 200;
    made->stream[made->stream_n++] =
        (struct event){.kind = EVENT_EXIT, .ticks = made->ticks, .call.address = address};
    made->calls[made->n++] = call(address, start, made->ticks - start, depth);
}

static void make_program(struct made *made)
{
    *made = (struct made){.ticks = 5000};
    while (made->n + TREE_MOST < CALLS_MAX) {
        make_call(made, 0);
        made->ticks += (uint64_t)rand() % 8 == 0 ? (uint64_t)rand() % (2 * HZ) : (uint64_t)rand() % 300;
    }
}

static struct bound bound_of(const char *text)
{
    struct bound bound;
    struct error err = {""};
    cr_assert(bound_parse(text, &bound, &err), "%s", err.text);
    return bound;
}

static uint32_t set(struct profile *profile, const char *text)
{
    struct bound bound = bound_of(text);
    struct error err = {""};
    uint32_t id = 0;
    cr_assert(profile_add_bound(profile, &bound, &id, &err), "%s", err.text);
    return id;
}

static struct profile *fresh(void)
{
    struct profile *profile = profile_new(NULL);
    cr_assert_not_null(profile);
    profile_set_clock(profile, HZ);
    return profile;
}

/* A snapshot in which all calls are placed. */
static struct snapshot *freeze_all(struct profile *profile)
{
    profile_finish(profile);
    return freeze(profile);
}

static const struct snapshot_bound *row(const struct snapshot *snapshot, uint32_t id)
{
    const struct snapshot_bound *row = snapshot_bound_find(&snapshot->bounds, id);
    cr_assert_not_null(row);
    return row;
}

/* The result of a plain count. */
struct counted {
    uint64_t judged, breaches, worst, first_ticks, last_ticks;
    double excess; /* of the worst */
};

static void hold(struct counted *counted, uint64_t ticks, uint64_t least, uint64_t most, uint64_t at)
{
    counted->judged++;
    if (ticks >= least && ticks <= most)
        return;
    if (counted->breaches++ == 0)
        counted->first_ticks = at;
    counted->last_ticks = at;
    double excess = ticks > most ? (double)ticks / (double)(most ? most : 1)
                                 : (double)least * 1000 / (double)(ticks ? ticks * 1000 : 1);
    counted->worst = excess > counted->excess ? ticks : counted->worst;
    counted->excess = excess > counted->excess ? excess : counted->excess;
}

static struct counted count_max(const struct made *made, uint64_t address, uint64_t below)
{
    struct counted counted = {0};
    for (size_t i = 0; i < made->n; i++)
        if (made->calls[i].call.address == address)
            hold(&counted, made->calls[i].call.duration, 0, below - 1,
                 made->calls[i].ticks + made->calls[i].call.duration);
    return counted;
}

static struct counted count_period(const struct made *made, uint64_t address, uint64_t least, uint64_t most)
{
    struct counted counted = {0};
    const struct event *before = NULL;
    for (size_t i = 0; i < made->n; i++) {
        const struct event *call = &made->calls[i];
        if (call->call.address != address || (before && call->ticks < before->ticks))
            continue;
        if (before)
            hold(&counted, call->ticks - before->ticks, least, most, call->ticks);
        before = call;
    }
    return counted;
}

/* Seconds from the end of the first call on. */
static struct counted count_rate(const struct made *made, uint64_t address, uint64_t below, uint64_t newest)
{
    struct counted counted = {0};
    uint64_t from = UINT64_MAX, calls = 0;
    for (size_t i = 0; i <= made->n; i++) {
        const struct event *call = &made->calls[i];
        uint64_t end = i < made->n ? call->ticks + call->call.duration : newest;
        if (i < made->n && call->call.address != address)
            continue;
        if (from == UINT64_MAX)
            from = end;
        for (; end - from >= HZ; from += HZ, calls = 0)
            hold(&counted, calls, 0, below - 1, from + HZ);
        calls++;
    }
    return counted;
}

static void expect_counted(const struct snapshot_bound *row, const struct counted *counted, double unit)
{
    char text[BOUND_TEXT_SIZE];
    bound_write(&row->bound, text, sizeof text);
    cr_expect_eq(row->judged, counted->judged, "%s: %" PRIu64 " of %" PRIu64, text, row->judged,
                 counted->judged);
    cr_assert_eq(row->breaches, counted->breaches, "%s: %" PRIu64 " of %" PRIu64, text, row->breaches,
                 counted->breaches);
    cr_expect_eq(row->state, counted->breaches ? BOUND_BROKEN : BOUND_KEPT, "%s", text);
    if (!counted->breaches)
        return;
    cr_expect_eq(row->first.ticks, counted->first_ticks, "%s", text);
    cr_expect_eq(row->last.ticks, counted->last_ticks, "%s", text);
    cr_expect_float_eq(row->worst.value, (double)counted->worst * unit, 1e-3, "%s", text);
}

/* In batches of any size, with snapshots in between. */
static void apply_in_batches(struct profile *profile, const struct event *events, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t some = 1 + (size_t)rand() % 200;
        some = some < n - i ? some : n - i;
        profile_apply(profile, events + i, some);
        i += some;
        if (rand() % 4 == 0)
            snapshot_unref(freeze(profile));
    }
}

Test(bounds, breaches_equal_a_plain_count)
{
    static struct made made;
    for (unsigned seed = 0; seed < 24; seed++) {
        srand(seed);
        make_program(&made);
        struct profile *profile = fresh();
        uint32_t max = set(profile, "0x00001100:max<300us"),
                 period = set(profile, "0x00001200:period=900us+-800us"),
                 rate = set(profile, "0x00001100:rate<300"), never = set(profile, "0x00001300:max<1s");
        if (seed % 2)
            apply_in_batches(profile, made.stream, made.stream_n);
        else
            apply_in_batches(profile, made.calls, made.n);
        struct snapshot *snapshot = freeze_all(profile);
        const struct event *newest = &made.calls[made.n - 1];
        const struct counted of_max = count_max(&made, 0x1100, 300),
                             of_period = count_period(&made, 0x1200, 100, 1700),
                             of_rate = count_rate(&made, 0x1100, 300, newest->ticks + newest->call.duration),
                             of_never = count_max(&made, 0x1300, HZ);
        cr_assert(of_max.breaches > 0 && of_period.breaches > 0 && of_never.breaches == 0);
        expect_counted(row(snapshot, max), &of_max, 1000);
        expect_counted(row(snapshot, period), &of_period, 1000);
        expect_counted(row(snapshot, rate), &of_rate, 1000);
        expect_counted(row(snapshot, never), &of_never, 1000);
        cr_expect_eq(snapshot->bounds.told, of_max.breaches + of_period.breaches + of_rate.breaches);
        snapshot_unref(snapshot);
        profile_free(profile);
    }
}

static void apply(struct profile *profile, struct event event)
{
    profile_apply(profile, &event, 1);
}

Test(bounds, the_newest_and_the_worst_breaches_are_listed)
{
    struct profile *profile = fresh();
    uint32_t id = set(profile, "0x00002000:max<10us");
    for (uint64_t i = 0; i < 5000; i++)
        apply(profile, call(0x2000, 100 + 1000 * i, i % 500 == 7 ? 900 + i / 100 : 20, 0));
    struct snapshot *snapshot = freeze_all(profile);
    const struct snapshot_bounds *bounds = &snapshot->bounds;
    cr_expect_eq(row(snapshot, id)->breaches, 5000);
    cr_expect_eq(bounds->told, 5000);
    cr_assert_eq(bounds->breach_count, BREACHES_MAX);
    uint32_t worst = 0;
    for (uint32_t i = 0; i < bounds->breach_count; i++) {
        worst += bounds->breaches[i].value >= 900000;
        cr_expect(i == 0 || bounds->breaches[i].number > bounds->breaches[i - 1].number);
    }
    cr_expect_eq(worst, 10);
    cr_expect_eq(bounds->breaches[BREACHES_MAX - 1].number, 4999);
    cr_expect_float_eq(row(snapshot, id)->worst.value, 945000, 1);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(bounds, breaches_that_are_less_bad_later_push_out_none_of_the_worst)
{
    struct profile *profile = fresh();
    set(profile, "0x00002000:max<10us");
    for (uint64_t i = 0; i < 1000; i++)
        apply(profile, call(0x2000, 100 + 1000 * i, i < BREACHES_WORST_MAX ? 900 : 20, 0));
    struct snapshot *snapshot = freeze_all(profile);
    uint32_t worst = 0;
    for (uint32_t i = 0; i < snapshot->bounds.breach_count; i++)
        worst += snapshot->bounds.breaches[i].value >= 900000;
    cr_expect_eq(worst, BREACHES_WORST_MAX);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(bounds, a_limit_always_broken_does_not_displace_other_breaches)
{
    struct profile *profile = fresh();
    uint32_t always = set(profile, "0x00002000:max<1us"), rare = set(profile, "0x00003000:max<10us");
    for (uint64_t i = 0; i < 5000; i++) {
        apply(profile, call(0x2000, 100 + 1000 * i, 500 + i / 100, 0));
        if (i % 1000 == 7)
            apply(profile, call(0x3000, 700 + 1000 * i, 11, 0));
    }
    struct snapshot_breach worst;
    char limit[BOUND_TEXT_SIZE];
    uint32_t told = 0;
    for (; profile_breached(profile, &worst, limit, sizeof limit); told++)
        cr_expect(worst.bound == always ? worst.value > 540000 : worst.bound == rare && worst.value == 11000,
                  "%s: %f", limit, worst.value);
    cr_expect_eq(told, 2);
    struct snapshot *snapshot = freeze_all(profile);
    uint32_t of_rare = 0;
    for (uint32_t i = 0; i < snapshot->bounds.breach_count; i++)
        of_rare += snapshot->bounds.breaches[i].bound == rare;
    cr_expect_eq(of_rare, 5, "%u of 5 are listed", of_rare);
    cr_expect_eq(snapshot->bounds.breach_count, BREACHES_MAX);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(bounds, marks_stand_on_the_timeline)
{
    struct profile *profile = fresh();
    set(profile, "0x00002000:max<10us");
    apply(profile, call(0x2000, 100, 25, 0));
    apply(profile, call(0x2000, 500, 5, 0));
    struct snapshot *snapshot = freeze_all(profile);
    static struct snapshot_marker markers[SNAPSHOT_MARKERS_MAX];
    cr_assert_eq(snapshot_markers(snapshot, 0, 1000, markers), 1);
    cr_expect_eq(markers[0].kind, MARKER_BREACH);
    cr_expect_eq(markers[0].ticks, 125);
    cr_expect_str_eq(markers[0].text, "25us: 0x00002000:max<10us");
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(bounds, a_figure_breaks_its_limit_once_until_it_keeps_it_again)
{
    struct profile *profile = fresh();
    uint32_t mean = set(profile, "0x00002000:mean<100us"), calls = set(profile, "0x00002000:calls<3"),
             p99 = set(profile, "0x00002000:p99<=200us"), load = set(profile, "0x00002000:load>50%");
    static const struct {
        uint64_t duration, breaches;
        bool is_broken;
    } steps[] = {{50, 0, false}, {250, 1, true}, {200, 1, true}, {1, 1, true},
                 {1, 1, true},   {1, 1, false},  {400, 2, true}};
    uint64_t at = 1000;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++, at += 1000) {
        apply(profile, call(0x2000, at, steps[i].duration, 0));
        struct snapshot *snapshot = freeze_all(profile);
        cr_expect_eq(row(snapshot, mean)->breaches, steps[i].breaches, "step %zu", i);
        cr_expect_eq(row(snapshot, mean)->is_broken_now, steps[i].is_broken, "step %zu", i);
        cr_expect_eq(row(snapshot, calls)->breaches, i >= 2);
        snapshot_unref(snapshot);
    }
    apply(profile, call(0x2000, at + 2 * HZ, 5, 0));
    struct snapshot *snapshot = freeze_all(profile);
    cr_expect_float_eq(row(snapshot, mean)->worst.value, 500000.0 / 3, 1e-3);
    cr_expect_eq(row(snapshot, p99)->breaches, 1);
    cr_expect_eq(row(snapshot, load)->state, BOUND_BROKEN);
    cr_expect_float_eq(row(snapshot, load)->now, 909.0 / (2007005) * 100000, 1);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(bounds, limits_wait_for_function_and_clock)
{
    struct profile *profile = profile_new(NULL);
    uint32_t id = set(profile, "0x00002000:max<10us"), calls = set(profile, "0x00002000:calls<2");
    struct snapshot *snapshot = freeze_all(profile);
    cr_expect_eq(row(snapshot, id)->state, BOUND_WAITS);
    cr_expect_str_eq(row(snapshot, id)->detail, "No call of it has been received yet.");
    cr_expect_eq(row(snapshot, id)->function, BOUNDS_NO_FUNCTION);
    snapshot_unref(snapshot);
    apply(profile, call(0x2000, 100, 25, 0));
    snapshot = freeze_all(profile);
    cr_expect_eq(row(snapshot, id)->state, BOUND_UNKNOWN);
    cr_expect(strstr(row(snapshot, id)->detail, "how long its ticks are"));
    cr_expect_eq(row(snapshot, calls)->state, BOUND_KEPT);
    cr_expect_eq(row(snapshot, calls)->function, 0);
    snapshot_unref(snapshot);
    profile_set_clock(profile, HZ);
    apply(profile, call(0x2000, 200, 25, 0));
    snapshot = freeze_all(profile);
    cr_expect_eq(row(snapshot, id)->state, BOUND_BROKEN);
    cr_expect_eq(row(snapshot, id)->breaches, 1);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(bounds, no_period_crosses_a_loss)
{
    struct profile *profile = fresh();
    uint32_t id = set(profile, "0x00002000:period<100us");
    apply(profile, call(0x2000, 100, 5, 0));
    apply(profile, call(0x2000, 150, 5, 0));
    apply(profile, (struct event){.kind = EVENT_LOST, .lost = {.records = 3}});
    apply(profile, call(0x2000, 900, 5, 0));
    apply(profile, call(0x2000, 950, 5, 0));
    apply(profile, (struct event){.kind = EVENT_RESET});
    apply(profile, call(0x2000, 1900, 5, 0));
    apply(profile, call(0x2000, 2100, 5, 0));
    struct snapshot *snapshot = freeze_all(profile);
    cr_expect_eq(row(snapshot, id)->judged, 3);
    cr_expect_eq(row(snapshot, id)->breaches, 1);
    cr_expect_eq(row(snapshot, id)->first.from_ticks, 1900);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(bounds, clearing_forgets_breaches_and_keeps_limits)
{
    struct profile *profile = fresh();
    uint32_t id = set(profile, "0x00002000:max<10us");
    apply(profile, call(0x1000, 10, 5, 0));
    apply(profile, call(0x2000, 100, 25, 0));
    profile_clear(profile);
    struct snapshot *snapshot = freeze_all(profile);
    cr_expect_eq(row(snapshot, id)->breaches, 0);
    cr_expect_eq(row(snapshot, id)->state, BOUND_WAITS);
    cr_expect_eq(snapshot->bounds.breach_count + snapshot->bounds.told, 0);
    snapshot_unref(snapshot);
    apply(profile, call(0x2000, 300, 25, 0)); /* which is row 0 now */
    snapshot = freeze_all(profile);
    cr_expect_eq(row(snapshot, id)->breaches, 1);
    cr_expect_eq(row(snapshot, id)->function, 0);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(bounds, limits_are_set_once_and_can_be_removed)
{
    struct profile *profile = fresh();
    struct error err = {""};
    uint32_t first = set(profile, "0x00002000:max<10us"), second = set(profile, "0x00002000:max<20us"), id;
    struct bound again = bound_of("0x00002000:max < 0.01ms");
    cr_expect_not(profile_add_bound(profile, &again, &id, &err));
    cr_expect_str_eq(err.text, "The limit '0x00002000:max<10us' is set already.");
    cr_expect(profile_remove_bound(profile, first));
    cr_expect_not(profile_remove_bound(profile, first));
    apply(profile, call(0x2000, 100, 25, 0));
    struct snapshot *snapshot = freeze_all(profile);
    cr_expect_eq(snapshot->bounds.count, 1);
    cr_expect_eq(row(snapshot, second)->breaches, 1);
    snapshot_unref(snapshot);
    for (int i = 1; i < BOUNDS_MAX; i++) {
        char text[64];
        snprintf(text, sizeof text, "f%d:max<1us", i);
        set(profile, text);
    }
    profile_keep_bound(profile, second);
    profile_clear(profile); /* which changes nothing about that */
    struct bound more = bound_of("g:max<1us");
    cr_expect(profile_add_bound(profile, &more, &id, &err), "%s", err.text);
    snapshot = freeze_all(profile);
    cr_expect_eq(snapshot->bounds.count, BOUNDS_MAX);
    cr_expect_eq(snapshot->bounds.rows[0].id, second, "it is kept");
    cr_expect_str_eq(snapshot->bounds.rows[1].bound.name, "f2", "f1 was the oldest of the others");
    cr_expect_eq(snapshot->bounds.rows[BOUNDS_MAX - 1].id, id);
    for (uint32_t i = 0; i < snapshot->bounds.count; i++)
        profile_keep_bound(profile, snapshot->bounds.rows[i].id);
    snapshot_unref(snapshot);
    more = bound_of("h:max<1us");
    cr_expect_not(profile_add_bound(profile, &more, &id, &err));
    cr_expect(strstr(err.text, "There are 64 limits already"), "%s", err.text);
    profile_free(profile);
}

static void apply_node(struct profile *profile, uint64_t at, uint64_t calls, uint64_t ticks, uint64_t longest)
{
    struct event_node node = {.number = 0,
                              .parent = EVENT_NO_NODE,
                              .address = 0x2000,
                              .calls = calls,
                              .ticks = ticks,
                              .longest_ticks = longest};
    apply(profile, (struct event){.kind = EVENT_NODE, .ticks = at, .node = &node});
}

/* Single calls are not received: limits on figures of the tree are judged, the others reported as unknown. */
Test(bounds, limits_work_on_a_tree_counted_by_the_target)
{
    struct profile *profile = fresh();
    uint32_t max = set(profile, "0x00002000:max<100us"), mean = set(profile, "0x00002000:mean<100us"),
             p99 = set(profile, "0x00002000:p99<100us"), period = set(profile, "0x00002000:period<100us"),
             rate = set(profile, "0x00002000:rate<100");
    apply_node(profile, HZ, 10, 500, 90);
    snapshot_unref(freeze(profile));
    apply_node(profile, 2 * HZ, 50, 2500, 150);
    snapshot_unref(freeze(profile));
    apply_node(profile, 3 * HZ, 150, 15000, 150);
    struct snapshot *snapshot = freeze_all(profile);
    cr_expect_eq(row(snapshot, max)->breaches, 1);
    cr_expect_eq(row(snapshot, max)->worst.value, 150000);
    cr_expect_eq(row(snapshot, mean)->state, BOUND_KEPT, "%f", row(snapshot, mean)->now);
    cr_expect_eq(row(snapshot, p99)->state, BOUND_UNKNOWN);
    cr_expect_eq(row(snapshot, period)->state, BOUND_UNKNOWN);
    cr_expect(strstr(row(snapshot, period)->detail, "mode tree"));
    cr_expect_eq(row(snapshot, rate)->breaches, 1);
    cr_expect_eq(row(snapshot, rate)->worst.value, 150000);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(bounds, calls_of_a_name_are_found_wherever_its_row_is)
{
    struct profile *profile = fresh();
    for (uint64_t i = 0; i < 6; i++)
        apply(profile, call(i % 2 ? 0x1000 : 0x1000 + 0x1000 * i, 100 * i, 5, 0));
    profile_finish(profile);
    uint32_t row = 0;
    cr_expect_eq(profile_calls_of(profile, "0x00001000", &row), 4);
    cr_expect_eq(profile_calls_of(profile, "0x00005000", &row), 1);
    cr_expect_eq(profile_calls_of(profile, "0x00005000", &row), 1, "with the row at hand");
    cr_expect_eq(profile_calls_of(profile, "0x00001000", &row), 4);
    cr_expect_eq(profile_calls_of(profile, "0x00007000", &row), 0);
    profile_free(profile);
}

Test(bounds, a_percentile_is_not_known_while_no_call_has_ended)
{
    const struct event events[] = {{.kind = EVENT_ENTER, .ticks = 100, .call.address = 0x2000},
                                   {.kind = EVENT_ENTER, .ticks = 150, .call.address = 0x1000},
                                   {.kind = EVENT_EXIT, .ticks = 180, .call.address = 0x1000},
                                   {.kind = EVENT_RESET}};
    struct profile *profile = fresh();
    uint32_t cut = set(profile, "0x00002000:p99<10us"), ended = set(profile, "0x00001000:p99<10us");
    profile_apply(profile, events, sizeof events / sizeof *events);
    struct snapshot *snapshot = freeze_all(profile);
    cr_expect(function_of(snapshot, 0x2000)->known & FUNCTION_EACH);
    cr_expect_not(row(snapshot, cut)->is_now_known);
    cr_expect_neq(row(snapshot, cut)->state, BOUND_KEPT);
    cr_expect(row(snapshot, ended)->is_now_known);
    snapshot_unref(snapshot);
    profile_free(profile);
}
