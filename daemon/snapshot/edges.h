/* edges.h - callers and callees of a function. */
#ifndef SNAPSHOT_EDGES_H
#define SNAPSHOT_EDGES_H

#include "snapshot/snapshot.h"

/* A caller or callee of a function, with the sums of the calls between the two. */
struct edge {
    uint32_t function; /* the caller or callee */
    uint64_t calls;
    uint64_t total_ticks; /* including callees; a call inside another over the same edge counts once */
};

/* The edges to a function's callers or to its callees, sorted by time, most first. */
struct edges {
    struct edge *rows;
    uint32_t n;
};

/* Finds the callers and callees of `function`, which is below function_count. Returns false when memory is
 * used up. The caller frees both with edges_fini(), also after a failure. */
bool edges_find(const struct snapshot *snapshot, uint32_t function, struct edges *callers,
                struct edges *callees);
void edges_fini(struct edges *edges);

#endif
