/* tree_writer.h - writes packets of the call tree, on a target (SPEC.md section 12).
 *
 *     mp_tree_begin(&writer, payload, room, shift, &head);
 *     while (there is a row && mp_tree_write_row(&writer, ...))
 *         ...
 *     size = writer.at;
 *
 * A record that does not fit leaves the packet unchanged; write it to the next one. */
#ifndef PROTOCOL_TREE_WRITER_H
#define PROTOCOL_TREE_WRITER_H

#include "protocol/tree.h"

struct mp_tree_writer {
    uint8_t *out;
    uint16_t at; /* bytes written */
    uint16_t room;
    uint8_t flags;
    uint8_t shift; /* of addresses */
    uint32_t node; /* base of the next row's number */
    uint32_t told; /* the function sent last, shifted */
    uint32_t context;
};

/* `out` has room + MP_TREE_RECORD_MAX bytes; room is at least MP_TREE_HEAD_MAX. Code is aligned to 1 << shift
 * bytes, shift 0 to 3. */
void mp_tree_begin(struct mp_tree_writer *writer, uint8_t *out, uint16_t room, uint8_t shift,
                   const struct mp_tree_head *head);

/* All of these return false when the record does not fit. */
bool mp_tree_write_row(struct mp_tree_writer *writer, const struct mp_tree_row *row);
bool mp_tree_write_sums(struct mp_tree_writer *writer, uint32_t context, const struct mp_tree_sums *sums);

/* The name, in UTF-8, is cut to the whole characters that fit in MP_TREE_NAME_MAX bytes. */
bool mp_tree_write_name(struct mp_tree_writer *writer, uint32_t context, bool is_idle, const char *name);

/* Marks the packet, which is one of a stopped run, as the last: all sums have been sent (section 12.7). */
static inline void mp_tree_close(struct mp_tree_writer *writer)
{
    writer->out[1] |= MP_TREE_IS_CLOSING;
}

/* `node` runs in the context; MP_TREE_NO_PARENT: unknown. */
bool mp_tree_write_runs(struct mp_tree_writer *writer, uint32_t context, uint32_t node);

/* Only for a host that has asked for it (MP_TREE_WANT_CHAINS): others treat the packet as damaged. */
bool mp_tree_write_chains(struct mp_tree_writer *writer, const struct mp_tree_chains *chains);

/* Only with MP_TREE_EVICTS. `below->node` belongs to `context`. */
bool mp_tree_write_evicted(struct mp_tree_writer *writer, const struct mp_tree_evicted *evicted);
bool mp_tree_write_below(struct mp_tree_writer *writer, uint32_t context, const struct mp_tree_below *below);
bool mp_tree_write_round(struct mp_tree_writer *writer, const struct mp_tree_round *round);

#endif
