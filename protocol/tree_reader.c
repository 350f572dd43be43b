/* tree_reader.c - reads the records of packets of the call tree. */
#include "protocol/tree_reader.h"

#include "protocol/packet.h"

static uint32_t get_varint_32(struct mp_tree_reader *reader)
{
    return (uint32_t)mp_bytes_varint(&reader->bytes, 32);
}

static uint64_t get_long(struct mp_tree_reader *reader)
{
    return mp_bytes_varint(&reader->bytes, 64);
}

/* An impossible sum makes the packet malformed, as if it ended here. */
static uint64_t get_sum(struct mp_tree_reader *reader)
{
    uint64_t sum = get_long(reader);

    if (sum > MP_TREE_SUM_MOST)
        reader->bytes.ran_short = true;
    return sum;
}

static uint32_t get_function(struct mp_tree_reader *reader)
{
    uint32_t step = get_varint_32(reader);

    reader->told += step >> 1 ^ (step & 1 ? UINT32_MAX : 0);
    return reader->told << reader->shift;
}

bool mp_tree_open_packet(struct mp_tree_reader *reader, const uint8_t *payload, size_t n)
{
    *reader = (struct mp_tree_reader){.bytes = mp_bytes_over(payload, n)};
    uint8_t version = mp_bytes_u8(&reader->bytes), form = mp_bytes_u8(&reader->bytes);
    uint32_t number = mp_bytes_u32(&reader->bytes), time = mp_bytes_u32(&reader->bytes);
    struct mp_tree_head *head = &reader->head;

    reader->shift = form >> 4 & 3;
    head->flags = form & (MP_TREE_FLAGS | MP_TREE_EVICTS);
    head->run = (uint8_t)(number >> 28);
    head->number = number & MP_TREE_NUMBERS;
    head->time = time;
    head->elapsed = get_sum(reader);
    head->hz = get_varint_32(reader);
    head->nodes = get_varint_32(reader);
    head->room = get_varint_32(reader);
    if (head->flags & MP_TREE_EVICTS) {
        head->bound = get_sum(reader);
        head->evictions = get_sum(reader);
    }
    return !reader->bytes.ran_short && version == MP_PROFILE_DATA_V3 &&
           !(form & ~(0x30 | MP_TREE_FLAGS | MP_TREE_EVICTS)) &&
           (head->flags & (MP_TREE_EVICTS | MP_TREE_IS_FLAT)) != (MP_TREE_EVICTS | MP_TREE_IS_FLAT) &&
           (head->flags & (MP_TREE_IS_STOPPED | MP_TREE_IS_CLOSING)) != MP_TREE_IS_CLOSING &&
           head->nodes <= head->room && head->room <= MP_TREE_NODES_MOST;
}

/* Reads which node with this number it is, and the number of its parent, which may be greater. */
static bool read_place(struct mp_tree_reader *reader, struct mp_tree_row *row)
{
    uint32_t zigzag = get_varint_32(reader), up = zigzag >> 1 ^ (zigzag & 1 ? UINT32_MAX : 0);

    row->generation = get_varint_32(reader);
    if (up) {
        row->parent = row->node - up;
        row->parent_generation = get_varint_32(reader);
    }
    return (!up || row->parent < reader->head.nodes) && row->generation <= MP_TREE_GENERATIONS &&
           row->parent_generation <= MP_TREE_GENERATIONS;
}

static bool read_row(struct mp_tree_reader *reader, uint8_t step, struct mp_tree_row *row)
{
    bool is_flat = reader->head.flags & MP_TREE_IS_FLAT;
    bool can_be = true;
    uint32_t up = 0;

    row->node = reader->node += step;
    row->parent = MP_TREE_NO_PARENT;
    if (is_flat)
        row->caller = get_function(reader);
    else if (reader->head.flags & MP_TREE_EVICTS)
        can_be = read_place(reader, row);
    else
        up = get_varint_32(reader);
    row->function = get_function(reader);
    row->context = reader->context;
    row->calls = get_sum(reader);
    row->ticks = get_sum(reader);
    if (reader->head.flags & MP_TREE_HAS_LONGEST)
        row->longest = get_long(reader); /* not a sum */
    if (up)
        row->parent = row->node - up;
    return can_be && row->node < reader->head.nodes && up <= row->node;
}

static bool read_name(struct mp_tree_reader *reader, struct mp_tree_record *record)
{
    record->context = get_varint_32(reader);
    record->is_idle = mp_bytes_u8(&reader->bytes) & 1;
    record->name_length = mp_bytes_u8(&reader->bytes);
    if (record->name_length > MP_TREE_NAME_MAX)
        return false;
    record->name = mp_bytes_take(&reader->bytes, record->name_length);
    return true;
}

static bool read_runs(struct mp_tree_reader *reader, struct mp_tree_record *record)
{
    record->context = get_varint_32(reader);
    uint32_t node = get_varint_32(reader);

    record->runs = node - 1u; /* 0 becomes MP_TREE_NO_PARENT */
    return node <= reader->head.nodes;
}

static bool read_chains(struct mp_tree_reader *reader, struct mp_tree_chains *chains)
{
    chains->bits = get_varint_32(reader);
    chains->empty = get_varint_32(reader);
    chains->node_bytes = get_varint_32(reader);
    return chains->bits > 0 && chains->bits <= MP_TREE_CHAIN_BITS_MOST && chains->empty <= chains->bits &&
           chains->node_bytes <= MP_TREE_NODE_BYTES_MOST;
}

static bool read_evicted(struct mp_tree_reader *reader, struct mp_tree_evicted *evicted)
{
    evicted->function = get_function(reader);
    evicted->calls = get_sum(reader);
    evicted->ticks = get_sum(reader);
    if (reader->head.flags & MP_TREE_HAS_LONGEST)
        evicted->longest = get_long(reader); /* not a sum */
    return reader->head.flags & MP_TREE_EVICTS;
}

static bool read_below(struct mp_tree_reader *reader, struct mp_tree_below *below)
{
    below->node = get_varint_32(reader) - 1u; /* 0 becomes MP_TREE_NO_PARENT */
    if (below->node != MP_TREE_NO_PARENT)
        below->generation = get_varint_32(reader);
    below->ticks = get_sum(reader);
    return reader->head.flags & MP_TREE_EVICTS && below->generation <= MP_TREE_GENERATIONS &&
           (below->node == MP_TREE_NO_PARENT || below->node < reader->head.nodes);
}

static bool read_round(struct mp_tree_reader *reader, struct mp_tree_round *round)
{
    round->first = get_varint_32(reader);
    round->whole = get_varint_32(reader);
    return reader->head.flags & MP_TREE_EVICTS && round->first <= MP_TREE_NUMBERS && round->whole > 0 &&
           round->whole <= MP_TREE_ROUNDS_MOST;
}

/* Reads a record other than those that change the state. */
static enum mp_tree_kind read_record(struct mp_tree_reader *reader, uint8_t token,
                                     struct mp_tree_record *record)
{
    if (token < MP_TREE_NUMBER)
        return token < 0x80 && read_row(reader, token, &record->row) ? MP_TREE_ROW_READ : MP_TREE_MALFORMED;
    switch (token) {
    case MP_TREE_SUMS:
        record->sums.begun = get_sum(reader);
        record->sums.ticks = get_sum(reader);
        record->sums.other_calls = get_sum(reader);
        record->sums.other_ticks = get_sum(reader);
        return MP_TREE_SUMS_READ;
    case MP_TREE_NAME: return read_name(reader, record) ? MP_TREE_NAME_READ : MP_TREE_MALFORMED;
    case MP_TREE_RUNS: return read_runs(reader, record) ? MP_TREE_RUNS_READ : MP_TREE_MALFORMED;
    case MP_TREE_CHAINS:
        return read_chains(reader, &record->chains) ? MP_TREE_CHAINS_READ : MP_TREE_MALFORMED;
    case MP_TREE_EVICTED:
        return read_evicted(reader, &record->evicted) ? MP_TREE_EVICTED_READ : MP_TREE_MALFORMED;
    case MP_TREE_BELOW: return read_below(reader, &record->below) ? MP_TREE_BELOW_READ : MP_TREE_MALFORMED;
    case MP_TREE_ROUND: return read_round(reader, &record->round) ? MP_TREE_ROUND_READ : MP_TREE_MALFORMED;
    default: return MP_TREE_MALFORMED;
    }
}

enum mp_tree_kind mp_tree_next(struct mp_tree_reader *reader, struct mp_tree_record *record)
{
    struct mp_bytes *bytes = &reader->bytes;
    enum mp_tree_kind kind = MP_TREE_END;

    *record = (struct mp_tree_record){.context = reader->context};
    while (kind == MP_TREE_END && bytes->left && *bytes->at != MP_TREE_PADDING) {
        uint8_t token = mp_bytes_u8(bytes);

        if (token == MP_TREE_NUMBER)
            reader->node = get_varint_32(reader);
        else if (token == MP_TREE_CONTEXT)
            record->context = reader->context = get_varint_32(reader);
        else
            kind = read_record(reader, token, record);
    }
    if (bytes->ran_short)
        kind = MP_TREE_MALFORMED;
    if (kind == MP_TREE_MALFORMED)
        bytes->left = 0;
    return kind;
}
