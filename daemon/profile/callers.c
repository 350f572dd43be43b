/* callers.c - finds the callers of finished calls.
 *
 * A record has a function's start, duration and depth, and is sent when the call returns. So callees arrive
 * before their callers, and a caller that never returns never arrives. Only this is certain: a call at depth
 * d ran inside a call at depth d - 1 if it ended after that call began, and arrived before it. Nothing else
 * is taken for a caller, so lost records leave the tree incomplete but never wrong. There is one doubt: a
 * call of length 0 that ended at the tick when its caller began may have had another caller, which ended at
 * that tick and was lost. It waits (doubts.h) until it is known whether anything was lost.
 *
 * Calls that wait at one depth have the same caller, unless a caller was lost. A caller that began after the
 * first of them is not the caller of the first, and it is unknown which of the others are its own, so it gets
 * none of them. This is decided in the order of arrival; when and in which groups calls are placed makes no
 * difference.
 *
 * Calls are walked backwards: in that order callers come first, and each call costs one lookup of (caller's
 * node, function). This walk does nothing else, since each step depends on the one before. A second walk, in
 * the order of arrival, counts each call; there the processor works on several calls at once. A call without
 * a caller in the buffer may still get one that returns later: awaiting.h. */
#include "profile/placement_private.h"

/* Not inlined, which leaves the registers to the code that runs at every call. */
#define RARE __attribute__((noinline))

/* True when `caller`, which has one depth less and ended later, certainly called `call`. */
static inline bool called_by(const struct pending *caller, const struct pending *call)
{
    return call->told.start_ticks >= caller->told.start_ticks && pending_end(call) > caller->told.start_ticks;
}

/* True when `caller` called `call`, provided nothing was lost. */
static bool may_be_called_by(const struct pending *caller, const struct pending *call)
{
    return call->told.start_ticks == caller->told.start_ticks && call->told.duration_ticks == 0;
}

/* Returns the node of a call that is the first of its function below its caller; it may be "(other)". */
RARE static uint32_t place_first_below(struct placement *placement, struct calltree_index *index,
                                       const struct pending *caller, const struct pending *call)
{
    uint32_t node =
        calltree_child_new(placement->tree, placement->functions, caller->node, call->told.function, 0);
    if (node == placement->tree->other)
        calltree_leave(placement->tree, placement->functions, caller->node, call->told.duration_ticks);
    *index = calltree_index(placement->tree);
    return node;
}

/* Returns the node of a call whose caller is known. */
static inline uint32_t place_below(struct placement *placement, struct calltree_index *index,
                                   struct pending *caller, const struct pending *call)
{
    uint64_t less =
        call->told.duration_ticks < caller->self_ticks ? call->told.duration_ticks : caller->self_ticks;
    caller->self_ticks -= less;
    uint32_t node;
    return calltree_find_below(index, caller->node, call->told.function, &node)
               ? node
               : place_first_below(placement, index, caller, call);
}

/* Returns the additional data of a call whose caller is unknown; NULL when it is known. */
static struct lone *lone_of(const struct placement *placement, const struct pending *call)
{
    return pending_tie(call) == TIMELINE_CALLED ? NULL : &placement->lone[call->rare];
}

uint32_t callers_node(const struct placement *placement, const struct pending *call)
{
    return pending_tie(call) == TIMELINE_UNSURE ? lone_of(placement, call)->node : call->node;
}

static void add_lone(struct placement *placement, struct pending *call, enum timeline_place tie,
                     uint32_t node, const struct pending *caller)
{
    call->told.place |= (uint16_t)tie;
    call->rare = placement->lone_count & INT32_MAX;
    placement->lone[placement->lone_count++] = (struct lone){.call = call, .caller = caller, .node = node};
}

/* Returns the node of a call whose caller is unknown. `is_last`: no later call had less depth. */
RARE static uint32_t place_alone(struct placement *placement, struct pending *call, bool is_last)
{
    if (pending_depth(call) == 0)
        return calltree_child(placement->tree, placement->functions, CALLTREE_ROOT, call->told.function, 0);
    add_lone(placement, call, is_last ? TIMELINE_OPEN : TIMELINE_ORPHAN, 0, NULL);
    return is_last ? awaiting_running_node(&placement->awaiting, call)
                   : awaiting_lost_node(&placement->awaiting, call);
}

/* Returns the node of a call that `caller` called if nothing was lost. */
RARE static uint32_t place_in_doubt(struct placement *placement, struct pending *call,
                                    const struct pending *caller)
{
    uint32_t node = calltree_child(placement->tree, placement->functions, callers_node(placement, caller),
                                   call->told.function, 0);
    bool is_other = node == placement->tree->other; /* which distinguishes nothing */
    add_lone(placement, call, is_other ? TIMELINE_ORPHAN : TIMELINE_UNSURE, node, caller);
    return awaiting_lost_node(&placement->awaiting, call);
}

/* Finds the nodes of calls [from, to), walking backwards, callers before callees. Returns false when a call
 * began before the call that would be its caller. Then the walk must be repeated `wary`: without callers that
 * refuse. */
__attribute__((always_inline)) static inline bool walk(struct placement *placement, uint32_t from,
                                                       uint32_t to, bool wary)
{
    struct pending **callers = placement->callers; /* [d]: the caller of calls at depth d; [0] is NULL */
    int32_t top = 0;                               /* deeper callers have ended */
    int32_t shallowest = PLACEMENT_DEPTH_MAX;      /* of the later calls */
    struct pending *first = placement->pending + from;
    struct calltree_index index = calltree_index(placement->tree);
    for (struct pending *call = placement->pending + to; call-- > first;) {
        int32_t depth = pending_depth(call);
        while (top < depth)
            callers[++top] = NULL; /* unknown at this depth */
        struct pending *caller = callers[depth];
        if (caller && called_by(caller, call)) {
            /* Does not change `shallowest`, since its caller has less depth. */
            call->node = place_below(placement, &index, caller, call);
        } else {
            if (caller && !may_be_called_by(caller, call))
                return false;
            call->node = caller ? place_in_doubt(placement, call, caller)
                                : place_alone(placement, call, shallowest >= depth);
            index = calltree_index(placement->tree);
            if (depth < shallowest)
                shallowest = depth;
        }
        top = depth + 1;
        callers[top] = wary && call->refuses ? NULL : call;
    }
    return true;
}

/* Marks the calls of [from, to) that cannot be callers, because a call that waited at their depth began
 * before them. */
static void note_refusals(struct placement *placement, uint32_t from, uint32_t to)
{
    uint64_t *since = placement->since; /* [d]: earliest start of what waits for a caller at depth d */
    for (uint32_t depth = 0; depth < PLACEMENT_DEPTH_MAX; depth++)
        since[depth] = awaiting_since(&placement->awaiting, depth);
    uint32_t deepest = PLACEMENT_DEPTH_MAX;
    for (struct pending *call = placement->pending + from; call < placement->pending + to; call++) {
        uint32_t depth = pending_depth(call);
        call->refuses = since[depth] < call->told.start_ticks;
        for (; deepest >= depth && deepest > 0; deepest--)
            since[deepest] = UINT64_MAX;
        since[depth] = UINT64_MAX;
        deepest = depth;
        if (depth > 0 && call->told.start_ticks < since[depth - 1])
            since[depth - 1] = call->told.start_ticks;
    }
}

RARE static void walk_warily(struct placement *placement, uint32_t from, uint32_t to)
{
    note_refusals(placement, from, to);
    placement->lone_count = 0;
    for (struct pending *call = placement->pending + from; call < placement->pending + to; call++) {
        call->self_ticks = call->told.duration_ticks;
        call->told.place = timeline_place(pending_depth(call), TIMELINE_CALLED);
    }
    walk(placement, from, to, true);
}

bool callers_is_below_leading(const struct placement *placement, const struct pending *call)
{
    const struct lone *lone = lone_of(placement, call);
    return lone && lone->below;
}

/* Counts calls without a certain caller: first those that wait, in the order of arrival. Those in doubt come
 * last, since they depend on whether their caller leads. */
RARE static void count_lone(struct placement *placement)
{
    struct awaiting *awaiting = &placement->awaiting;
    for (uint32_t i = placement->lone_count; i-- > 0;) {
        struct lone *lone = &placement->lone[i];
        if (pending_tie(lone->call) == TIMELINE_OPEN)
            lone->below = awaiting_leave_open(awaiting, lone->call);
        else if (pending_tie(lone->call) == TIMELINE_ORPHAN)
            awaiting_leave_unplaced(awaiting, lone->call);
    }
    for (uint32_t i = 0; i < placement->lone_count; i++) {
        struct lone *lone = &placement->lone[i];
        if (pending_tie(lone->call) != TIMELINE_UNSURE)
            continue;
        lone->below = callers_is_below_leading(placement, lone->caller);
        awaiting_ask(awaiting, lone->call, lone->node, lone->below);
    }
}

void callers_find(struct placement *placement, uint32_t from, uint32_t to, bool wary)
{
    placement->lone_count = 0;
    if (wary || !walk(placement, from, to, false))
        walk_warily(placement, from, to);
    if (placement->lone_count > 0)
        count_lone(placement);
}
