/* tree_table.c - the call tree as the packets of a run have told it so far. */
#include "protocol/tree_table.h"

static void clear_table(struct mp_tree_table *table)
{
    for (uint32_t i = 0; i < table->room; i++)
        table->node[i] = (struct mp_tree_node){0};
    table->n_contexts = 0;
    table->has_run = false;
    table->chains = (struct mp_tree_chains){0};
}

void mp_tree_table_init(struct mp_tree_table *table, struct mp_tree_node *node, uint32_t room,
                        struct mp_tree_known_context *contexts, uint32_t contexts_room)
{
    *table = (struct mp_tree_table){
        .node = node, .room = room, .contexts = contexts, .contexts_room = contexts_room};
    clear_table(table);
}

static bool row_agrees(const struct mp_tree_row *known, const struct mp_tree_row *told)
{
    return known->function == told->function && known->parent == told->parent &&
           known->caller == told->caller && known->context == told->context && known->calls <= told->calls &&
           known->ticks <= told->ticks && known->longest <= told->longest;
}

static void take_row(struct mp_tree_table *table, const struct mp_tree_row *row)
{
    if (row->node >= table->room) {
        table->counters.beyond++;
        return;
    }
    struct mp_tree_node *node = &table->node[row->node];

    if (node->is_told && !row_agrees(&node->row, row)) {
        table->counters.conflicts++;
        return;
    }
    *node = (struct mp_tree_node){.is_told = true, .row = *row, .elapsed = table->head.elapsed};
}

/* NULL when the table is full. */
static struct mp_tree_known_context *context_of(struct mp_tree_table *table, uint32_t number)
{
    uint32_t i = 0;

    while (i < table->n_contexts && table->contexts[i].context != number)
        i++;
    if (i == table->contexts_room)
        return NULL;
    if (i == table->n_contexts) {
        table->contexts[i] = (struct mp_tree_known_context){.context = number, .runs = MP_TREE_NO_PARENT};
        table->n_contexts++;
    }
    return &table->contexts[i];
}

static void take_sums(struct mp_tree_table *table, struct mp_tree_sums *known,
                      const struct mp_tree_sums *told)
{
    if (known->begun > told->begun || known->ticks > told->ticks || known->other_calls > told->other_calls ||
        known->other_ticks > told->other_ticks)
        table->counters.conflicts++;
    else
        *known = *told;
}

/* Bits are set and never cleared. */
static void take_chains(struct mp_tree_table *table, const struct mp_tree_chains *told)
{
    if (table->chains.bits && (table->chains.bits != told->bits || table->chains.empty < told->empty))
        table->counters.conflicts++;
    else
        table->chains = *told;
}

static void take_record(struct mp_tree_table *table, enum mp_tree_kind kind,
                        const struct mp_tree_record *record)
{
    if (kind == MP_TREE_ROW_READ) {
        take_row(table, &record->row);
        return;
    }
    if (kind == MP_TREE_CHAINS_READ) {
        take_chains(table, &record->chains);
        return;
    }
    struct mp_tree_known_context *context = context_of(table, record->context);

    if (!context) {
        table->counters.beyond++;
    } else if (kind == MP_TREE_SUMS_READ) {
        take_sums(table, &context->sums, &record->sums);
    } else if (kind == MP_TREE_RUNS_READ) {
        context->runs = record->runs;
    } else {
        context->is_idle = record->is_idle;
        context->name_length = record->name_length;
        for (uint32_t i = 0; i < record->name_length; i++)
            context->name[i] = record->name[i];
    }
}

/* Whether its number is ahead. */
static bool is_ahead(const struct mp_tree_table *table, const struct mp_tree_head *head)
{
    return ((head->number - table->head.number - 1u) & MP_TREE_NUMBERS) <= MP_TREE_NUMBERS / 2;
}

/* A target reads its clock more than once for a packet, and what has elapsed is a sum: half a second is more
 * than the two are ever apart by that. They are compared modulo 2^32, since a target that could send nothing
 * for so many ticks may have lost that many. A target whose rate is not known is not judged. */
static bool is_of_run(const struct mp_tree_table *table, const struct mp_tree_head *head)
{
    const struct mp_tree_head *known = &table->head;
    uint32_t apart = head->hz ? head->hz / 2 + 16 : UINT32_MAX / 2;

    if (head->run != known->run)
        return false;
    if ((head->flags | known->flags) & MP_TREE_IS_STOPPED) /* what has elapsed stands still, time does not */
        return true;
    uint32_t moved = (head->time - (uint32_t)head->elapsed) - (known->time - (uint32_t)known->elapsed);

    return moved <= apart || 0u - moved <= apart;
}

bool mp_tree_table_continues(const struct mp_tree_table *table, const struct mp_tree_head *head)
{
    return table->has_run && is_of_run(table, head) && is_ahead(table, head);
}

/* Whether the packet is one to be read: it is of another run, or its number is ahead. */
static bool is_to_be_read(struct mp_tree_table *table, const struct mp_tree_head *head)
{
    if (table->has_run && !is_of_run(table, head))
        clear_table(table);
    if (table->has_run && !is_ahead(table, head))
        return false;
    uint32_t expected = table->has_run ? table->head.number + 1u : 0;

    table->counters.runs += !table->has_run;
    table->counters.lost += (head->number - expected) & MP_TREE_NUMBERS;
    return true;
}

bool mp_tree_table_packet(struct mp_tree_table *table, const uint8_t *payload, size_t n)
{
    struct mp_tree_reader reader;
    struct mp_tree_record record;
    enum mp_tree_kind kind;

    if (!mp_tree_open_packet(&reader, payload, n)) {
        table->counters.malformed++;
        return false;
    }
    if (!is_to_be_read(table, &reader.head)) {
        table->counters.late++;
        return false;
    }
    table->head = reader.head;
    table->has_run = true;
    table->counters.packets++;
    while ((kind = mp_tree_next(&reader, &record)) > MP_TREE_END)
        take_record(table, kind, &record);
    if (kind == MP_TREE_MALFORMED)
        table->counters.malformed++;
    return true;
}

bool mp_tree_table_is_whole(const struct mp_tree_table *table)
{
    uint64_t ticks = 0;
    uint32_t rows = 0;

    for (uint32_t i = 0; i < table->room; i++) {
        ticks += table->node[i].row.ticks;
        rows += table->node[i].is_told;
    }
    for (uint32_t i = 0; i < table->n_contexts; i++)
        ticks += table->contexts[i].sums.ticks + table->contexts[i].sums.other_ticks;
    return table->head.flags & MP_TREE_IS_CLOSING && ticks == table->head.elapsed &&
           rows == table->head.nodes;
}
