/* tree_table.c - the call tree, as far as the packets of a run have sent it. */
#include "protocol/tree_table.h"

static void clear_table(struct mp_tree_table *table)
{
    for (uint32_t i = 0; i < table->room; i++)
        table->node[i] = (struct mp_tree_node){0};
    table->n_contexts = 0;
    table->has_run = false;
    table->chains = (struct mp_tree_chains){0};
    table->n_evicted = table->evicted_next = table->since = table->rounds = 0;
    table->is_settled = false;
}

void mp_tree_table_init(struct mp_tree_table *table, struct mp_tree_node *node, uint32_t room,
                        struct mp_tree_known_context *contexts, uint32_t contexts_room)
{
    *table = (struct mp_tree_table){
        .node = node, .room = room, .contexts = contexts, .contexts_room = contexts_room};
    clear_table(table);
}

void mp_tree_table_keep_evicted(struct mp_tree_table *table, struct mp_tree_evicted *evicted, uint32_t room)
{
    table->evicted = evicted;
    table->evicted_room = room;
    table->n_evicted = table->evicted_next = 0;
}

static bool row_agrees(const struct mp_tree_row *known, const struct mp_tree_row *told)
{
    return known->function == told->function && known->parent == told->parent &&
           known->parent_generation == told->parent_generation && known->caller == told->caller &&
           known->context == told->context && known->calls <= told->calls && known->ticks <= told->ticks &&
           known->longest <= told->longest;
}

static void take_row(struct mp_tree_table *table, const struct mp_tree_row *row)
{
    if (row->node >= table->room) {
        table->counters.beyond++;
        return;
    }
    struct mp_tree_node *node = &table->node[row->node];

    if (node->is_told && node->row.generation == row->generation && !row_agrees(&node->row, row)) {
        table->counters.conflicts++;
        return;
    }
    node->is_told = true;
    node->row = *row;
    node->elapsed = table->head.elapsed;
}

static void take_sum(struct mp_tree_table *table, uint64_t *known, uint64_t told)
{
    if (*known > told)
        table->counters.conflicts++;
    else
        *known = told;
}

static void take_below(struct mp_tree_table *table, const struct mp_tree_below *below)
{
    if (below->node >= table->room) {
        table->counters.beyond++;
        return;
    }
    struct mp_tree_node *node = &table->node[below->node];

    if (node->below_generation != below->generation)
        node->below = 0;
    node->below_generation = below->generation;
    take_sum(table, &node->below, below->ticks);
}

/* Functions are reported in the same order in each round. Returns NULL when there is no room. */
static struct mp_tree_evicted *evicted_of(struct mp_tree_table *table, uint32_t function)
{
    for (uint32_t i = 0; i < table->n_evicted; i++) {
        uint32_t at = (table->evicted_next + i) % table->n_evicted;

        if (table->evicted[at].function == function) {
            table->evicted_next = at + 1;
            return &table->evicted[at];
        }
    }
    if (table->n_evicted == table->evicted_room)
        return NULL;
    table->evicted[table->n_evicted] = (struct mp_tree_evicted){.function = function};
    return &table->evicted[table->n_evicted++];
}

static void take_evicted(struct mp_tree_table *table, const struct mp_tree_evicted *told)
{
    struct mp_tree_evicted *known = evicted_of(table, told->function);

    if (!known)
        table->counters.beyond++;
    else if (known->calls > told->calls || known->ticks > told->ticks || known->longest > told->longest)
        table->counters.conflicts++;
    else
        *known = *told;
}

/* Returns true when packet `a` is `b` or a later one. */
static bool is_not_before(uint32_t a, uint32_t b)
{
    return ((a - b) & MP_TREE_NUMBERS) <= MP_TREE_NUMBERS / 2;
}

static void take_round(struct mp_tree_table *table, const struct mp_tree_round *round)
{
    if (!is_not_before(round->first, table->since))
        table->rounds = 0;
    else if (table->rounds < MP_TREE_ROUNDS_MOST)
        table->rounds++;
    table->is_settled = table->rounds >= round->whole;
}

/* Returns NULL when the table is full. */
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
    if (kind == MP_TREE_EVICTED_READ) {
        take_evicted(table, &record->evicted);
        return;
    }
    if (kind == MP_TREE_ROUND_READ) {
        take_round(table, &record->round);
        return;
    }
    if (kind == MP_TREE_BELOW_READ && record->below.node != MP_TREE_NO_PARENT) {
        take_below(table, &record->below);
        return;
    }
    struct mp_tree_known_context *context = context_of(table, record->context);

    if (!context) {
        table->counters.beyond++;
    } else if (kind == MP_TREE_SUMS_READ) {
        take_sums(table, &context->sums, &record->sums);
    } else if (kind == MP_TREE_BELOW_READ) {
        take_sum(table, &context->below, record->below.ticks);
    } else if (kind == MP_TREE_RUNS_READ) {
        context->runs = record->runs;
    } else {
        context->is_idle = record->is_idle;
        context->name_length = record->name_length;
        for (uint32_t i = 0; i < record->name_length; i++)
            context->name[i] = record->name[i];
    }
}

/* Returns true when the packet's number is ahead. */
static bool is_ahead(const struct mp_tree_table *table, const struct mp_tree_head *head)
{
    return ((head->number - table->head.number - 1u) & MP_TREE_NUMBERS) <= MP_TREE_NUMBERS / 2;
}

/* A target reads its clock more than once for a packet, and the elapsed ticks are a sum: half a second is
 * more than they can differ by that. They are compared modulo 2^32, since a target that could not send for N
 * ticks may have lost N. A target of unknown rate is not checked. */
static bool is_of_run(const struct mp_tree_table *table, const struct mp_tree_head *head)
{
    const struct mp_tree_head *known = &table->head;
    uint32_t apart = head->hz ? head->hz / 2 + 16 : UINT32_MAX / 2;

    if (head->run != known->run || (head->flags ^ known->flags) & MP_TREE_EVICTS)
        return false;
    if ((head->flags | known->flags) & MP_TREE_IS_STOPPED) /* the elapsed ticks stand still, time does not */
        return true;
    uint32_t moved = (head->time - (uint32_t)head->elapsed) - (known->time - (uint32_t)known->elapsed);

    return moved <= apart || 0u - moved <= apart;
}

bool mp_tree_table_continues(const struct mp_tree_table *table, const struct mp_tree_head *head)
{
    return table->has_run && is_of_run(table, head) && is_ahead(table, head);
}

/* Prepares the table for a packet: empties it for another run, and counts packets that are missing before
 * this one. Returns false, without a change, when the packet is late. */
static bool begin_table_packet(struct mp_tree_table *table, const struct mp_tree_head *head)
{
    if (table->has_run && !is_of_run(table, head))
        clear_table(table);
    if (table->has_run && !is_ahead(table, head))
        return false;
    uint32_t expected = table->has_run ? table->head.number + 1u : 0;

    table->counters.runs += !table->has_run;
    table->counters.lost += (head->number - expected) & MP_TREE_NUMBERS;
    if (head->number != (expected & MP_TREE_NUMBERS)) {
        table->since = head->number;
        table->rounds = 0;
    }
    return true;
}

bool mp_tree_table_packet(struct mp_tree_table *table, const uint8_t *payload, size_t n)
{
    struct mp_tree_reader reader;
    struct mp_tree_record record;
    enum mp_tree_kind kind;

    if (!mp_tree_open_packet(&reader, payload, n) ||
        (reader.head.flags & MP_TREE_EVICTS && !table->evicted)) {
        table->counters.malformed++;
        return false;
    }
    if (!begin_table_packet(table, &reader.head)) {
        table->counters.late++;
        return false;
    }
    table->head = reader.head;
    table->has_run = true;
    table->counters.packets++;
    table->is_settled = false;
    uint64_t not_taken = table->counters.conflicts + table->counters.beyond;

    while ((kind = mp_tree_next(&reader, &record)) > MP_TREE_END)
        take_record(table, kind, &record);
    if (kind == MP_TREE_MALFORMED)
        table->counters.malformed++;
    if (kind == MP_TREE_MALFORMED || not_taken != table->counters.conflicts + table->counters.beyond) {
        table->since = reader.head.number + 1u;
        table->rounds = 0;
        table->is_settled = false;
    }
    return true;
}

bool mp_tree_table_is_whole(const struct mp_tree_table *table)
{
    uint64_t ticks = 0;
    uint32_t rows = 0;

    for (uint32_t i = 0; i < table->room; i++) {
        ticks +=
            table->node[i].row.ticks + (table->node[i].is_told ? mp_tree_table_below(&table->node[i]) : 0);
        rows += table->node[i].is_told;
    }
    for (uint32_t i = 0; i < table->n_contexts; i++)
        ticks +=
            table->contexts[i].sums.ticks + table->contexts[i].sums.other_ticks + table->contexts[i].below;
    return table->head.flags & MP_TREE_IS_CLOSING && ticks == table->head.elapsed &&
           rows == table->head.nodes && (table->is_settled || !(table->head.flags & MP_TREE_EVICTS));
}
