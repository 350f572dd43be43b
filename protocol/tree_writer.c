/* tree_writer.c - the target's end of the call tree. */
#include "protocol/tree_writer.h"

#include "protocol/bytes.h"
#include "protocol/packet.h"

/* Small rather than fast: it runs a few times a second. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("Os")
#endif

static void put(struct mp_tree_writer *writer, uint32_t byte)
{
    writer->out[writer->at++] = (uint8_t)byte;
}

static void put_varint(struct mp_tree_writer *writer, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put(writer, (uint8_t)value | 0x80u);
    put(writer, (uint8_t)value);
}

static void put_function(struct mp_tree_writer *writer, uint32_t function)
{
    uint32_t at = function >> writer->shift, step = at - writer->told;

    put_varint(writer, step << 1 ^ (step & 0x80000000u ? UINT32_MAX : 0));
    writer->told = at;
}

static void put_context(struct mp_tree_writer *writer, uint32_t context)
{
    if (context == writer->context)
        return;
    put(writer, MP_TREE_CONTEXT);
    put_varint(writer, context);
    writer->context = context;
}

/* Whether what was written since `before` fits; else it is taken back. */
static bool fits(struct mp_tree_writer *writer, const struct mp_tree_writer *before)
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
    put_varint(writer, head->elapsed);
    put_varint(writer, head->hz);
    put_varint(writer, head->nodes);
    put_varint(writer, head->room);
}

bool mp_tree_write_row(struct mp_tree_writer *writer, const struct mp_tree_row *row)
{
    struct mp_tree_writer before = *writer;
    uint32_t step = row->node - writer->node;

    put_context(writer, row->context);
    if (step >= 0x80) {
        put(writer, MP_TREE_NUMBER);
        put_varint(writer, row->node);
        step = 0;
    }
    put(writer, MP_TREE_ROW + step);
    if (writer->flags & MP_TREE_IS_FLAT)
        put_function(writer, row->caller);
    else
        put_varint(writer, row->parent == MP_TREE_NO_PARENT ? 0 : row->node - row->parent);
    put_function(writer, row->function);
    put_varint(writer, row->calls);
    put_varint(writer, row->ticks);
    if (writer->flags & MP_TREE_HAS_LONGEST)
        put_varint(writer, row->longest);
    writer->node = row->node;
    return fits(writer, &before);
}

bool mp_tree_write_sums(struct mp_tree_writer *writer, uint32_t context, const struct mp_tree_sums *sums)
{
    struct mp_tree_writer before = *writer;

    put_context(writer, context);
    put(writer, MP_TREE_SUMS);
    put_varint(writer, sums->begun);
    put_varint(writer, sums->ticks);
    put_varint(writer, sums->other_calls);
    put_varint(writer, sums->other_ticks);
    return fits(writer, &before);
}

bool mp_tree_write_name(struct mp_tree_writer *writer, uint32_t context, bool is_idle, const char *name)
{
    struct mp_tree_writer before = *writer;
    uint32_t n = 0;

    while (n < MP_TREE_NAME_MAX && name[n])
        n++;
    put(writer, MP_TREE_NAME);
    put_varint(writer, context);
    put(writer, is_idle);
    put(writer, n);
    for (uint32_t i = 0; i < n; i++)
        put(writer, (uint8_t)name[i]);
    return fits(writer, &before);
}

bool mp_tree_write_runs(struct mp_tree_writer *writer, uint32_t context, uint32_t node)
{
    struct mp_tree_writer before = *writer;

    put(writer, MP_TREE_RUNS);
    put_varint(writer, context);
    put_varint(writer, node + 1u);
    return fits(writer, &before);
}
