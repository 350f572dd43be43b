/* test_line.c - streams of every dialect over a line with a named fault, through decoder and profile: what
 * arrived whole is counted, what is shown hangs together, and where there are checksums no function has a
 * caller that it never had. A checksum of 16 bits is right by chance for one damaged packet in 65,536: a try
 * in which more packets came than were left whole may show one, and such tries must be as rare as that.
 * TEST_FAULTS=N makes N tries instead of 300 and prints what the faults cost.
 *
 * gprof, fprime, syst and tfm have no checksum over each record, so a damaged one may be taken for another
 * one: of these only the sums and the ceilings are looked at. */
#include "line.h"

#include "../contract/samples.h"
#include "session/decoder.h"
#include "support/calls.h"
#include "support/compact_program.h"
#include "support/frozen.h"

enum { FUNCTIONS_MOST = 64, NODES_MOST = 4096, RAW_FIRST = 2 };
enum { HURT_BY_CHANCE = 8192 }; /* damaged packets for each that is taken: an eighth of what chance has */

static const char *const told[] = {"calls", "stream", "gprof", "fprime", "syst", "tfm"};
enum { TOLD = sizeof told / sizeof *told };

static struct line_sent sent;

/* What each fault cost a dialect with packets: how many were sent, and how many of these came. */
static struct {
    uint64_t tries, sent, came;
} cost[RAW_FIRST][LINE_FAULTS];

/* Damaged packets, and tries with a false edge in which one of these was taken. */
static uint64_t hurt_packets, false_by_chance;

/* The calls that there were, by the order of the functions' addresses: [caller][callee]. */
static bool was_called[CALLS_FUNCTIONS][CALLS_FUNCTIONS];
static uint64_t address_of[CALLS_FUNCTIONS];

static void apply(void *user, const struct event *events, size_t n)
{
    profile_apply(user, events, n);
}

static void send_calls(struct test_random *random)
{
    struct calls calls;
    calls_make(&calls, random, 800, 8, false, 0);
    for (uint32_t i = 0; i < CALLS_FUNCTIONS; i++)
        address_of[i] = calls_address(i);
    for (size_t at = 0; at < calls.n; at += 20) {
        struct mp_record records[20];
        size_t n = calls.n - at < 20 ? calls.n - at : 20;
        for (size_t i = 0; i < n; i++) {
            const struct event *event = &calls.events[at + i];
            records[i] = (struct mp_record){.address = (uint32_t)event->call.address,
                                            .start = (uint32_t)event->ticks,
                                            .duration = (uint32_t)event->call.duration,
                                            .depth = event->depth};
        }
        stream_records(&sent.stream, records, n);
        line_packet_ends(&sent);
    }
    for (size_t i = 0; i < calls.n; i++)
        for (uint32_t a = 0; a < CALLS_FUNCTIONS && calls.caller[i] != UINT32_MAX; a++)
            for (uint32_t b = 0; b < CALLS_FUNCTIONS; b++)
                was_called[a][b] |= calls.events[calls.caller[i]].call.address == address_of[a] &&
                                    calls.events[i].call.address == address_of[b];
    calls_free(&calls);
}

static void send_stream(struct test_random *random)
{
    do
        program_run(test_random_next(random));
    while (program.is_window);
    for (uint32_t i = 0; i <= PROGRAM_FUNCTIONS; i++)
        address_of[i] = i;
    for (uint32_t a = 0; a <= PROGRAM_FUNCTIONS; a++)
        for (uint32_t b = 0; b <= PROGRAM_FUNCTIONS; b++)
            was_called[a][b] = program.calls_from[a][b];
    for (uint32_t i = 0; i < program.n_packets; i++) {
        stream_packet(&sent.stream, MP_PROFILE_DATA, program.packets[i].payload, program.packets[i].size);
        line_packet_ends(&sent);
    }
}

static void send_all(size_t kind, struct test_random *random)
{
    sent = (struct line_sent){.n = 0};
    memset(was_called, 0, sizeof was_called);
    if (kind == 0)
        send_calls(random);
    else if (kind == 1)
        send_stream(random);
    else
        sample_find(told[kind])->write(&sent.stream);
}

static size_t index_of(uint64_t address)
{
    size_t i = 0;
    while (i < CALLS_FUNCTIONS && address_of[i] != address)
        i++;
    return i;
}

/* True when all calls that are shown were made. With `may_err` others are no failure. */
static bool has_true_edges(const struct snapshot *snapshot, bool may_err, const char *what)
{
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        const struct snapshot_function *callee = &snapshot->functions[node->function];
        int32_t above = snapshot->nodes[node->parent].function;
        if (above < 0 || node->calls == 0 || callee->kind != KIND_FUNCTION ||
            snapshot->functions[above].kind != KIND_FUNCTION)
            continue;
        size_t a = index_of(snapshot->functions[above].address), b = index_of(callee->address);
        bool is_true = a < CALLS_FUNCTIONS && b < CALLS_FUNCTIONS && was_called[a][b];
        if (!is_true && may_err)
            return false;
        cr_assert(is_true, "%s: 0x%" PRIx64 " never called 0x%" PRIx64, what,
                  snapshot->functions[above].address, callee->address);
    }
    return true;
}

static void check(const struct snapshot *snapshot, const char *what)
{
    cr_assert_leq(snapshot->function_count, 2 * FUNCTIONS_MOST, "%s", what);
    cr_assert_leq(snapshot->node_count, 2 * NODES_MOST, "%s", what);
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        cr_assert(node->parent >= 0 && (uint32_t)node->parent < i, "%s", what);
        cr_assert_leq(node->self_ticks, node->total_ticks, "%s: node %u", what, i);
    }
}

static void hear(struct decoder *decoder, const struct stream *came, bool stalls, struct test_random *random)
{
    for (size_t at = 0, n; at < came->n; at += n) {
        n = 1 + test_random_below(random, 700);
        n = n < came->n - at ? n : came->n - at;
        decoder_feed(decoder, came->bytes + at, n);
        if (stalls && test_random_below(random, 4) == 0)
            decoder_idle(decoder);
    }
    decoder_finish(decoder);
}

static void try_one(size_t kind, enum line_fault fault, uint64_t seed)
{
    static const struct profile_limits limits = {.functions = FUNCTIONS_MOST, .nodes = NODES_MOST};
    static const struct dialect_settings settings;
    char what[100];
    snprintf(what, sizeof what, "%s, %s, seed %" PRIu64, told[kind], line_names[fault], seed);
    struct test_random random = {seed};
    struct error err = {""};
    send_all(kind, &random);
    struct stream came = line_send(&sent, fault, &random);
    struct profile *profile = profile_new(&limits);
    struct event_out out = {apply, profile};
    struct decoder *decoder =
        decoder_new(dialect_find(kind < RAW_FIRST ? "miniprof" : told[kind]), &settings, &out, &err);
    cr_assert_not_null(decoder, "%s", err.text);
    hear(decoder, &came, fault == LINE_STALL, &random);
    profile_finish(profile);
    struct snapshot_link link = {0};
    decoder_tell(decoder, &link);
    size_t whole = 0;
    for (size_t i = 0; i < sent.n; i++)
        whole += !sent.hurt[i];
    cr_assert_geq(link.packets, whole, "%s: %" PRIu64 " packets of %zu whole ones", what, link.packets,
                  whole);
    if (kind < RAW_FIRST) {
        cost[kind][fault].tries++;
        cost[kind][fault].sent += sent.n;
        cost[kind][fault].came += link.packets < sent.n ? link.packets : sent.n;
    }
    cr_assert_leq(link.bytes_skipped, link.bytes, "%s", what);
    struct snapshot *snapshot = freeze(profile);
    check(snapshot, what);
    hurt_packets += kind < RAW_FIRST ? sent.n - whole : 0;
    if (kind < RAW_FIRST && !has_true_edges(snapshot, link.packets > whole && fault != LINE_DOUBLED, what))
        false_by_chance++;
    snapshot_unref(snapshot);
    decoder_free(decoder);
    profile_free(profile);
    stream_fini(&came);
    stream_fini(&sent.stream);
}

Test(line, faults_invent_nothing_and_cost_only_what_they_touch)
{
    const char *wanted = getenv("TEST_FAULTS");
    uint64_t tries = wanted ? strtoull(wanted, NULL, 10) : 300;
    struct test_random random = test_random_start("line");
    for (uint64_t i = 0; i < tries; i++)
        try_one(i % TOLD, (enum line_fault)(i / TOLD % LINE_FAULTS), test_random_next(&random));
    cr_assert_leq(false_by_chance, 1 + hurt_packets / HURT_BY_CHANCE, "%" PRIu64 " of %" PRIu64 " packets",
                  false_by_chance, hurt_packets);
    if (wanted)
        fprintf(stderr, "%" PRIu64 " damaged packets, %" PRIu64 " tries with a false edge by one of them\n",
                hurt_packets, false_by_chance);
    for (size_t kind = 0; kind < RAW_FIRST && wanted; kind++)
        for (size_t fault = 0; fault < LINE_FAULTS; fault++)
            fprintf(stderr, "| %s | %s | %" PRIu64 " | %.3f |\n", told[kind], line_names[fault],
                    cost[kind][fault].tries,
                    100.0 * (double)(cost[kind][fault].sent - cost[kind][fault].came) /
                        (double)(cost[kind][fault].sent ? cost[kind][fault].sent : 1));
}
