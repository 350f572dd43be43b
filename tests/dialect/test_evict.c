/* test_evict.c - random programs on targets that evict nodes, up to the snapshot, against the truth: no sum falls or
 * exceeds the truth, whatever is lost; at the end functions are exact and no chain lacks more than the target's
 * bound. */
#include "support/evicting_target.h"

#include "dialect/dialect.h"
#include "profile/profile.h"
#include "protocol/bytes.h"
#include "protocol/packet.h"
#include "support/effort.h"
#include "support/frozen.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 64, NODES = 40000, FUNCTIONS = EVICTING_CONTEXTS * EVICTING_FUNCTIONS };

static struct host {
    struct evicting_target target;
    const struct dialect *dialect;
    void *state;
    struct profile *profile;
    uint64_t seed;
    bool is_closed; /* the dialect reported the end, without losses */
    uint64_t bound; /* the newest one */
    /* The figures of the snapshot before. */
    struct {
        uint64_t calls, self;
    } row[ROWS];
    uint64_t node_self[NODES], node_total[NODES];
} t;

static void apply(void *user, const struct event *events, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (events[i].kind == EVENT_CLOSED)
            t.is_closed = events[i].closed.is_whole;
        if (events[i].kind == EVENT_ROOM)
            t.bound = events[i].room.bound;
    }
    profile_apply(t.profile, events, n);
}

static void receive(const uint8_t *payload, uint16_t n)
{
    uint8_t body[3 + EVICTING_PAYLOAD + MP_TREE_RECORD_MAX];
    body[0] = MP_PROFILE_DATA;
    mp_store_u16(body + 1, n);
    memcpy(body + 3, payload, n);
    t.dialect->decode(t.state, body, 3u + n, &(struct event_out){.batch = apply});
}

static void begin(uint64_t seed)
{
    struct error err = {""};
    memset(&t, 0, sizeof t);
    t.seed = seed;
    t.dialect = dialect_find("miniprof");
    t.profile = profile_new(NULL);
    t.state = calloc(1, t.dialect->state_size);
    cr_assert(t.dialect->start(t.state, &(struct dialect_settings){0}, &err), "%s", err.text);
    evicting_begin(&t.target, seed);
}

static void end(void)
{
    profile_free(t.profile);
    free(t.state);
}

/* ---- what is shown ---- */

#define EXPECT_LEQ(a, b, what, id)                                                                           \
    cr_assert_leq((a), (b), "seed %" PRIu64 ": %s of %u: %" PRIu64 ", %" PRIu64, t.seed, what, id,           \
                  (uint64_t)(a), (uint64_t)(b))

static const struct evicting_truth *truth_of(const struct snapshot_function *row)
{
    uint32_t function = (uint32_t)(row->address - EVICTING_FIRST) / 16;
    cr_assert(row->kind == KIND_FUNCTION && function < FUNCTIONS);
    return &t.target.function[function];
}

static void check_functions(const struct snapshot *snapshot)
{
    cr_assert_leq(snapshot->function_count, ROWS);
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        const struct snapshot_function *row = &snapshot->functions[i];
        EXPECT_LEQ(t.row[i].calls, row->calls, "calls before", i);
        EXPECT_LEQ(t.row[i].self, row->self_ticks, "own ticks before", i);
        t.row[i].calls = row->calls;
        t.row[i].self = row->self_ticks;
        if (row->kind != KIND_FUNCTION)
            continue;
        EXPECT_LEQ(row->calls, truth_of(row)->calls, "calls", i);
        EXPECT_LEQ(row->self_ticks, truth_of(row)->own, "own ticks", i);
        if (row->known & FUNCTION_TIMES)
            EXPECT_LEQ(row->total_ticks, truth_of(row)->total, "ticks", i);
    }
}

/* Finds the chain of each node; UINT32_MAX for nodes that stand for others. */
static void find_chains(const struct snapshot *snapshot, uint32_t *chain)
{
    chain[0] = UINT32_MAX;
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        const struct snapshot_function *row = &snapshot->functions[node->function];
        chain[i] = UINT32_MAX;
        if (row->kind != KIND_FUNCTION)
            continue;
        uint32_t function = (uint32_t)(row->address - EVICTING_FIRST) / 16;
        for (uint32_t c = 0; c < t.target.chains && chain[i] == UINT32_MAX; c++)
            if (t.target.chain[c].function == function && t.target.chain[c].parent == chain[node->parent])
                chain[i] = c;
        cr_assert_neq(chain[i], UINT32_MAX, "seed %" PRIu64 ": a chain that there never was", t.seed);
    }
}

/* Adds up the shown self ticks of each chain. */
static void check_nodes(const struct snapshot *snapshot, uint64_t *shown)
{
    static uint32_t chain[NODES];
    cr_assert_leq(snapshot->node_count, NODES);
    find_chains(snapshot, chain);
    memset(shown, 0, EVICTING_CHAINS * sizeof *shown);
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        EXPECT_LEQ(t.node_self[i], node->self_ticks, "own ticks of node before", i);
        EXPECT_LEQ(t.node_total[i], node->total_ticks, "ticks of node before", i);
        t.node_self[i] = node->self_ticks;
        t.node_total[i] = node->total_ticks;
        if (chain[i] == UINT32_MAX)
            continue;
        const struct evicting_truth *truth = &t.target.chain[chain[i]];
        EXPECT_LEQ(node->self_ticks, truth->own, "own ticks of node", i);
        EXPECT_LEQ(node->calls, truth->calls, "calls of node", i);
        EXPECT_LEQ(node->total_ticks, truth->total, "ticks of node", i);
        shown[chain[i]] += node->self_ticks;
    }
}

/* Checks the final figures, once all sums of a stopped run have arrived. */
static void check_end(const struct snapshot *snapshot, const uint64_t *shown)
{
    uint64_t calls = 0, there_were = 0, functions_calls = 0;
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        there_were += t.target.function[i].calls;
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        const struct snapshot_function *row = &snapshot->functions[i];
        calls += row->calls;
        if (row->kind != KIND_FUNCTION)
            continue;
        functions_calls += row->calls;
        if (!t.target.gone[0].is_used && t.target.with_sums_most == FUNCTIONS) {
            cr_assert(row->calls == truth_of(row)->calls && row->self_ticks == truth_of(row)->own,
                      "seed %" PRIu64 ": function %u has %" PRIu64 " calls and %" PRIu64
                      " ticks, not %" PRIu64 " and %" PRIu64,
                      t.seed, i, row->calls, row->self_ticks, truth_of(row)->calls, truth_of(row)->own);
            cr_assert(!(row->known & FUNCTION_TIMES) || row->total_ticks == truth_of(row)->total,
                      "seed %" PRIu64, t.seed);
        }
    }
    cr_assert(calls == there_were, "seed %" PRIu64 ": %" PRIu64 " of %" PRIu64, t.seed, calls, there_were);
    cr_assert(snapshot->ledger.booked[ACCOUNT_CALLS_MERGED] == there_were - functions_calls,
              "seed %" PRIu64 ": %" PRIu64 " of %" PRIu64, t.seed,
              snapshot->ledger.booked[ACCOUNT_CALLS_MERGED], there_were - functions_calls);
    cr_assert(t.bound == t.target.bounds + t.target.head.bound,
              "seed %" PRIu64 ": bound %" PRIu64 ", %" PRIu64 " and %" PRIu64, t.seed, t.bound,
              t.target.bounds, t.target.head.bound);
    for (uint32_t c = 0; c < t.target.chains; c++)
        EXPECT_LEQ(t.target.chain[c].own - shown[c], t.bound, "what is missing of chain", c);
}

static void check(bool is_end)
{
    static uint64_t shown[EVICTING_CHAINS];
    struct snapshot *snapshot = freeze(t.profile);
    expect_adds_up(snapshot, t.seed);
    cr_assert(!is_end || (snapshot->ledger.held & HOLDS_TREE && snapshot->ledger.held & HOLDS_CALLS));
    check_functions(snapshot);
    check_nodes(snapshot, shown);
    if (is_end)
        check_end(snapshot, shown);
    snapshot_unref(snapshot);
    const struct dialect_health *health = t.dialect->health(t.state);
    cr_assert_eq(health->malformed, 0, "seed %" PRIu64, t.seed);
    cr_assert(!is_end || (health->ticks_untold == 0 && health->rows_untold == 0),
              "seed %" PRIu64 ": %" PRIu64 " ticks", t.seed, health->ticks_untold);
}

/* ---- the line ---- */

static uint32_t below(uint32_t limit)
{
    return (uint32_t)test_random_below(&t.target.random, limit);
}

/* Sends a packet that arrives, is lost, or is repeated. */
static bool send_packet(uint32_t lost_percent)
{
    uint8_t payload[EVICTING_PAYLOAD + MP_TREE_RECORD_MAX];
    bool ends;
    uint16_t n = evicting_packet(&t.target, payload, &ends);
    for (uint32_t times = below(100) >= lost_percent ? 1 + (below(20) == 0) : 0; times > 0; times--)
        receive(payload, n);
    return ends;
}

static void run_program(uint32_t lost_percent)
{
    for (uint32_t packets = below(60); packets > 0; packets--) {
        evicting_work(&t.target, below(300));
        send_packet(lost_percent);
        if (below(4) == 0)
            check(false);
    }
}

/* Stops the target; repeats that when a packet was lost, as a host does. */
static void stop(uint32_t lost_percent)
{
    for (uint32_t tries = 0; !t.is_closed; tries++) {
        cr_assert_lt(tries, 200, "seed %" PRIu64, t.seed);
        evicting_stop(&t.target);
        while (!send_packet(tries < 100 ? lost_percent : 0))
            check(false);
        check(false);
    }
    check(true);
    t.is_closed = false;
}

/* Begins another run without a STOP, which discards the counts. */
static void cut(void)
{
    evicting_start(&t.target, true);
    memset(t.row, 0, sizeof t.row);
    memset(t.node_self, 0, sizeof t.node_self);
    memset(t.node_total, 0, sizeof t.node_total);
    send_packet(0);
    check(false);
}

static void try_seed(uint64_t seed)
{
    begin(seed);
    uint32_t lost_percent = below(2) ? 0 : below(40);
    for (uint32_t runs = 1 + below(3); runs > 0; runs--) {
        send_packet(0); /* a host without any packet of a run does not know its losses */
        run_program(lost_percent);
        if (below(5) == 0)
            cut();
        else {
            stop(lost_percent);
            evicting_start(&t.target, false);
        }
    }
    end();
}

Test(evict, functions_are_exact_and_chains_within_the_bound_whatever_is_lost)
{
    const char *wanted = getenv("TEST_PROPERTIES");
    uint64_t first = test_random_start("evict").state,
             n = wanted ? strtoull(wanted, NULL, 0) : test_effort(12, 300);
    for (uint64_t seed = first; seed < first + n; seed++)
        try_seed(seed * 0x9E3779B97F4A7C15u);
}

/* Some sums counted before are moved, and sent, later. */
Test(evict, a_profile_that_is_cleared_adds_up)
{
    begin(7);
    for (unsigned round = test_effort(8, 20); round > 0; round--) {
        run_program(0);
        profile_clear(t.profile);
        t.dialect->retell(t.state, &(struct event_out){.batch = apply});
        memset(t.row, 0, sizeof t.row);
        memset(t.node_self, 0, sizeof t.node_self);
        memset(t.node_total, 0, sizeof t.node_total);
        check(false);
    }
    end();
}

/* Nodes beyond the limit have no chain, so it is unknown how much chains lack. */
Test(evict, more_chains_than_are_kept_may_lack_all)
{
    enum { ROWS_A_PACKET = 12, PACKETS = 32768 / ROWS_A_PACKET + 1 };
    uint8_t payload[EVICTING_PAYLOAD + MP_TREE_RECORD_MAX];
    struct mp_tree_head head = {
        .flags = MP_TREE_EVICTS, .hz = 25000000, .nodes = ROWS_A_PACKET, .room = ROWS_A_PACKET, .bound = 3};
    begin(1);
    for (uint32_t packet = 0; packet < PACKETS; packet++) {
        struct mp_tree_writer writer;
        cr_assert_eq(t.bound, packet ? 3 : 0);
        head.number = packet;
        head.elapsed = head.time = ROWS_A_PACKET * (packet + 1);
        mp_tree_begin(&writer, payload, EVICTING_PAYLOAD, 0, &head);
        for (uint32_t i = 0; i < ROWS_A_PACKET; i++)
            cr_assert(mp_tree_write_row(&writer,
                                        &(struct mp_tree_row){.node = i,
                                                              .parent = MP_TREE_NO_PARENT,
                                                              .function = 16 * (ROWS_A_PACKET * packet + i),
                                                              .calls = 1,
                                                              .ticks = 1,
                                                              .generation = packet}));
        receive(payload, writer.at);
    }
    cr_assert_eq(t.bound, head.elapsed);
    end();
}

/* ---- a target that lies ---- */

static uint64_t lie(uint64_t *newest)
{
    switch (below(4)) {
    case 0: return below(1000);
    case 1: return (1ull << 56) - 1 - below(3);
    case 2: return *newest += below(1u << 20);
    default: return test_random_next(&t.target.random) & ((1ull << 56) - 1);
    }
}

enum { LIAR_PLACES = 64 };

/* Rows of any generation below any other, circles, sums that fall, ends of rounds anywhere. */
static uint16_t lying_packet(uint8_t *payload, struct mp_tree_head *head, uint32_t functions)
{
    static uint64_t newest;
    struct mp_tree_writer writer;
    head->elapsed += below(1000);
    head->time = (uint32_t)head->elapsed;
    head->bound = below(8) ? head->bound : lie(&newest);
    mp_tree_begin(&writer, payload, EVICTING_PAYLOAD, 0, head);
    for (bool fits = true; fits && below(40);) {
        uint32_t function = evicting_address(below(functions)), node = below(LIAR_PLACES);
        uint32_t parent = below(8) ? below(LIAR_PLACES) : MP_TREE_NO_PARENT;
        switch (below(8)) {
        case 0:
            fits = mp_tree_write_evicted(
                &writer, &(struct mp_tree_evicted){below(9) ? function : 0, lie(&newest), lie(&newest), 0});
            break;
        case 1:
            fits =
                mp_tree_write_below(&writer, below(3), &(struct mp_tree_below){node, below(3), lie(&newest)});
            break;
        case 2:
            fits = mp_tree_write_below(&writer, below(3),
                                       &(struct mp_tree_below){MP_TREE_NO_PARENT, 0, lie(&newest)});
            break;
        default:
            fits = mp_tree_write_row(
                &writer,
                &(struct mp_tree_row){.node = node,
                                      .parent = parent,
                                      .function = function,
                                      .context = below(3),
                                      .calls = below(3) ? 1 : lie(&newest),
                                      .ticks = below(3) ? 1 : lie(&newest),
                                      .generation = below(3),
                                      .parent_generation = parent == MP_TREE_NO_PARENT ? 0 : below(3)});
        }
    }
    mp_tree_write_round(&writer, &(struct mp_tree_round){head->number, 1});
    head->number++;
    return writer.at;
}

/* Far beyond the room, only sums are expected to be right. */
Test(evict, a_target_that_lies_costs_no_sum_and_no_more_memory)
{
    uint8_t payload[EVICTING_PAYLOAD + MP_TREE_RECORD_MAX];
    begin(test_random_start("evict-lies").state);
    for (uint32_t functions = 4; functions < 1u << 20; functions <<= 8) {
        struct mp_tree_head head = {.flags = MP_TREE_EVICTS,
                                    .run = functions & 1 ? 1 : (uint8_t)(2 + functions % 13),
                                    .hz = 25000000,
                                    .nodes = LIAR_PLACES,
                                    .room = LIAR_PLACES};
        for (uint32_t packets = test_effort(1000, 9000); packets > 0; packets--) {
            receive(payload, lying_packet(payload, &head, functions));
            if (packets % 100)
                continue;
            struct snapshot *snapshot = freeze(t.profile);
            for (uint32_t i = 0; i < snapshot->node_count && i < NODES; i++) {
                EXPECT_LEQ(t.node_self[i], snapshot->nodes[i].self_ticks, "own ticks of node before", i);
                t.node_self[i] = snapshot->nodes[i].self_ticks;
            }
            snapshot_unref(snapshot);
        }
        memset(t.node_self, 0, sizeof t.node_self);
    }
    cr_assert_gt(t.dialect->health(t.state)->malformed, 0);
    end();
}
