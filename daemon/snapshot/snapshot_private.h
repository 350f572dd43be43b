/* snapshot_private.h - what a snapshot keeps alive; for the files that make and free it. */
#ifndef SNAPSHOT_SNAPSHOT_PRIVATE_H
#define SNAPSHOT_SNAPSHOT_PRIVATE_H

#include "snapshot/snapshot.h"

#include <stdatomic.h>

enum { SNAPSHOT_OWNED_MAX = 16 };

/* A snapshot and what it owns. Pointers are NULL where there is nothing, or the base has it. */
struct snapshot_holdings {
    struct snapshot
        snapshot; /* what the world sees; its pointers point to what is owned or referred to here */
    atomic_uint references;
    void *owned[SNAPSHOT_OWNED_MAX]; /* blocks to free: snapshot_own() */
    unsigned owned_count;
    bool lacks_memory;     /* a block could not be allocated */
    struct snapshot *base; /* snapshot_since(), snapshot_window(): what is not its own belongs to this one; a
                              reference */
    struct snapshot_function *functions; /* owned, as are the next four; here to be written to */
    struct snapshot_node *nodes;
    uint64_t *function_blocks, *node_blocks;
    struct snapshot_context *contexts;
    struct names *mark_names;                        /* what checkpoints point to */
    const struct snapshot_message **messages;        /* with a reference each */
    const struct snapshot_message **window_messages; /* the base's */
    struct spread **spreads;                         /* one per function, NULL where nothing was counted */
    struct outliers **outliers;                      /* likewise */
    struct histogram *window_histograms;             /* of a window: one per function, instead */
    struct snapshot_timeline *timeline;
    struct snapshot_timeline *turns;
    struct symtab *symtab; /* holds a reference: names point into it; NULL when there is none */
    struct names *names;   /* likewise */
};

/* Hands over `block`, which was allocated just now, to be freed with the snapshot, and returns it. NULL, for
 * which there was no memory, is noted in `lacks_memory`. */
void *snapshot_own(struct snapshot_holdings *holdings, void *block);

#endif
