/* stack.c - the deepest stacks seen. Callees come after their callers, so one walk from the last node to the
 * first adds up each chain. */
#include "snapshot/stack.h"

#include <stdlib.h>

/* Sums over the nodes below one node, without itself. */
struct below {
    uint32_t bytes;   /* of the deepest chain */
    uint32_t deepest; /* its first node; 0 when there is none */
    uint32_t unknown; /* nodes without known frames, in all chains */
    bool is_occupied; /* a node below counts something */
};

static uint32_t add_saturating_u32(uint64_t a, uint64_t b)
{
    return a + b < UINT32_MAX ? (uint32_t)(a + b) : UINT32_MAX;
}

static void forget_stack_figures(const struct stack_rows *rows)
{
    for (uint32_t i = 0; i < rows->function_count; i++) {
        struct snapshot_function *function = &rows->functions[i];
        function->stack_bytes = function->stack_unknown = 0;
        function->known &= ~(uint32_t)FUNCTION_STACK;
    }
    for (uint32_t i = 0; i < rows->context_count; i++) {
        struct snapshot_context *context = &rows->contexts[i];
        context->has_stack = false;
        context->stack_bytes = context->stack_unknown = context->stack_node = 0;
    }
}

/* False when no ELF has information about frames: then there is nothing to add up. */
static bool has_frames(const struct stack_rows *rows)
{
    for (uint32_t i = 0; i < rows->function_count; i++)
        if (rows->functions[i].known & FUNCTION_FRAME || rows->functions[i].frame_bytes > 0)
            return true;
    return false;
}

static void tell_function(struct snapshot_function *function, const struct snapshot_node *node,
                          uint32_t bytes, uint32_t unknown)
{
    if (bytes > 0 || unknown == 0)
        function->known |= FUNCTION_STACK;
    if (bytes > function->stack_bytes)
        function->stack_bytes = bytes;
    if (!node->recursive) /* nodes below an inner call are also below the outer one */
        function->stack_unknown = add_saturating_u32(function->stack_unknown, unknown);
}

static void tell_context(struct snapshot_context *context, uint32_t node, uint32_t bytes, uint32_t unknown)
{
    if (!context->has_stack || bytes > context->stack_bytes) {
        context->stack_bytes = bytes;
        context->stack_node = node;
    }
    context->has_stack = true;
    context->stack_unknown = add_saturating_u32(context->stack_unknown, unknown);
}

static void add_up(const struct stack_rows *rows, struct below *below)
{
    for (uint32_t i = rows->node_count; i-- > 1;) {
        const struct snapshot_node *node = &rows->nodes[i];
        if (!below[i].is_occupied && !(node->calls | node->total_ticks | node->self_ticks))
            continue;
        struct snapshot_function *function = &rows->functions[node->function];
        uint32_t bytes = add_saturating_u32(function->frame_bytes, below[i].bytes);
        uint32_t unknown = add_saturating_u32(below[i].unknown, !(function->known & FUNCTION_FRAME));
        struct below *parent = &below[node->parent];
        tell_function(function, node, bytes, unknown);
        if (parent->deepest == 0 || bytes > parent->bytes) {
            parent->bytes = bytes;
            parent->deepest = i;
        }
        parent->unknown = add_saturating_u32(parent->unknown, unknown);
        parent->is_occupied = true;
        if (node->parent == 0 && node->context < rows->context_count)
            tell_context(&rows->contexts[node->context], i, bytes, unknown);
    }
}

/* Follows the deepest chain of each context to its innermost node. */
static void find_ends(const struct stack_rows *rows, const struct below *below)
{
    for (uint32_t i = 0; i < rows->context_count; i++) {
        struct snapshot_context *context = &rows->contexts[i];
        while (context->has_stack && below[context->stack_node].deepest > 0)
            context->stack_node = below[context->stack_node].deepest;
        context->has_stack = context->has_stack && context->stack_bytes > 0;
    }
}

bool stack_fill(const struct stack_rows *rows)
{
    forget_stack_figures(rows);
    if (rows->is_estimated || !has_frames(rows))
        return true;
    struct below *below = calloc(rows->node_count, sizeof *below);
    if (!below)
        return false;
    add_up(rows, below);
    find_ends(rows, below);
    free(below);
    return true;
}
