/* tree_writer.c - writes packets of the call tree. */
#include "protocol/tree_writer.h"

#include "protocol/bytes.h"
#include "protocol/packet.h"

/* Optimised for size, since it runs only a few times a second. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("Os")
#endif

static void put_byte(struct mp_tree_writer *writer, uint32_t byte)
{
    writer->out[writer->at++] = (uint8_t)byte;
}

static void put_long_varint(struct mp_tree_writer *writer, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put_byte(writer, (uint8_t)value | 0x80u);
    put_byte(writer, (uint8_t)value);
}

static void put_tree_function(struct mp_tree_writer *writer, uint32_t function)
{
    uint32_t at = function >> writer->shift, step = at - writer->told;

    put_long_varint(writer, step << 1 ^ (step & 0x80000000u ? UINT32_MAX : 0));
    writer->told = at;
}

static void put_tree_context(struct mp_tree_writer *writer, uint32_t context)
{
    if (context == writer->context)
        return;
    put_byte(writer, MP_TREE_CONTEXT);
    put_long_varint(writer, context);
    writer->context = context;
}

/* Returns true when what was written since `before` fits; otherwise removes it. */
static bool tree_fits(struct mp_tree_writer *writer, const struct mp_tree_writer *before)
{
    if (writer->at <= writer->room)
        return true;
    *writer = *before;
    return false;
}

void mp_tree_begin(struct mp_tree_writer *writer, uint8_t *out, uint16_t room, uint8_t shift,
                   const struct mp_tree_head *head)
{
    *writer = (struct mp_tree_writer){.out = out, .room = room, .flags = head->flags, .shift = shift};
    out[0] = MP_PROFILE_DATA_V3;
    out[1] = (uint8_t)(head->flags | shift << 4);
    mp_store_u32(out + 2, (uint32_t)head->run << 28 | (head->number & MP_TREE_NUMBERS));
    mp_store_u32(out + 6, head->time);
    writer->at = 10;
    put_long_varint(writer, head->elapsed);
    put_long_varint(writer, head->hz);
    put_long_varint(writer, head->nodes);
    put_long_varint(writer, head->room);
    if (head->flags & MP_TREE_EVICTS) {
        put_long_varint(writer, head->bound);
        put_long_varint(writer, head->evictions);
    }
}

/* Writes which node with this number it is, and the number of its parent, which may be greater. */
static void put_place(struct mp_tree_writer *writer, const struct mp_tree_row *row)
{
    uint32_t up = row->parent == MP_TREE_NO_PARENT ? 0 : row->node - row->parent;

    put_long_varint(writer, up << 1 ^ (up & 0x80000000u ? UINT32_MAX : 0));
    put_long_varint(writer, row->generation);
    if (up)
        put_long_varint(writer, row->parent_generation);
}

bool mp_tree_write_row(struct mp_tree_writer *writer, const struct mp_tree_row *row)
{
    struct mp_tree_writer before = *writer;
    uint32_t step = row->node - writer->node;

    put_tree_context(writer, row->context);
    if (step >= 0x80) {
        put_byte(writer, MP_TREE_NUMBER);
        put_long_varint(writer, row->node);
        step = 0;
    }
    put_byte(writer, MP_TREE_ROW + step);
    if (writer->flags & MP_TREE_IS_FLAT)
        put_tree_function(writer, row->caller);
    else if (writer->flags & MP_TREE_EVICTS)
        put_place(writer, row);
    else
        put_long_varint(writer, row->parent == MP_TREE_NO_PARENT ? 0 : row->node - row->parent);
    put_tree_function(writer, row->function);
    put_long_varint(writer, row->calls);
    put_long_varint(writer, row->ticks);
    if (writer->flags & MP_TREE_HAS_LONGEST)
        put_long_varint(writer, row->longest);
    writer->node = row->node;
    return tree_fits(writer, &before);
}

bool mp_tree_write_sums(struct mp_tree_writer *writer, uint32_t context, const struct mp_tree_sums *sums)
{
    struct mp_tree_writer before = *writer;

    put_tree_context(writer, context);
    put_byte(writer, MP_TREE_SUMS);
    put_long_varint(writer, sums->begun);
    put_long_varint(writer, sums->ticks);
    put_long_varint(writer, sums->other_calls);
    put_long_varint(writer, sums->other_ticks);
    return tree_fits(writer, &before);
}

bool mp_tree_write_name(struct mp_tree_writer *writer, uint32_t context, bool is_idle, const char *name)
{
    struct mp_tree_writer before = *writer;
    uint32_t n = 0;

    while (n < MP_TREE_NAME_MAX && name[n])
        n++;
    n = mp_bytes_of_text(name, n);
    put_byte(writer, MP_TREE_NAME);
    put_long_varint(writer, context);
    put_byte(writer, is_idle);
    put_byte(writer, n);
    for (uint32_t i = 0; i < n; i++)
        put_byte(writer, (uint8_t)name[i]);
    return tree_fits(writer, &before);
}

bool mp_tree_write_chains(struct mp_tree_writer *writer, const struct mp_tree_chains *chains)
{
    struct mp_tree_writer before = *writer;

    put_byte(writer, MP_TREE_CHAINS);
    put_long_varint(writer, chains->bits);
    put_long_varint(writer, chains->empty);
    put_long_varint(writer, chains->node_bytes);
    return tree_fits(writer, &before);
}

bool mp_tree_write_evicted(struct mp_tree_writer *writer, const struct mp_tree_evicted *evicted)
{
    struct mp_tree_writer before = *writer;

    put_byte(writer, MP_TREE_EVICTED);
    put_tree_function(writer, evicted->function);
    put_long_varint(writer, evicted->calls);
    put_long_varint(writer, evicted->ticks);
    if (writer->flags & MP_TREE_HAS_LONGEST)
        put_long_varint(writer, evicted->longest);
    return tree_fits(writer, &before);
}

bool mp_tree_write_below(struct mp_tree_writer *writer, uint32_t context, const struct mp_tree_below *below)
{
    struct mp_tree_writer before = *writer;

    put_tree_context(writer, context);
    put_byte(writer, MP_TREE_BELOW);
    put_long_varint(writer, below->node + 1u);
    if (below->node != MP_TREE_NO_PARENT)
        put_long_varint(writer, below->generation);
    put_long_varint(writer, below->ticks);
    return tree_fits(writer, &before);
}

bool mp_tree_write_round(struct mp_tree_writer *writer, const struct mp_tree_round *round)
{
    struct mp_tree_writer before = *writer;

    put_byte(writer, MP_TREE_ROUND);
    put_long_varint(writer, round->first & MP_TREE_NUMBERS);
    put_long_varint(writer, round->whole);
    return tree_fits(writer, &before);
}

bool mp_tree_write_runs(struct mp_tree_writer *writer, uint32_t context, uint32_t node)
{
    struct mp_tree_writer before = *writer;

    put_byte(writer, MP_TREE_RUNS);
    put_long_varint(writer, context);
    put_long_varint(writer, node + 1u);
    return tree_fits(writer, &before);
}
