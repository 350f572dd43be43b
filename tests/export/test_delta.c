/* test_delta.c - deltas applied to the first snapshot give every later one, byte for byte. */
#include "babble.h"
#include "export/export.h"
#include "follower.h"
#include "snapshot/blocks.h"
#include "support/effort.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct snapshot *freeze(struct profile *profile, uint64_t bytes)
{
    static const struct snapshot_source source = {
        .port = "/dev/ttyX", .dialect = "miniprof", .provides = PROVIDES_TREE | PROVIDES_SAMPLES};
    struct snapshot_target target = {.ticks_per_second = bytes};
    struct snapshot_link link = {.bytes = bytes};
    return profile_freeze(profile, &source, &target, &link);
}

static struct piece written(const struct snapshot *snapshot, uint64_t since, struct sink_buffer *out)
{
    sink_buffer_init(out);
    if (since < snapshot->cleared_at)
        exporter_find("json")->write(snapshot, &out->sink);
    else
        export_delta(snapshot, since, &out->sink);
    size_t n = out->bytes[out->n - 1] == '\n' ? out->n - 1 : out->n;
    return (struct piece){out->bytes, n};
}

/* Sends `snapshot` to the follower at `since`, and compares it with a new follower. */
static void look(struct follower *follower, const struct snapshot *snapshot, uint64_t since, uint64_t seed)
{
    struct sink_buffer out;
    struct follower fresh = {0};
    struct piece whole = written(snapshot, 0, &out);
    follower_apply(&fresh, whole);
    sink_buffer_fini(&out);

    if (since < snapshot->cleared_at)
        follower_fini(follower);
    struct piece news = written(snapshot, since, &out);
    follower_apply(follower, news);
    sink_buffer_fini(&out);
    follower_expect_same(follower, &fresh, seed);
    follower_fini(&fresh);
}

/* Adds or removes limits, of existing functions and of a missing one. */
static void change_limits(struct profile *profile, struct test_random *random)
{
    static const char *const figures[] = {"max<50ms", "period<200ms", "mean<=0.2s", "p99<0.3s",
                                          "calls<5",  "rate<3",       "load<10%",   "self>5%"};
    struct bound bound;
    struct error err;
    char text[64];
    uint32_t id = (uint32_t)test_random_below(random, 12);
    if (test_random_below(random, 6) == 0)
        profile_remove_bound(profile, id);
    if (test_random_below(random, 9))
        return;
    snprintf(text, sizeof text, "0x%x:%s",
             (unsigned)(BABBLE_BASE + BABBLE_STEP * test_random_below(random, BABBLE_FUNCTIONS + 1)),
             figures[test_random_below(random, 8)]);
    cr_assert(bound_parse(text, &bound, &err), "%s", err.text);
    profile_add_bound(profile, &bound, &id, &err); /* some are set already */
}

Test(delta, applied_to_the_first_snapshot_they_give_every_later_one)
{
    struct symtab *const symbols[2] = {babble_symbols(0), babble_symbols(2 * BABBLE_STEP)};
    for (uint64_t seed = 1; seed <= test_effort(10, 150); seed++) {
        struct test_random random = {seed * 7477}, of_limits = {seed * 7479};
        struct profile *profile = profile_new(NULL);
        profile_watch(profile, BABBLE_BASE, 5);
        profile_set_clock(profile, 100);
        struct follower follower = {0};
        uint32_t kinds = (uint32_t)(seed % 16);
        uint64_t since = 0, now = 100;
        for (int round = 0; round < 60; round++) {
            struct event batch[8];
            size_t n = 1 + test_random_below(&random, 8);
            for (size_t i = 0; i < n; i++)
                batch[i] = babble_event(&random, kinds, now += test_random_below(&random, 9));
            profile_apply(profile, batch, n);
            change_limits(profile, &of_limits);
            babble_disturb(profile, &random, symbols);
            if (test_random_below(&random, 3) == 0)
                continue;
            struct snapshot *snapshot = freeze(profile, now);
            if (test_random_below(&random, 3)) { /* else nobody saw it */
                look(&follower, snapshot, since, seed);
                since = snapshot->sequence;
            }
            snapshot_unref(snapshot);
        }
        follower_fini(&follower);
        profile_free(profile);
    }
    symtab_unref(symbols[0]);
    symtab_unref(symbols[1]);
}

/* Compares the numbers of changed rows with those found by looking at each row. */
static void count_changes(const struct snapshot *snapshot, uint64_t since, int round)
{
    const struct blocks_changes changes = blocks_changes(snapshot, since);
    uint32_t functions = 0, nodes = 0;
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        functions += snapshot->functions[i].changed > since;
    for (uint32_t i = 0; i < snapshot->node_count; i++)
        nodes += snapshot->nodes[i].changed > since;
    cr_expect_eq(changes.functions, functions, "round %d: %u of %u", round, changes.functions, functions);
    cr_expect_eq(changes.nodes, nodes, "round %d: %u of %u", round, changes.nodes, nodes);
}

/* Blocks only mark unchanged rows: the delta is the same without them. */
Test(delta, of_many_rows_is_that_of_each_row_looked_at)
{
    /* And as many nodes: several blocks, the last one not full. */
    enum { ROWS = 1500, ROUNDS = 59 };
    struct profile *profile = profile_new(NULL);
    struct test_random random = {4711};
    uint64_t now = 100, since = 0, whole = 0, told = 0;
    for (int round = 0; round <= ROUNDS; round++) {
        uint32_t calls = round == 0 ? ROWS : (uint32_t)test_random_below(&random, 4);
        for (uint32_t i = 0; i < calls; i++) {
            uint32_t function = round == 0 ? i : (uint32_t)test_random_below(&random, ROWS + 300);
            const struct event call = {.kind = EVENT_CALL,
                                       .ticks = now += 10,
                                       .call = {.address = 0x1000 + 16u * function, .duration = 5}};
            profile_apply(profile, &call, 1);
        }
        struct snapshot *snapshot = freeze(profile, now);
        struct snapshot unblocked = *snapshot;
        unblocked.function_blocks = unblocked.node_blocks = NULL;
        struct sink_buffer quick, slow;
        struct piece a = written(snapshot, since, &quick), b = written(&unblocked, since, &slow);
        cr_expect(piece_same(a, b), "round %d", round);
        count_changes(snapshot, since, round);
        count_changes(&unblocked, since, round);
        *(round > 0 ? &told : &whole) += a.n;
        if (test_random_below(&random, 3))
            since = snapshot->sequence;
        sink_buffer_fini(&quick);
        sink_buffer_fini(&slow);
        snapshot_unref(snapshot);
    }
    cr_expect_lt(told, ROUNDS * whole / 32, "a delta is in proportion to what changed");
    profile_free(profile);
}
