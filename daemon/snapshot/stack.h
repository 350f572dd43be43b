/* stack.h - the deepest stacks seen: sums of function frames (symbol/symtab.h) along the chains of calls in
 * the tree.
 *
 * Not included are functions that were never called, and code that reports no calls, which is code without
 * instrumentation below the last instrumented function. Nor is the frame that the processor pushes at an
 * interrupt, onto the stack of the interrupted code (on a Cortex-M 32 bytes, 104 with floating point).
 * Inlined code reports its calls, and counts with the frame of the copy that is not inlined. */
#ifndef SNAPSHOT_STACK_H
#define SNAPSHOT_STACK_H

#include "snapshot/snapshot.h"

/* The rows to fill in, and their call tree. */
struct stack_rows {
    const struct snapshot_node *nodes;
    uint32_t node_count;
    struct snapshot_function *functions; /* every function that the nodes refer to */
    uint32_t function_count;
    struct snapshot_context *contexts;
    uint32_t context_count;
    bool is_estimated; /* the tree is made from arcs: chains and depths are unknown */
};

/* Fills in the stack figures of each function and context, from the functions' frames and the nodes that
 * count something. They are marked as unknown when no frame on the way is known. Takes linear time. Returns
 * false when memory is used up. */
bool stack_fill(const struct stack_rows *rows);

#endif
