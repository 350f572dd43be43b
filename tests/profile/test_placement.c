/* test_placement.c - the call tree against a run whose callers are known. */
#include "profile/profile.h"
#include "support/calls.h"
#include "support/effort.h"
#include "support/frozen.h"
#include "support/tree.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t address_of_node(const struct snapshot *snapshot, uint32_t node)
{
    int32_t function = snapshot->nodes[node].function;
    return function >= 0 && snapshot->functions[function].has_address ? snapshot->functions[function].address
                                                                      : 0;
}

/* A number for the whole chain of callers of an event; equal chains have the same number. */
static uint64_t chain_of(const struct calls *calls, uint32_t event)
{
    uint64_t chain = 14695981039346656037u;
    uint32_t path[64];
    uint32_t n = 0;
    for (uint32_t up = event; up != UINT32_MAX; up = calls->caller[up])
        path[n++] = up;
    while (n > 0)
        chain = (chain ^ calls->events[path[--n]].call.address) * 1099511628211u;
    return chain;
}

static uint64_t chain_of_node(const struct snapshot *snapshot, uint32_t node)
{
    uint64_t chain = 14695981039346656037u;
    uint64_t path[64];
    uint32_t n = 0;
    for (; node != 0 && address_of_node(snapshot, node); node = (uint32_t)snapshot->nodes[node].parent)
        path[n++] = address_of_node(snapshot, node);
    while (n > 0)
        chain = (chain ^ path[--n]) * 1099511628211u;
    return chain;
}

static uint64_t self_of(const struct calls *calls, uint32_t event)
{
    uint64_t self = calls->events[event].call.duration;
    for (uint32_t i = 0; i < event; i++)
        if (calls->caller[i] == event)
            self -= calls->events[i].call.duration;
    return self;
}

/* Every node counts exactly the events of its chain. */
static void expect_exact(const struct snapshot *snapshot, const struct calls *calls)
{
    uint64_t calls_seen = 0;
    uint64_t *chains = malloc(calls->n * sizeof *chains), *selfs = malloc(calls->n * sizeof *selfs);
    for (uint32_t e = 0; e < calls->n; e++) {
        chains[e] = chain_of(calls, e);
        selfs[e] = self_of(calls, e);
    }
    for (uint32_t node = 1; node < snapshot->node_count; node++) {
        const struct snapshot_node *row = &snapshot->nodes[node];
        if (row->calls == 0)
            continue;
        uint64_t want_calls = 0, want_total = 0, want_self = 0, chain = chain_of_node(snapshot, node);
        for (uint32_t e = 0; e < calls->n; e++) {
            if (chains[e] != chain)
                continue;
            want_calls++;
            want_total += calls->events[e].call.duration;
            want_self += selfs[e];
        }
        cr_assert_eq(row->calls, want_calls, "node %u: %" PRIu64 " calls, not %" PRIu64, node, row->calls,
                     want_calls);
        cr_assert_eq(row->total_ticks, want_total);
        cr_assert_eq(row->self_ticks, want_self);
        calls_seen += row->calls;
    }
    cr_assert_eq(calls_seen, calls->n, "every call is somewhere");
    free(chains);
    free(selfs);
}

/* Function rows equal the sums of tree and events. */
static void expect_functions_agree(const struct snapshot *snapshot, const struct calls *calls)
{
    for (uint32_t f = 0; f < CALLS_FUNCTIONS; f++) {
        uint64_t address = calls_address(f), n = 0, sum = 0, max = 0, min = UINT64_MAX, outermost = 0;
        for (uint32_t e = 0; e < calls->n; e++) {
            const struct event *event = &calls->events[e];
            if (event->call.address != address)
                continue;
            n++;
            sum += event->call.duration;
            max = event->call.duration > max ? event->call.duration : max;
            min = event->call.duration < min ? event->call.duration : min;
            bool nested = false;
            for (uint32_t up = calls->caller[e]; up != UINT32_MAX; up = calls->caller[up])
                nested |= calls->events[up].call.address == address;
            outermost += nested ? 0 : event->call.duration;
        }
        if (n == 0)
            continue;
        const struct snapshot_function *row = function_of(snapshot, address);
        cr_assert_eq(row->calls, n);
        cr_assert_eq(row->sum_ticks, sum);
        cr_assert_eq(row->min_ticks, min);
        cr_assert_eq(row->max_ticks, max);
        cr_assert_eq(row->total_ticks, outermost, "total counts the outermost calls only");
    }
}

static void feed(struct profile *profile, struct test_random *random, const struct calls *calls,
                 uint32_t max_batch, uint32_t drop_percent, bool ticks)
{
    uint64_t now_ms = 1;
    for (size_t at = 0; at < calls->n;) {
        size_t n = 1 + test_random_below(random, max_batch);
        if (n > calls->n - at)
            n = calls->n - at;
        if (test_random_below(random, 100) >= drop_percent)
            profile_apply(profile, calls->events + at, n);
        at += n;
        if (ticks && test_random_below(random, 3) == 0)
            profile_tick(profile, now_ms += 1 + test_random_below(random, 1200));
    }
    profile_finish(profile);
}

Test(placement, a_complete_run_is_exact_whatever_its_packets_and_snapshots)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct test_random random = {seed};
        struct calls calls;
        calls_make(&calls, &random, 1500, 12, false, (uint16_t)(seed % 3));
        struct profile *profile = profile_new(NULL);
        feed(profile, &random, &calls, 25, 0, seed % 2);
        struct snapshot *snapshot = freeze(profile);
        printf("# seed %" PRIu64 ": %zu calls, %u nodes\n", seed, calls.n, snapshot->node_count);
        cr_assert_eq(snapshot->link.unplaced_calls, 0);
        expect_exact(snapshot, &calls);
        expect_functions_agree(snapshot, &calls);
        snapshot_unref(snapshot);
        profile_free(profile);
        calls_free(&calls);
    }
}

static bool happened[CALLS_FUNCTIONS][CALLS_FUNCTIONS];

static uint32_t function_number(uint64_t address)
{
    return (uint32_t)((address - calls_address(0)) / (calls_address(1) - calls_address(0)));
}

static void note_happened(const struct calls *calls)
{
    for (uint32_t e = 0; e < calls->n; e++)
        if (calls->caller[e] != UINT32_MAX)
            happened[function_number(calls->events[calls->caller[e]].call.address)]
                    [function_number(calls->events[e].call.address)] = true;
}

static void expect_only_what_happened(const struct snapshot *snapshot, uint64_t seed)
{
    for (uint32_t node = 1; node < snapshot->node_count; node++) {
        uint64_t callee = address_of_node(snapshot, node);
        uint64_t caller = address_of_node(snapshot, (uint32_t)snapshot->nodes[node].parent);
        if (snapshot->nodes[node].calls > 0 && callee && caller)
            cr_assert(happened[function_number(caller)][function_number(callee)],
                      "seed %" PRIu64 ": 0x%" PRIx64 " never called 0x%" PRIx64, seed, caller, callee);
    }
}

/* Expects the sums that hold in every snapshot, with any losses. */
static void expect_sums_agree(const struct snapshot *snapshot, uint64_t seed)
{
    uint64_t by_function = 0, by_node = 0, whole = 0;
    uint64_t *inside = calloc(snapshot->node_count, sizeof *inside);
    for (uint32_t node = 1; node < snapshot->node_count; node++) {
        by_node += snapshot->nodes[node].calls;
        inside[snapshot->nodes[node].parent] += snapshot->nodes[node].total_ticks;
    }
    whole = inside[0];
    for (uint32_t node = 1; node < snapshot->node_count; node++)
        cr_assert_leq(inside[node], snapshot->nodes[node].total_ticks,
                      "seed %" PRIu64 ": node %u is as wide as what is in it", seed, node);
    for (uint32_t f = 0; f < snapshot->function_count; f++) {
        by_function += snapshot->functions[f].calls;
        cr_assert_leq(snapshot->functions[f].total_ticks, whole, "seed %" PRIu64, seed);
        cr_assert_leq(snapshot->functions[f].self_ticks, snapshot->functions[f].sum_ticks, "seed %" PRIu64,
                      seed);
    }
    cr_assert_eq(by_function, by_node, "seed %" PRIu64, seed);
    free(inside);
}

/* Sends `calls` in packets, some of which are lost, and some lack records at their ends. */
static void feed_lossy(struct profile *profile, struct test_random *random, const struct calls *calls,
                       uint64_t seed)
{
    uint32_t max_batch = 1 + (uint32_t)test_random_below(random, 30);
    uint32_t drop = (uint32_t)test_random_below(random, 60), trim = (uint32_t)test_random_below(random, 60);
    uint64_t now_ms = 1;
    for (size_t at = 0, n; at < calls->n; at += n) {
        n = 1 + test_random_below(random, max_batch);
        if (n > calls->n - at)
            n = calls->n - at;
        size_t first = 0, last = n;
        if (test_random_below(random, 100) < trim)
            first += test_random_below(random, n < 3 ? n : 3);
        if (test_random_below(random, 100) < trim)
            last -= test_random_below(random, last - first < 3 ? last - first : 3);
        if (test_random_below(random, 100) >= drop)
            profile_apply(profile, calls->events + at + first, last - first);
        if (seed % 4 < 2 && test_random_below(random, 3) == 0)
            profile_tick(profile, now_ms += 1 + test_random_below(random, 1200));
        if (test_random_below(random, 40) == 0) {
            struct snapshot *snapshot = freeze(profile);
            expect_sums_agree(snapshot, seed);
            snapshot_unref(snapshot);
        }
    }
}

Test(placement, losses_make_no_false_caller)
{
    for (uint64_t seed = 1; seed <= test_effort(60, 300); seed++) {
        struct test_random random = {seed * 104729};
        struct profile *profile = profile_new(NULL);
        memset(happened, 0, sizeof happened);
        for (size_t starts = 1 + test_random_below(&random, 3); starts > 0; starts--) {
            struct calls calls;
            calls_make(&calls, &random, 100 + test_random_below(&random, 500),
                       (uint16_t)(3 + test_random_below(&random, 10)), seed % 3 > 0, (uint16_t)(seed % 4));
            note_happened(&calls);
            feed_lossy(profile, &random, &calls, seed);
            profile_apply(profile, &(struct event){.kind = EVENT_RESET}, 1);
            calls_free(&calls);
        }
        struct snapshot *snapshot = freeze(profile);
        expect_only_what_happened(snapshot, seed);
        expect_sums_agree(snapshot, seed);
        snapshot_unref(snapshot);
        profile_free(profile);
    }
}

static const char *name_of_node(const struct snapshot *snapshot, uint32_t node)
{
    return node == 0 ? "" : snapshot->functions[snapshot->nodes[node].function].name;
}

static uint32_t node_named(const struct snapshot *snapshot, const char *name, const char *parent)
{
    for (uint32_t node = 1; node < snapshot->node_count; node++)
        if (strcmp(name_of_node(snapshot, node), name) == 0 &&
            strcmp(name_of_node(snapshot, (uint32_t)snapshot->nodes[node].parent), parent) == 0)
            return node;
    return UINT32_MAX;
}

Test(placement, calls_below_a_running_caller_are_shown)
{
    struct profile *profile = profile_new(NULL);
    struct event inner[] = {call(0x200, 110, 10, 2), call(0x100, 105, 20, 1)};
    profile_apply(profile, inner, 2);
    profile_tick(profile, 1000);
    profile_tick(profile, 1100);
    struct snapshot *snapshot = freeze(profile);
    uint32_t running = tree_of_kind(snapshot, 0, KIND_RUNNING, 0);
    cr_assert_neq(running, TREE_NONE);
    cr_assert_eq(snapshot->nodes[running].total_ticks, 20);
    cr_assert_neq(tree_of_address(snapshot, running, 0x100), TREE_NONE);
    cr_assert_neq(node_named(snapshot, "0x00000200", "0x00000100"), UINT32_MAX);
    cr_assert_eq(snapshot->link.unplaced_calls, 0);
    snapshot_unref(snapshot);

    struct event outer = call(0x300, 100, 50, 0);
    profile_apply(profile, &outer, 1);
    profile_finish(profile);
    snapshot = freeze(profile);
    uint32_t node = node_named(snapshot, "0x00000100", "0x00000300");
    cr_assert_neq(node, UINT32_MAX, "it moved below its caller when that returned");
    cr_assert_eq(snapshot->nodes[node].calls, 1);
    cr_assert_eq(snapshot->nodes[snapshot->nodes[node].parent].self_ticks, 30);
    running = tree_of_kind(snapshot, 0, KIND_RUNNING, 0);
    cr_assert_eq(snapshot->nodes[running].total_ticks, 0, "nothing is left behind");
    uint32_t *occupied = malloc(snapshot->node_count * sizeof *occupied);
    cr_assert_eq(snapshot_occupied_nodes(snapshot, occupied), 4, "the root and three functions");
    for (uint32_t i = 0; i < 4; i++)
        cr_expect_neq(occupied[i], running);
    free(occupied);
    snapshot_unref(snapshot);
    profile_free(profile);
}

Test(placement, after_a_reset_nothing_that_ran_before_finds_a_caller)
{
    struct profile *profile = profile_new(NULL);
    struct event events[] = {call(0x100, 105, 20, 1), {.kind = EVENT_RESET}, call(0x300, 100, 50, 0)};
    profile_apply(profile, events, 3);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(snapshot->link.unplaced_calls, 1);
    uint32_t not_seen = tree_of_kind(snapshot, 0, KIND_NOT_SEEN, 0);
    cr_assert_neq(not_seen, TREE_NONE);
    cr_assert_neq(tree_of_address(snapshot, not_seen, 0x100), TREE_NONE);
    cr_assert_eq(node_named(snapshot, "0x00000100", "0x00000300"), UINT32_MAX);
    snapshot_unref(snapshot);
    profile_free(profile);
}

static uint64_t calls_of(const struct snapshot *snapshot, const char *name, const char *parent)
{
    uint32_t node = node_named(snapshot, name, parent);
    return node == UINT32_MAX ? 0 : snapshot->nodes[node].calls;
}

static struct event status(uint32_t captured, uint32_t overflows)
{
    return (struct event){
        .kind = EVENT_STATUS,
        .status = {.buffer_overflows = overflows, .records_captured = captured, .profiling = true}};
}

/* The number of calls of 0x100 shown below 0x300; 0x100 took no time and ended when the other began. Two STATUS follow,
 * the first after a third event. */
static uint64_t calls_in_doubt(enum event_kind between, enum event_kind after, uint32_t overflows,
                               bool at_once)
{
    struct profile *profile = profile_new(NULL);
    struct event events[] = {call(0x100, 100, 0, 1),   {.kind = (uint8_t)between}, call(0x300, 100, 50, 0),
                             {.kind = (uint8_t)after}, status(2, overflows),       status(2, overflows)};
    for (size_t i = 0; i < 6; i++) {
        profile_apply(profile, &events[i], 1);
        if (!at_once)
            profile_finish(profile);
    }
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    uint64_t calls = calls_of(snapshot, "0x00000100", "0x00000300");
    uint32_t not_seen = tree_of_kind(snapshot, 0, KIND_NOT_SEEN, 0);
    uint32_t alone = not_seen == TREE_NONE ? TREE_NONE : tree_of_address(snapshot, not_seen, 0x100);
    cr_assert_eq(snapshot->link.unplaced_calls, 1 - calls);
    cr_assert(calls == 1 || snapshot->nodes[alone].calls == 1);
    cr_assert_eq(function_of(snapshot, 0x100)->calls, 1);
    snapshot_unref(snapshot);
    profile_free(profile);
    return calls;
}

Test(placement, a_doubtful_caller_is_used_only_without_losses)
{
    for (int at_once = 0; at_once < 2; at_once++) {
        cr_expect_eq(calls_in_doubt(EVENT_CLOCK, EVENT_CLOCK, 0, at_once), 1);
        cr_expect_eq(calls_in_doubt(EVENT_CLOCK, EVENT_CLOCK, 1, at_once), 0, "the ring was full");
        cr_expect_eq(calls_in_doubt(EVENT_LOST, EVENT_CLOCK, 0, at_once), 0,
                     "bytes are missing between them");
        cr_expect_eq(calls_in_doubt(EVENT_CLOCK, EVENT_LOST, 0, at_once), 0, "or before anything was proved");
        cr_expect_eq(calls_in_doubt(EVENT_CLOCK, EVENT_RESET, 0, at_once), 0);
    }
}

/* Neither a loss nor its absence is proved. */
Test(placement, without_status_a_doubtful_call_has_no_caller)
{
    for (size_t packet = 1; packet <= 3; packet++) {
        struct profile *profile = profile_new(NULL);
        struct event events[] = {call(0x100, 14, 0, 1), call(0x100, 15, 0, 1), call(0x300, 14, 1, 0)};
        for (size_t at = 0; at < 3; at += packet)
            profile_apply(profile, events + at, at + packet < 3 ? packet : 3 - at);
        profile_finish(profile);
        struct snapshot *snapshot = freeze(profile);
        cr_expect_eq(calls_of(snapshot, "0x00000100", "0x00000300"), 1, "the second, for certain");
        cr_expect_eq(snapshot->link.unplaced_calls, 1);
        snapshot_unref(snapshot);
        profile_free(profile);
    }
}

Test(placement, calls_placed_at_once_are_a_change_too)
{
    struct profile *profile = profile_new(NULL);
    snapshot_unref(freeze(profile));
    cr_assert_not(profile_changed(profile));
    struct event events[600];
    for (size_t i = 0; i < 600; i++)
        events[i] = call(0x100, 10 * i, 5, 0);
    profile_apply(profile, events, 600);
    cr_assert(profile_changed(profile));
    struct snapshot *snapshot = freeze(profile);
    cr_assert_eq(function_of(snapshot, 0x100)->calls, 600);
    snapshot_unref(snapshot);
    profile_free(profile);
}

/* Calls end in the order in which they are sent. A call out of order is of another run, or late, and its losses are
 * unknown. */
Test(placement, calls_received_out_of_order_are_not_joined)
{
    struct profile *profile = profile_new(NULL);
    struct event events[] = {call(0x300, 100, 50, 0), call(0x100, 105, 20, 1), call(0x200, 104, 40, 0),
                             call(0x400, 20, 10, 1), call(0x500, 10, 200, 0)};
    profile_apply(profile, events, 5);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    cr_expect_eq(calls_of(snapshot, "0x00000100", "0x00000300"), 0);
    cr_expect_eq(calls_of(snapshot, "0x00000100", "0x00000200"), 1);
    cr_expect_eq(calls_of(snapshot, "0x00000400", "0x00000500"), 1);
    cr_expect_eq(snapshot->nodes[node_named(snapshot, "0x00000500", "")].self_ticks, 190);
    cr_expect_eq(snapshot->link.unplaced_calls, 0);
    cr_expect_eq(snapshot->link.out_of_order, 2);
    snapshot_unref(snapshot);
    profile_free(profile);
}

/* A target with tasks sends their calls as if they were of one stack, when it has none. */
Test(placement, calls_of_one_depth_that_overlap_are_of_two_stacks)
{
    struct profile *profile = profile_new(NULL);
    struct event events[] = {
        call(0x100, 0, 100, 0),   call(0x200, 50, 100, 0), /* the one before had not ended */
        call(0x300, 149, 10, 0),                           /* a tick early, as rounding makes it */
        call(0x400, 200, 100, 1), call(0x500, 200, 100, 0),
        call(0x600, 300, 0, 0),   call(0x700, 10, 20, 0), /* of another run */
    };
    profile_apply(profile, events, sizeof events / sizeof *events);
    profile_finish(profile);
    struct snapshot *snapshot = freeze(profile);
    cr_expect_eq(snapshot->link.overlaps, 1);
    cr_expect_gt(snapshot_incomplete(snapshot).n, 0);
    snapshot_unref(snapshot);
    profile_free(profile);
}
