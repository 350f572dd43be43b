/* tree_table.h - the call tree as the packets of a run have sent it so far (SPEC.md section 12).
 *
 * Memory is the caller's, nothing is allocated, any packets may be given to it. What contradicts what the run
 * has reported before is counted and not taken: a node keeps the function, parent and context that it was
 * reported with first, and sums do not shrink. Where a target gives places to other nodes (section 12.9), a
 * row of another generation takes the place of the one before. */
#ifndef PROTOCOL_TREE_TABLE_H
#define PROTOCOL_TREE_TABLE_H

#include "protocol/tree_reader.h"

struct mp_tree_node {
    bool is_told; /* else nothing is known about it but that others may be below it */
    struct mp_tree_row row;
    uint64_t elapsed; /* ticks from START to when that was reported */
    /* With MP_TREE_EVICTS. */
    uint32_t below_generation; /* which node of the place `below` is of: reported before its row, perhaps */
    uint64_t below;
};

struct mp_tree_known_context {
    uint32_t context;
    struct mp_tree_sums sums;
    uint32_t runs; /* a node, or MP_TREE_NO_PARENT: none that is known */
    bool is_idle;
    uint8_t name_length;
    uint8_t name[MP_TREE_NAME_MAX];
    uint64_t below; /* with MP_TREE_EVICTS: of its outermost calls */
};

struct mp_tree_counters {
    uint64_t packets;   /* read */
    uint64_t runs;      /* begun: the table was emptied for each */
    uint64_t lost;      /* missing between those of a run */
    uint64_t late;      /* that came twice or late, and were not read */
    uint64_t malformed; /* not read, or not to their ends */
    uint64_t conflicts; /* records that contradict what the run has reported before */
    uint64_t beyond;    /* records of nodes, contexts or functions that the table has no room for */
};

struct mp_tree_table {
    struct mp_tree_node *node;
    uint32_t room;
    struct mp_tree_known_context *contexts;
    uint32_t contexts_room;
    uint32_t n_contexts;
    bool has_run;                 /* a packet has been read */
    struct mp_tree_head head;     /* of the newest packet read */
    struct mp_tree_chains chains; /* of the run so far */
    struct mp_tree_evicted *evicted;
    uint32_t evicted_room, n_evicted;
    uint32_t evicted_next; /* the one that is probably reported next */
    uint32_t since;        /* number of the packet from which on nothing is missing */
    uint32_t rounds;       /* that have been read from there on, at most MP_TREE_ROUNDS_MOST */
    bool is_settled;       /* the newest packet ended a round, and all sums are known as that reported them */
    struct mp_tree_counters counters;
};

/* An empty table of `room` nodes and `contexts_room` contexts, whose memory it borrows. */
void mp_tree_table_init(struct mp_tree_table *table, struct mp_tree_node *node, uint32_t room,
                        struct mp_tree_known_context *contexts, uint32_t contexts_room);

/* Memory for `room` functions, which it borrows. Without it, packets with MP_TREE_EVICTS are malformed. */
void mp_tree_table_keep_evicted(struct mp_tree_table *table, struct mp_tree_evicted *evicted, uint32_t room);

/* What was below the node of that place and has given up its places. */
static inline uint64_t mp_tree_table_below(const struct mp_tree_node *node)
{
    return node->below_generation == node->row.generation ? node->below : 0;
}

/* Takes one payload of PROFILE_DATA. A packet of another run empties the table first. False: nothing of it
 * was taken (malformed head, or late). Of another run are also packets of the same number of run that cannot
 * be of this one, since its time and what has elapsed went on together: another target, or this one after a
 * restart that was not reported. */
bool mp_tree_table_packet(struct mp_tree_table *table, const uint8_t *payload, size_t n);

/* True when a packet with that head would be read as a later one of the run that the table has. */
bool mp_tree_table_continues(const struct mp_tree_table *table, const struct mp_tree_head *head);

/* True when the run's sums are all there: the newest packet read was a closing one, and the ticks sent of
 * nodes and contexts are as many as have elapsed (section 12.7). Of nodes that gave up their places ticks are
 * sent twice, and only one of them would be missed: there the round has to be settled, too. Goes through all
 * nodes. */
bool mp_tree_table_is_whole(const struct mp_tree_table *table);

#endif
