/* test_correction.c - corrected times, against programs whose times without hooks are
 * known. */
#include "snapshot/correction.h"

#include "profile/profile.h"
#include "support/calls.h"
#include "support/random.h"

#include <criterion/criterion.h>
#include <inttypes.h>

enum { FUNCTIONS = 8, STEPS = 2000, TICK_HZ = 1000, CONTEXTS = 2 };

/* A program: functions call each other, and its time passes in some of them. Hooks take `inside` and
 * `outside` ticks. */
static struct {
    struct profile *profile;
    struct test_random random;
    uint64_t inside, outside;
    uint64_t now, self[FUNCTIONS], total[FUNCTIONS]; /* the last two as if there were no hooks */
    bool is_live;
    uint64_t stretch; /* ticks on the wire for one of the target's */
} p;

static struct snapshot_target target_with_hooks(uint32_t sixteenths)
{
    return (struct snapshot_target){
        .ticks_per_second = TICK_HZ * (p.stretch ? p.stretch : 1),
        .description = {.is_known = true, .tick_hz = TICK_HZ, .hook_sixteenths = sixteenths}};
}

static struct snapshot *freeze(const struct snapshot_target *target)
{
    static const struct snapshot_source source;
    static const struct snapshot_link link;
    struct snapshot *snapshot = profile_freeze(p.profile, &source, target, &link);
    cr_assert_not_null(snapshot);
    return snapshot;
}

static void tell(uint8_t kind, uint32_t function, uint64_t since, uint16_t depth)
{
    struct event event = {.kind = kind, .ticks = p.now * p.stretch, .call.address = calls_address(function)};
    if (kind == EVENT_CALL) {
        event.ticks = since * p.stretch;
        event.call.duration = (p.now - since) * p.stretch;
        event.depth = depth;
    }
    profile_apply(p.profile, &event, 1);
}

/* Runs one call with its callees; returns its time without hooks. */
static uint64_t run(uint32_t function, uint16_t depth, const bool *is_open)
{
    bool open[FUNCTIONS];
    uint64_t took = 0, since, outermost = !is_open[function];
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        open[i] = is_open[i] || i == function;
    p.now += p.outside / 2;
    since = p.now;
    if (p.is_live)
        tell(EVENT_ENTER, function, 0, 0);
    p.now += p.inside / 2;
    for (uint64_t n = test_random_below(&p.random, depth < 6 ? 4 : 1); n-- > 0;)
        took += run((uint32_t)test_random_below(&p.random, FUNCTIONS), depth + 1, open);
    uint64_t self = test_random_below(&p.random, 50);
    p.self[function] += self;
    p.now += self + (p.inside - p.inside / 2);
    tell(p.is_live ? EVENT_EXIT : EVENT_CALL, function, since, depth);
    p.now += p.outside - p.outside / 2;
    took += self;
    p.total[function] += outermost ? took : 0;
    return took;
}

static void run_program(uint64_t inside, uint64_t outside, bool is_live, uint64_t stretch)
{
    static const bool none[FUNCTIONS];
    p.profile = profile_new(NULL);
    p.inside = inside;
    p.outside = outside;
    p.is_live = is_live;
    p.stretch = stretch;
    p.now = 100;
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        p.self[i] = p.total[i] = 0;
    for (int i = 0; i < 60; i++, p.now += 3)
        run((uint32_t)test_random_below(&p.random, FUNCTIONS), 0, none);
}

static const struct snapshot_function *row(const struct snapshot *snapshot, uint32_t function)
{
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        if (snapshot->functions[i].address == calls_address(function))
            return &snapshot->functions[i];
    cr_assert(false, "a function is missing");
    return NULL;
}

static void expect_truth(const struct snapshot *snapshot)
{
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        const struct snapshot_function *found = row(snapshot, i);
        cr_assert(found->known & FUNCTION_CORRECTED);
        cr_assert_eq(found->corrected_self_ticks, p.self[i] * p.stretch, "%s: %" PRIu64, found->name,
                     found->corrected_self_ticks);
        cr_assert_eq(found->corrected_total_ticks, p.total[i] * p.stretch, "%s: %" PRIu64, found->name,
                     found->corrected_total_ticks);
        cr_assert_gt(found->self_ticks, found->corrected_self_ticks, "what was measured stays");
    }
}

Test(correction, the_hook_cost_is_removed_in_any_mode_and_tick_length)
{
    p.random = test_random_start("correction");
    for (unsigned i = 0; i < 12; i++) {
        run_program(14, 14, i % 2, 1 + i % 3);
        struct snapshot_target target = target_with_hooks(28 * 16);
        profile_finish(p.profile);
        struct snapshot *snapshot = freeze(&target), *all = snapshot_window(snapshot, 0, UINT64_MAX);
        expect_truth(snapshot);
        expect_truth(all);
        snapshot_unref(all);
        snapshot_unref(snapshot);
        profile_free(p.profile);
    }
}

/* The share inside a call is assumed to be one half; its error has the opposite sign in the caller. */
Test(correction, a_share_that_is_not_one_half_is_wrong_by_the_difference_for_each_call)
{
    p.random = test_random_start("correction-shares");
    run_program(18, 10, true, 1);
    struct snapshot_target target = target_with_hooks(28 * 16);
    struct snapshot *snapshot = freeze(&target);
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        const struct snapshot_function *found = row(snapshot, i);
        uint64_t off = found->corrected_self_ticks > p.self[i] ? found->corrected_self_ticks - p.self[i]
                                                               : p.self[i] - found->corrected_self_ticks;
        cr_assert_leq(off, 4 * found->calls * 4);
        cr_assert_lt(off, found->self_ticks - p.self[i], "nearer than what was measured");
    }
    snapshot_unref(snapshot);
    profile_free(p.profile);
}

/* A program of one outermost function that never recurs: its total is the sum of all own times, whatever the
 * shares of the hooks and however much they are said to take. */
static void expect_sum(uint64_t inside, uint64_t outside, uint32_t pair)
{
    enum { ROUNDS = 40 };
    p = (typeof(p)){
        .profile = profile_new(NULL), .random = p.random, .inside = inside, .outside = outside, .stretch = 1};
    static const bool none[FUNCTIONS];
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t since = p.now += 5;
        run((uint32_t)test_random_below(&p.random, FUNCTIONS - 1), 1, none);
        tell(EVENT_CALL, FUNCTIONS, since, 0);
    }
    struct snapshot_target target = target_with_hooks(pair);
    profile_finish(p.profile);
    struct snapshot *snapshot = freeze(&target);
    uint64_t own = 0;
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        const struct snapshot_function *function = &snapshot->functions[i];
        cr_assert(function->known & FUNCTION_CORRECTED);
        cr_assert_leq(function->corrected_self_ticks, function->self_ticks);
        cr_assert_leq(function->corrected_self_ticks, function->corrected_total_ticks);
        cr_assert_eq(correction_is_rough(function),
                     function->self_ticks / 2 > function->corrected_self_ticks);
        cr_assert_eq(function->corrected_error_ticks, (function->calls * pair + 16) / 32);
        own += function->corrected_self_ticks;
    }
    cr_assert_eq(row(snapshot, FUNCTIONS)->corrected_total_ticks, own);
    snapshot_unref(snapshot);
    profile_free(p.profile);
}

Test(correction, a_total_is_the_sum_of_the_own_times_below_it)
{
    p.random = test_random_start("correction-sums");
    for (uint32_t pair = 0x10; pair < 0x10000; pair = 3 * pair + test_random_below(&p.random, 16))
        for (uint64_t inside = 0; inside <= 28; inside += 7)
            expect_sum(inside, 28 - inside, pair);
}

/* A leaf that does nothing, with 2 of its hooks' 20 ticks inside. */
Test(correction, cost_beyond_the_time_of_a_callee_is_removed_from_its_caller)
{
    p = (typeof(p)){.profile = profile_new(NULL), .stretch = 1};
    p.now = 1000;
    tell(EVENT_ENTER, 0, 0, 0);
    p.now += 10; /* of a hook */
    for (int i = 0; i < 10; i++) {
        p.now += 50 + 9;
        tell(EVENT_ENTER, 1, 0, 0);
        p.now += 2;
        tell(EVENT_EXIT, 1, 0, 0);
        p.now += 9;
    }
    tell(EVENT_EXIT, 0, 0, 0);
    struct snapshot_target target = target_with_hooks(20 * 16);
    struct snapshot *snapshot = freeze(&target);
    cr_assert_eq(row(snapshot, 1)->corrected_self_ticks, 0);
    cr_assert(correction_is_rough(row(snapshot, 1)));
    cr_assert_eq(row(snapshot, 0)->corrected_self_ticks, 500);
    cr_assert_eq(row(snapshot, 0)->corrected_total_ticks, 500);
    cr_assert_not(correction_is_rough(row(snapshot, 0)));
    snapshot_unref(snapshot);
    profile_free(p.profile);
}

Test(correction, a_correction_beyond_the_time_leaves_zero)
{
    p.random = test_random_start("correction-more");
    run_program(0, 0, true, 1);
    struct snapshot_target target = target_with_hooks(UINT16_MAX);
    struct snapshot *snapshot = freeze(&target);
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        cr_assert_eq(row(snapshot, i)->corrected_self_ticks + row(snapshot, i)->corrected_total_ticks, 0);
    snapshot_unref(snapshot);
    profile_free(p.profile);
}

Test(correction, rows_are_marked_changed_when_the_correction_changes)
{
    p.random = test_random_start("correction-deltas");
    run_program(2, 2, true, 1);
    struct snapshot_target silent = {0}, target = target_with_hooks(64), dearer = target_with_hooks(80);
    const struct snapshot_target *const turns[] = {&silent, &target, &target, &dearer, &silent, &silent};
    static const bool known[] = {false, true, true, true, false, false};
    static const bool changes[] = {true, true, false, true, true, false};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        struct snapshot *snapshot = freeze(turns[i]);
        for (uint32_t f = 0; f < FUNCTIONS; f++) {
            const struct snapshot_function *found = row(snapshot, f);
            cr_assert_eq(!!(found->known & FUNCTION_CORRECTED), known[i], "turn %zu", i);
            cr_assert_eq(found->changed == snapshot->sequence, changes[i], "turn %zu", i);
        }
        cr_assert_eq(snapshot->function_blocks[0] == snapshot->sequence, changes[i], "turn %zu", i);
        snapshot_unref(snapshot);
    }
    profile_free(p.profile);
}

Test(correction, a_running_call_is_corrected_for_its_finished_callees)
{
    p = (typeof(p)){.profile = profile_new(NULL), .stretch = 1};
    p.now = 1000;
    tell(EVENT_ENTER, 0, 0, 0);
    for (int i = 0; i < 10; i++) {
        p.now += 50; /* 20 of which are hooks */
        tell(EVENT_ENTER, 1, 0, 0);
        p.now += 100; /* likewise */
        tell(EVENT_EXIT, 1, 0, 0);
    }
    struct snapshot_target target = target_with_hooks(40 * 16);
    struct snapshot *snapshot = freeze(&target);
    cr_assert_eq(row(snapshot, 0)->calls, 0);
    cr_assert_eq(row(snapshot, 0)->corrected_self_ticks, 300);
    cr_assert_eq(row(snapshot, 0)->corrected_total_ticks, 300 + 800);
    cr_assert_eq(row(snapshot, 1)->corrected_self_ticks, 800);
    snapshot_unref(snapshot);
    profile_free(p.profile);
}

/* The hooks of mode tree have another cost. */
Test(correction, a_tree_that_the_target_counts_is_not_corrected)
{
    p = (typeof(p)){.profile = profile_new(NULL), .stretch = 1};
    struct event_node node = {
        .number = 0, .parent = EVENT_NO_NODE, .address = 0x100, .calls = 9, .ticks = 900};
    profile_apply(p.profile, &(struct event){.kind = EVENT_NODE, .node = &node}, 1);
    struct snapshot_target target = target_with_hooks(64);
    struct snapshot *snapshot = freeze(&target);
    cr_assert_eq(snapshot->functions[0].calls, 9);
    cr_assert_eq(snapshot->functions[0].known & FUNCTION_CORRECTED, 0);
    snapshot_unref(snapshot);
    profile_free(p.profile);
}

/* The target counts these; parents come first. */
static void count_node(uint32_t number, uint32_t parent, uint32_t context, uint64_t calls, uint64_t ticks)
{
    const struct event_node node = {
        .number = number, .parent = parent, .address = calls_address(number), .calls = calls, .ticks = ticks};
    profile_apply(p.profile,
                  &(struct event){.kind = EVENT_NODE, .context = context, .ticks = 5000, .node = &node}, 1);
}

Test(correction, a_tree_has_hooks_of_its_own)
{
    enum { PAIR = 10, LOOKUP = 18, MORE = LOOKUP - PAIR, NEW = 2 * MORE };
    p = (typeof(p)){.profile = profile_new(NULL), .stretch = 1};
    count_node(0, EVENT_NO_NODE, 0, 1, 5000);
    count_node(1, 0, 0, 100,
               2000); /* its caller calls three: of 100 others than the most, 50 were looked up */
    count_node(2, 0, 0, 50, 1000);
    count_node(3, 0, 0, 50, 100);   /* less than its hooks take */
    count_node(4, 1, 0, 300, 3000); /* always the same: none was */
    struct snapshot_target target = target_with_hooks(7 * 16);
    target.mode = MODE_TREE;
    struct snapshot *snapshot = freeze(&target);
    cr_assert_not(row(snapshot, 1)->known & FUNCTION_CORRECTED, "an older agent");
    snapshot_unref(snapshot);
    target.description.hook_tree_sixteenths = PAIR * 16;
    target.description.hook_lookup_sixteenths = LOOKUP * 16;
    snapshot = freeze(&target);
    cr_assert_eq(row(snapshot, 4)->corrected_self_ticks, 3000 - 300 * PAIR / 2 - NEW);
    cr_assert_eq(row(snapshot, 4)->corrected_error_ticks, 300 * PAIR / 2 + NEW / 2);
    cr_assert_eq(row(snapshot, 1)->corrected_self_ticks, 0, "2,200 ticks of hooks are more than there are");
    uint64_t own = 0;
    for (uint32_t i = 0; i < 5; i++)
        own += row(snapshot, i)->corrected_self_ticks;
    cr_assert_eq(row(snapshot, 0)->corrected_total_ticks, own);
    cr_assert_eq(own, 11100 - PAIR / 2 - 500 * PAIR - 5 * NEW - 197 * MORE / 4);
    cr_assert_eq(row(snapshot, 2)->hook_ticks, 50 * PAIR + NEW + 49 * MORE / 4);
    cr_assert_eq(row(snapshot, 2)->corrected_error_ticks, 50 * PAIR / 2 + NEW / 2 + 49 * MORE * 3 / 4);
    uint64_t doubt = 501 * PAIR / 12 + 5 * NEW / 2 + 3 * 197 * MORE / 4;
    cr_assert_leq(row(snapshot, 0)->corrected_total_error_ticks, PAIR / 2 + doubt + 1);
    cr_assert_geq(row(snapshot, 0)->corrected_total_error_ticks, PAIR / 2 + doubt - 1);
    cr_assert_eq(row(snapshot, 2)->corrected_total_error_ticks,
                 (50 * PAIR + 6) / 12 + NEW / 2 + 3 * 49 * MORE / 4 + 50 * PAIR / 2);
    snapshot_unref(snapshot);
    profile_free(p.profile);
}
