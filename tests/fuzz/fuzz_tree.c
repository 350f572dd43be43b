/* fuzz_tree.c - applies any bytes as packets of the call tree: the table must stay consistent. Each payload of the
 * input is preceded by its length, one byte. */
#include "fuzz.h"

#include "protocol/tree_table.h"
#include "protocol/tree_writer.h"

enum { NODES = 40, CONTEXTS = 3, FUNCTIONS = 5 };

static void check(const struct mp_tree_table *table, const struct mp_tree_table *before)
{
    FUZZ_CHECK(table->head.nodes <= table->head.room && table->head.room <= MP_TREE_NODES_MOST);
    FUZZ_CHECK(table->n_contexts <= CONTEXTS);
    for (uint32_t i = 0; i < NODES; i++) {
        const struct mp_tree_node *node = &table->node[i];

        if (!node->is_told)
            continue;
        FUZZ_CHECK(node->row.node == i);
        FUZZ_CHECK(node->row.parent < i || node->row.parent == MP_TREE_NO_PARENT ||
                   (table->head.flags & MP_TREE_EVICTS && node->row.parent != i));
        FUZZ_CHECK(node->row.generation <= MP_TREE_GENERATIONS);
    }
    FUZZ_CHECK(table->chains.empty <= table->chains.bits);
    FUZZ_CHECK(table->n_evicted <= FUNCTIONS && table->rounds <= MP_TREE_ROUNDS_MOST);
    for (uint32_t i = 0; i < table->n_evicted && i < before->n_evicted; i++)
        if (before->counters.runs == table->counters.runs)
            FUZZ_CHECK(table->evicted[i].function == before->evicted[i].function);
    if (before->has_run && before->counters.runs == table->counters.runs && before->chains.bits)
        FUZZ_CHECK(table->chains.bits == before->chains.bits && table->chains.empty <= before->chains.empty);
    for (uint32_t i = 0; i < table->n_contexts; i++)
        FUZZ_CHECK(table->contexts[i].name_length <= MP_TREE_NAME_MAX);
    if (before->has_run && before->counters.runs == table->counters.runs)
        FUZZ_CHECK(((table->head.number - before->head.number) & MP_TREE_NUMBERS) <=
                   MP_TREE_NUMBERS / 2 + 1u);
    else if (before->has_run)
        FUZZ_CHECK(!mp_tree_table_continues(before, &table->head));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mp_tree_node node[NODES];
    struct mp_tree_known_context contexts[CONTEXTS];
    struct mp_tree_evicted evicted[FUNCTIONS];
    struct mp_tree_table table;

    mp_tree_table_init(&table, node, NODES, contexts, CONTEXTS);
    mp_tree_table_keep_evicted(&table, evicted, FUNCTIONS);
    for (size_t at = 0; at < size;) {
        size_t n = data[at++];
        struct mp_tree_table before = table;

        n = n < size - at ? n : size - at;
        uint8_t *exact = malloc(n ? n : 1); /* so that a sanitizer finds reads past its end */

        FUZZ_CHECK(exact);
        for (size_t i = 0; i < n; i++)
            exact[i] = data[at + i];
        (void)mp_tree_table_packet(&table, exact, n);
        free(exact);
        check(&table, &before);
        at += n;
    }
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    for (uint32_t packet = 0; packet < 6; packet++) {
        uint8_t out[200 + MP_TREE_RECORD_MAX];
        struct mp_tree_writer writer;
        uint8_t flags = (uint8_t)(packet < 4 ? packet % 4 : MP_TREE_EVICTS | packet % 2 << 1);
        struct mp_tree_head head = {.flags = flags,
                                    .run = (uint8_t)(packet / 2),
                                    .number = packet,
                                    .time = packet * 1000,
                                    .elapsed = (uint64_t)packet << 33,
                                    .hz = 25000000,
                                    .nodes = 10,
                                    .room = NODES + 2};

        mp_tree_begin(&writer, out, 200, 1, &head);
        for (uint32_t i = 0; i < 8; i++)
            mp_tree_write_row(&writer, &(struct mp_tree_row){.node = i,
                                                             .parent = i ? i / 2 : MP_TREE_NO_PARENT,
                                                             .caller = 0x8000 + 4 * i,
                                                             .function = 0x8000 + 16 * i,
                                                             .context = i < 6 ? 0 : 31,
                                                             .generation = packet / 5 * (i % 3),
                                                             .parent_generation = packet / 5 * (i / 2 % 3),
                                                             .calls = packet * i,
                                                             .ticks = (uint64_t)packet << 5 * i});
        mp_tree_write_sums(&writer, 31, &(struct mp_tree_sums){1, 2, 3, packet});
        mp_tree_write_name(&writer, 0, true, "a name");
        mp_tree_write_runs(&writer, 0, 3);
        mp_tree_write_chains(&writer, &(struct mp_tree_chains){256, 200 - packet, 27});
        if (flags & MP_TREE_EVICTS) {
            mp_tree_write_evicted(&writer, &(struct mp_tree_evicted){0x8040, packet, 100 * packet, 7});
            mp_tree_write_below(&writer, 0, &(struct mp_tree_below){1, packet / 5, 50 * packet});
            mp_tree_write_below(&writer, 0, &(struct mp_tree_below){MP_TREE_NO_PARENT, 0, 50 * packet});
            mp_tree_write_round(&writer, &(struct mp_tree_round){packet, packet});
        }
        stream_byte(stream, (uint8_t)writer.at);
        stream_bytes(stream, out, writer.at);
    }
}
