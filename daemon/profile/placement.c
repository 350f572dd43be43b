/* placement.c - puts finished calls under their callers.
 *
 * A record says: this function ran from here to there, so deep, and is sent when it returns; so callees come
 * before their callers, and a caller that never returns never comes. What is certain is this: what ended at
 * depth d after a call at depth d - 1 began, and was told before that one ended, ran inside it. Nothing else
 * is ever taken for a caller, so lost records leave the tree incomplete but never wrong. Only what has no
 * length and ended at the tick at which its caller began may as well have had another, which ended at that
 * tick and was lost: it waits in doubt (doubts.h) for the verdict whether anything was lost.
 *
 * What waits at one depth for its caller is one run's, unless a caller was lost; a caller that began only
 * after the first of it is the first's no more than it is known which of the others are its own, so it gets
 * none of them. That holds for calls as they come, not for those that are looked at together: nothing here
 * depends on when calls are placed.
 *
 * Calls are buffered and then walked backwards: there, callers come first, and each call costs one lookup of
 * (caller's node, function). Nothing else is done on that walk, since each step waits for the one before; a
 * second walk, in the order of arrival, counts each call wherever it counts, and there the processor works on
 * several calls at once. What finds no caller in the buffer may still get one that returns later: awaiting.h.
 */
#include "profile/placement.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* When to place: the first number if the calls up to some point are complete, since the last of them is as
 * shallow as calls ever are; the second if they are as far as one can tell; the third anyway. To place calls
 * before their caller is known costs twice: below a placeholder, and once more when they move. */
enum { FLUSH_COMPLETE = 512, FLUSH_LIKELY = 4096, FLUSH_ANYWAY = 8192 };

/* The timeline grows into memory that is in no cache: it is sent for so many calls ahead. */
enum { AHEAD = 24 };

static_assert(PLACEMENT_DEPTH_MAX <= 1 << TIMELINE_DEPTH_BITS, "the timeline has room for every depth");

/* Keeps the registers for what happens at every call. */
#define RARE __attribute__((noinline))

static void start_anew(struct placement *placement)
{
    placement->count = placement->complete = placement->lone_count = 0;
    placement->outermost = UINT16_MAX;
    placement->shallowest = UINT16_MAX;
    placement->newest_end = 0;
    placement->over_limit = placement->out_of_order = 0;
}

bool placement_init(struct placement *placement, struct calltree *tree, struct functions *functions,
                    struct timeline *timeline, uint32_t pending_calls)
{
    *placement = (struct placement){
        .tree = tree, .functions = functions, .timeline = timeline, .capacity = pending_calls};
    placement->pending = malloc(pending_calls * sizeof *placement->pending);
    placement->lone = malloc(pending_calls * sizeof *placement->lone);
    placement->since = calloc(PLACEMENT_DEPTH_MAX + 1, sizeof *placement->since);
    placement->callers = calloc(PLACEMENT_DEPTH_MAX + 1, sizeof *placement->callers);
    if (!placement->pending || !placement->lone || !placement->since || !placement->callers ||
        !awaiting_init(&placement->awaiting, tree, functions, PLACEMENT_DEPTH_MAX))
        return false;
    start_anew(placement);
    return true;
}

void placement_fini(struct placement *placement)
{
    free(placement->pending);
    free(placement->lone);
    free(placement->since);
    free(placement->callers);
    awaiting_fini(&placement->awaiting);
}

void placement_clear(struct placement *placement)
{
    awaiting_clear(&placement->awaiting);
    start_anew(placement);
}

/* ---- finding callers ---- */

/* Whether `caller`, which has one depth less and ended later, is certainly the one that called `call`. */
static inline bool called_by(const struct pending *caller, const struct pending *call)
{
    return call->told.start_ticks >= caller->told.start_ticks && pending_end(call) > caller->told.start_ticks;
}

/* Whether it is if nothing was lost. */
static bool may_be_called_by(const struct pending *caller, const struct pending *call)
{
    return call->told.start_ticks == caller->told.start_ticks && call->told.duration_ticks == 0;
}

/* The node of a call that is the first of its function below its caller, or goes to "(other)". */
RARE static uint32_t place_first_below(struct placement *placement, struct calltree_index *index,
                                       const struct pending *caller, const struct pending *call)
{
    uint32_t node =
        calltree_child_new(placement->tree, placement->functions, caller->node, call->told.function, 0);
    if (node == caller->node) /* both are "(other)", where its time is already */
        placement->tree->nodes[node].total_ticks -= call->told.duration_ticks;
    *index = calltree_index(placement->tree);
    return node;
}

/* Finds the node of a call whose caller is known. */
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

/* What is known of a call whose caller is not. */
static struct lone *lone_of(struct placement *placement, const struct pending *call)
{
    return pending_tie(call) == TIMELINE_CALLED ? NULL : &placement->lone[call->rare];
}

/* Where it counts, or counts if nothing was lost. */
static uint32_t final_node(struct placement *placement, const struct pending *call)
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

/* Finds the node of a call whose caller is not known: `is_last` when nothing that came later had less depth.
 */
RARE static uint32_t place_alone(struct placement *placement, struct pending *call, bool is_last)
{
    if (pending_depth(call) == 0)
        return calltree_child(placement->tree, placement->functions, CALLTREE_ROOT, call->told.function, 0);
    add_lone(placement, call, is_last ? TIMELINE_OPEN : TIMELINE_ORPHAN, 0, NULL);
    return is_last ? awaiting_running_node(&placement->awaiting, call)
                   : awaiting_lost_node(&placement->awaiting, call);
}

/* The same where it is `caller` if nothing was lost. */
RARE static uint32_t place_in_doubt(struct placement *placement, struct pending *call,
                                    const struct pending *caller)
{
    uint32_t node = calltree_child(placement->tree, placement->functions, final_node(placement, caller),
                                   call->told.function, 0);
    bool is_other = node == placement->tree->other; /* which tells nothing apart */
    add_lone(placement, call, is_other ? TIMELINE_ORPHAN : TIMELINE_UNSURE, node, caller);
    return awaiting_lost_node(&placement->awaiting, call);
}

/* Finds the nodes of calls [from, to), walking backwards, callers before callees. False when some call waited
 * for a caller before one began that came first: to be done again, `wary` of those that refuse. */
__attribute__((always_inline)) static inline bool walk(struct placement *placement, uint32_t from,
                                                       uint32_t to, bool wary)
{
    struct pending **callers = placement->callers; /* [d]: what calls at depth d run inside of; [0] is NULL */
    int32_t top = 0;                               /* callers of what is deeper are over */
    int32_t shallowest = PLACEMENT_DEPTH_MAX;      /* of the calls that came after */
    struct pending *first = placement->pending + from;
    struct calltree_index index = calltree_index(placement->tree);
    for (struct pending *call = placement->pending + to; call-- > first;) {
        int32_t depth = pending_depth(call);
        while (top < depth)
            callers[++top] = NULL; /* not known at this depth */
        struct pending *caller = callers[depth];
        if (caller && called_by(caller, call)) {
            call->node =
                place_below(placement, &index, caller, call); /* and its caller was as shallow already */
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

/* Notes of calls [from, to) which are nobody's callers, since what waited for one of their depth began before
 * they did. */
static void note_refusals(struct placement *placement, uint32_t from, uint32_t to)
{
    uint64_t *since = placement->since; /* [d]: when what waits for a caller at depth d began */
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

/* Whether a call that has no caller yet, or may have another, is in doubt for what it is itself. */
static bool is_below_leading(struct placement *placement, const struct pending *call)
{
    const struct lone *lone = lone_of(placement, call);
    return lone && lone->below;
}

/* Those that wait do so in the order of arrival; what is in doubt below them needs to know what they are. */
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
        lone->below = is_below_leading(placement, lone->caller);
        awaiting_ask(awaiting, lone->call, lone->node, lone->below);
    }
}

/* Finds the nodes of calls [from, to). */
static void find_nodes(struct placement *placement, uint32_t from, uint32_t to, bool wary)
{
    placement->lone_count = 0;
    if (wary || !walk(placement, from, to, false))
        walk_warily(placement, from, to);
    if (placement->lone_count > 0)
        count_lone(placement);
}

/* ---- counting ---- */

/* Up to the last of the shallowest calls, all callers that have returned are there. */
static void note_complete(struct placement *placement)
{
    placement->complete = 0;
    placement->shallowest = UINT16_MAX;
    for (uint32_t i = 0; i < placement->count; i++) {
        if (pending_depth(&placement->pending[i]) <= placement->shallowest) {
            placement->shallowest = pending_depth(&placement->pending[i]);
            placement->complete = i + 1;
        }
    }
}

static inline void count(const struct functions_counters *counters, struct snapshot_node *nodes,
                         const struct pending *call)
{
    calltree_count(counters, &nodes[call->node], call->told.function, call->told.duration_ticks,
                   call->self_ticks);
}

/* Counts the n calls from `call` on, and writes them to the timeline's room. */
static void count_and_keep(struct placement *placement, const struct pending *call, size_t n,
                           struct timeline_call *kept)
{
    const struct functions_counters counters = functions_counters(placement->functions);
    struct snapshot_node *nodes = placement->tree->nodes;
    uint64_t from_ticks = UINT64_MAX, to_ticks = pending_end(&call[n - 1]); /* they are sorted */
    for (const struct pending *end = call + n; call < end; call++, kept++) {
        __builtin_prefetch(kept + AHEAD, 1);
        *kept = call->told;
        from_ticks = call->told.start_ticks < from_ticks ? call->told.start_ticks : from_ticks;
        count(&counters, nodes, call);
    }
    timeline_fill(placement->timeline, n, from_ticks, to_ticks);
}

/* Counts the first n calls, which are placed: what each has for itself is known now. */
static void count_first(struct placement *placement, uint32_t n)
{
    for (uint32_t i = 0; i < n;) {
        size_t room;
        struct timeline_call *kept = timeline_room(placement->timeline, &room);
        if (!kept) { /* memory is used up: they are at least counted */
            const struct functions_counters counters = functions_counters(placement->functions);
            for (; i < n; i++)
                count(&counters, placement->tree->nodes, &placement->pending[i]);
            return;
        }
        if (room > n - i)
            room = n - i;
        count_and_keep(placement, &placement->pending[i], room, kept);
        i += (uint32_t)room;
    }
}

/* Up to which of the first n calls what awaits its caller is decided; 0: none of it. *fits: those that decide
 * are the callers of all that waits for one of their depth. */
static uint32_t find_decided(const struct placement *placement, uint32_t n, bool *fits)
{
    uint32_t decided = 0;
    int32_t open = placement->awaiting.deepest_open;
    *fits = true;
    for (uint32_t i = 0; i < n && open >= placement->shallowest; i++) {
        const struct pending *call = &placement->pending[i];
        if (pending_depth(call) > open)
            continue;
        *fits &= awaiting_since(&placement->awaiting, pending_depth(call)) >= call->told.start_ticks;
        open = (int32_t)pending_depth(call) - 1;
        decided = i + 1;
    }
    return decided;
}

/* Has the first n calls decide what awaits its caller; `wary`: some of them refuse. */
static void close_awaiting(struct placement *placement, uint32_t n, bool wary)
{
    int32_t open = placement->awaiting.deepest_open;
    for (uint32_t i = 0; i < n; i++) {
        struct pending *call = &placement->pending[i];
        if (pending_depth(call) > open)
            continue;
        awaiting_close(&placement->awaiting, call, !wary || !call->refuses, final_node(placement, call),
                       is_below_leading(placement, call));
        open = (int32_t)pending_depth(call) - 1;
    }
}

/* Places the first n calls, in pieces: each ends with a call that decides what awaits its caller, so that
 * what the piece itself leaves open never mixes with what was open before. */
static void place_first(struct placement *placement, uint32_t n)
{
    bool fits;
    uint32_t decided = find_decided(placement, n, &fits);
    if (decided > 0) {
        find_nodes(placement, 0, decided, !fits);
        close_awaiting(placement, decided, !fits);
    }
    find_nodes(placement, decided, n, false);
    count_first(placement, n);
    placement->count -= n;
    memmove(placement->pending, placement->pending + n, placement->count * sizeof *placement->pending);
    note_complete(placement);
}

void placement_flush(struct placement *placement)
{
    place_first(placement, placement->count);
}

void placement_judge(struct placement *placement, bool complete)
{
    placement_flush(placement);
    if (awaiting_judge(&placement->awaiting, complete))
        timeline_judge(placement->timeline, complete);
}

void placement_abandon(struct placement *placement)
{
    placement_judge(placement, false);
    awaiting_abandon(&placement->awaiting);
    timeline_abandon(placement->timeline);
    placement->newest_end = 0;
}

static void count_too_deep(struct placement *placement, uint64_t address, uint64_t duration)
{
    uint32_t function = functions_at(placement->functions, address);
    struct functions_counters counters = functions_counters(placement->functions);
    functions_count(&counters, function, duration);
    uint32_t id = calltree_other(placement->tree, placement->functions);
    struct snapshot_node *other = &placement->tree->nodes[id];
    other->calls++;
    other->changed = placement->functions->sequence;
    placement->over_limit++;
}

/* Takes calls while they are calls, in order, and there is room; how many. */
static size_t take(struct placement *placement, const struct event *events, size_t n)
{
    struct pending *call = placement->pending + placement->count;
    uint32_t complete = placement->complete;
    uint16_t shallowest = placement->shallowest;
    uint64_t newest_end = placement->newest_end;
    struct map by_address =
        placement->functions->by_address; /* it stays where it is until an address is new */
    if (n > placement->capacity - placement->count)
        n = placement->capacity - placement->count;
    const struct event *event = events, *end = events + n;
    for (; event < end && event->kind == EVENT_CALL && event->depth < PLACEMENT_DEPTH_MAX; event++, call++) {
        uint64_t call_end = event->ticks + event->call.duration;
        if (call_end < newest_end)
            break;
        newest_end = call_end;
        call->told.start_ticks = event->ticks;
        call->told.duration_ticks = event->call.duration;
        call->self_ticks = event->call.duration;
        call->told.function = map_find(&by_address, event->call.address);
        if (call->told.function == MAP_NONE) {
            call->told.function = functions_at_new(placement->functions, event->call.address);
            by_address = placement->functions->by_address;
        }
        call->told.context = 0;
        call->told.place = timeline_place(event->depth, TIMELINE_CALLED);
        if (event->depth <= shallowest) {
            shallowest = event->depth;
            complete = (uint32_t)(call - placement->pending) + 1;
        }
    }
    placement->newest_end = newest_end;
    placement->shallowest = shallowest;
    placement->complete = complete;
    placement->count = (uint32_t)(call - placement->pending);
    return (size_t)(event - events);
}

size_t placement_add(struct placement *placement, const struct event *events, size_t n, uint64_t *latest_end)
{
    size_t i = 0;
    *latest_end = 0;
    while (i < n && events[i].kind == EVENT_CALL) {
        uint64_t call_end = events[i].ticks + events[i].call.duration;
        if (events[i].depth >= PLACEMENT_DEPTH_MAX) {
            *latest_end = call_end > *latest_end ? call_end : *latest_end;
            count_too_deep(placement, events[i].call.address, events[i].call.duration);
            i++;
            continue;
        }
        if (call_end < placement->newest_end) {
            placement->out_of_order++;
            placement_abandon(placement);
        }
        if (placement->count == placement->capacity)
            placement_flush(placement);
        i += take(placement, events + i, n - i);
        *latest_end = placement->newest_end > *latest_end ? placement->newest_end : *latest_end;
    }
    return i;
}

void placement_end_batch(struct placement *placement)
{
    if (placement->shallowest < placement->outermost)
        placement->outermost = placement->shallowest;
    uint32_t enough = placement->shallowest == placement->outermost ? FLUSH_COMPLETE : FLUSH_LIKELY;
    if (placement->count >= FLUSH_ANYWAY)
        placement_flush(placement);
    else if (placement->complete >= enough)
        place_first(placement, placement->complete);
}
