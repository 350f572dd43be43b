/* recount.c - computes a profile's rows for a time range.
 *
 * The timeline's calls are walked backwards, callers before callees, as in profile/placement.c. But nothing
 * is decided here: each call has a mark of how its caller was found when it was placed. So every call counts
 * at the same node as in the whole profile, and a range never shows a caller with a callee that the whole
 * profile does not. Callers are found by whole durations; only what is counted is cut to the range.
 *
 * Calls outside the range are also walked, since they can be callers, but the expensive lookup of a node is
 * only made for calls that count. Before the latest end of a call that is no longer buffered, callees may be
 * missing, so a range cannot begin earlier. */
#include "snapshot/recount.h"

#include "base/map.h"
#include "snapshot/timeline.h"

#include <stdlib.h>
#include <string.h>

enum {
    CONTEXTS = SNAPSHOT_CONTEXTS_MAX,
    DEPTHS = 1 << TIMELINE_DEPTH_BITS,
    NO_NODE = 0, /* the root, which counts nothing */
};

/* A call on the stack at the current point of the walk. */
struct frame {
    uint32_t function, node;                 /* node: NO_NODE until looked up */
    bool is_known;                           /* false: no call of this depth is known here */
    bool adopts, counts, is_cut, is_running; /* is_running: has not returned, and ran inside the range */
    bool in_doubt;                           /* its caller may be another */
    bool complete; /* nothing is missing up to the next verdict, which also applies to this call */
    uint32_t gaps; /* verdicts after it that report a possible loss */
    uint64_t start_ticks, duration_ticks; /* of the whole call, not cut to the range */
    enum { BELOW_CALLER, BELOW_RUNNING, BELOW_LOST } below;
    uint64_t ticks, children_ticks, away_ticks; /* inside the range */
};

/* The calls of one origin: all calls reported as finished, or one context of those reported live. */
struct stack {
    struct frame *frames;
    int32_t top, room;
    int32_t shallowest; /* depth of the calls walked so far */
    uint32_t root_context;
    uint64_t own_ticks; /* self time of its calls inside the range */
};

struct recount {
    struct recount_rows *rows; /* borrowed */
    uint64_t from, to;
    struct map children; /* key: parent and function; value: node */
    uint32_t other;      /* the "(other)" node, for rows above the ceiling; NO_NODE when there is none */
    int32_t unknown;     /* the function "[not known]"; -1 when there is none */
    uint32_t running[DEPTHS], lost[DEPTHS]; /* nodes of placeholders by depth */
    uint32_t outside[CONTEXTS];             /* nodes of time in no function */
    struct stack stacks[1 + CONTEXTS];      /* [0]: calls reported as finished */
    bool complete;                          /* as in a frame, for the next call */
    uint32_t gaps;                          /* likewise */
    bool failed;                            /* memory is used up */
};

/* ---- nodes ---- */

static uint64_t key_of(uint32_t parent, uint32_t function, uint32_t context)
{
    uint64_t under = parent == 0 ? 0x80000000u | context : parent;
    return under << 32 | function;
}

/* Returns the node for a call of `function`; a call without a node of its own counts at "(other)". */
static uint32_t child_of(const struct recount *recount, uint32_t parent, uint32_t function, uint32_t context)
{
    uint32_t node = map_find(&recount->children, key_of(parent, function, context));
    return node == MAP_NONE ? recount->other : node;
}

static void learn_node(struct recount *recount, uint32_t id)
{
    const struct snapshot_node *node = &recount->rows->nodes[id];
    const struct snapshot_function *function = &recount->rows->functions[node->function];
    if (node->is_other) {
        recount->other = id;
        return;
    }
    if (function->kind == KIND_RUNNING && function->number < DEPTHS)
        recount->running[function->number] = id;
    if (function->kind == KIND_NOT_SEEN && function->number < DEPTHS)
        recount->lost[function->number] = id;
    if (function->kind == KIND_UNKNOWN)
        recount->unknown = node->function;
    if (function->kind == KIND_OUTSIDE && node->context < CONTEXTS)
        recount->outside[node->context] = id;
    recount->failed |= !map_set(&recount->children,
                                key_of((uint32_t)node->parent, (uint32_t)node->function, node->context), id);
}

static void learn_nodes(struct recount *recount)
{
    for (uint32_t i = 1; i < recount->rows->node_count && !recount->failed; i++)
        learn_node(recount, i);
}

/* Placeholders above the limit of nodes also count at "(other)". */
static uint32_t or_other(const struct recount *recount, uint32_t node)
{
    return node == NO_NODE ? recount->other : node;
}

static uint32_t node_below_frame(const struct recount *recount, const struct stack *stack, int32_t depth)
{
    switch (stack->frames[depth].below) {
    case BELOW_RUNNING: return or_other(recount, recount->running[depth - 1]);
    case BELOW_LOST: return or_other(recount, recount->lost[depth - 1]);
    default: return depth > 0 ? stack->frames[depth - 1].node : 0;
    }
}

/* Looks up the node of the call at `depth`, and those of its callers. */
static uint32_t node_at(struct recount *recount, struct stack *stack, int32_t depth)
{
    int32_t known = depth;
    while (known > 0 && stack->frames[known].node == NO_NODE && stack->frames[known].below == BELOW_CALLER)
        known--;
    for (; known <= depth; known++) {
        struct frame *frame = &stack->frames[known];
        if (frame->node == NO_NODE)
            frame->node = child_of(recount, node_below_frame(recount, stack, known), frame->function,
                                   stack->root_context);
    }
    return stack->frames[depth].node;
}

/* ---- counting ---- */

/* Returns the ticks of [start, end] that lie inside the range. */
static uint64_t ticks_inside(const struct recount *recount, uint64_t start, uint64_t end)
{
    if (start < recount->from)
        start = recount->from;
    if (end > recount->to)
        end = recount->to;
    return end > start ? end - start : 0;
}

/* The total only has the time inside the range. The duration is that of the whole call, as in the whole
 * profile: the part inside would be a call that was never made. */
static void count_function(struct recount *recount, const struct frame *frame, bool recursive)
{
    struct snapshot_function *row = &recount->rows->functions[frame->function];
    uint64_t duration_ticks = frame->duration_ticks;
    row->calls++;
    row->sum_ticks += duration_ticks;
    row->total_ticks += recursive ? 0 : frame->ticks;
    if (duration_ticks < row->min_ticks)
        row->min_ticks = duration_ticks;
    if (duration_ticks > row->max_ticks)
        row->max_ticks = duration_ticks;
    histogram_add(&recount->rows->histograms[frame->function], &recount->rows->budget, duration_ticks);
}

/* A call without a caller also widens all placeholders below it. */
static void widen_placeholders(struct recount *recount, const struct frame *frame, int32_t depth)
{
    if (frame->below == BELOW_LOST)
        recount->rows->nodes[recount->lost[depth - 1]].total_ticks += frame->ticks;
    for (int32_t d = 0; frame->below == BELOW_RUNNING && d < depth; d++)
        recount->rows->nodes[recount->running[d]].total_ticks += frame->ticks;
}

/* "(other)" is a child of the root, so its time is subtracted from all nodes that it ran inside of. */
static void subtract_from_callers(struct recount *recount, uint32_t node, uint64_t ticks)
{
    for (; node != NO_NODE; node = (uint32_t)recount->rows->nodes[node].parent)
        recount->rows->nodes[node].total_ticks -= ticks;
}

static void count_frame(struct recount *recount, struct stack *stack, int32_t depth)
{
    struct frame *frame = &stack->frames[depth];
    uint32_t id = node_at(recount, stack, depth);
    struct snapshot_node *node = &recount->rows->nodes[id];
    node->calls++;
    node->total_ticks += frame->ticks;
    if (id == recount->other)
        subtract_from_callers(recount, node_below_frame(recount, stack, depth), frame->ticks);
    count_function(recount, frame, node->recursive);
    if (!node->recursive && frame->start_ticks >= recount->from && frame->start_ticks <= recount->to)
        period_count(&recount->rows->periods, &recount->rows->period[frame->function], frame->function,
                     period_key(&recount->rows->periods, (uint16_t)stack->root_context),
                     ~frame->start_ticks); /* the walk goes backwards, and so does that clock */
    if (frame->below != BELOW_CALLER)
        widen_placeholders(recount, frame, depth);
    else if (depth > 0)
        stack->frames[depth - 1].children_ticks += frame->ticks;
}

/* The context did not run for `ticks` while these calls were on its stack: subtracts that time from all of
 * them. */
static void count_away(struct recount *recount, struct stack *stack, int32_t depth, uint64_t ticks)
{
    for (int32_t d = depth - 1; d >= 0; d--) {
        struct frame *frame = &stack->frames[d];
        frame->away_ticks += ticks;
        if (!frame->counts)
            continue;
        struct snapshot_node *node = &recount->rows->nodes[frame->node];
        node->total_ticks -= ticks;
        recount->rows->functions[frame->function].total_ticks -= node->recursive ? 0 : ticks;
        if (frame->node == recount->other)
            subtract_from_callers(recount, node_below_frame(recount, stack, d), -ticks);
        if (d > 0)
            stack->frames[d - 1].children_ticks -= ticks;
    }
}

static uint64_t ticks_less(uint64_t ticks, uint64_t by)
{
    return ticks > by ? ticks - by : 0;
}

static void add_rest(struct recount *recount, uint32_t id, uint64_t ticks)
{
    struct snapshot_node *node = &recount->rows->nodes[id];
    struct snapshot_function *function = &recount->rows->functions[node->function];
    node->total_ticks += ticks;
    node->self_ticks += ticks;
    function->total_ticks += ticks;
    function->self_ticks += ticks;
    function->known |= FUNCTION_TIMES;
}

/* Counts the own time of a placeholder at `node` for "[not known]" below it. */
static void count_unknown(struct recount *recount, uint32_t node, uint64_t ticks)
{
    if (ticks == 0 || recount->unknown < 0)
        return;
    uint32_t id = child_of(recount, node, (uint32_t)recount->unknown, 0);
    if (id == NO_NODE)
        return;
    if (id == recount->other)
        subtract_from_callers(recount, node, ticks);
    add_rest(recount, id, ticks);
}

/* Counts the part of a call that was seen, at its node, function and caller; sets *id to the node. Returns
 * false for a placeholder, which has no function to mark. */
static bool count_part(struct recount *recount, struct stack *stack, int32_t depth, uint32_t *id)
{
    const struct frame *frame = &stack->frames[depth];
    *id = node_at(recount, stack, depth);
    struct snapshot_node *node = &recount->rows->nodes[*id];
    struct snapshot_function *function = &recount->rows->functions[frame->function];
    uint64_t ticks = ticks_less(frame->ticks, frame->away_ticks),
             self = ticks_less(ticks, frame->children_ticks);
    node->total_ticks += ticks;
    stack->own_ticks += self;
    if (depth > 0)
        stack->frames[depth - 1].children_ticks += ticks;
    if (function->kind == KIND_RUNNING) {
        count_unknown(recount, *id, self);
        return false;
    }
    node->self_ticks += self;
    function->total_ticks += node->recursive ? 0 : ticks;
    function->self_ticks += self;
    return true;
}

/* Counts the time so far of a running call, as livestacks_add_running() does. */
static void count_running(struct recount *recount, struct stack *stack, int32_t depth)
{
    struct snapshot_function *function = &recount->rows->functions[stack->frames[depth].function];
    uint32_t id;
    if (!count_part(recount, stack, depth, &id))
        return;
    function->running++;
    function->known |= FUNCTION_RUNNING;
}

/* Counts the time of a call that is cut (timeline_is_cut()), as livestack_drop() does. */
static void count_seen(struct recount *recount, struct stack *stack, int32_t depth)
{
    const struct frame *frame = &stack->frames[depth];
    uint32_t id;
    if (!count_part(recount, stack, depth, &id))
        return;
    recount->rows->functions[frame->function].known |= FUNCTION_CALLS | FUNCTION_TIMES | FUNCTION_EACH;
    if (id == recount->other)
        subtract_from_callers(recount, node_below_frame(recount, stack, depth),
                              ticks_less(frame->ticks, frame->away_ticks));
}

/* Counts the call at the top of the stack, once all its callees are known. */
static void close_top(struct recount *recount, struct stack *stack)
{
    int32_t depth = stack->top--;
    struct frame *frame = &stack->frames[depth];
    if (!frame->is_known)
        return;
    if (frame->counts) {
        uint64_t self = ticks_less(ticks_less(frame->ticks, frame->away_ticks), frame->children_ticks);
        stack->own_ticks += self;
        recount->rows->nodes[frame->node].self_ticks += self;
        recount->rows->functions[frame->function].self_ticks += self;
    } else if (frame->is_running) {
        count_running(recount, stack, depth);
    } else if (frame->is_cut && (frame->ticks > 0 || frame->children_ticks > 0)) {
        count_seen(recount, stack, depth);
    }
}

static void close_down_to(struct recount *recount, struct stack *stack, int32_t depth)
{
    while (stack->top >= depth)
        close_top(recount, stack);
}

/* ---- the walk ---- */

/* Returns the frame at `depth` for the caller to fill in, and adds unknown frames below it. NULL when memory
 * is used up. */
static struct frame *open_frame(struct recount *recount, struct stack *stack, int32_t depth)
{
    if (depth >= stack->room) {
        int32_t room = depth < 32 ? 64 : 2 * depth;
        struct frame *grown = realloc(stack->frames, (size_t)room * sizeof *grown);
        if (!grown) {
            recount->failed = true;
            return NULL;
        }
        stack->frames = grown;
        stack->room = room;
    }
    while (stack->top < depth)
        stack->frames[++stack->top] = (struct frame){.is_known = false};
    return &stack->frames[depth];
}

/* True when the caller of a call at `depth` that ends at `end` is the frame below. */
static bool has_caller(const struct recount *recount, const struct stack *stack, int32_t depth, uint32_t tie,
                       uint64_t end, bool *in_doubt)
{
    *in_doubt = false;
    if (depth == 0)
        return true;
    const struct frame *caller = &stack->frames[depth - 1];
    if (tie == TIMELINE_ORPHAN || !caller->is_known || (tie == TIMELINE_OPEN && !caller->adopts))
        return false;
    if (tie == TIMELINE_UNSURE)
        *in_doubt = caller->in_doubt || !recount->complete;
    else if (tie == TIMELINE_OPEN && end == caller->start_ticks)
        *in_doubt = caller->in_doubt || !caller->complete || caller->gaps != recount->gaps;
    return !*in_doubt;
}

static void take_verdict(struct recount *recount, bool complete)
{
    recount->complete = complete;
    recount->gaps += !complete;
}

static void take_away(struct recount *recount, const struct timeline_call *call)
{
    struct stack *stack = &recount->stacks[1 + call->context];
    int32_t depth = timeline_depth(call);
    close_down_to(recount, stack, depth);
    count_away(recount, stack, depth <= stack->top ? depth : stack->top + 1,
               ticks_inside(recount, call->start_ticks, call->start_ticks + call->duration_ticks));
}

static void take_call(struct recount *recount, const struct timeline_call *call)
{
    uint32_t tie = call->place & TIMELINE_TIES;
    if (timeline_breaks_periods(call))
        periods_break(&recount->rows->periods);
    else if (tie == TIMELINE_VERDICT)
        take_verdict(recount, call->duration_ticks > 0);
    if (tie == TIMELINE_AWAY)
        take_away(recount, call);
    if (tie == TIMELINE_VERDICT || tie == TIMELINE_STRETCH || tie == TIMELINE_AWAY)
        return;
    struct stack *stack = &recount->stacks[call->place & TIMELINE_LIVE ? 1 + call->context : 0];
    int32_t depth = timeline_depth(call);
    uint64_t end = call->start_ticks + call->duration_ticks;
    close_down_to(recount, stack, depth);
    struct frame *frame = open_frame(recount, stack, depth);
    if (!frame)
        return;
    *frame = (struct frame){
        .function = call->function,
        .is_known = true,
        .adopts = call->place & TIMELINE_ADOPTS && !(call->place & TIMELINE_LIVE),
        .is_cut = timeline_is_cut(call),
        .complete = recount->complete,
        .gaps = recount->gaps,
        .start_ticks = call->start_ticks,
        .duration_ticks = call->duration_ticks,
        .ticks = ticks_inside(recount, call->start_ticks, end),
    };
    bool decided = tie == TIMELINE_ORPHAN || tie == TIMELINE_UNSURE || stack->shallowest < depth;
    if (!has_caller(recount, stack, depth, tie, end, &frame->in_doubt))
        frame->below = decided ? BELOW_LOST : BELOW_RUNNING;
    if (depth < stack->shallowest)
        stack->shallowest = depth;
    bool is_point = call->duration_ticks == 0 && end >= recount->from && end <= recount->to;
    frame->counts = !frame->is_cut && (frame->ticks > 0 || is_point);
    if (frame->counts)
        count_frame(recount, stack, depth);
}

/* Calls that are walked from here on have no caller among the calls before, nor among those still running. */
static void abandon_stacks(struct recount *recount)
{
    close_down_to(recount, &recount->stacks[0], 0);
    recount->stacks[0].shallowest = 0;
    take_verdict(recount, false);
}

static void take_open(struct recount *recount, const struct timeline_open *open)
{
    struct stack *stack = &recount->stacks[1 + open->context];
    struct frame *frame = open_frame(recount, stack, open->depth);
    if (frame)
        *frame = (struct frame){.function = open->function,
                                .is_known = true,
                                .is_running =
                                    open->start_ticks <= recount->to && open->newest_ticks >= recount->from,
                                .ticks = ticks_inside(recount, open->start_ticks, open->newest_ticks)};
}

static void walk_timeline(struct recount *recount, const struct snapshot_timeline *timeline)
{
    for (uint32_t i = 0; i <= CONTEXTS; i++)
        recount->stacks[i] =
            (struct stack){.top = -1, .shallowest = DEPTHS, .root_context = i > 0 ? i - 1 : 0};
    for (uint32_t i = 0; i < timeline->open_count && !recount->failed; i++)
        take_open(recount, &timeline->open[i]);
    if (timeline->abandoned)
        abandon_stacks(recount);
    for (uint32_t v = timeline->count; v-- > 0;) {
        const struct timeline_view *view = &timeline->views[v];
        for (uint32_t i = view->count; i-- > 0 && !recount->failed;) {
            take_call(recount, &view->calls[i]);
            if (view->calls[i].place & TIMELINE_ABANDONS)
                abandon_stacks(recount);
        }
    }
    for (uint32_t i = 0; i <= CONTEXTS; i++) {
        close_down_to(recount, &recount->stacks[i], 0);
        free(recount->stacks[i].frames);
    }
}

/* Counts the time outside of functions of each context, as livestacks_tell_rest() does. */
static void count_outside(struct recount *recount)
{
    for (uint32_t i = 0; i < recount->rows->context_count && i < CONTEXTS; i++) {
        const struct snapshot_context *context = &recount->rows->contexts[i];
        uint64_t outside_ticks = ticks_less(context->running_ticks, recount->stacks[1 + i].own_ticks);
        uint32_t id = recount->outside[i] == NO_NODE ? recount->other : recount->outside[i];
        if (context->has_times && outside_ticks > 0 && id != NO_NODE)
            add_rest(recount, id, outside_ticks);
    }
}

bool recount_timeline(const struct snapshot_timeline *timeline, uint64_t from_ticks, uint64_t to_ticks,
                      struct recount_rows *rows)
{
    struct recount *recount = calloc(1, sizeof *recount);
    if (!recount)
        return false;
    recount->rows = rows;
    recount->unknown = -1;
    recount->from = from_ticks;
    recount->to = to_ticks;
    learn_nodes(recount);
    if (!recount->failed)
        walk_timeline(recount, timeline);
    count_outside(recount);
    rows->nodes[0].calls = rows->nodes[0].total_ticks = rows->nodes[0].self_ticks = 0;
    bool counted = !recount->failed;
    map_fini(&recount->children);
    free(recount);
    return counted;
}
