/* awaiting.c - calls that wait for a caller that has not returned yet. */
#include "profile/awaiting.h"

#include <stdlib.h>
#include <string.h>

struct awaited {
    uint64_t calls;     /* directly below the placeholder; 0 when there are none */
    uint64_t min_start; /* earliest start of these */
    uint32_t node;      /* "[depth N running]"; CALLTREE_NONE until needed */
    uint32_t lost;      /* "[depth N not seen]", likewise */
};

void awaiting_clear(struct awaiting *awaiting)
{
    awaiting->deepest_open = -1;
    awaiting->unplaced = 0;
    memset(awaiting->tree->left, 0, awaiting->depths * sizeof *awaiting->tree->left);
    for (uint32_t depth = 0; depth < awaiting->depths; depth++)
        awaiting->at[depth] = (struct awaited){.node = CALLTREE_NONE, .lost = CALLTREE_NONE};
}

bool awaiting_init(struct awaiting *awaiting, struct calltree *tree, struct functions *functions,
                   uint32_t depths)
{
    *awaiting = (struct awaiting){
        .tree = tree, .functions = functions, .at = malloc(depths * sizeof *awaiting->at), .depths = depths};
    tree->left = calloc(depths, sizeof *tree->left);
    if (!awaiting->at || !tree->left)
        return false;
    awaiting_clear(awaiting);
    return true;
}

void awaiting_fini(struct awaiting *awaiting)
{
    if (awaiting->tree) {
        free(awaiting->tree->left);
        awaiting->tree->left = NULL;
    }
    free(awaiting->at);
}

/* Returns the node of the placeholder "[depth N running]". */
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

/* Adds ticks to the placeholders up to `depth`. Each lasts as long as the calls below it. */
static void add_to_running(struct awaiting *awaiting, uint32_t depth, uint64_t ticks)
{
    for (uint32_t d = 0; d <= depth; d++) {
        struct snapshot_node *node = &awaiting->tree->nodes[awaiting->at[d].node];
        node->total_ticks += node->is_other ? 0 : ticks;
        node->changed = awaiting->functions->sequence;
    }
}

/* ---- calls without a caller ---- */

/* Returns the node of the placeholder "[depth N not seen]". */
static uint32_t lost_node(struct awaiting *awaiting, uint32_t depth)
{
    struct awaited *awaited = &awaiting->at[depth];
    if (awaited->lost == CALLTREE_NONE) {
        uint32_t function = functions_placeholder(awaiting->functions, KIND_NOT_SEEN, depth);
        awaited->lost = calltree_child(awaiting->tree, awaiting->functions, CALLTREE_ROOT, function, 0);
    }
    return awaited->lost;
}

static uint32_t node_below(struct awaiting *awaiting, uint32_t parent, uint32_t function)
{
    return calltree_child(awaiting->tree, awaiting->functions, parent, function, 0);
}

uint32_t awaiting_running_node(struct awaiting *awaiting, const struct pending *call)
{
    return node_below(awaiting, running_node(awaiting, pending_depth(call) - 1u), call->told.function);
}

uint32_t awaiting_lost_node(struct awaiting *awaiting, const struct pending *call)
{
    return node_below(awaiting, lost_node(awaiting, pending_depth(call) - 1u), call->told.function);
}

static void add_to_lost(struct awaiting *awaiting, uint32_t depth, uint64_t calls, uint64_t ticks)
{
    struct snapshot_node *node = &awaiting->tree->nodes[lost_node(awaiting, depth)];
    awaiting->unplaced += calls;
    node->total_ticks += node->is_other ? 0 : ticks; /* "(other)" has them already */
    node->changed = awaiting->functions->sequence;
}

void awaiting_leave_unplaced(struct awaiting *awaiting, const struct pending *call)
{
    uint64_t ticks = call->node == awaiting->tree->other ? 0 : call->told.duration_ticks;
    add_to_lost(awaiting, pending_depth(call) - 1u, 1, ticks);
}

bool awaiting_leave_open(struct awaiting *awaiting, const struct pending *call)
{
    uint32_t depth = pending_depth(call) - 1u;
    struct awaited *awaited = &awaiting->at[depth];
    if (awaited->calls++ == 0 || call->told.start_ticks < awaited->min_start)
        awaited->min_start = call->told.start_ticks;
    if ((int32_t)depth > awaiting->deepest_open)
        awaiting->deepest_open = (int32_t)depth;
    if (call->node == awaiting->tree->other)
        awaiting->tree->left[depth] += call->told.duration_ticks;
    else
        add_to_running(awaiting, depth, call->told.duration_ticks);
    bool leads = call->told.duration_ticks == 0 && call->told.start_ticks == awaited->min_start;
    struct doubt *doubt = leads && call->node != awaiting->tree->other
                              ? doubts_at(&awaiting->tree->doubts, call->node, pending_depth(call))
                              : NULL;
    if (doubt)
        doubt->leading++;
    return leads;
}

uint64_t awaiting_since(const struct awaiting *awaiting, uint32_t depth)
{
    return awaiting->at[depth].calls > 0 ? awaiting->at[depth].min_start : UINT64_MAX;
}

/* ---- doubts ---- */

/* Moves `to_lost` calls of length 0 from their node to the one below "[depth N not seen]"; 0 - n moves n
 * back. */
static void exchange_with_lost(struct awaiting *awaiting, uint32_t node, uint32_t depth, uint64_t to_lost)
{
    struct calltree *tree = awaiting->tree;
    uint32_t lost =
        node_below(awaiting, lost_node(awaiting, depth - 1), (uint32_t)tree->nodes[node].function);
    tree->nodes[node].calls -= to_lost;
    tree->nodes[lost].calls += to_lost;
    tree->nodes[node].changed = tree->nodes[lost].changed = awaiting->functions->sequence;
    awaiting->unplaced += to_lost;
}

void awaiting_ask(struct awaiting *awaiting, const struct pending *call, uint32_t node, bool below)
{
    awaiting_leave_unplaced(awaiting, call);
    struct doubt *doubt = doubts_at(&awaiting->tree->doubts, node, pending_depth(call));
    if (doubt)
        *(below ? &doubt->asked_below : &doubt->asked) += 1;
}

bool awaiting_judge(struct awaiting *awaiting, bool complete)
{
    struct doubts *doubts = &awaiting->tree->doubts;
    bool any = doubts->count > 0;
    for (uint32_t i = 0; i < doubts->count; i++) {
        struct doubt *doubt = &doubts->rows[i];
        uint64_t asked = doubt->asked + doubt->asked_below;
        if (complete && asked > 0)
            exchange_with_lost(awaiting, doubt->node, doubt->depth, 0 - asked);
        if (complete) {
            doubt->leading += doubt->asked_below;
        } else {
            doubt->broken += doubt->leading;
            doubt->leading = 0;
        }
        doubt->asked = doubt->asked_below = 0;
    }
    doubts_sweep(doubts);
    return any;
}

/* How waiting calls are moved below a caller. */
struct moving {
    struct awaiting *awaiting;
    bool is_unsure; /* it is unknown whether calls that lead belong there */
    bool below;     /* the new node is below a call that leads */
};

static void carry_doubts(void *user, uint32_t from, uint32_t to)
{
    const struct moving *moving = user;
    struct awaiting *awaiting = moving->awaiting;
    struct doubt *source = doubts_find(&awaiting->tree->doubts, from);
    struct doubt carried = *source;
    *source = (struct doubt){.node = from, .depth = carried.depth};
    if (to == awaiting->tree->other)
        return;
    uint64_t asked = carried.asked + carried.asked_below;
    if (moving->is_unsure) {
        if (carried.leading + carried.broken > 0)
            exchange_with_lost(awaiting, to, carried.depth, carried.leading + carried.broken);
        asked += carried.leading;
    }
    struct doubt *target = asked > 0 ? doubts_at(&awaiting->tree->doubts, to, carried.depth) : NULL;
    if (target)
        *(moving->below ? &target->asked_below : &target->asked) += asked;
}

/* ---- callers that return, and those that were lost ---- */

static uint64_t take_from_running(struct awaiting *awaiting, uint32_t depth, uint32_t to,
                                  struct moving *moving)
{
    uint32_t deeper = depth + 1 < awaiting->depths ? awaiting->at[depth + 1].node : CALLTREE_NONE;
    const struct calltree_carry carry = {carry_doubts, moving};
    uint64_t moved = calltree_move_children(awaiting->tree, awaiting->functions, awaiting->at[depth].node, to,
                                            deeper, &carry);
    add_to_running(awaiting, depth, 0 - moved);
    awaiting->at[depth].calls = 0;
    return moved;
}

/* Moves what waits for a caller at `depth` to "[depth N not seen]": the caller was lost. */
static void give_up(struct awaiting *awaiting, uint32_t depth)
{
    uint64_t calls = awaiting->at[depth].calls;
    if (calls == 0)
        return;
    struct moving moving = {.awaiting = awaiting};
    awaiting->tree->left[depth] = 0;
    uint64_t moved = take_from_running(awaiting, depth, lost_node(awaiting, depth), &moving);
    add_to_lost(awaiting, depth, calls, moved);
}

static void adopt_call(struct awaiting *awaiting, struct pending *call, uint32_t node, bool below)
{
    uint32_t depth = pending_depth(call);
    struct moving moving = {
        .awaiting = awaiting,
        .is_unsure = awaiting->at[depth].min_start == call->told.start_ticks,
        .below = below,
    };
    uint64_t left = awaiting->tree->left[depth];
    awaiting->tree->left[depth] = 0;
    uint64_t children = take_from_running(awaiting, depth, node, &moving) + left;
    calltree_leave(awaiting->tree, awaiting->functions, node, left);
    uint64_t less = children < call->self_ticks ? children : call->self_ticks;
    call->told.place |= TIMELINE_ADOPTS;
    call->self_ticks -= less;
}

void awaiting_close(struct awaiting *awaiting, struct pending *call, bool fits, uint32_t node, bool below)
{
    uint32_t depth = pending_depth(call);
    for (; awaiting->deepest_open > (int32_t)depth; awaiting->deepest_open--)
        give_up(awaiting, (uint32_t)awaiting->deepest_open);
    if (awaiting->deepest_open < (int32_t)depth)
        return;
    if (fits && awaiting->at[depth].calls > 0)
        adopt_call(awaiting, call, node, below);
    else
        give_up(awaiting, depth);
    awaiting->deepest_open--;
}

void awaiting_abandon(struct awaiting *awaiting)
{
    for (; awaiting->deepest_open >= 0; awaiting->deepest_open--)
        give_up(awaiting, (uint32_t)awaiting->deepest_open);
}
