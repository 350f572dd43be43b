/* segments.c - what ran inside callers that have not returned. What `unsure` calls are: stacks.c. */
#include "profile/segments.h"

#include <stdlib.h>

struct segment {
    uint64_t calls; /* directly below the placeholder; 0: nothing there */
    uint64_t min_start, max_end;
    uint64_t unsure_end;      /* the earliest end of an unsure call, UINT64_MAX: none */
    uint32_t unsure_function; /* of those that end there; MAP_NONE: they are of several */
    uint32_t node;            /* of the placeholder, CALLTREE_NONE until needed */
};

void segments_clear(struct segments *segments)
{
    segments->deepest_open = -1;
    segments->unplaced = 0;
    for (uint32_t depth = 0; depth < segments->depths; depth++)
        segments->at[depth] = (struct segment){.unsure_end = UINT64_MAX, .node = CALLTREE_NONE};
}

bool segments_init(struct segments *segments, struct calltree *tree, struct functions *functions,
                   uint32_t depths)
{
    *segments = (struct segments){
        .tree = tree, .functions = functions, .at = malloc(depths * sizeof *segments->at), .depths = depths};
    if (!segments->at)
        return false;
    segments_clear(segments);
    return true;
}

void segments_fini(struct segments *segments)
{
    free(segments->at);
}

/* The placeholder's node for callers of `depth` that have not returned. */
static uint32_t running_node(struct segments *segments, uint32_t depth)
{
    if (segments->at[depth].node != CALLTREE_NONE)
        return segments->at[depth].node;
    uint32_t parent = CALLTREE_ROOT;
    for (uint32_t d = 0; d <= depth; d++) {
        struct segment *segment = &segments->at[d];
        if (segment->node == CALLTREE_NONE) {
            uint32_t function = functions_placeholder(segments->functions, KIND_RUNNING, d);
            segment->node = calltree_child(segments->tree, segments->functions, parent, function, 0);
        }
        parent = segment->node;
    }
    return parent;
}

/* Placeholders last as long as what they hold. */
static void add_to_running(struct segments *segments, uint32_t depth, uint64_t ticks)
{
    for (uint32_t d = 0; d <= depth; d++) {
        struct snapshot_node *node = &segments->tree->nodes[segments->at[d].node];
        node->total_ticks += ticks;
        node->changed = segments->functions->sequence;
    }
}

static uint64_t take_from_running(struct segments *segments, uint32_t depth, uint32_t to)
{
    uint32_t deeper = depth + 1 < segments->depths ? segments->at[depth + 1].node : CALLTREE_NONE;
    uint64_t moved =
        calltree_move_children(segments->tree, segments->functions, segments->at[depth].node, to, deeper);
    add_to_running(segments, depth, 0 - moved);
    struct segment *segment = &segments->at[depth];
    *segment = (struct segment){.unsure_end = UINT64_MAX, .node = segment->node};
    return moved;
}

/* The placeholder's node for callers of `depth` that were lost, with `calls` more calls below it. */
static uint32_t lost_node(struct segments *segments, uint32_t depth, uint64_t calls)
{
    segments->unplaced += calls;
    uint32_t function = functions_placeholder(segments->functions, KIND_NOT_SEEN, depth);
    return calltree_child(segments->tree, segments->functions, CALLTREE_ROOT, function, 0);
}

static void add_to_lost(struct segments *segments, uint32_t node, uint64_t ticks)
{
    segments->tree->nodes[node].total_ticks += ticks;
    segments->tree->nodes[node].changed = segments->functions->sequence;
}

/* The caller at `depth` of what runs there was lost. */
static void give_up(struct segments *segments, uint32_t depth)
{
    uint64_t calls = segments->at[depth].calls;
    if (calls == 0)
        return;
    uint32_t node = lost_node(segments, depth, calls);
    add_to_lost(segments, node, take_from_running(segments, depth, node));
}

uint32_t segments_leave_unplaced(struct segments *segments, struct pending *call)
{
    call->told.place |= TIMELINE_ORPHAN;
    uint32_t node = lost_node(segments, pending_depth(call) - 1u, 1);
    add_to_lost(segments, node, call->told.duration_ticks);
    return node;
}

/* Whether `call` is the caller of all that the segment of its depth holds. */
static bool is_caller(const struct segments *segments, const struct pending *call,
                      const struct segment *segment)
{
    if (segment->min_start < call->told.start_ticks || segment->max_end > pending_end(call))
        return false;
    if (segment->unsure_end > call->told.start_ticks)
        return true;
    return segment->unsure_function != MAP_NONE &&
           calltree_find(segments->tree, call->node, segment->unsure_function, 0) != CALLTREE_NONE;
}

static void adopt_segment(struct segments *segments, struct pending *call)
{
    uint64_t children = take_from_running(segments, pending_depth(call), call->node);
    uint64_t less = children < call->self_ticks ? children : call->self_ticks;
    call->told.place |= TIMELINE_ADOPTS;
    call->self_ticks -= less;
}

void segments_close(struct segments *segments, struct pending *call)
{
    for (; segments->deepest_open > pending_depth(call); segments->deepest_open--)
        give_up(segments, (uint32_t)segments->deepest_open);
    if (segments->deepest_open < pending_depth(call))
        return;
    struct segment *segment = &segments->at[pending_depth(call)];
    if (segment->calls > 0 && is_caller(segments, call, segment))
        adopt_segment(segments, call);
    else
        give_up(segments, pending_depth(call));
    segments->deepest_open--;
}

static void note_unsure(struct segments *segments, struct segment *segment, const struct pending *call)
{
    if (pending_end(call) == segment->unsure_end && call->told.function != segment->unsure_function)
        segment->unsure_function = MAP_NONE;
    if (pending_end(call) < segment->unsure_end) {
        segment->unsure_end = pending_end(call);
        segment->unsure_function = call->told.function;
    }
}

uint32_t segments_leave_open(struct segments *segments, struct pending *call)
{
    call->told.place |= TIMELINE_OPEN;
    uint32_t depth = pending_depth(call) - 1u;
    uint32_t node = running_node(segments, depth);
    struct segment *segment = &segments->at[depth];
    if (segment->calls++ == 0) {
        segment->min_start = call->told.start_ticks;
        segment->max_end = pending_end(call);
    }
    if (call->told.start_ticks < segment->min_start)
        segment->min_start = call->told.start_ticks;
    if (pending_end(call) > segment->max_end)
        segment->max_end = pending_end(call);
    if (call->unsure)
        note_unsure(segments, segment, call);
    if ((int32_t)depth > segments->deepest_open)
        segments->deepest_open = (int32_t)depth;
    add_to_running(segments, depth, call->told.duration_ticks);
    return node;
}

void segments_abandon(struct segments *segments)
{
    for (; segments->deepest_open >= 0; segments->deepest_open--)
        give_up(segments, (uint32_t)segments->deepest_open);
}
