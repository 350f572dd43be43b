/* livestacks.c - stacks of targets that report when a function begins and when it ends.
 *
 * Here, callers are known before their callees return, so each call is counted at its node when it ends. A
 * running function does not count as a call yet. But a snapshot shows how long it has run so far, so that it
 * is as wide as what runs inside. */
#include "profile/livestacks_private.h"

#include "base/scarcity.h"
#include "event.h"
#include "snapshot/timeline.h"

#include <stdlib.h>

void livestacks_init(struct livestacks *stacks, struct calltree *tree, struct functions *functions,
                     struct timeline *timeline, struct timeline *turns)
{
    *stacks = (struct livestacks){.tree = tree,
                                  .functions = functions,
                                  .timeline = timeline,
                                  .turns = turns,
                                  .running = LIVESTACKS_NONE,
                                  .thread = LIVESTACKS_NONE};
}

void livestacks_clear(struct livestacks *stacks)
{
    for (uint32_t i = 0; i < stacks->count; i++)
        free(stacks->stacks[i].calls);
    stacks->count = stacks->ended = 0;
    map_clear(&stacks->by_context);
    stacks->orphan_exits = stacks->missing_exits = stacks->over_limit = 0;
    stacks->refused = stacks->unfinished = 0;
    stacks->running = stacks->thread = LIVESTACKS_NONE;
    stacks->timed = stacks->switched = stacks->turns_told = stacks->shows_only = false;
    stacks->newest_ticks = 0;
}

void livestacks_fini(struct livestacks *stacks)
{
    livestacks_clear(stacks);
    free(stacks->stacks);
    map_fini(&stacks->by_context);
}

/* Adds a stack. Returns NULL when there are too many, or memory is used up. */
static struct livestack *add_stack(struct livestacks *stacks, uint32_t context)
{
    if (stacks->count == SNAPSHOT_CONTEXTS_MAX)
        return NULL;
    if (stacks->count == stacks->capacity) {
        uint32_t capacity = stacks->capacity ? stacks->capacity * 2 : 4;
        if (!scarcity_grow(&stacks->stacks, capacity, sizeof *stacks->stacks))
            return NULL;
        stacks->capacity = capacity;
    }
    if (!map_set(&stacks->by_context, context, stacks->count))
        return NULL;
    stacks->stacks[stacks->count] = (struct livestack){.context = context, .interrupted = LIVESTACKS_NONE};
    return &stacks->stacks[stacks->count++];
}

struct livestack *livestacks_stack_of(struct livestacks *stacks, uint32_t context)
{
    uint32_t found = map_find(&stacks->by_context, context);
    if (found != MAP_NONE)
        return &stacks->stacks[found];
    return context == EVENT_CONTEXT_UNKNOWN ? NULL : add_stack(stacks, context);
}

static bool make_room(struct livestack *stack)
{
    if (stack->depth < stack->capacity)
        return true;
    uint32_t capacity = stack->capacity ? stack->capacity * 2 : 16;
    if (!scarcity_grow(&stack->calls, capacity, sizeof *stack->calls))
        return false;
    stack->capacity = capacity;
    return true;
}

/* Puts a call on the stack, below which later calls count. `is_unknown`: its function is unknown. Returns
 * false when the stack is at its limit, or memory is used up. */
static bool livestack_push(struct livestacks *stacks, struct livestack *stack, uint32_t function,
                           uint64_t ticks, bool is_unknown)
{
    if (stack->depth == LIVESTACKS_DEPTH_MAX || !make_room(stack))
        return false;
    uint32_t parent = stack->depth > 0 ? stack->calls[stack->depth - 1].node : CALLTREE_ROOT;
    uint16_t index = (uint16_t)(stack - stacks->stacks);
    stack->calls[stack->depth++] = (struct open_call){
        .node = calltree_child(stacks->tree, stacks->functions, parent, function, index),
        .function = function,
        .is_unknown = is_unknown,
        .start_ticks = ticks,
    };
    return true;
}

/* Records that something was reported of the context at `ticks`. */
static void livestack_hear(struct livestacks *stacks, struct livestack *stack, uint64_t ticks)
{
    stack->newest_ticks = ticks;
    if (ticks > stacks->newest_ticks)
        stacks->newest_ticks = ticks;
}

void livestacks_enter(struct livestacks *stacks, uint32_t context, uint32_t function, uint64_t ticks)
{
    struct livestack *stack = livestacks_stack_of(stacks, context);
    if (!stack) {
        stacks->over_limit++;
        stacks->refused++;
        return;
    }
    livestack_hear(stacks, stack, ticks);
    livestack_begins(stacks, stack, ticks);
    if (stack->too_deep > 0 || !livestack_push(stacks, stack, function, ticks, false)) {
        stack->too_deep++;
        stacks->over_limit++;
        stacks->refused += !stacks->shows_only;
    }
}

/* Finds or makes the node of that kind below `parent`, and marks the times of its function as known. */
static uint32_t node_of_kind(struct livestacks *stacks, const struct livestack *stack, uint32_t parent,
                             enum snapshot_kind kind)
{
    uint32_t function = functions_placeholder(stacks->functions, kind, 0);
    uint32_t node =
        calltree_child(stacks->tree, stacks->functions, parent, function, (uint16_t)(stack - stacks->stacks));
    function = (uint32_t)stacks->tree->nodes[node].function; /* a ceiling may have chosen another */
    stacks->functions->rows[function].known |= FUNCTION_TIMES;
    return node;
}

static uint32_t livestack_make_unknown(struct livestacks *stacks, const struct livestack *stack,
                                       uint32_t node)
{
    return node_of_kind(stacks, stack, node, KIND_UNKNOWN);
}

/* Finds the node for the own time of a placeholder at `node`. Returns false when there is none;
 * livestack_make_unknown() makes it. */
static bool livestack_unknown_below(const struct livestacks *stacks, uint32_t node, uint32_t *below)
{
    uint32_t function = functions_placeholder(stacks->functions, KIND_UNKNOWN, 0);
    *below = calltree_find(stacks->tree, node, function, 0);
    if (*below == CALLTREE_NONE)
        *below = stacks->tree->other;
    return *below != CALLTREE_NONE;
}

/* Adds own time to such a node, and to its function. */
static void livestack_add_rest(struct livestacks *stacks, uint32_t id, uint64_t ticks)
{
    struct snapshot_node *node = &stacks->tree->nodes[id];
    struct snapshot_function *row = &stacks->functions->rows[node->function];
    node->total_ticks += ticks;
    node->self_ticks += ticks;
    row->total_ticks += ticks;
    row->self_ticks += ticks;
    node->changed = row->changed = stacks->functions->sequence;
}

/* Adds the times of a call that was taken off the stack to its caller: `ticks` in which it ran, and
 * `away_ticks` in which it could not. */
static void give_to_caller(struct livestack *stack, uint64_t ticks, uint64_t away_ticks)
{
    if (stack->depth == 0)
        return;
    stack->calls[stack->depth - 1].children_ticks += ticks;
    stack->calls[stack->depth - 1].away_ticks += away_ticks;
}

/* Returns the timeline's form of a call that was just taken off the stack. */
static struct timeline_call timeline_call_of(const struct livestacks *stacks, const struct livestack *stack,
                                             const struct open_call *call, uint64_t duration, uint32_t tie)
{
    return (struct timeline_call){.start_ticks = call->start_ticks,
                                  .duration_ticks = duration,
                                  .function = call->function,
                                  .context = (uint16_t)(stack - stacks->stacks),
                                  .place = timeline_place(stack->depth, tie | TIMELINE_LIVE)};
}

static uint64_t ticks_without(uint64_t ticks, uint64_t by)
{
    return ticks > by ? ticks - by : 0;
}

/* Returns the times of the innermost call when it is dropped, not ended: it ran until `until_ticks`. */
static struct call_times seen_of(const struct open_call *call, uint64_t until_ticks)
{
    uint64_t running = ticks_without(ticks_without(until_ticks, call->start_ticks), call->away_ticks);
    if (running < call->children_ticks)
        running = call->children_ticks;
    return (struct call_times){running, running - call->children_ticks};
}

/* Subtracts a call that counts at "(other)", a child of the root, from its callers. */
static void leave_callers(struct livestacks *stacks, const struct livestack *stack, uint32_t node,
                          uint64_t ticks)
{
    if (node == stacks->tree->other && stack->depth > 0)
        calltree_leave(stacks->tree, stacks->functions, stack->calls[stack->depth - 1].node, ticks);
}

/* Counts the own time of a placeholder at "[not known]" below it. */
static void count_unknown(struct livestacks *stacks, const struct livestack *stack,
                          const struct open_call *call, const struct call_times *times)
{
    stacks->tree->nodes[call->node].total_ticks += times->running_ticks;
    stacks->tree->nodes[call->node].changed = stacks->functions->rows[call->function].changed =
        stacks->functions->sequence;
    if (times->self_ticks == 0)
        return;
    uint32_t id = livestack_make_unknown(stacks, stack, call->node);
    if (id == stacks->tree->other)
        calltree_leave(stacks->tree, stacks->functions, call->node, times->self_ticks);
    livestack_add_rest(stacks, id, times->self_ticks);
}

/* Counts time without a call, as snapshots showed it while the call ran. */
static void count_seen(struct livestacks *stacks, struct livestack *stack, const struct open_call *call,
                       const struct call_times *times)
{
    stack->own_ticks += times->self_ticks;
    if (call->is_unknown) {
        count_unknown(stacks, stack, call, times);
        return;
    }
    struct snapshot_node *node = &stacks->tree->nodes[call->node];
    struct snapshot_function *row = &stacks->functions->rows[call->function];
    node->total_ticks += times->running_ticks;
    node->self_ticks += times->self_ticks;
    node->changed = row->changed = stacks->functions->sequence;
    functions_tell_each(row);
    row->total_ticks += node->recursive ? 0 : times->running_ticks;
    row->self_ticks += times->self_ticks;
    leave_callers(stacks, stack, call->node, times->running_ticks);
}

/* Takes the innermost call off the stack when its begin or end was not reported. It stays counted as time
 * until `until_ticks`, but not as a call. */
static void livestack_drop(struct livestacks *stacks, struct livestack *stack, uint64_t until_ticks)
{
    const struct open_call call = stack->calls[--stack->depth];
    const struct call_times times = seen_of(&call, until_ticks);
    uint64_t elapsed = times.running_ticks + call.away_ticks;
    stacks->unfinished += !stacks->shows_only && !call.is_unknown && !call.is_late;
    if (!stacks->shows_only)
        count_seen(stacks, stack, &call, &times);
    give_to_caller(stack, times.running_ticks, call.away_ticks);
    const struct timeline_call cut = timeline_call_of(stacks, stack, &call, elapsed, TIMELINE_CUT);
    timeline_add(stacks->timeline, &cut);
    if (!stacks->shows_only)
        periods_break(&stacks->functions->periods); /* it may have been a whole call */
}

/* Counts a call that has ended and was taken off its stack. */
static void count_ended(struct livestacks *stacks, struct livestack *stack, const struct timeline_call *call,
                        uint32_t node, const struct call_times *times)
{
    stack->own_ticks += times->self_ticks;
    if (stacks->kept &&
        kept_is_watched(stacks->kept, stacks->functions, call->function, call->duration_ticks))
        kept_list(stacks->kept, call->function, call->start_ticks + call->duration_ticks,
                  call->duration_ticks, stacks->functions->sequence);
    if (stacks->bounds && stacks->bounds->watches)
        bounds_call(stacks->bounds, stacks->functions, call->function, call->start_ticks,
                    call->duration_ticks);
    struct functions_counters counters = functions_counters(stacks->functions, call->context);
    calltree_count_times(&counters, stacks->tree->nodes, node, call, times);
    leave_callers(stacks, stack, node, times->running_ticks);
}

static void end_innermost(struct livestacks *stacks, struct livestack *stack, uint64_t ticks)
{
    const struct open_call call = stack->calls[--stack->depth];
    uint64_t elapsed = ticks_without(ticks, call.start_ticks);
    bool is_at_edge = stacks->shows_only && (call.is_late || stacks->is_window_over);
    const struct timeline_call ended =
        timeline_call_of(stacks, stack, &call, elapsed, TIMELINE_CALLED | (is_at_edge ? TIMELINE_EDGE : 0));
    struct call_times times = {.running_ticks = ticks_without(elapsed, call.away_ticks)};
    times.self_ticks = ticks_without(times.running_ticks, call.children_ticks);
    if (!stacks->shows_only)
        count_ended(stacks, stack, &ended, call.node, &times);
    give_to_caller(stack, times.running_ticks, call.away_ticks);
    timeline_add(stacks->timeline, &ended);
}

/* True when the call is completely known. For a call cut by a window, the part inside is enough. */
static bool is_told(const struct livestacks *stacks, const struct open_call *call)
{
    return !call->is_unknown && (!call->is_late || stacks->shows_only);
}

/* Removes the innermost calls whose exits were not reported, until `level` are left. They ran until `ticks`.
 * `are_over`: they count as ended calls. */
static void end_inner(struct livestacks *stacks, struct livestack *stack, uint32_t level, uint64_t ticks,
                      bool are_over)
{
    while (stack->depth > level) {
        const struct open_call *call = &stack->calls[stack->depth - 1];
        if (are_over && is_told(stacks, call)) {
            end_innermost(stacks, stack, ticks);
            continue;
        }
        stacks->missing_exits += !are_over;
        livestack_drop(stacks, stack, ticks);
    }
}

void livestacks_exit(struct livestacks *stacks, uint32_t context, uint32_t function, uint64_t ticks,
                     bool ends_inner)
{
    struct livestack *stack = livestacks_stack_of(stacks, context);
    if (!stack) {
        stacks->over_limit++;
        return;
    }
    uint64_t heard_before = stack->newest_ticks;
    livestack_hear(stacks, stack, ticks);
    if (stack->too_deep > 0) {
        stack->too_deep--;
        return;
    }
    uint32_t level = stack->depth;
    while (level > 0 && stack->calls[level - 1].function != function)
        level--;
    if (level == 0) {
        stacks->orphan_exits++;
        return;
    }
    end_inner(stacks, stack, level, heard_before, ends_inner);
    if (is_told(stacks, &stack->calls[level - 1]))
        end_innermost(stacks, stack, ticks);
    else
        livestack_drop(stacks, stack, ticks);
    if (stack->depth == 0)
        livestack_emptied(stacks, stack, ticks);
}

/* Drops all calls on the stack, since nothing is known to run there any more. */
static void empty_stack(struct livestacks *stacks, struct livestack *stack)
{
    uint64_t until_ticks = livestack_newest(stacks, stack);
    while (stack->depth > 0)
        livestack_drop(stacks, stack, until_ticks);
    stack->too_deep = 0;
}

/* Gives the number of a context to a new context. Returns the number that the old one gets. */
static uint32_t replace_context(struct livestacks *stacks, uint32_t found)
{
    uint32_t context = stacks->stacks[found].context;
    if (livestacks_are_full(stacks))
        return LIVESTACKS_NONE;
    empty_stack(stacks, &stacks->stacks[found]);
    struct livestack *next = add_stack(stacks, context);
    if (!next)
        return LIVESTACKS_NONE;
    livestack_hand_over(stacks, &stacks->stacks[found], next);
    return stacks->stacks[found].context = LIVESTACKS_ENDED + stacks->ended++;
}

uint32_t livestacks_rename(struct livestacks *stacks, uint32_t context)
{
    uint32_t found = map_find(&stacks->by_context, context);
    if (found == MAP_NONE)
        return LIVESTACKS_NONE;
    struct livestack *stack = &stacks->stacks[found];
    if (stack->depth == 0)
        return replace_context(stacks, found);
    stack->renamed.depth = stack->depth;
    stack->renamed.children_ticks = stack->calls[stack->depth - 1].children_ticks;
    return LIVESTACKS_NONE;
}

uint32_t livestacks_was_another(struct livestacks *stacks, uint32_t context)
{
    uint32_t found = map_find(&stacks->by_context, context);
    if (found == MAP_NONE || stacks->stacks[found].renamed.depth == 0)
        return LIVESTACKS_NONE;
    struct livestack *stack = &stacks->stacks[found];
    bool is_next = stack->depth == stack->renamed.depth &&
                   stack->calls[stack->depth - 1].children_ticks == stack->renamed.children_ticks;
    stack->renamed.depth = 0;
    return is_next ? replace_context(stacks, found) : LIVESTACKS_NONE;
}

void livestacks_abandon(struct livestacks *stacks)
{
    for (uint32_t i = 0; i < stacks->count; i++)
        empty_stack(stacks, &stacks->stacks[i]);
    livestacks_lose_turn(stacks, stacks->newest_ticks);
}

void livestacks_end_window(struct livestacks *stacks, uint64_t ticks)
{
    stacks->is_window_over = true;
    for (uint32_t i = 0; i < stacks->count; i++) {
        end_inner(stacks, &stacks->stacks[i], 0, ticks, true);
        stacks->stacks[i].too_deep = 0;
    }
    stacks->is_window_over = false;
    livestacks_lose_turn(stacks, ticks);
    stacks->shows_only = false;
}

/* Returns the time that a call has run so far, and its own time. `inner` has the sums of the calls inside,
 * for a walk from the innermost call outwards. It starts with zeros. */
struct livestack_inner {
    uint64_t ticks, away_ticks;
};

static struct call_times livestack_so_far(const struct open_call *call, uint64_t newest_ticks,
                                          struct livestack_inner *inner)
{
    inner->away_ticks += call->away_ticks;
    uint64_t ticks = ticks_without(ticks_without(newest_ticks, call->start_ticks), inner->away_ticks);
    struct call_times times = {ticks, ticks_without(ticks, call->children_ticks + inner->ticks)};
    inner->ticks = ticks;
    return times;
}

static void add_to_node(const struct livestacks_rows *rows, uint32_t id, uint64_t ticks, uint64_t self_ticks)
{
    struct snapshot_node *node = &rows->nodes[id];
    node->total_ticks += ticks;
    node->self_ticks += self_ticks;
    node->changed = rows->node_blocks[id / SNAPSHOT_BLOCK] = rows->sequence;
}

static struct snapshot_function *add_to_function(const struct livestacks_rows *rows, uint32_t id,
                                                 uint64_t ticks, uint64_t self_ticks)
{
    struct snapshot_function *function = &rows->functions[id];
    function->total_ticks += ticks;
    function->self_ticks += self_ticks;
    function->changed = rows->function_blocks[id / SNAPSHOT_BLOCK] = rows->sequence;
    return function;
}

/* Adds what a call has run so far. */
static void add_running(const struct livestacks *stacks, const struct livestacks_rows *rows,
                        const struct open_call *call, const struct call_times *times)
{
    uint32_t unknown;
    if (!call->is_unknown) {
        add_to_node(rows, call->node, times->running_ticks, times->self_ticks);
        struct snapshot_function *function =
            add_to_function(rows, call->function,
                            rows->nodes[call->node].recursive ? 0 : times->running_ticks, times->self_ticks);
        function->running++;
        function->known |= FUNCTION_RUNNING;
        return;
    }
    add_to_node(rows, call->node, times->running_ticks, 0);
    if (times->self_ticks > 0 && livestack_unknown_below(stacks, call->node, &unknown)) {
        add_to_node(rows, unknown, times->self_ticks, times->self_ticks);
        add_to_function(rows, (uint32_t)rows->nodes[unknown].function, times->self_ticks, times->self_ticks);
    }
}

void livestacks_add_running(const struct livestacks *stacks, const struct livestacks_rows *rows)
{
    for (uint32_t i = 0; i < stacks->count && !stacks->shows_only; i++) {
        const struct livestack *stack = &stacks->stacks[i];
        uint64_t newest_ticks = livestack_newest(stacks, stack);
        struct livestack_inner inner = {0};
        for (uint32_t level = stack->depth; level-- > 0;) {
            const struct open_call *call = &stack->calls[level];
            const struct call_times times = livestack_so_far(call, newest_ticks, &inner);
            add_running(stacks, rows, call, &times);
        }
    }
}

uint64_t livestacks_running(const struct livestacks *stacks)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < stacks->count && !stacks->shows_only; i++)
        for (uint32_t level = 0; level < stacks->stacks[i].depth; level++)
            n += !stacks->stacks[i].calls[level].is_unknown && !stacks->stacks[i].calls[level].is_late;
    return n;
}

uint32_t livestacks_contexts(const struct livestacks *stacks)
{
    return stacks->count;
}

uint32_t livestacks_context(const struct livestacks *stacks, uint32_t index)
{
    return stacks->stacks[index].context;
}

struct timeline_open *livestacks_open(const struct livestacks *stacks, uint32_t *n)
{
    *n = 0;
    for (uint32_t i = 0; i < stacks->count; i++)
        *n += stacks->stacks[i].depth;
    struct timeline_open *open = *n ? scarcity_watch(malloc(*n * sizeof *open)) : NULL;
    if (!open)
        *n = 0;
    struct timeline_open *at = open;
    for (uint32_t i = 0; i < stacks->count && open; i++) {
        const struct livestack *stack = &stacks->stacks[i];
        for (uint32_t level = 0; level < stack->depth; level++)
            *at++ = (struct timeline_open){.start_ticks = stack->calls[level].start_ticks,
                                           .newest_ticks = livestack_newest(stacks, stack),
                                           .function = stack->calls[level].function,
                                           .context = (uint16_t)i,
                                           .depth = (uint16_t)level};
    }
    return open;
}

/* ---- stacks that are partly unknown: events were lost, or the target was already running ---- */

/* Unknown calls are under "[depth N running]" until the target reports their functions. Their own time until
 * then counts at "[not known]" below. Calls inside them that were counted before stay where they are. A call
 * that is not known to run any more keeps its time up to the last event. */

/* Returns how many of the outermost `depth` calls are unknown. */
static uint32_t unknown_calls(const struct livestack *stack, uint32_t depth)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < depth; i++)
        n += stack->calls[i].is_unknown;
    return n;
}

/* Calls end from the innermost outwards, so counting finds those that still run. */
void livestacks_reshape(struct livestacks *stacks, uint32_t context, uint32_t low, uint32_t unknown,
                        uint32_t high, uint64_t ticks, bool ends_now)
{
    struct livestack *stack = livestacks_stack_of(stacks, context);
    if (!stack)
        return;
    uint32_t unknown_now = unknown_calls(stack, stack->depth), known_now = stack->depth - unknown_now;
    uint64_t until_ticks = livestack_newest(stacks, stack);
    stack->newest_ticks = ticks;
    if (ends_now)
        livestack_hear(stacks, stack, ticks);
    stack->has_turns = true; /* a target that reports that reports when it runs, too */
    while (stack->depth > 0 && (known_now > low + high || unknown_now > unknown)) {
        bool is_unknown = stack->calls[stack->depth - 1].is_unknown;
        unknown_now -= is_unknown;
        known_now -= !is_unknown;
        if (is_unknown && ends_now) /* so its callers ran at least as long */
            until_ticks = ticks;
        livestack_drop(stacks, stack, until_ticks);
    }
    for (; unknown_now < unknown; unknown_now++) {
        uint32_t function = functions_placeholder(stacks->functions, KIND_RUNNING, stack->depth);
        if (!livestack_push(stacks, stack, function, ticks, true))
            break;
    }
    stack->too_deep = low + unknown + high - stack->depth;
    if (stack->depth == 0) /* events may be missing since the newest one */
        livestack_emptied(stacks, stack, until_ticks);
}

void livestacks_name(struct livestacks *stacks, uint32_t context, uint32_t depth, uint32_t function,
                     uint64_t ticks)
{
    struct livestack *stack = livestacks_stack_of(stacks, context);
    if (!stack || depth >= stack->depth || !stack->calls[depth].is_unknown)
        return;
    uint32_t inside = stack->depth - depth - 1, unknown_outside = unknown_calls(stack, depth);
    livestack_hear(stacks, stack, ticks);
    uint64_t until_ticks = livestack_newest(stacks, stack);
    while (stack->depth > depth)
        livestack_drop(stacks, stack, until_ticks);
    livestack_push(stacks, stack, function, ticks, false);
    stack->calls[depth].is_late = true;
    livestacks_reshape(stacks, context, depth + 1 - unknown_outside, unknown_outside + inside, 0, ticks,
                       false);
}

/* ---- time of contexts outside of functions, or in unknown ones ---- */

/* A context's running time is measured by its turns, or reported by the target. The own time of its calls is
 * added up when they end. The difference is "[outside]". So the own times of all functions, or of all nodes,
 * always add up to the running times of the contexts, also while calls run. */

/* Returns the own time so far of a context's running calls. Makes the nodes "[not known]" for
 * placeholders. */
static uint64_t own_so_far(struct livestacks *stacks, const struct livestack *stack)
{
    uint64_t newest_ticks = livestack_newest(stacks, stack), own_ticks = 0;
    struct livestack_inner inner = {0};
    for (uint32_t level = stack->depth; level-- > 0;) {
        const struct open_call *call = &stack->calls[level];
        uint64_t self_ticks = livestack_so_far(call, newest_ticks, &inner).self_ticks;
        own_ticks += self_ticks;
        if (call->is_unknown && self_ticks > 0)
            livestack_make_unknown(stacks, stack, call->node);
    }
    return own_ticks;
}

/* The time outside only grows. */
static void tell_outside(struct livestacks *stacks, struct livestack *stack, uint64_t ticks)
{
    uint32_t id = node_of_kind(stacks, stack, CALLTREE_ROOT, KIND_OUTSIDE);
    livestack_add_rest(stacks, id, ticks - stack->outside_ticks);
    stack->outside_ticks = ticks;
}

void livestacks_tell_rest(struct livestacks *stacks)
{
    for (uint32_t i = 0; i < stacks->count; i++) {
        struct livestack *stack = &stacks->stacks[i];
        uint64_t own_ticks = stack->own_ticks + (stacks->shows_only ? 0 : own_so_far(stacks, stack));
        const struct livestacks_times times = livestacks_times(stacks, i);
        uint64_t ran_ticks = times.is_known ? times.running_ticks : 0;
        if (ran_ticks > own_ticks + stack->outside_ticks)
            tell_outside(stacks, stack, ran_ticks - own_ticks);
    }
}

void livestacks_retell_rest(struct livestacks *stacks)
{
    for (uint32_t i = 0; i < stacks->count; i++) {
        struct livestack *stack = &stacks->stacks[i];
        if (stack->outside_ticks == 0)
            continue;
        struct snapshot_function *row =
            &stacks->functions->rows[functions_placeholder(stacks->functions, KIND_OUTSIDE, 0)];
        row->total_ticks -= stack->outside_ticks;
        row->self_ticks -= stack->outside_ticks;
        stack->outside_ticks = 0;
    }
}
