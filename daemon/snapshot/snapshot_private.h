/* snapshot_private.h - what a snapshot keeps alive; only for the files that make and free snapshots. */
#ifndef SNAPSHOT_SNAPSHOT_PRIVATE_H
#define SNAPSHOT_SNAPSHOT_PRIVATE_H

#include "snapshot/snapshot.h"

#include <stdatomic.h>

enum { SNAPSHOT_OWNED_MAX = 16 };

/* A snapshot and what it owns. Pointers are NULL when there is nothing, or when the base owns it. */
struct snapshot_holdings {
    struct snapshot snapshot; /* the public part; points to what is owned or referenced here */
    atomic_uint references;
    void *owned[SNAPSHOT_OWNED_MAX]; /* blocks to free: snapshot_own() */
    unsigned owned_count;
    bool lacks_memory;     /* a block could not be allocated */
    struct snapshot *base; /* of snapshot_since(), snapshot_window(): a reference; it owns the rest */
    struct snapshot_function *functions; /* writable pointers to owned blocks, as are the next four */
    struct snapshot_node *nodes;
    uint64_t *function_blocks, *node_blocks;
    struct snapshot_context *contexts;
    struct names *mark_names;                        /* names of checkpoints */
    const struct snapshot_message **messages;        /* with a reference each */
    const struct snapshot_message **window_messages; /* belong to the base */
    struct spread **spreads;                         /* one per function; NULL when nothing was counted */
    struct outliers **outliers;                      /* likewise */
    struct histogram *window_histograms; /* of a snapshot_window(): one per function, instead of spreads */
    struct snapshot_timeline *timeline;
    struct snapshot_timeline *turns;
    struct symtab *symtab; /* a reference: names point into it; NULL when there is none */
    struct names *names;   /* a reference */
};

/* Makes the snapshot the owner of `block`, which was just allocated, and returns it. NULL, when the
 * allocation failed, sets `lacks_memory`. */
void *snapshot_own(struct snapshot_holdings *holdings, void *block);

#endif
