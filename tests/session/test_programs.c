/* test_programs.c - random programs through the compact stream, up to the snapshot: no call gets the times of another
 * one, no function a caller that it never had. TEST_PROGRAMS=N tries N programs instead of 300. */
#include "dialect/dialect.h"
#include "profile/profile.h"
#include "protocol/packet.h"
#include "support/compact_program.h"
#include "support/frozen.h"

#include <stdlib.h>
#include <string.h>

/* The part of the daemon that reads such a program. */
static struct host {
    const struct dialect *dialect;
    void *state;
    struct profile *profile;
    uint64_t lost_records, lost_events;
    uint64_t spans, seed;
} host;

static void take(void *user, const struct event *events, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (events[i].kind == EVENT_LOST)
            host.lost_records += events[i].lost.records;
    profile_apply(host.profile, events, n);
}

static void open_host(uint64_t seed)
{
    struct error err = {""};
    host = (struct host){.dialect = dialect_find("miniprof"), .profile = profile_new(NULL), .seed = seed};
    host.state = calloc(1, host.dialect->state_size);
    cr_assert(host.dialect->start(host.state, &(struct dialect_settings){0}, &err), "%s", err.text);
}

/* Runs the next program that is no window (read only beside a tree); returns its seed. */
static uint64_t run_stream(struct test_random *random)
{
    uint64_t seed;
    do {
        seed = test_random_next(random);
        program_run(seed);
    } while (program.is_window);
    return seed;
}

static void close_host(void)
{
    free(host.state);
    profile_free(host.profile);
}

static void send_packet(uint32_t i)
{
    uint32_t size = program.packets[i].size;
    uint8_t *body = malloc(3 + size); /* of exact size, so that a sanitizer finds reads behind it */
    cr_assert_not_null(body);
    body[0] = MP_PROFILE_DATA;
    mp_store_u16(body + 1, (uint16_t)size);
    memcpy(body + 3, program.packets[i].payload, size);
    host.dialect->decode(host.state, body, 3 + size, &(struct event_out){.batch = take});
    free(body);
}

/* ---- what is shown ---- */

static void check_span(void *user, const struct snapshot_span *span)
{
    const struct snapshot *snapshot = user;
    const struct program_call *call = program_call_at(span->start_ticks);
    uint64_t end = span->start_ticks + span->duration_ticks;
    host.spans++;
    cr_assert_not_null(call, "program %" PRIu64 ": no call began at %" PRIu64, host.seed, span->start_ticks);
    cr_assert_eq(snapshot->functions[span->function].address, call->function);
    cr_assert(call->is_jumped ? end >= call->end && end <= call->latest_end : end == call->end,
              "program %" PRIu64 ": the call from %" PRIu64 " ended at %u, not at %" PRIu64, host.seed,
              span->start_ticks, call->end, end);
}

static bool is_function(const struct snapshot *snapshot, int32_t node)
{
    return node > 0 && snapshot->functions[snapshot->nodes[node].function].kind == KIND_FUNCTION;
}

/* True when a call of `callee` was made by one of `caller`. */
static bool was_called_by(uint64_t callee, uint64_t caller)
{
    return program.calls_from[caller][callee];
}

static void check_edges(const struct snapshot *snapshot)
{
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        if (!is_function(snapshot, (int32_t)i) || !is_function(snapshot, node->parent) || node->calls == 0)
            continue;
        uint64_t callee = snapshot->functions[node->function].address;
        uint64_t caller = snapshot->functions[snapshot->nodes[node->parent].function].address;
        cr_assert(was_called_by(callee, caller), "program %" PRIu64 ": %" PRIu64 " never called %" PRIu64,
                  host.seed, caller, callee);
    }
}

static void check_window(struct snapshot *snapshot)
{
    struct snapshot *all = snapshot_window(snapshot, 0, UINT64_MAX);
    expect_adds_up(snapshot, host.seed);
    expect_adds_up(all, host.seed);
    for (uint32_t i = 0; i < snapshot->node_count; i++) {
        cr_assert_eq(all->nodes[i].calls, snapshot->nodes[i].calls);
        cr_assert_eq(all->nodes[i].total_ticks, snapshot->nodes[i].total_ticks,
                     "program %" PRIu64 ", node %u: %" PRIu64 ", not %" PRIu64, host.seed, i,
                     all->nodes[i].total_ticks, snapshot->nodes[i].total_ticks);
        cr_assert_eq(all->nodes[i].self_ticks, snapshot->nodes[i].self_ticks);
    }
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        const struct snapshot_function *a = &all->functions[i], *b = &snapshot->functions[i];
        cr_assert_eq(a->periods, b->periods, "program %" PRIu64 ", function %u: %" PRIu64 ", not %" PRIu64,
                     host.seed, i, a->periods, b->periods);
        cr_assert_eq(a->period_min_ticks, b->period_min_ticks);
        cr_assert_eq(a->period_max_ticks, b->period_max_ticks);
        cr_assert_eq(a->period_jitter_ticks, b->period_jitter_ticks);
    }
    snapshot_unref(all);
}

/* Checks that two adjacent ranges add up to the whole. */
static void check_parts(struct snapshot *snapshot)
{
    uint64_t first, last;
    if (!snapshot_timeline_range(snapshot, &first, &last))
        return;
    uint64_t cut = first + host.seed % (last - first + 1);
    struct snapshot *before = snapshot_window(snapshot, 0, cut);
    struct snapshot *after = snapshot_window(snapshot, cut, UINT64_MAX);
    expect_adds_up(before, host.seed);
    expect_adds_up(after, host.seed);
    for (uint32_t i = 0; i < snapshot->node_count; i++)
        cr_assert_eq(before->nodes[i].self_ticks + after->nodes[i].self_ticks, snapshot->nodes[i].self_ticks,
                     "program %" PRIu64 ", node %u: %" PRIu64 " and %" PRIu64 " in parts cut at %" PRIu64
                     ", not %" PRIu64,
                     host.seed, i, before->nodes[i].self_ticks, after->nodes[i].self_ticks, cut,
                     snapshot->nodes[i].self_ticks);
    snapshot_unref(after);
    snapshot_unref(before);
}

static struct snapshot *look(void)
{
    struct snapshot *snapshot = freeze(host.profile);
    host.spans = 0;
    snapshot_timeline_each(snapshot, check_span, snapshot);
    check_edges(snapshot);
    check_window(snapshot);
    check_parts(snapshot);
    return snapshot;
}

Test(programs, without_loss_every_call_is_shown)
{
    struct test_random random = test_random_start("without_loss");
    for (uint64_t i = 0; i < programs_wanted(); i++) {
        uint64_t seed = run_stream(&random);
        open_host(seed);
        for (uint32_t k = 0; k < program.n_packets; k++)
            send_packet(k);
        struct snapshot *snapshot = look();
        cr_assert_eq(host.dialect->health(host.state)->malformed, 0);
        if (!program.has_gaps) {
            cr_assert_eq(host.spans, program.n_calls, "program %" PRIu64 ": %" PRIu64 " calls of %u", seed,
                         host.spans, program.n_calls);
            cr_assert_eq(snapshot_incomplete(snapshot).n, 0);
        }
        snapshot_unref(snapshot);
        close_host();
    }
}

Test(programs, faulty_delivery_shows_no_false_calls)
{
    struct test_random random = test_random_start("lossy");
    for (uint64_t i = 0; i < programs_wanted(); i++) {
        uint64_t seed = run_stream(&random);
        uint32_t one_in = 2 + (uint32_t)test_random_below(&random, 20);
        open_host(seed);
        program_send_lossy(one_in, send_packet);
        struct snapshot *snapshot = look();
        static struct snapshot_gap gaps[SNAPSHOT_GAPS_MAX];
        size_t n = snapshot_gaps(snapshot, 0, UINT64_MAX, gaps);
        uint64_t records = 0;
        for (size_t k = 0; k < n; k++)
            records += gaps[k].records;
        cr_assert_eq(records, host.lost_records, "every loss has its place");
        snapshot_unref(snapshot);
        close_host();
    }
}

Test(programs, damaged_packets_crash_nothing)
{
    struct test_random random = test_random_start("damaged");
    for (uint64_t i = 0; i < programs_wanted() / 3; i++) {
        uint64_t seed = run_stream(&random);
        open_host(seed);
        for (uint32_t k = 0; k < program.n_packets; k++) {
            for (uint32_t flips = program_below(4); flips; flips--)
                program.packets[k].payload[program_below(program.packets[k].size)] ^=
                    (uint8_t)(1u << program_below(8));
            if (program_below(4) == 0)
                program.packets[k].size = (uint16_t)program_below(program.packets[k].size + 1u);
            if (program.packets[k].size > 0)
                program.packets[k].payload[0] = MP_PROFILE_DATA_V2;
            send_packet(k);
            if (program_below(50) == 0)
                host.dialect->reset(host.state);
        }
        struct snapshot *snapshot = freeze(host.profile);
        struct snapshot *all = snapshot_window(snapshot, 0, UINT64_MAX);
        expect_adds_up(snapshot, seed);
        expect_adds_up(all, seed);
        snapshot_unref(all);
        snapshot_unref(snapshot);
        close_host();
    }
}
