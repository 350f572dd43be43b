/* edges.h - who calls a function, and whom it calls. */
#ifndef SNAPSHOT_EDGES_H
#define SNAPSHOT_EDGES_H

#include "snapshot/snapshot.h"

/* One neighbour of a function in the call tree, with what the calls on that edge add up to. */
struct edge {
    uint32_t function; /* the neighbour */
    uint64_t calls;
    uint64_t total_ticks; /* callees included; a call inside another over the same edge counts once */
};

/* The edges to a function's callers or to its callees, those with most time first. */
struct edges {
    struct edge *rows;
    uint32_t n;
};

/* Finds the callers and callees of `function`, which is below function_count. False when memory is used up.
 * edges_fini() frees what they hold, also then. */
bool edges_find(const struct snapshot *snapshot, uint32_t function, struct edges *callers,
                struct edges *callees);
void edges_fini(struct edges *edges);

#endif
