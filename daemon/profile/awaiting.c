/* awaiting.c - what ran inside callers that have not returned. What `unsure` calls are: placement.c. */
#include "profile/awaiting.h"

#include <stdlib.h>

struct awaited {
    uint64_t calls; /* directly below the placeholder; 0: nothing there */
    uint64_t min_start, max_end;
    uint64_t unsure_end;      /* the earliest end of an unsure call, UINT64_MAX: none */
    uint32_t unsure_function; /* of those that end there; MAP_NONE: they are of several */
    uint32_t node;            /* of the placeholder, CALLTREE_NONE until needed */
};

void awaiting_clear(struct awaiting *awaiting)
{
    awaiting->deepest_open = -1;
    awaiting->unplaced = 0;
    for (uint32_t depth = 0; depth < awaiting->depths; depth++)
        awaiting->at[depth] = (struct awaited){.unsure_end = UINT64_MAX, .node = CALLTREE_NONE};
}

bool awaiting_init(struct awaiting *awaiting, struct calltree *tree, struct functions *functions,
                   uint32_t depths)
{
    *awaiting = (struct awaiting){
        .tree = tree, .functions = functions, .at = malloc(depths * sizeof *awaiting->at), .depths = depths};
    if (!awaiting->at)
        return false;
    awaiting_clear(awaiting);
    return true;
}

void awaiting_fini(struct awaiting *awaiting)
{
    free(awaiting->at);
}

/* The placeholder's node for callers of `depth` that have not returned. */
static uint32_t running_node(struct awaiting *awaiting, uint32_t depth)
{
    if (awaiting->at[depth].node != CALLTREE_NONE)
        return awaiting->at[depth].node;
    uint32_t parent = CALLTREE_ROOT;
    for (uint32_t d = 0; d <= depth; d++) {
        struct awaited *awaited = &awaiting->at[d];
        if (awaited->node == CALLTREE_NONE) {
            uint32_t function = functions_placeholder(awaiting->functions, KIND_RUNNING, d);
            awaited->node = calltree_child(awaiting->tree, awaiting->functions, parent, function, 0);
        }
        parent = awaited->node;
    }
    return parent;
}

/* Placeholders last as long as what they hold. */
static void add_to_running(struct awaiting *awaiting, uint32_t depth, uint64_t ticks)
{
    for (uint32_t d = 0; d <= depth; d++) {
        struct snapshot_node *node = &awaiting->tree->nodes[awaiting->at[d].node];
        node->total_ticks += ticks;
        node->changed = awaiting->functions->sequence;
    }
}

static uint64_t take_from_running(struct awaiting *awaiting, uint32_t depth, uint32_t to)
{
    uint32_t deeper = depth + 1 < awaiting->depths ? awaiting->at[depth + 1].node : CALLTREE_NONE;
    uint64_t moved =
        calltree_move_children(awaiting->tree, awaiting->functions, awaiting->at[depth].node, to, deeper);
    add_to_running(awaiting, depth, 0 - moved);
    struct awaited *awaited = &awaiting->at[depth];
    *awaited = (struct awaited){.unsure_end = UINT64_MAX, .node = awaited->node};
    return moved;
}

/* The placeholder's node for callers of `depth` that were lost, with `calls` more calls below it. */
static uint32_t lost_node(struct awaiting *awaiting, uint32_t depth, uint64_t calls)
{
    awaiting->unplaced += calls;
    uint32_t function = functions_placeholder(awaiting->functions, KIND_NOT_SEEN, depth);
    return calltree_child(awaiting->tree, awaiting->functions, CALLTREE_ROOT, function, 0);
}

static void add_to_lost(struct awaiting *awaiting, uint32_t node, uint64_t ticks)
{
    awaiting->tree->nodes[node].total_ticks += ticks;
    awaiting->tree->nodes[node].changed = awaiting->functions->sequence;
}

/* The caller at `depth` of what runs there was lost. */
static void give_up(struct awaiting *awaiting, uint32_t depth)
{
    uint64_t calls = awaiting->at[depth].calls;
    if (calls == 0)
        return;
    uint32_t node = lost_node(awaiting, depth, calls);
    add_to_lost(awaiting, node, take_from_running(awaiting, depth, node));
}

uint32_t awaiting_leave_unplaced(struct awaiting *awaiting, struct pending *call)
{
    call->told.place |= TIMELINE_ORPHAN;
    uint32_t node = lost_node(awaiting, pending_depth(call) - 1u, 1);
    add_to_lost(awaiting, node, call->told.duration_ticks);
    return node;
}

/* Whether `call` is the caller of all that awaits one of its depth. */
static bool is_caller(const struct awaiting *awaiting, const struct pending *call,
                      const struct awaited *awaited)
{
    if (awaited->min_start < call->told.start_ticks || awaited->max_end > pending_end(call))
        return false;
    if (awaited->unsure_end > call->told.start_ticks)
        return true;
    return awaited->unsure_function != MAP_NONE &&
           calltree_find(awaiting->tree, call->node, awaited->unsure_function, 0) != CALLTREE_NONE;
}

static void adopt_awaited(struct awaiting *awaiting, struct pending *call)
{
    uint64_t children = take_from_running(awaiting, pending_depth(call), call->node);
    uint64_t less = children < call->self_ticks ? children : call->self_ticks;
    call->told.place |= TIMELINE_ADOPTS;
    call->self_ticks -= less;
}

void awaiting_close(struct awaiting *awaiting, struct pending *call)
{
    for (; awaiting->deepest_open > pending_depth(call); awaiting->deepest_open--)
        give_up(awaiting, (uint32_t)awaiting->deepest_open);
    if (awaiting->deepest_open < pending_depth(call))
        return;
    struct awaited *awaited = &awaiting->at[pending_depth(call)];
    if (awaited->calls > 0 && is_caller(awaiting, call, awaited))
        adopt_awaited(awaiting, call);
    else
        give_up(awaiting, pending_depth(call));
    awaiting->deepest_open--;
}

static void note_unsure(struct awaiting *awaiting, struct awaited *awaited, const struct pending *call)
{
    if (pending_end(call) == awaited->unsure_end && call->told.function != awaited->unsure_function)
        awaited->unsure_function = MAP_NONE;
    if (pending_end(call) < awaited->unsure_end) {
        awaited->unsure_end = pending_end(call);
        awaited->unsure_function = call->told.function;
    }
}

uint32_t awaiting_leave_open(struct awaiting *awaiting, struct pending *call)
{
    call->told.place |= TIMELINE_OPEN;
    uint32_t depth = pending_depth(call) - 1u;
    uint32_t node = running_node(awaiting, depth);
    struct awaited *awaited = &awaiting->at[depth];
    if (awaited->calls++ == 0) {
        awaited->min_start = call->told.start_ticks;
        awaited->max_end = pending_end(call);
    }
    if (call->told.start_ticks < awaited->min_start)
        awaited->min_start = call->told.start_ticks;
    if (pending_end(call) > awaited->max_end)
        awaited->max_end = pending_end(call);
    if (call->unsure)
        note_unsure(awaiting, awaited, call);
    if ((int32_t)depth > awaiting->deepest_open)
        awaiting->deepest_open = (int32_t)depth;
    add_to_running(awaiting, depth, call->told.duration_ticks);
    return node;
}

void awaiting_abandon(struct awaiting *awaiting)
{
    for (; awaiting->deepest_open >= 0; awaiting->deepest_open--)
        give_up(awaiting, (uint32_t)awaiting->deepest_open);
}
