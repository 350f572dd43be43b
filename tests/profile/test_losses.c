/* test_losses.c - random runs behind a simulated ring and line, most on clocks so coarse that most calls take no tick:
 * despite drops, losses, repetitions and restarts no false caller is shown; complete parts are placed exactly; and
 * the times of snapshots make no difference.
 *
 * LOSSES_SEEDS=N in the environment tries N seeds. */
#include "profile/profile.h"
#include "support/calls.h"
#include "support/effort.h"
#include "support/frozen.h"
#include "support/tree.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 300, RING_MAX = 64 };

/* Rates in percent. */
struct trouble {
    unsigned lost_silently, lost_loudly, twice, status;
};

/* The events for the profile, one batch after the other. */
struct telling {
    struct event *events;
    uint32_t *batches; /* where each ends */
    uint32_t n, batch_n;
};

struct sim {
    struct telling *telling;
    struct test_random *random;
    const struct calls *calls;
    bool *came;
    uint32_t ring[RING_MAX], waiting, size;
    uint32_t captured, overflows;
    bool dropping;
    struct trouble trouble;
};

static uint64_t true_pairs[CALLS_FUNCTIONS][CALLS_FUNCTIONS];

static uint32_t function_number(uint64_t address)
{
    return (uint32_t)((address - calls_address(0)) / (calls_address(1) - calls_address(0)));
}

static bool chance(struct sim *sim, unsigned percent)
{
    return test_random_below(sim->random, 100) < percent;
}

static void add_event(struct telling *telling, const struct event *event)
{
    if ((telling->n & (telling->n + 1)) == 0)
        telling->events = realloc(telling->events, (2 * telling->n + 2) * sizeof *telling->events);
    telling->events[telling->n++] = *event;
}

static void end_batch(struct telling *telling)
{
    if ((telling->batch_n & (telling->batch_n + 1)) == 0)
        telling->batches = realloc(telling->batches, (2 * telling->batch_n + 2) * sizeof *telling->batches);
    telling->batches[telling->batch_n++] = telling->n;
}

static void add_bare(struct telling *telling, enum event_kind kind)
{
    add_event(telling, &(struct event){.kind = (uint8_t)kind});
    end_batch(telling);
}

static void send_status(struct sim *sim)
{
    add_event(sim->telling,
              &(struct event){.kind = EVENT_STATUS,
                              .status = {.buffer_overflows = sim->overflows,
                                         .records_captured = sim->captured,
                                         .buffer_usage_percent = (uint8_t)(100 * sim->waiting / sim->size),
                                         .profiling = true}});
    end_batch(sim->telling);
}

static uint64_t end_of(const struct sim *sim, uint32_t waiting)
{
    const struct event *call = &sim->calls->events[sim->ring[waiting]];
    return call->ticks + call->call.duration;
}

static void send_packet(struct sim *sim, uint32_t n)
{
    if (n > sim->waiting)
        n = sim->waiting;
    if (n == 0)
        return;
    bool loudly = chance(sim, sim->trouble.lost_loudly),
         lost = loudly || chance(sim, sim->trouble.lost_silently);
    /* Repeats only packets whose calls end at different ticks: the profile sees ends go back. Others only the dialect
     * can recognise. */
    int times = lost ? 0 : chance(sim, sim->trouble.twice) && end_of(sim, 0) < end_of(sim, n - 1) ? 2 : 1;
    if (loudly)
        add_bare(sim->telling, EVENT_LOST);
    for (int time = 0; time < times; time++) {
        for (uint32_t i = 0; i < n; i++) {
            add_event(sim->telling, &sim->calls->events[sim->ring[i]]);
            sim->came[sim->ring[i]] = true;
        }
        end_batch(sim->telling);
    }
    sim->waiting -= n;
    memmove(sim->ring, sim->ring + n, sim->waiting * sizeof *sim->ring);
}

static void capture(struct sim *sim, uint32_t call)
{
    if (sim->waiting == sim->size) {
        sim->overflows += !sim->dropping;
        sim->dropping = true;
        return;
    }
    sim->dropping = false;
    sim->captured++;
    sim->ring[sim->waiting++] = call;
}

static void note_pairs(const struct sim *sim, unsigned twice)
{
    for (uint32_t i = 0; i < sim->calls->n; i++) {
        uint32_t caller = sim->calls->caller[i];
        if (caller != UINT32_MAX && sim->came[i] && sim->came[caller])
            true_pairs[function_number(sim->calls->events[caller].call.address)]
                      [function_number(sim->calls->events[i].call.address)] += twice ? 2 : 1;
    }
}

/* Simulates a run with a ring of `size` records. After each call, with a probability of `percent`, sends a packet of 1
 * to `packet` records. */
static void run_target(struct telling *telling, struct test_random *random, const struct calls *calls,
                       uint32_t size, uint32_t packet, unsigned percent, const struct trouble *trouble)
{
    struct sim sim = {.telling = telling,
                      .random = random,
                      .calls = calls,
                      .came = calloc(calls->n, sizeof *sim.came),
                      .size = size,
                      .trouble = *trouble};
    for (uint32_t i = 0; i < calls->n; i++) {
        capture(&sim, i);
        if (chance(&sim, percent))
            send_packet(&sim, 1 + (uint32_t)test_random_below(random, packet));
        if (chance(&sim, trouble->status))
            send_status(&sim);
    }
    while (sim.waiting > 0)
        send_packet(&sim, packet);
    send_status(&sim);
    send_status(&sim);
    note_pairs(&sim, trouble->twice);
    free(sim.came);
}

static void free_telling(struct telling *telling)
{
    free(telling->events);
    free(telling->batches);
}

/* Applies the events as from a file, or as from a line with pauses. */
static struct profile *hear(const struct telling *telling, struct test_random *random, bool live)
{
    struct profile *profile = profile_new(NULL);
    uint64_t now_ms = 1;
    for (uint32_t i = 0, at = 0; i < telling->batch_n; at = telling->batches[i++]) {
        profile_apply(profile, telling->events + at, telling->batches[i] - at);
        if (live && test_random_below(random, 3) == 0)
            profile_tick(profile, now_ms += 1 + test_random_below(random, 1200));
        if (live && test_random_below(random, 40) == 0)
            snapshot_unref(freeze(profile));
    }
    profile_finish(profile);
    return profile;
}

static uint64_t address_of_node(const struct snapshot *snapshot, uint32_t node)
{
    int32_t function = snapshot->nodes[node].function;
    return function >= 0 && snapshot->functions[function].has_address ? snapshot->functions[function].address
                                                                      : 0;
}

static void expect_only_what_happened(const struct snapshot *snapshot, uint64_t seed)
{
    uint64_t pairs[CALLS_FUNCTIONS][CALLS_FUNCTIONS] = {0};
    for (uint32_t node = 1; node < snapshot->node_count; node++) {
        uint64_t callee = address_of_node(snapshot, node);
        uint64_t caller = address_of_node(snapshot, (uint32_t)snapshot->nodes[node].parent);
        if (callee && caller)
            pairs[function_number(caller)][function_number(callee)] += snapshot->nodes[node].calls;
    }
    for (uint32_t a = 0; a < CALLS_FUNCTIONS; a++)
        for (uint32_t b = 0; b < CALLS_FUNCTIONS; b++)
            cr_assert_leq(pairs[a][b], true_pairs[a][b],
                          "seed %" PRIu64 ": function %u called %u %" PRIu64 " times, not %" PRIu64, seed, a,
                          b, true_pairs[a][b], pairs[a][b]);
}

/* For each node of `right`, the node of `left` with the same chain of callers; UINT32_MAX: none. The caller frees the
 * result. */
static uint32_t *same_nodes(const struct snapshot *left, const struct snapshot *right)
{
    uint32_t *same = calloc(right->node_count, sizeof *same);
    cr_assert_not_null(same);
    for (uint32_t node = 1; node < right->node_count; node++) {
        const struct snapshot_function *row = &right->functions[right->nodes[node].function];
        cr_assert_lt(right->nodes[node].parent, (int32_t)node, "callers come first");
        uint32_t parent = same[right->nodes[node].parent];
        if (parent == UINT32_MAX)
            same[node] = UINT32_MAX;
        else
            same[node] = row->has_address ? tree_of_address(left, parent, row->address)
                                          : tree_of_kind(left, parent, row->kind, row->number);
    }
    return same;
}

static void expect_all_of(const struct snapshot *left, const struct snapshot *right, uint64_t seed)
{
    uint32_t *same = same_nodes(left, right);
    for (uint32_t node = 1; node < right->node_count; node++) {
        const struct snapshot_node *row = &right->nodes[node];
        if (row->calls == 0 && row->total_ticks == 0)
            continue;
        cr_assert_neq(same[node], UINT32_MAX, "seed %" PRIu64, seed);
        const struct snapshot_node *twin = &left->nodes[same[node]];
        cr_assert_eq(twin->calls, row->calls, "seed %" PRIu64 ": %" PRIu64 " and %" PRIu64, seed, twin->calls,
                     row->calls);
        cr_assert_eq(twin->total_ticks, row->total_ticks, "seed %" PRIu64, seed);
        cr_assert_eq(twin->self_ticks, row->self_ticks, "seed %" PRIu64, seed);
    }
    free(same);
}

static void expect_window_is_whole(struct snapshot *whole, uint64_t seed)
{
    struct snapshot *window = snapshot_window(whole, 0, UINT64_MAX);
    for (uint32_t node = 1; node < whole->node_count; node++) {
        cr_assert_eq(window->nodes[node].calls, whole->nodes[node].calls,
                     "seed %" PRIu64 ": node %u: %" PRIu64 " not %" PRIu64, seed, node,
                     window->nodes[node].calls, whole->nodes[node].calls);
        cr_assert_eq(window->nodes[node].total_ticks, whole->nodes[node].total_ticks, "seed %" PRIu64, seed);
    }
    snapshot_unref(window);
}

/* Expects that both ways of receiving it show the same, and nothing false. Returns the number of calls without a
 * caller. */
static uint64_t expect_honest(const struct telling *telling, struct test_random *random, uint64_t seed)
{
    struct profile *file = hear(telling, random, false), *live = hear(telling, random, true);
    struct snapshot *of_file = freeze(file), *of_live = freeze(live);
    uint64_t unplaced = of_file->link.unplaced_calls;
    cr_assert_eq(of_live->link.unplaced_calls, unplaced, "seed %" PRIu64, seed);
    expect_only_what_happened(of_file, seed);
    expect_all_of(of_file, of_live, seed);
    expect_all_of(of_live, of_file, seed);
    expect_window_is_whole(of_file, seed);
    expect_window_is_whole(of_live, seed);
    snapshot_unref(of_file);
    snapshot_unref(of_live);
    profile_free(file);
    profile_free(live);
    return unplaced;
}

static uint64_t seeds(void)
{
    const char *wanted = getenv("LOSSES_SEEDS");
    return wanted ? strtoull(wanted, NULL, 10) : test_effort(SEEDS / 6, SEEDS);
}

static void add_run(struct telling *telling, struct test_random *random, const struct trouble *trouble,
                    uint64_t later, uint16_t endless)
{
    struct calls calls;
    calls_make(&calls, random, 60 + test_random_below(random, 400),
               (uint16_t)(3 + test_random_below(random, 8)), test_random_below(random, 4) > 0, endless);
    for (size_t i = 0; i < calls.n; i++)
        calls.events[i].ticks += later;
    run_target(telling, random, &calls, 1 + (uint32_t)test_random_below(random, RING_MAX),
               1 + (uint32_t)test_random_below(random, 40), 2 + (unsigned)test_random_below(random, 50),
               trouble);
    calls_free(&calls);
}

Test(losses, no_false_caller_is_shown_despite_losses)
{
    for (uint64_t seed = 1; seed <= seeds(); seed++) {
        struct test_random random = {seed * 104729};
        struct telling telling = {0};
        const struct trouble trouble = {
            .lost_silently = seed % 2 ? 0 : (unsigned)test_random_below(&random, 40),
            .lost_loudly = seed % 3 ? 0 : (unsigned)test_random_below(&random, 40),
            .status = (unsigned)test_random_below(&random, 20),
        };
        memset(true_pairs, 0, sizeof true_pairs);
        add_run(&telling, &random, &trouble, 0, (uint16_t)(seed % 4));
        expect_honest(&telling, &random, seed);
        free_telling(&telling);
    }
}

/* Each run's ticks begin below those of the run before, so the end of its first call goes back. */
Test(losses, unseen_restarts_and_duplicates_make_no_false_callers)
{
    for (uint64_t seed = 1; seed <= seeds(); seed++) {
        struct test_random random = {seed * 7919};
        struct telling telling = {0};
        const struct trouble trouble = {
            .lost_silently = (unsigned)test_random_below(&random, 20),
            .twice = seed % 2 ? 20 : 0,
            .status = (unsigned)test_random_below(&random, 20),
        };
        memset(true_pairs, 0, sizeof true_pairs);
        for (uint64_t run = 3; run-- > 0;)
            add_run(&telling, &random, &trouble, run * 1000000, (uint16_t)(seed % 4));
        expect_honest(&telling, &random, seed);
        free_telling(&telling);
    }
}

Test(losses, without_losses_every_call_is_placed)
{
    for (uint64_t seed = 1; seed <= seeds(); seed++) {
        struct test_random random = {seed * 31337};
        struct telling telling = {0};
        struct calls calls;
        const struct trouble trouble = {.status = (unsigned)test_random_below(&random, 20)};
        memset(true_pairs, 0, sizeof true_pairs);
        calls_make(&calls, &random, 400, 10, true, (uint16_t)(seed % 3));
        run_target(&telling, &random, &calls, RING_MAX, 40, 60, &trouble);
        bool dropped = telling.events[telling.n - 1].status.buffer_overflows > 0;
        uint64_t unplaced = expect_honest(&telling, &random, seed);
        cr_assert(dropped || unplaced == 0, "seed %" PRIu64 ": %" PRIu64 " calls without a caller", seed,
                  unplaced);
        calls_free(&calls);
        free_telling(&telling);
    }
}

static void expect_adding_up(const struct snapshot *snapshot, uint64_t outermost, uint64_t seed)
{
    uint64_t *inside = calloc(snapshot->node_count, sizeof *inside);
    for (uint32_t node = 1; node < snapshot->node_count; node++)
        inside[snapshot->nodes[node].parent] += snapshot->nodes[node].total_ticks;
    cr_assert_eq(inside[0], outermost, "seed %" PRIu64 ": %" PRIu64 " not %" PRIu64, seed, inside[0],
                 outermost);
    for (uint32_t node = 1; node < snapshot->node_count; node++)
        cr_assert(snapshot->nodes[node].calls == 0 ||
                      snapshot->nodes[node].total_ticks == inside[node] + snapshot->nodes[node].self_ticks,
                  "seed %" PRIu64 ": node %u", seed, node);
    free(inside);
}

/* The tree adds up with any number of nodes: a total is the self time plus the children's totals; the
 * totals of the top nodes add up to the time of the outermost calls. */
Test(losses, beyond_the_ceiling_of_nodes_totals_still_add_up)
{
    for (uint64_t seed = 1; seed <= seeds(); seed++) {
        struct test_random random = {seed * 15485863};
        struct calls calls;
        calls_make(&calls, &random, 600, 10, seed % 2, 0);
        struct profile *profile =
            profile_new(&(struct profile_limits){.nodes = 2 + (uint32_t)test_random_below(&random, 120)});
        uint64_t outermost = 0, now_ms = 1;
        for (size_t at = 0, n; at < calls.n; at += n) {
            n = 1 + test_random_below(&random, 40);
            n = n > calls.n - at ? calls.n - at : n;
            profile_apply(profile, calls.events + at, n);
            if (seed % 3)
                profile_tick(profile, now_ms += 1 + test_random_below(&random, 1200));
        }
        for (size_t i = 0; i < calls.n; i++)
            outermost += calls.caller[i] == UINT32_MAX ? calls.events[i].call.duration : 0;
        profile_finish(profile);
        struct snapshot *snapshot = freeze(profile);
        struct snapshot *window = snapshot_window(snapshot, 0, UINT64_MAX);
        expect_adding_up(snapshot, outermost, seed);
        expect_adding_up(window, outermost, seed);
        snapshot_unref(window);
        snapshot_unref(snapshot);
        profile_free(profile);
        calls_free(&calls);
    }
}
