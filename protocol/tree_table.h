/* tree_table.h - the call tree, as far as the packets of a run have sent it (SPEC.md section 12).
 *
 * Memory is the caller's, nothing is allocated, any packets are valid input. Records that contradict earlier
 * ones of the run are counted and ignored: a node keeps the function, parent and context that it was first
 * reported with, and sums do not shrink. If a target evicts nodes (section 12.9), a row of another generation
 * replaces the previous one. */
#ifndef PROTOCOL_TREE_TABLE_H
#define PROTOCOL_TREE_TABLE_H

#include "protocol/tree_reader.h"

struct mp_tree_node {
    bool is_told; /* false: only known as a possible parent of others */
    struct mp_tree_row row;
    uint64_t elapsed; /* ticks from START to the time of that report */
    /* With MP_TREE_EVICTS. */
    uint32_t below_generation; /* which node with this number `below` belongs to; may be reported before its
                                  row */
    uint64_t below;
};

struct mp_tree_known_context {
    uint32_t context;
    struct mp_tree_sums sums;
    uint32_t runs; /* a node, or MP_TREE_NO_PARENT: unknown */
    bool is_idle;
    uint8_t name_length;
    uint8_t name[MP_TREE_NAME_MAX];
    uint64_t below; /* with MP_TREE_EVICTS: of outermost calls */
};

struct mp_tree_counters {
    uint64_t packets;   /* packets read */
    uint64_t runs;      /* runs begun: the table was emptied for each */
    uint64_t lost;      /* packets missing within a run */
    uint64_t late;      /* packets that arrived twice or late, and were not read */
    uint64_t malformed; /* packets not read, or not to their ends */
    uint64_t conflicts; /* records that contradict earlier ones of the run */
    uint64_t beyond;    /* records of nodes, contexts or functions for which the table has no room */
};

struct mp_tree_table {
    struct mp_tree_node *node;
    uint32_t room;
    struct mp_tree_known_context *contexts;
    uint32_t contexts_room;
    uint32_t n_contexts;
    bool has_run;                 /* a packet has been read */
    struct mp_tree_head head;     /* of the newest packet read */
    struct mp_tree_chains chains; /* the latest of the run */
    struct mp_tree_evicted *evicted;
    uint32_t evicted_room, n_evicted;
    uint32_t evicted_next; /* the one that is probably reported next */
    uint32_t since;        /* number of the packet from which on nothing is missing */
    uint32_t rounds;       /* rounds read from there on, at most MP_TREE_ROUNDS_MOST */
    bool is_settled;       /* the newest packet ended a round, and all sums of that round are known */
    struct mp_tree_counters counters;
};

/* Makes an empty table of `room` nodes and `contexts_room` contexts, whose memory it borrows. */
void mp_tree_table_init(struct mp_tree_table *table, struct mp_tree_node *node, uint32_t room,
                        struct mp_tree_known_context *contexts, uint32_t contexts_room);

/* Adds memory for `room` functions, which it borrows. Without it, packets with MP_TREE_EVICTS are
 * malformed. */
void mp_tree_table_keep_evicted(struct mp_tree_table *table, struct mp_tree_evicted *evicted, uint32_t room);

/* Returns the ticks of evicted nodes below this node. */
static inline uint64_t mp_tree_table_below(const struct mp_tree_node *node)
{
    return node->below_generation == node->row.generation ? node->below : 0;
}

/* Takes one payload of PROFILE_DATA. A packet of another run empties the table first. Returns false when
 * nothing of it was taken (malformed head, or late). A packet with the same number of run also counts as one
 * of another run if its time and the elapsed ticks do not fit together: it is from another target, or from
 * this one after a restart that was not reported. */
bool mp_tree_table_packet(struct mp_tree_table *table, const uint8_t *payload, size_t n);

/* Returns true when a packet with that head would be read as a later one of the table's run. */
bool mp_tree_table_continues(const struct mp_tree_table *table, const struct mp_tree_head *head);

/* Returns true when the run's sums are complete: the newest packet read was a closing one, and the ticks of
 * nodes and contexts equal the elapsed ticks (section 12.7). Ticks of evicted nodes are sent twice, and only
 * one of the two would be missed, so in that case the round must be settled, too. Goes through all nodes. */
bool mp_tree_table_is_whole(const struct mp_tree_table *table);

#endif
