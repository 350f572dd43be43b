/* snapshot_private.h - what a snapshot keeps alive; for the files that make and free it. */
#ifndef SNAPSHOT_SNAPSHOT_PRIVATE_H
#define SNAPSHOT_SNAPSHOT_PRIVATE_H

#include "snapshot/snapshot.h"

#include <stdatomic.h>

/* A snapshot and what it owns. Pointers are NULL where there is nothing, or the base has it. */
struct snapshot_holdings {
    struct snapshot snapshot; /* what the world sees; its pointers point to the members below */
    atomic_uint references;
    struct snapshot *base; /* snapshot_since(), snapshot_window(): what is not its own belongs to this one; a
                              reference */
    struct snapshot_function *functions;
    struct snapshot_node *nodes;
    uint64_t *function_blocks, *node_blocks;
    struct snapshot_context *contexts;
    struct snapshot_arc *arcs;
    struct snapshot_call_site *sites;
    struct snapshot_pc *pcs;
    struct snapshot_checkpoint *checkpoints;
    struct names *mark_names;                        /* what checkpoints point to */
    const struct snapshot_message **messages;        /* with a reference each */
    const struct snapshot_message **window_messages; /* the base's */
    struct spread **spreads;                         /* one per function, NULL where nothing was counted */
    struct outliers **outliers;                      /* likewise */
    struct histogram *window_histograms;             /* of a window: one per function, instead */
    struct snapshot_timeline *timeline;
    struct snapshot_timeline *turns;
    struct snapshot_moments *moments;
    struct snapshot_kept *kept;
    struct snapshot_bound *bounds;
    struct snapshot_breach *breaches;
    struct link_history *history;
    struct symtab *symtab; /* holds a reference: names point into it; NULL when there is none */
    struct names *names;   /* likewise */
};

#endif
