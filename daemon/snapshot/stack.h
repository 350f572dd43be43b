/* stack.h - how deep stacks were seen to go: the frames of functions (symbol/symtab.h) along the chains of
 * calls of the tree.
 *
 * It lacks functions that were never called, and code that reports no calls: code that is not instrumented,
 * below the last function that is, and the frame that the processor itself pushes when an interrupt comes (on
 * a Cortex-M 32 bytes, 104 with floating point), which lies on the stack of what was interrupted. Inlined
 * code reports its calls, and counts with the frame of the copy that is not inlined. */
#ifndef SNAPSHOT_STACK_H
#define SNAPSHOT_STACK_H

#include "snapshot/snapshot.h"

/* The rows to be filled in, and the tree that they are of. */
struct stack_rows {
    const struct snapshot_node *nodes;
    uint32_t node_count;
    struct snapshot_function *functions; /* as many as the nodes name */
    uint32_t function_count;
    struct snapshot_context *contexts;
    uint32_t context_count;
    bool is_estimated; /* the tree is made of arcs: chains and depths are unknown */
};

/* Fills in the stack of each function and context, from the frames of the functions and the nodes that count
 * something; where no frame on the way is known, it is marked as not known. Linear in the rows. False when
 * memory is used up. */
bool stack_fill(const struct stack_rows *rows);

#endif
