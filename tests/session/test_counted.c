/* test_counted.c - random call trees counted by a target, through version 3 of the wire, up to the snapshot: final
 * sums are exact, whatever was lost, repeated or late. */
#include "dialect/dialect.h"
#include "profile/profile.h"
#include "protocol/bytes.h"
#include "protocol/packet.h"
#include "protocol/tree_writer.h"
#include "support/effort.h"
#include "support/frozen.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 60, CONTEXTS = 3, FUNCTIONS = 12, ROUNDS = 200, PAYLOAD = 240, FIRST_ADDRESS = 0x1000 };

static const uint32_t context_ids[CONTEXTS] = {MP_CONTEXT_TASK(0), MP_CONTEXT_TASK(1),
                                               MP_CONTEXT_INTERRUPT(15)};

/* The target, and the host that reads its packets. */
static struct target {
    struct test_random random;
    struct mp_tree_row rows[NODES];
    struct mp_tree_sums sums[CONTEXTS];
    uint64_t before_calls[NODES],
        before_ticks[NODES]; /* counted before the profile was cleared, and not to be shown */
    uint32_t n;
    struct mp_tree_head head;
    bool is_flat;
    const struct dialect *dialect;
    void *state;
    struct profile *profile;
    uint8_t last[PAYLOAD + MP_TREE_RECORD_MAX]; /* a packet that may be repeated */
    uint16_t last_n;
} t;

static uint32_t below(uint32_t limit)
{
    return (uint32_t)test_random_below(&t.random, limit);
}

/* Checks that a context without a name from the target is flagged as numbered. */
static void check_name(const struct event *event)
{
    if (event->kind == EVENT_CONTEXT && event->context_is.name)
        cr_assert_eq(!(event->flags & EVENT_NUMBERED), !strncmp(event->context_is.name, "idle", 4));
}

static void apply(void *user, const struct event *events, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check_name(&events[i]);
    profile_apply(t.profile, events, n);
}

static void begin(uint64_t seed, bool is_flat)
{
    struct error err = {""};
    t = (struct target){.random = {seed}, .is_flat = is_flat, .dialect = dialect_find("miniprof")};
    t.head = (struct mp_tree_head){
        .flags = is_flat ? MP_TREE_IS_FLAT : 0, .run = 1, .hz = 25000000, .room = NODES};
    t.profile = profile_new(NULL);
    t.state = calloc(1, t.dialect->state_size);
    cr_assert(t.dialect->start(t.state, &(struct dialect_settings){0}, &err), "%s", err.text);
}

static void end(void)
{
    profile_free(t.profile);
    free(t.state);
}

/* ---- the target ---- */

static void add_node(void)
{
    struct mp_tree_row *row = &t.rows[t.n];
    uint32_t parent = t.n > 0 && below(4) > 0 ? below(t.n) : MP_TREE_NO_PARENT;
    *row = (struct mp_tree_row){.node = t.n,
                                .parent = MP_TREE_NO_PARENT,
                                .function = FIRST_ADDRESS + 16 * below(FUNCTIONS),
                                .context = parent == MP_TREE_NO_PARENT ? context_ids[below(CONTEXTS)]
                                                                       : t.rows[parent].context};
    if (t.is_flat)
        row->caller = parent == MP_TREE_NO_PARENT ? 0 : t.rows[parent].function;
    else
        row->parent = parent;
    t.n++;
}

static void work(void)
{
    if (t.n < NODES && below(3) == 0)
        add_node();
    for (uint32_t i = 0; i < t.n; i++) {
        uint64_t ticks = below(3) == 0 ? below(1000) : 0;
        t.rows[i].calls += below(5);
        t.rows[i].ticks += ticks;
        t.head.elapsed += ticks;
    }
    t.sums[0].ticks += 10;
    t.sums[1].other_calls += 2;
    t.sums[1].other_ticks += 7;
    t.head.elapsed += 17;
    t.head.nodes = t.n;
}

static void send(const uint8_t *payload, uint16_t n)
{
    uint8_t *body = malloc(3u + n);
    cr_assert_not_null(body);
    body[0] = MP_PROFILE_DATA;
    mp_store_u16(body + 1, n);
    memcpy(body + 3, payload, n);
    t.dialect->decode(t.state, body, 3u + n, &(struct event_out){.batch = apply});
    free(body);
}

/* Sends a packet with some of the rows from `first` on, or all that fit; returns the first row of the next one. */
static uint32_t tell(uint32_t first, bool all, bool arrives)
{
    uint8_t payload[PAYLOAD + MP_TREE_RECORD_MAX];
    struct mp_tree_writer writer;
    mp_tree_begin(&writer, payload, PAYLOAD, 0, &t.head);
    for (uint32_t i = 0; i < CONTEXTS && first == 0; i++)
        mp_tree_write_sums(&writer, context_ids[i], &t.sums[i]);
    if (first == 0)
        mp_tree_write_name(&writer, context_ids[1], true, "idle");
    for (; first < t.n; first++)
        if ((all || below(2)) && !mp_tree_write_row(&writer, &t.rows[first]))
            break;
    t.head.number++;
    if (arrives)
        send(payload, writer.at);
    if (arrives && t.last_n > 0 && below(4) == 0)
        send(t.last, t.last_n);
    memcpy(t.last, payload, writer.at);
    t.last_n = writer.at;
    return first;
}

static void tell_all(void)
{
    for (uint32_t first = 0; first < t.n;)
        first = tell(first, true, true);
}

/* ---- what is shown ---- */

static uint32_t shown(const struct snapshot *snapshot, uint32_t number)
{
    const struct mp_tree_row *row = &t.rows[number];
    uint32_t parent = row->parent == MP_TREE_NO_PARENT ? 0 : shown(snapshot, row->parent);
    static const char *const names[CONTEXTS] = {"main", "idle", "interrupt 15"};
    uint32_t context = 0;
    while (context_ids[context] != row->context)
        context++;
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        const struct snapshot_node *node = &snapshot->nodes[i];
        if ((uint32_t)node->parent == parent &&
            snapshot->functions[node->function].address == row->function &&
            !strcmp(snapshot->contexts[node->context].name, names[context]))
            return i;
    }
    cr_assert(false, "a node is missing");
    return 0;
}

/* Checks the call tree; nodes of the same chain of functions are one node in the snapshot. */
static void check_tree(const struct snapshot *snapshot)
{
    static uint64_t calls[NODES * 2], self[NODES * 2], total[NODES * 2];
    expect_adds_up(snapshot, 0);
    memset(calls, 0, sizeof calls);
    memset(self, 0, sizeof self);
    memset(total, 0, sizeof total);
    cr_assert_leq(snapshot->node_count, NODES * 2);
    for (uint32_t i = 0; i < t.n; i++) {
        uint32_t id = shown(snapshot, i);
        uint64_t ticks = t.rows[i].ticks - t.before_ticks[i];
        calls[id] += t.rows[i].calls - t.before_calls[i];
        self[id] += ticks;
        for (; id != 0; id = (uint32_t)snapshot->nodes[id].parent)
            total[id] += ticks;
    }
    for (uint32_t i = 1; i < snapshot->node_count; i++) {
        if (snapshot->functions[snapshot->nodes[i].function].kind != KIND_FUNCTION)
            continue;
        cr_assert_eq(snapshot->nodes[i].calls, calls[i]);
        cr_assert_eq(snapshot->nodes[i].self_ticks, self[i]);
        cr_assert_eq(snapshot->nodes[i].total_ticks, total[i]);
    }
}

static void remember(void)
{
    for (uint32_t i = 0; i < t.n; i++) {
        t.before_calls[i] = t.rows[i].calls;
        t.before_ticks[i] = t.rows[i].ticks;
    }
}

Test(counted, final_sums_are_exact_despite_packet_loss)
{
    struct test_random random = test_random_start("counted");
    for (int program = 0; program < (int)test_effort(20, 60); program++) {
        begin(test_random_next(&random), false);
        for (int round = 0; round < ROUNDS; round++) {
            work();
            tell(below(t.n + 1), false, below(3) > 0);
        }
        tell_all();
        struct snapshot *snapshot = freeze(t.profile);
        check_tree(snapshot);
        uint64_t running = 0;
        for (uint32_t i = 0; i < snapshot->context_count; i++) {
            cr_assert(snapshot->contexts[i].has_times && !snapshot->contexts[i].has_waits);
            running += snapshot->contexts[i].running_ticks;
        }
        cr_assert_eq(running, t.head.elapsed, "all of the time is somebody's");
        cr_assert_eq(t.dialect->health(t.state)->malformed, 0);
        cr_assert_eq(snapshot->ledger.booked[ACCOUNT_CALLS_MERGED], t.sums[1].other_calls);
        snapshot_unref(snapshot);
        end();
    }
}

Test(counted, a_cleared_profile_shows_later_counts_only)
{
    struct test_random random = test_random_start("counted-cleared");
    begin(test_random_next(&random), false);
    for (int round = 0; round < ROUNDS; round++)
        work();
    tell_all();
    profile_clear(t.profile);
    t.dialect->retell(t.state, &(struct event_out){.batch = apply});
    remember();
    for (int round = 0; round < 3; round++)
        work();
    tell_all();
    struct snapshot *snapshot = freeze(t.profile);
    check_tree(snapshot);
    snapshot_unref(snapshot);
    end();
}

/* Begins a new run, in which each row has `sum` calls and ticks. */
static void begin_again(uint64_t sum)
{
    t.head = (struct mp_tree_head){.run = 2, .hz = 25000000, .room = NODES, .nodes = t.n, .elapsed = 50};
    for (uint32_t i = 0; i < t.n; i++)
        t.rows[i].calls = t.rows[i].ticks = sum;
    memset(t.sums, 0, sizeof t.sums);
    t.last_n = 0; /* a line does not repeat a packet of the last run after one of the next */
    tell_all();
}

Test(counted, a_run_that_is_cut_by_another_start_does_not_add_up_with_it)
{
    struct test_random random = test_random_start("counted-cut");
    begin(test_random_next(&random), false);
    while (t.n < 5)
        work();
    tell(0, false, true); /* some of it */
    begin_again(3);
    struct snapshot *snapshot = freeze(t.profile);
    check_tree(snapshot);
    cr_assert_eq(snapshot->ledger.cleared[BY_TELLING].times, 1);
    cr_assert_gt(snapshot->ledger.cleared[BY_TELLING].calls, 0);
    struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
    cr_assert(strstr(reasons.text[0], "when the target began to send calls in another way"));
    snapshot_unref(snapshot);
    profile_clear(t.profile);
    snapshot = freeze(t.profile);
    cr_assert_eq(snapshot->ledger.cleared[BY_TELLING].times, 0);
    snapshot_unref(snapshot);
    end();
}

Test(counted, a_new_run_adds_to_the_counts)
{
    struct test_random random = test_random_start("counted-runs");
    begin(test_random_next(&random), false);
    work();
    while (t.n < 5)
        work();
    t.head.flags |= MP_TREE_IS_STOPPED;
    tell_all();
    struct snapshot *before = freeze(t.profile);
    uint32_t node = shown(before, 0);
    uint64_t calls = before->nodes[node].calls, self = before->nodes[node].self_ticks;
    begin_again(3);
    struct snapshot *after = freeze(t.profile);
    cr_assert_geq(after->nodes[node].calls, calls + 3);
    cr_assert_geq(after->nodes[node].self_ticks, self + 3);
    cr_assert_eq(after->ledger.cleared[BY_TELLING].times, 0);
    snapshot_unref(before);
    snapshot_unref(after);
    end();
}

Test(counted, flat_rows_are_arcs_and_functions_with_exact_sums)
{
    struct test_random random = test_random_start("counted-flat");
    begin(test_random_next(&random), true);
    for (int round = 0; round < ROUNDS; round++) {
        work();
        tell(below(t.n + 1), false, below(3) > 0);
    }
    tell_all();
    struct snapshot *snapshot = freeze(t.profile);
    cr_assert(snapshot->call_tree_estimated);
    for (uint32_t f = 0; f < FUNCTIONS; f++) {
        uint64_t calls = 0, self = 0;
        for (uint32_t i = 0; i < t.n; i++)
            if (t.rows[i].function == FIRST_ADDRESS + 16 * f) {
                calls += t.rows[i].calls;
                self += t.rows[i].ticks;
            }
        if (row_of(snapshot, FIRST_ADDRESS + 16 * f) == UINT32_MAX)
            continue;
        const struct snapshot_function *row = function_of(snapshot, FIRST_ADDRESS + 16 * f);
        cr_assert_eq(row->calls, calls);
        cr_assert_eq(row->self_ticks, self);
        cr_assert_eq(row->known, FUNCTION_CALLS | FUNCTION_SELF);
    }
    snapshot_unref(snapshot);
    end();
}
