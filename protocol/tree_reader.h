/* tree_reader.h - reads the records of one packet of the call tree, on a host (SPEC.md section 12).
 *
 *     if (mp_tree_open_packet(&reader, payload, n))
 *         while ((kind = mp_tree_next(&reader, &record)) > MP_TREE_END)
 *             ...
 *
 * Any bytes are valid input. The result depends only on that packet; tree_table.h combines the packets of a
 * run. */
#ifndef PROTOCOL_TREE_READER_H
#define PROTOCOL_TREE_READER_H

#include "protocol/bytes.h"
#include "protocol/tree.h"

enum mp_tree_kind {
    MP_TREE_MALFORMED = -1, /* nothing more is read; earlier records are valid */
    MP_TREE_END = 0,
    MP_TREE_ROW_READ,     /* record.row */
    MP_TREE_SUMS_READ,    /* record.context, record.sums */
    MP_TREE_NAME_READ,    /* record.context, record.name, name_length, is_idle */
    MP_TREE_RUNS_READ,    /* record.context, record.runs */
    MP_TREE_CHAINS_READ,  /* record.chains */
    MP_TREE_EVICTED_READ, /* record.evicted */
    MP_TREE_BELOW_READ,   /* record.context, record.below */
    MP_TREE_ROUND_READ,   /* record.round */
};

/* Members of other kinds are 0; `context` is always set. */
struct mp_tree_record {
    uint32_t context;
    struct mp_tree_row row;
    struct mp_tree_sums sums;
    const uint8_t *name; /* in the payload, without a NUL; any bytes */
    uint8_t name_length; /* at most MP_TREE_NAME_MAX */
    bool is_idle;
    uint32_t runs; /* the node that runs, or MP_TREE_NO_PARENT: unknown */
    struct mp_tree_chains chains;
    struct mp_tree_evicted evicted;
    struct mp_tree_below below;
    struct mp_tree_round round;
};

struct mp_tree_reader {
    struct mp_tree_head head;
    uint8_t shift;    /* of addresses */
    uint32_t node;    /* base of the next row's number */
    uint32_t told;    /* the function sent last, shifted */
    uint32_t context; /* of the rows */
    struct mp_bytes bytes;
};

/* Returns false when the payload does not begin like one of version 3; then do not use reader->head. */
bool mp_tree_open_packet(struct mp_tree_reader *reader, const uint8_t *payload, size_t n);

enum mp_tree_kind mp_tree_next(struct mp_tree_reader *reader, struct mp_tree_record *record);

#endif
