/* test_delta.c - deltas applied to the first snapshot give every later one, byte for byte.
 *
 * The client here knows as little as it can: it keeps rows as the text they came in, so that a member that a
 * delta forgets to tell cannot go unnoticed. */
#include "export/export.h"
#include "profile/profile.h"
#include "support/elf_writer.h"
#include "support/random.h"
#include "symbol/symtab.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON, cut into pieces ---- */

struct piece {
    const char *at;
    size_t n;
};

static bool same(struct piece a, struct piece b)
{
    return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

static const char *end_of_string(const char *at)
{
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

/* Where the value that begins at `at` ends. */
static const char *end_of_value(const char *at)
{
    int depth = 0;
    for (;;) {
        if (*at == '"') {
            at = end_of_string(at);
        } else {
            depth += *at == '{' || *at == '[';
            depth -= *at == '}' || *at == ']';
            if (depth < 0)
                return at;
            at++;
        }
        if (depth == 0 && (*at == ',' || *at == '}' || *at == ']' || *at == '\n'))
            return at;
    }
}

/* Takes the next element off an array, or the next `"name":value` off an object. */
static bool take(struct piece *rest, struct piece *element)
{
    if (rest->n < 3) /* nothing but brackets */
        return false;
    const char *from = rest->at + 1, *end = rest->at + rest->n;
    const char *at = *from == '"' ? end_of_string(from) : from;
    at = *at == ':' ? at + 1 : from;
    const char *to = end_of_value(at);
    *element = (struct piece){from, (size_t)(to - from)};
    *rest = (struct piece){to, (size_t)(end - to)};
    return true;
}

static struct piece member(struct piece object, const char *name)
{
    struct piece element;
    size_t n = strlen(name);
    while (take(&object, &element))
        if (element.n > n + 3 && memcmp(element.at + 1, name, n) == 0 && element.at[n + 1] == '"')
            return (struct piece){element.at + n + 3, element.n - n - 3};
    return (struct piece){"", 0};
}

static uint64_t number(struct piece object, const char *name)
{
    return strtoull(member(object, name).at, NULL, 10);
}

/* ---- the client ---- */

struct rows {
    struct piece *row; /* texts of its own */
    size_t n;
};

/* Rows between the last and `at` are there then, and empty. */
static void rows_put(struct rows *rows, size_t at, struct piece text)
{
    if (at >= rows->n) {
        rows->row = realloc(rows->row, (at + 1) * sizeof *rows->row);
        memset(rows->row + rows->n, 0, (at + 1 - rows->n) * sizeof *rows->row);
        rows->n = at + 1;
    }
    free((char *)(uintptr_t)rows->row[at].at);
    rows->row[at] = (struct piece){strndup(text.at, text.n), text.n};
}

static void rows_drop(struct rows *rows, size_t first)
{
    for (size_t i = 0; i < first; i++)
        free((char *)(uintptr_t)rows->row[i].at);
    rows->n -= first;
    if (rows->n > 0)
        memmove(rows->row, rows->row + first, rows->n * sizeof *rows->row);
}

enum { KEYED = 4, COLUMNS = 6 };

/* Arrays whose rows are known by what stands before this member. */
static const char *const keyed[KEYED][2] = {
    {"functions", ",\"kind\":"},
    {"contexts", ",\"name\":"},
    {"arcs", ",\"calls\":"},
    {"checkpoints", ",\"name\":"},
};
static const char *const columns[COLUMNS] = {"parent", "function",    "context",
                                             "calls",  "total_ticks", "self_ticks"};
/* What each delta tells anew. */
static const char *const plain[] = {"sequence",        "cleared_at", "captured_at",         "source",
                                    "target",          "link",       "call_tree_estimated", "samples",
                                    "messages_dropped"};
enum { PLAIN = sizeof plain / sizeof *plain };

struct client {
    struct rows keyed[KEYED], columns[COLUMNS], messages, plain;
    uint64_t messages_dropped;
};

static void client_fini(struct client *client)
{
    struct rows *all = (struct rows *)client;
    for (size_t i = 0; i < KEYED + COLUMNS + 2; i++) {
        rows_drop(&all[i], all[i].n);
        free(all[i].row);
    }
    *client = (struct client){0};
}

static size_t key_length(struct piece row, const char *before)
{
    const char *end = memmem(row.at, row.n, before, strlen(before));
    cr_assert(end != NULL, "every row has what it is known by");
    return (size_t)(end - row.at) + strlen(before);
}

static void put_by_key(struct rows *rows, struct piece row, const char *before)
{
    size_t n = key_length(row, before), at = 0;
    while (at < rows->n && !same((struct piece){row.at, n}, (struct piece){rows->row[at].at, n}))
        at++; /* so a new row is the next one */
    rows_put(rows, at, row);
}

/* Node of a row; in a whole tree the parent, told by its row, becomes that one's node. */
static void put_cell(struct rows *column, size_t node, struct piece cell, const uint64_t *parents)
{
    char text[24];
    if (parents && *cell.at != '-') {
        int n = snprintf(text, sizeof text, "%" PRIu64, parents[strtoull(cell.at, NULL, 10)]);
        cell = (struct piece){text, (size_t)n};
    }
    rows_put(column, node, cell);
}

static void apply_tree(struct client *client, struct piece tree, bool is_whole)
{
    struct piece element;
    uint64_t *nodes = NULL;
    size_t n = 0;
    for (struct piece rest = member(tree, "index"); take(&rest, &element); n++) {
        nodes = realloc(nodes, (n + 1) * sizeof *nodes);
        nodes[n] = strtoull(element.at, NULL, 10);
    }
    for (size_t i = 0; i < COLUMNS; i++) {
        struct piece rest = member(tree, columns[i]);
        for (size_t row = 0; take(&rest, &element); row++)
            put_cell(&client->columns[i], nodes[row], element, is_whole && i == 0 ? nodes : NULL);
    }
    free(nodes);
}

/* Drops the nodes that hold nothing and have nothing below them, which a whole tree does not tell of. */
static void drop_empty_nodes(struct client *client)
{
    size_t n = client->columns[0].n;
    bool *occupied = calloc(n + 1, sizeof *occupied);
    for (size_t node = n; node-- > 0;) {
        bool is_told = client->columns[0].row[node].at != NULL;
        for (size_t i = 3; is_told && i < COLUMNS; i++) /* calls and both kinds of ticks */
            occupied[node] |= strtoull(client->columns[i].row[node].at, NULL, 10) > 0;
        if (occupied[node] && node > 0)
            occupied[strtoull(client->columns[0].row[node].at, NULL, 10)] = true;
    }
    for (size_t node = 1; node < n; node++)
        for (size_t i = 0; i < COLUMNS && !occupied[node]; i++) {
            free((char *)(uintptr_t)client->columns[i].row[node].at);
            client->columns[i].row[node] = (struct piece){0};
        }
    for (size_t i = 0; i < COLUMNS; i++)
        while (client->columns[i].n > 0 && !client->columns[i].row[client->columns[i].n - 1].at)
            client->columns[i].n--;
    free(occupied);
}

static void apply(struct client *client, struct piece top)
{
    struct piece element;
    for (size_t i = 0; i < KEYED; i++)
        for (struct piece rest = member(top, keyed[i][0]); take(&rest, &element);)
            put_by_key(&client->keyed[i], element, keyed[i][1]);
    apply_tree(client, member(top, "call_tree"), member(top, "since").n == 0);
    drop_empty_nodes(client);
    uint64_t ever = client->messages_dropped + client->messages.n;
    client->messages_dropped = number(top, "messages_dropped");
    uint64_t older = ever > client->messages_dropped ? ever - client->messages_dropped : 0;
    rows_drop(&client->messages, client->messages.n - older);
    for (struct piece rest = member(top, "messages"); take(&rest, &element);)
        rows_put(&client->messages, client->messages.n, element);
    for (size_t i = 0; i < PLAIN; i++)
        rows_put(&client->plain, i, member(top, plain[i]));
}

static void expect_same_rows(const struct rows *got, const struct rows *want, const char *what, uint64_t seed)
{
    cr_assert_eq(got->n, want->n, "seed %" PRIu64 ": %zu rows of %s, not %zu", seed, got->n, what, want->n);
    for (size_t i = 0; i < got->n; i++)
        cr_assert(got->row[i].n == want->row[i].n && (!want->row[i].at || same(got->row[i], want->row[i])),
                  "seed %" PRIu64 ": %s %zu is\n%s\nand not\n%s", seed, what, i,
                  got->row[i].at ? got->row[i].at : "gone", want->row[i].at ? want->row[i].at : "gone");
}

static void expect_same(const struct client *got, const struct client *want, uint64_t seed)
{
    for (size_t i = 0; i < KEYED; i++)
        expect_same_rows(&got->keyed[i], &want->keyed[i], keyed[i][0], seed);
    for (size_t i = 0; i < COLUMNS; i++)
        expect_same_rows(&got->columns[i], &want->columns[i], columns[i], seed);
    expect_same_rows(&got->messages, &want->messages, "messages", seed);
    expect_same_rows(&got->plain, &want->plain, "plain members", seed);
}

/* ---- a target that says anything ---- */

enum { FUNCTIONS = 20, STEP = 0x40, BASE = 0x1000 };

static uint64_t some_address(struct test_random *random)
{
    return BASE + STEP * test_random_below(random, FUNCTIONS) + test_random_below(random, 2) * 4;
}

static struct event some_text(struct test_random *random)
{
    static const char *const texts[] = {"hello", "\"quoted\" \xFF [1,2]", ""};
    static const struct event_message more = {.status = "OK", .type = "STRING:GENERIC", .location = "a.c:1"};
    struct event event = {.kind = EVENT_TEXT, .ticks = test_random_below(random, 1000)};
    event.text.text = texts[test_random_below(random, 3)];
    event.text.n = (uint32_t)strlen(event.text.text);
    event.text.severity = (uint8_t)test_random_below(random, 8);
    event.text.message = test_random_below(random, 2) ? &more : NULL;
    return event;
}

static struct event some_edge(struct test_random *random, uint64_t now)
{
    static const char *const names[] = {"alpha", "beta", "f3", "f4"};
    struct event event = {.kind = test_random_below(random, 2) ? EVENT_ENTER : EVENT_EXIT,
                          .ticks = now,
                          .context = (uint32_t)test_random_below(random, 3)};
    if (test_random_below(random, 3) == 0) {
        const char *name = names[test_random_below(random, 4)];
        event.flags = EVENT_BY_NAME;
        event.named.name = name;
        event.named.n = (uint32_t)strlen(name);
    } else {
        event.call.address = some_address(random);
    }
    return event;
}

static const struct event_pair pairs[] = {{"p", 0, 0, 1}, {"q", 1, 2, 3}};
static const struct event_plan plan = {.pairs = pairs, .pair_count = 2};

/* `kinds` is which kinds this target uses. */
static struct event some_event(struct test_random *random, uint32_t kinds, uint64_t now)
{
    switch (test_random_below(random, 8)) {
    case 0:
    case 1:
        if (kinds & 1)
            return (struct event){.kind = EVENT_CALL,
                                  .depth = (uint16_t)test_random_below(random, 5),
                                  .ticks = now - test_random_below(random, 40),
                                  .call = {some_address(random), test_random_below(random, 40)}};
        break;
    case 2:
    case 3:
        if (kinds & 2)
            return some_edge(random, now);
        break;
    case 4:
        if (kinds & 4)
            return (struct event){
                .kind = EVENT_ARC,
                .arc = {some_address(random), some_address(random), test_random_below(random, 4)}};
        break;
    case 5:
        if (kinds & 4)
            return (struct event){.kind = EVENT_SAMPLE,
                                  .sample = {some_address(random), test_random_below(random, 9)}};
        break;
    case 6:
        if (kinds & 8)
            return (struct event){.kind = EVENT_MARK,
                                  .ticks = now,
                                  .mark = {.topic = (uint32_t)test_random_below(random, 2),
                                           .checkpoint = (uint32_t)test_random_below(random, 4),
                                           .calibration = (uint32_t)test_random_below(random, 2),
                                           .count = (uint32_t)now}};
        break;
    default: break;
    }
    if (test_random_below(random, 20) == 0)
        return (struct event){.kind = test_random_below(random, 2) ? EVENT_RESET : EVENT_LOST};
    if (kinds & 8 && test_random_below(random, 30) == 0)
        return (struct event){.kind = EVENT_PLAN, .plan = &plan};
    return some_text(random);
}

/* Functions f0, f1 ... at `shift` bytes from where another build has them. */
static struct symtab *some_symbols(uint64_t shift)
{
    struct elf_writer elf;
    elf_writer_init(&elf, 4, false, EM_RISCV);
    unsigned text = elf_writer_code(&elf, ".text", BASE, STEP * FUNCTIONS);
    for (unsigned i = 0; i + 4 < FUNCTIONS; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%u", i);
        elf_writer_symbol(&elf, name, BASE + i * STEP + shift, STEP, STB_GLOBAL, STT_FUNC, text);
    }
    size_t n;
    uint8_t *bytes = elf_writer_finish(&elf, &n);
    struct error err;
    struct symtab *symtab = symtab_load_memory(bytes, n, "made.elf", &err);
    cr_assert_not_null(symtab, "%s", err.text);
    free(bytes);
    return symtab;
}

static void disturb(struct profile *profile, struct test_random *random, struct symtab *const symbols[2])
{
    switch (test_random_below(random, 40)) {
    case 0: profile_clear(profile); break;
    case 1: profile_set_symbols(profile, symbols[test_random_below(random, 2)]); break;
    case 2: profile_set_symbols(profile, NULL); break;
    case 3: profile_tick(profile, test_random_next(random) >> 32); break;
    case 4:
    case 5:
    case 6: profile_finish(profile); break;
    default: break;
    }
}

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

/* What the client at `since` holds after it heard of `snapshot`, against what one that begins now gets. */
static void look(struct client *client, const struct snapshot *snapshot, uint64_t since, uint64_t seed)
{
    struct sink_buffer out;
    struct client fresh = {0};
    struct piece whole = written(snapshot, 0, &out);
    apply(&fresh, whole);
    sink_buffer_fini(&out);

    if (since < snapshot->cleared_at)
        client_fini(client);
    struct piece news = written(snapshot, since, &out);
    apply(client, news);
    sink_buffer_fini(&out);
    expect_same(client, &fresh, seed);
    client_fini(&fresh);
}

Test(delta, applied_to_the_first_snapshot_they_give_every_later_one)
{
    struct symtab *const symbols[2] = {some_symbols(0), some_symbols(2 * STEP)};
    for (uint64_t seed = 1; seed <= 150; seed++) {
        struct test_random random = {seed * 7477};
        struct profile *profile = profile_new(NULL);
        struct client client = {0};
        uint32_t kinds = (uint32_t)(seed % 16);
        uint64_t since = 0, now = 100;
        for (int round = 0; round < 60; round++) {
            struct event batch[8];
            size_t n = 1 + test_random_below(&random, 8);
            for (size_t i = 0; i < n; i++)
                batch[i] = some_event(&random, kinds, now += test_random_below(&random, 9));
            profile_apply(profile, batch, n);
            disturb(profile, &random, symbols);
            if (test_random_below(&random, 3) == 0)
                continue;
            struct snapshot *snapshot = freeze(profile, now);
            if (test_random_below(&random, 3)) { /* else nobody saw it */
                look(&client, snapshot, since, seed);
                since = snapshot->sequence;
            }
            snapshot_unref(snapshot);
        }
        client_fini(&client);
        profile_free(profile);
    }
    symtab_unref(symbols[0]);
    symtab_unref(symbols[1]);
}

/* Blocks only say where nothing needs to be looked for: the delta is the same without them. */
Test(delta, of_many_rows_is_that_of_each_row_looked_at)
{
    enum { ROWS = 1500 }; /* and as many nodes: several blocks, the last one not full */
    struct profile *profile = profile_new(NULL);
    struct test_random random = {4711};
    uint64_t now = 100, since = 0, told = 0;
    for (int round = 0; round < 60; round++) {
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
        cr_expect(same(a, b), "round %d", round);
        told += round > 0 ? a.n : 0;
        if (test_random_below(&random, 3))
            since = snapshot->sequence;
        sink_buffer_fini(&quick);
        sink_buffer_fini(&slow);
        snapshot_unref(snapshot);
    }
    cr_expect_lt(told, UINT64_C(60) * 8192, "a delta is in proportion to what changed");
    profile_free(profile);
}
