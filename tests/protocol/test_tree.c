/* test_tree.c - the call tree, record by record: the vectors of SPEC.md section 12, and malformed bytes. */
#include "protocol/tree_table.h"
#include "protocol/tree_writer.h"

#include <criterion/criterion.h>

#include "support/random.h"

enum { ROOM = 200, NODES = 300, CONTEXTS = 4, FUNCTIONS = 3 };

static uint8_t out[ROOM + MP_TREE_RECORD_MAX];
static struct mp_tree_writer writer;

static struct mp_tree_node node[NODES];
static struct mp_tree_known_context contexts[CONTEXTS];
static struct mp_tree_table table;

static struct mp_tree_evicted evicted[FUNCTIONS];

static void init(void)
{
    mp_tree_table_init(&table, node, NODES, contexts, CONTEXTS);
    mp_tree_table_keep_evicted(&table, evicted, FUNCTIONS);
}

static uint32_t clock_time = 1000;

static uint32_t in_use = NODES;

static void begin(uint8_t flags, uint8_t run, uint32_t number, uint64_t elapsed)
{
    struct mp_tree_head head = {.flags = flags,
                                .run = run,
                                .number = number,
                                .time = clock_time,
                                .elapsed = elapsed,
                                .hz = 25000000,
                                .nodes = in_use,
                                .room = 512};

    mp_tree_begin(&writer, out, ROOM, 1, &head);
}

static void row(uint32_t number, uint32_t parent, uint32_t function, uint32_t context, uint64_t calls,
                uint64_t ticks)
{
    cr_assert(mp_tree_write_row(&writer, &(struct mp_tree_row){.node = number,
                                                               .parent = parent,
                                                               .function = function,
                                                               .context = context,
                                                               .calls = calls,
                                                               .ticks = ticks}));
}

static bool take(void)
{
    return mp_tree_table_packet(&table, out, writer.at);
}

static void is(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(out[i], bytes[i], "byte %zu is %02X, not %02X", i, out[i], bytes[i]);
    cr_assert_eq(writer.at, n);
}

#define IS(...) is((const uint8_t[]){__VA_ARGS__}, sizeof(uint8_t[]){__VA_ARGS__})

Test(tree, vector_1_rows_sums_names_and_running_nodes)
{
    begin(0, 3, 7, 0x123456789);
    row(0, MP_TREE_NO_PARENT, 0x08000100, 0, 1, 500);
    row(1, 0, 0x08000080, 0, 300, 0x123456000);
    row(200, 1, 0x08000090, 31, 2, 3);
    mp_tree_write_sums(&writer, 31, &(struct mp_tree_sums){2, 0, 5, 40});
    mp_tree_write_name(&writer, 0, true, "idle");
    mp_tree_write_runs(&writer, 0, 1);
    mp_tree_write_runs(&writer, 2, MP_TREE_NO_PARENT);
    IS(0x03, 0x10, 0x07, 0x00, 0x00, 0x30, 0xE8, 0x03, 0x00, 0x00,       /* head */
       0x89, 0xCF, 0x95, 0x9A, 0x12,                                     /* 123456789 ticks */
       0xC0, 0xF0, 0xF5, 0x0B, 0xAC, 0x02, 0x80, 0x04,                   /* 25 MHz, 300 of 512 nodes */
       0x00, 0x00, 0x80, 0x82, 0x80, 0x40, 0x01, 0xF4, 0x03,             /* 0: 08000100, once, 500 ticks */
       0x01, 0x01, 0x7F, 0xAC, 0x02, 0x80, 0xC0, 0x95, 0x9A, 0x12,       /* 1, below 0: 08000080, 300 */
       0xC4, 0x1F, 0xC0, 0xC8, 0x01, 0x00, 0xC7, 0x01, 0x10, 0x02, 0x03, /* 200, interrupt 15 */
       0xC8, 0x02, 0x00, 0x05, 0x28,                                     /* its sums */
       0xC9, 0x00, 0x01, 0x04, 'i', 'd', 'l', 'e',                       /* context 0 is idle */
       0xCA, 0x00, 0x02, 0xCA, 0x02, 0x00);                              /* in 0 runs node 1 */
    init();
    cr_assert(take());
    cr_assert_eq(table.counters.malformed + table.counters.conflicts + table.counters.beyond, 0);
    cr_assert_eq(table.counters.lost, 7);
    cr_assert_eq(node[1].row.ticks, 0x123456000);
    cr_assert_eq(node[1].elapsed, 0x123456789);
    cr_assert_eq(node[200].row.parent, 1);
    cr_assert_eq(node[200].row.context, MP_CONTEXT_INTERRUPT(15));
    cr_assert_not(node[2].is_told);
    cr_assert_eq(contexts[0].context, 31);
    cr_assert_eq(contexts[0].sums.other_ticks, 40);
    cr_assert(contexts[1].is_idle && contexts[1].name_length == 4 && contexts[1].runs == 1);
    cr_assert_eq(contexts[2].runs, MP_TREE_NO_PARENT);
}

Test(tree, vector_2_flat_with_the_longest_call)
{
    begin(MP_TREE_IS_FLAT | MP_TREE_HAS_LONGEST | MP_TREE_IS_STOPPED, 3, 0, 100);
    for (uint32_t i = 0; i < 2; i++)
        mp_tree_write_row(&writer, &(struct mp_tree_row){.node = i,
                                                         .parent = MP_TREE_NO_PARENT,
                                                         .caller = i ? 0x200 : 0,
                                                         .function = 0x200,
                                                         .calls = 7 + i,
                                                         .ticks = 50,
                                                         .longest = UINT64_MAX});
    IS(0x03, 0x17, 0x00, 0x00, 0x00, 0x30, 0xE8, 0x03, 0x00, 0x00, 0x64, 0xC0, 0xF0, 0xF5, 0x0B, 0xAC, 0x02,
       0x80, 0x04, 0x00, 0x00, 0x80, 0x04, 0x07, 0x32, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
       0x01, 0x01, 0x00, 0x00, 0x08, 0x32, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01);
    init();
    cr_assert(take());
    cr_assert_eq(table.head.flags, MP_TREE_IS_FLAT | MP_TREE_HAS_LONGEST | MP_TREE_IS_STOPPED);
    cr_assert_eq(node[0].row.caller, 0);
    cr_assert_eq(node[1].row.caller, 0x200);
    cr_assert_eq(node[1].row.function, 0x200);
    cr_assert_eq(node[1].row.longest, UINT64_MAX);
}

Test(tree, vector_3_chains)
{
    in_use = 64;
    begin(0, 3, 1, 100);
    row(0, MP_TREE_NO_PARENT, 0x100, 0, 1, 60);
    mp_tree_write_chains(&writer, &(struct mp_tree_chains){1024, 237, 27});
    IS(0x03, 0x10, 0x01, 0x00, 0x00, 0x30, 0xE8, 0x03, 0x00, 0x00, 0x64, 0xC0, 0xF0, 0xF5, 0x0B, 0x40, 0x80,
       0x04, 0x00, 0x00, 0x80, 0x02, 0x01, 0x3C, 0xCB, 0x80, 0x08, 0xED, 0x01, 0x1B);
    init();
    cr_assert(take());
    cr_assert_eq(table.chains.bits, 1024);
    cr_assert_eq(table.chains.empty, 237);
    cr_assert_eq(table.chains.node_bytes, 27);
    begin(0, 3, 2, 100);
    mp_tree_write_chains(&writer, &(struct mp_tree_chains){1024, 238, 27}); /* a bit was cleared */
    mp_tree_write_chains(&writer, &(struct mp_tree_chains){2048, 200, 27});
    cr_assert(take());
    cr_assert_eq(table.chains.empty, 237);
    cr_assert_eq(table.counters.conflicts, 2);
    begin(0, 4, 0, 0); /* a new run */
    cr_assert(take());
    cr_assert_eq(table.chains.bits, 0);
    in_use = NODES;
}

/* ---- eviction ---- */

static void begin_evicting(uint32_t number, uint64_t elapsed)
{
    struct mp_tree_head head = {.flags = MP_TREE_EVICTS,
                                .run = 3,
                                .number = number,
                                .time = clock_time,
                                .elapsed = elapsed,
                                .hz = 25000000,
                                .nodes = 64,
                                .room = 64,
                                .bound = 20,
                                .evictions = 3};

    mp_tree_begin(&writer, out, ROOM, 1, &head);
}

static void row_of(uint32_t place, uint32_t generation, uint32_t parent, uint32_t parent_generation,
                   uint64_t ticks)
{
    cr_assert(mp_tree_write_row(&writer, &(struct mp_tree_row){.node = place,
                                                               .parent = parent,
                                                               .function = 0x100 + 16 * generation,
                                                               .calls = 1,
                                                               .ticks = ticks,
                                                               .generation = generation,
                                                               .parent_generation = parent_generation}));
}

static void round_ends(uint32_t first, uint32_t whole)
{
    cr_assert(mp_tree_write_round(&writer, &(struct mp_tree_round){first, whole}));
}

Test(tree, vector_4_eviction)
{
    init();
    begin_evicting(0, 100);
    mp_tree_write_evicted(&writer, &(struct mp_tree_evicted){0x120, 4, 30, 0});
    mp_tree_write_below(&writer, 0, &(struct mp_tree_below){5, 300, 20});
    mp_tree_write_below(&writer, 2, &(struct mp_tree_below){MP_TREE_NO_PARENT, 0, 10});
    mp_tree_write_round(&writer, &(struct mp_tree_round){0, 1});
    row_of(2, 7, 5, 300, 60);
    IS(0x03, 0x50, 0x00, 0x00, 0x00, 0x30, 0xE8, 0x03, 0x00, 0x00, 0x64, 0xC0, 0xF0, 0xF5, 0x0B, 0x40, 0x40,
       0x14, 0x03,                                     /* bound 20, 3 evictions */
       0xCC, 0xA0, 0x02, 0x04, 0x1E,                   /* 120: 4 calls, 30 ticks */
       0xCD, 0x06, 0xAC, 0x02, 0x14,                   /* below 5: 20 */
       0xC4, 0x02, 0xCD, 0x00, 0x0A,                   /* outermost in context 2: 10 */
       0xCE, 0x00, 0x01,                               /* the round began with packet 0 */
       0xC4, 0x00, 0x02, 0x05, 0x07, 0xAC, 0x02, 0x50, /* 2, the 7th of its place, below 5 */
       0x01, 0x3C);
    cr_assert(take());
    cr_assert_eq(table.counters.malformed + table.counters.conflicts + table.counters.beyond, 0);
    cr_assert_eq(table.head.bound, 20);
    cr_assert_eq(table.head.evictions, 3);
    cr_assert_eq(evicted[0].ticks, 30);
    cr_assert_eq(node[5].below, 20);
    cr_assert_eq(contexts[0].below, 10);
    cr_assert_eq(node[2].row.parent, 5);
    cr_assert_eq(node[2].row.parent_generation, 300);
    cr_assert(table.is_settled);
}

Test(tree, a_row_of_another_generation_takes_the_place)
{
    init();
    begin_evicting(0, 100);
    row_of(0, 0, MP_TREE_NO_PARENT, 0, 50);
    row_of(1, 0, 0, 0, 40);
    cr_assert(take());
    begin_evicting(1, 100);
    row_of(1, 1, 0, 0, 5);
    mp_tree_write_below(&writer, 0, &(struct mp_tree_below){0, 0, 40});
    cr_assert(take());
    cr_assert_eq(node[1].row.ticks, 5);
    cr_assert_eq(table.counters.conflicts, 0);
    begin_evicting(2, 100);
    row_of(1, 1, 0, 0, 4);                                              /* shrinks */
    row_of(1, 1, 0, 1, 6);                                              /* has another parent */
    mp_tree_write_below(&writer, 0, &(struct mp_tree_below){0, 0, 39}); /* shrinks */
    for (uint32_t i = 0; i <= FUNCTIONS; i++)
        mp_tree_write_evicted(&writer, &(struct mp_tree_evicted){0x100 * i, 1, 1, 0});
    mp_tree_write_evicted(&writer, &(struct mp_tree_evicted){0x100, 1, 0, 0});
    cr_assert(take());
    cr_assert_eq(table.counters.conflicts, 4);
    cr_assert_eq(table.counters.beyond, 1);
    cr_assert_eq(node[1].row.ticks, 5);
    cr_assert_eq(mp_tree_table_below(&node[0]), 40);
    cr_assert_eq(mp_tree_table_below(&node[1]), 0);
}

static void lone_round(uint32_t number, uint32_t whole)
{
    begin_evicting(number, 100);
    round_ends(number, whole);
    cr_assert(take());
}

Test(tree, sums_are_consistent_after_a_full_round)
{
    init();
    lone_round(0, 1);
    cr_assert(table.is_settled);
    lone_round(1, 2);
    cr_assert(table.is_settled);
    lone_round(3, 3); /* 2 is missing */
    cr_assert_not(table.is_settled);
    lone_round(4, 3);
    cr_assert_not(table.is_settled);
    lone_round(5, 3);
    cr_assert(table.is_settled);
    begin_evicting(6, 100);
    cr_assert(take());
    cr_assert_not(table.is_settled);
    begin_evicting(7, 100);
    writer.out[writer.at++] = 0xF0;
    cr_assert(take());
    begin_evicting(8, 100);
    round_ends(6, 1); /* began before the damage */
    cr_assert(take());
    cr_assert_not(table.is_settled);
}

Test(tree, eviction_has_impossible_records_as_well)
{
    const uint8_t bad[][8] = {{5, 0x00, 0x02, 0x00, 0x00, 0x00},       /* its parent would be -1 */
                              {4, 0xCD, 0x42, 0x00, 0x00},             /* below a node that is not in use */
                              {6, 0xCD, 0x01, 0x80, 0x80, 0x04, 0x00}, /* generation 65,536 */
                              {3, 0xCE, 0x00, 0x00},
                              {4, 0xCE, 0x00, 0x80, 0x02}};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        init();
        begin_evicting(0, 100);
        for (uint8_t k = 1; k <= bad[i][0]; k++)
            out[writer.at++] = bad[i][k];
        cr_assert(take());
        cr_assert_eq(table.counters.malformed, 1, "%zu", i);
    }
    init();
    begin(0, 3, 0, 100);
    mp_tree_write_round(&writer, &(struct mp_tree_round){0, 1}); /* of no eviction */
    cr_assert(take());
    cr_assert_eq(table.counters.malformed, 1);
    begin_evicting(1, 100);
    out[1] |= MP_TREE_IS_FLAT;
    cr_assert_not(take());
    mp_tree_table_init(&table, node, NODES, contexts, CONTEXTS); /* one that does not have it */
    begin_evicting(0, 100);
    cr_assert_not(take());
}

Test(tree, a_name_is_cut_between_characters)
{
    static const char name[] = "a name of 23 bytes is it\xE2\x82\xAC";

    for (uint8_t first = 0; first < 4; first++) {
        begin(0, 1, 0, 5);
        cr_assert(mp_tree_write_name(&writer, 0, false, name + first));
        init();
        cr_assert(take());
        uint8_t n = first < 3 ? (uint8_t)(24 - first) : 24;
        cr_assert_eq(contexts[0].name_length, n);
        cr_assert_arr_eq(contexts[0].name, name + first, n);
    }
}

Test(tree, a_record_that_does_not_fit_leaves_the_packet_unchanged)
{
    uint32_t n = 0;

    begin(0, 1, 0, 5);
    while (mp_tree_write_row(&writer, &(struct mp_tree_row){.node = n,
                                                            .parent = n ? n - 1 : MP_TREE_NO_PARENT,
                                                            .function = 0x1000 + 0x200 * n,
                                                            .context = n % 3,
                                                            .calls = n}))
        n++;
    cr_assert_leq(writer.at, ROOM);
    cr_assert_not(mp_tree_write_name(&writer, 0, false, "far too long a name for the room that is left"));
    cr_assert_not(mp_tree_write_sums(&writer, UINT32_MAX,
                                     &(struct mp_tree_sums){UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}));
    init();
    cr_assert(take());
    for (uint32_t i = 0; i < n; i++) {
        cr_assert_eq(node[i].row.function, 0x1000 + 0x200 * i);
        cr_assert_eq(node[i].row.context, i % 3);
        cr_assert_eq(node[i].row.calls, i);
    }
    cr_assert_not(node[n].is_told);
    cr_assert_eq(table.counters.malformed, 0);
}

Test(tree, a_row_may_come_in_any_order_and_twice_and_a_lost_packet_costs_nothing)
{
    init();
    begin(0, 1, 0, 10);
    row(5, 4, 0x500, 0, 1, 1);
    cr_assert(take());
    cr_assert_not(node[4].is_told);
    begin(0, 1, 3, 20);
    row(4, MP_TREE_NO_PARENT, 0x400, 0, 1, 9);
    row(5, 4, 0x500, 0, 2, 2);
    row(5, 4, 0x500, 0, 2, 2);
    cr_assert(take());
    cr_assert(node[4].is_told);
    cr_assert_eq(node[5].row.calls, 2);
    cr_assert_eq(node[5].elapsed, 20);
    cr_assert_eq(table.counters.lost, 2);
    begin(0, 1, 2, 15); /* late */
    row(5, 4, 0x500, 0, 1, 1);
    cr_assert_not(take());
    cr_assert_eq(table.counters.late, 1);
    cr_assert_eq(table.counters.conflicts, 0);
    begin(0, 2, 0, 3); /* a new run */
    row(5, MP_TREE_NO_PARENT, 0x700, 2, 1, 1);
    cr_assert(take());
    cr_assert_not(node[4].is_told);
    cr_assert_eq(node[5].row.function, 0x700);
}

Test(tree, contradicting_rows_are_counted_and_ignored)
{
    static const struct {
        const char *what;
        uint32_t number, parent, function, context, calls, ticks;
    } cases[] = {
        {"another function", 5, 4, 0x600, 0, 20, 20},
        {"another parent", 5, 3, 0x500, 0, 20, 20},
        {"no parent", 5, MP_TREE_NO_PARENT, 0x500, 0, 20, 20},
        {"another context", 5, 4, 0x500, 1, 20, 20},
        {"fewer calls", 5, 4, 0x500, 0, 9, 20},
        {"fewer ticks", 5, 4, 0x500, 0, 20, 9},
    };

    init();
    begin(0, 1, 0, 10);
    row(5, 4, 0x500, 0, 10, 10);
    mp_tree_write_sums(&writer, 0, &(struct mp_tree_sums){1, 2, 3, 4});
    cr_assert(take());
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin(0, 1, 1 + i, 20);
        row(cases[i].number, cases[i].parent, cases[i].function, cases[i].context, cases[i].calls,
            cases[i].ticks);
        cr_assert(take());
        cr_assert_eq(table.counters.conflicts, 1 + i, "%s", cases[i].what);
        cr_assert_eq(node[5].row.calls, 10, "%s", cases[i].what);
    }
    begin(0, 1, 100, 20);
    mp_tree_write_sums(&writer, 0, &(struct mp_tree_sums){1, 2, 3, 3});
    for (uint32_t i = 1; i < 5; i++)
        mp_tree_write_sums(&writer, 2 * i, &(struct mp_tree_sums){0});
    cr_assert(take());
    cr_assert_eq(contexts[0].sums.other_ticks, 4);
    cr_assert_eq(table.counters.beyond, 1, "there is room for four contexts");
    begin(0, 1, 101, 20);
    writer.out[writer.at - 4] = 0xAE; /* 302 nodes in use, of 512 */
    row(NODES, 4, 0x500, 0, 10, 10);
    cr_assert(take());
    cr_assert_eq(table.counters.beyond, 2);
}

/* True when a packet with that head, after two packets of run 1, begins another run. */
static bool begins_another(uint8_t flags, uint32_t number, uint32_t time, uint64_t elapsed,
                           uint8_t flags_before)
{
    init();
    for (uint32_t i = 0; i < 2; i++) {
        clock_time = UINT32_MAX - 1000 + i * 50000000;
        begin(i ? flags_before : 0, 1, 100 + i, 1000000000 + i * UINT64_C(50000000));
        row(4, MP_TREE_NO_PARENT, 0x400, 0, 1, 1);
        cr_assert(take());
    }
    cr_assert_eq(table.counters.runs, 1);
    clock_time = time;
    begin(flags, 1, number, elapsed);
    row(5, 4, 0x500, 0, 1, 1);
    bool continues = mp_tree_table_continues(
        &table,
        &(struct mp_tree_head){
            .flags = flags, .run = 1, .number = number, .time = time, .elapsed = elapsed, .hz = 25000000});
    bool taken = take(), is_other = table.counters.runs == 2;
    cr_assert_eq(node[4].is_told, !is_other, "callers of the run before are forgotten");
    cr_assert_eq(node[5].is_told, taken);
    cr_assert_eq(continues, taken && !is_other);
    clock_time = 1000;
    return is_other;
}

Test(tree, another_target_may_have_a_run_of_that_number)
{
    enum { NOW = 49998999, STOP = MP_TREE_IS_STOPPED };
    const uint64_t then = 1050000000;
    cr_expect_not(begins_another(0, 102, NOW + 7, then + 7, 0));
    cr_expect_not(begins_another(0, 102, NOW + 5000000, then, 0), "clocks are read twice");
    cr_expect_not(begins_another(0, 102, NOW, then + 5000000, 0));
    cr_expect_not(begins_another(0, 102, NOW, then + (UINT64_C(3) << 32), 0), "nothing came for long");
    cr_expect_not(begins_another(0, 100, UINT32_MAX - 1000, 1000000000, 0), "it came late");
    enum { APART = 25000000 / 2 + 16 };
    cr_expect_not(begins_another(0, 102, NOW + APART, then, 0));
    cr_expect_not(begins_another(0, 102, NOW - APART, then, 0));
    cr_expect(begins_another(0, 102, NOW + APART + 1, then, 0));
    cr_expect(begins_another(0, 102, NOW - APART - 1, then, 0));
    cr_expect(begins_another(0, 102, NOW + 20000000, then, 0), "another clock");
    cr_expect(begins_another(0, 102, NOW - 20000000, then, 0));
    cr_expect(begins_another(0, 3, NOW + 1000, 1000, 0), "behind, and not late: a restart");
    cr_expect_not(begins_another(0, 102, NOW - 20000000, then - 20000000, 0), "a wrap of its clock was lost");
    cr_expect_not(begins_another(STOP, 102, NOW + 90000000, then, 0), "after STOP it stands still");
    cr_expect_not(begins_another(STOP, 103, NOW + 90000000, then, STOP));
}

/* Reads a packet of exactly this length; returns its rows, or -1 when it is malformed. */
static int read_all(const uint8_t *payload, size_t n)
{
    struct mp_tree_reader reader;
    struct mp_tree_record record;
    enum mp_tree_kind kind = MP_TREE_MALFORMED;
    uint8_t *exact = malloc(n ? n : 1);
    int records = 0;

    if (!exact)
        abort();
    for (size_t i = 0; i < n; i++)
        exact[i] = payload[i];
    if (mp_tree_open_packet(&reader, exact, n)) {
        while ((kind = mp_tree_next(&reader, &record)) > MP_TREE_END)
            records++;
        cr_assert_leq(mp_tree_next(&reader, &record), MP_TREE_END, "nothing comes after the end");
    }
    free(exact);
    return kind == MP_TREE_END ? records : -1;
}

Test(tree, truncated_and_impossible_packets_are_malformed)
{
    /* Ten ticks, 1 Hz, 5 nodes of 8. */
    static const uint8_t head[] = {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 5, 8};
    static const struct {
        const char *what;
        int records;
        uint8_t n, bytes[16];
    } cases[] = {
        {"nothing", 0, 0, {0}},
        {"a row", 1, 5, {4, 4, 2, 1, 1}},
        {"a row and padding", 1, 7, {4, 4, 2, 1, 1, 0xFF, 0x55}},
        {"a node not in use", -1, 5, {5, 1, 2, 1, 1}},
        {"a parent below 0", -1, 5, {4, 5, 2, 1, 1}},
        {"a node that its step takes there", -1, 10, {4, 4, 2, 1, 1, 1, 1, 2, 1, 1}},
        {"a cut row", -1, 4, {4, 4, 2, 1}},
        {"a number alone", 0, 2, {0xC0, 3}},
        {"a number of 33 bits", -1, 6, {0xC0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F}},
        {"a sum of 65 bits", -1, 14, {4, 4, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2, 1}},
        {"the largest sum", 1, 12, {4, 4, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1}},
        {"calls of 57 bits", -1, 13, {4, 4, 2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 1}},
        {"ticks of 57 bits", -1, 13, {4, 4, 2, 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1}},
        {"a number that does not end", -1, 7, {0xC0, 0x80, 0x80, 0x80, 0x80, 0x80, 0}},
        {"a name of 25", -1, 4, {0xC9, 0, 0, 25}},
        {"a name that is cut", -1, 5, {0xC9, 0, 0, 2, 'a'}},
        {"a node that runs and is not there", -1, 3, {0xCA, 0, 6}},
        {"chains", 1, 5, {0xCB, 8, 8, 0, 0xFF}},
        {"chains of no bits", -1, 4, {0xCB, 0, 0, 0}},
        {"more empty bits than bits", -1, 4, {0xCB, 8, 9, 0}},
        {"more bits than any target has", -1, 6, {0xCB, 0x81, 0x80, 0x40, 0, 0}},
        {"a node of more memory than any has", -1, 5, {0xCB, 8, 8, 0xE9, 7}},
        {"chains that are cut", -1, 3, {0xCB, 8, 8}},
        {"a token below C0", -1, 2, {0x80, 0}},
        {"a reserved token", -1, 2, {0xC1, 0}},
    };

    for (size_t n = 0; n < sizeof head; n++)
        cr_assert_eq(read_all(head, n), -1, "a head of %zu", n);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t payload[sizeof head + 16];

        memcpy(payload, head, sizeof head);
        memcpy(payload + sizeof head, cases[i].bytes, 16);
        cr_assert_eq(read_all(payload, sizeof head + cases[i].n), cases[i].records, "%s", cases[i].what);
    }
    static const uint8_t other[][17] = {
        {2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 5, 8},
        {3, 8, 0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 5, 8},
        {3, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 5, 8},
        {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 9, 8},
        {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 5, 0x81, 0x80, 4},
    };
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        cr_assert_eq(read_all(other[i], i == 4 ? 16 : 14), -1, "head %zu", i);
}

Test(tree, any_bytes_can_be_read_safely)
{
    struct test_random random = test_random_start("any_tree");

    init();
    for (int i = 0; i < 20000; i++) {
        uint8_t payload[120] = {3, (uint8_t)test_random_below(&random, 8), 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 60,
                                60};
        size_t n = test_random_below(&random, sizeof payload);
        for (size_t k = 14; k < n; k++)
            payload[k] = (uint8_t)(test_random_below(&random, 3) ? test_random_below(&random, 0x10)
                                                                 : test_random_next(&random));
        payload[2] = (uint8_t)i;
        (void)read_all(payload, n);
        (void)mp_tree_table_packet(&table, payload, n);
    }
    for (uint32_t i = 0; i < NODES; i++)
        cr_assert(!node[i].is_told || node[i].row.parent < i || node[i].row.parent == MP_TREE_NO_PARENT);
}

Test(tree, a_closing_packet_is_one_of_a_stopped_run_and_malformed_elsewhere)
{
    struct mp_tree_reader reader;

    for (unsigned form = 0; form < 256; form++) {
        begin(0, 3, 0, 100);
        out[1] = (uint8_t)form;
        bool is_right = !(form & 0xC0) && (form & 12) != 8;
        cr_assert_eq(mp_tree_open_packet(&reader, out, writer.at), is_right, "byte 1 is %02X", form);
    }
    begin(MP_TREE_IS_STOPPED, 3, 0, 100);
    mp_tree_close(&writer);
    cr_assert(mp_tree_open_packet(&reader, out, writer.at));
    cr_assert(reader.head.flags & MP_TREE_IS_CLOSING);
}

Test(tree, a_run_is_whole_once_closed_with_all_ticks_and_rows)
{
    init();
    in_use = 2;
    begin(0, 3, 0, 100);
    row(0, MP_TREE_NO_PARENT, 0x100, 0, 1, 60);
    mp_tree_write_sums(&writer, 0, &(struct mp_tree_sums){1, 30, 2, 10});
    cr_assert(take());
    cr_assert_not(mp_tree_table_is_whole(&table), "it may go on");
    begin(MP_TREE_IS_STOPPED, 3, 1, 100);
    cr_assert(take());
    cr_assert_not(mp_tree_table_is_whole(&table), "it may not have sent all");
    begin(MP_TREE_IS_STOPPED, 3, 2, 101);
    mp_tree_close(&writer);
    cr_assert(take());
    cr_assert_not(mp_tree_table_is_whole(&table), "a tick is missing");
    begin(MP_TREE_IS_STOPPED, 3, 3, 101);
    row(0, MP_TREE_NO_PARENT, 0x100, 0, 1, 61);
    mp_tree_close(&writer);
    cr_assert(take());
    cr_assert_not(mp_tree_table_is_whole(&table), "a row is missing");
    begin(MP_TREE_IS_STOPPED, 3, 4, 101);
    row(1, 0, 0x200, 0, 1, 0);
    mp_tree_close(&writer);
    cr_assert(take());
    cr_assert(mp_tree_table_is_whole(&table));
    in_use = NODES;
}
