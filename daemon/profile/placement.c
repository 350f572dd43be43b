/* placement.c - buffers finished calls, places them, and counts them.
 *
 * Calls are placed many at a time. callers.c finds the node of each. Then a walk in the order of arrival
 * counts them, where the processor works on several calls at once. */
#include "profile/placement.h"

#include "profile/placement_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* When to place calls: at the first number if they are complete up to some point, because the last of them
 * has the least depth ever seen; at the second if they are probably complete; at the third in any case.
 * Placing calls before their caller is known costs twice: they count below a placeholder, and move later. */
enum { FLUSH_COMPLETE = 512, FLUSH_LIKELY = 4096, FLUSH_ANYWAY = 8192 };

/* The timeline's memory is not in the cache, so it is prefetched this many calls ahead. */
enum { AHEAD = 24 };

/* When a target rounds start and duration separately, a call may seem to end this many ticks after the next
 * one began. */
enum { ROUNDED = 1 };

static_assert(PLACEMENT_DEPTH_MAX <= 1 << TIMELINE_DEPTH_BITS, "the timeline has room for every depth");

static void reset_placement(struct placement *placement)
{
    placement->count = placement->complete = placement->lone_count = 0;
    placement->outermost = UINT16_MAX;
    placement->shallowest = UINT16_MAX;
    placement->newest_end = 0;
    placement->over_limit = placement->out_of_order = placement->overlaps = 0;
    placement->verdict_count = 0;
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
    reset_placement(placement);
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
    reset_placement(placement);
}

/* Up to the last of the calls with the least depth, all callers that have returned are present. */
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

static inline void count_pending(const struct functions_counters *counters, struct snapshot_node *nodes,
                                 const struct pending *call)
{
    calltree_count(counters, nodes, call->node, &call->told, call->self_ticks);
}

/* Counts n calls from `call` on, and copies them to the timeline. */
static void count_and_keep(struct placement *placement, const struct pending *call, size_t n,
                           struct timeline_call *kept)
{
    const struct functions_counters counters = functions_counters(placement->functions, 0);
    struct snapshot_node *nodes = placement->tree->nodes;
    uint64_t from_ticks = UINT64_MAX, to_ticks = pending_end(&call[n - 1]); /* they are sorted */
    for (const struct pending *end = call + n; call < end; call++, kept++) {
        __builtin_prefetch(kept + AHEAD, 1);
        *kept = call->told;
        from_ticks = call->told.start_ticks < from_ticks ? call->told.start_ticks : from_ticks;
        count_pending(&counters, nodes, call);
    }
    timeline_fill(placement->timeline, n, from_ticks, to_ticks);
}

/* Counts the first n calls, which are placed, so their own times are known. */
static void count_first(struct placement *placement, uint32_t n)
{
    for (uint32_t i = 0; i < n;) {
        size_t room;
        struct timeline_call *kept = timeline_room(placement->timeline, &room);
        if (!kept) { /* memory is used up: at least they are counted */
            const struct functions_counters counters = functions_counters(placement->functions, 0);
            for (; i < n; i++)
                count_pending(&counters, placement->tree->nodes, &placement->pending[i]);
            return;
        }
        if (room > n - i)
            room = n - i;
        count_and_keep(placement, &placement->pending[i], room, kept);
        i += (uint32_t)room;
    }
}

/* Returns the number of the first n calls that are needed to decide about waiting calls; 0: none. *fits is
 * true when each of these is the caller of all that waits at its depth. */
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

/* Lets the first n calls decide about waiting calls. `wary`: some of them refuse. */
static void close_awaiting(struct placement *placement, uint32_t n, bool wary)
{
    int32_t open = placement->awaiting.deepest_open;
    for (uint32_t i = 0; i < n; i++) {
        struct pending *call = &placement->pending[i];
        if (pending_depth(call) > open)
            continue;
        awaiting_close(&placement->awaiting, call, !wary || !call->refuses, callers_node(placement, call),
                       callers_is_below_leading(placement, call));
        open = (int32_t)pending_depth(call) - 1;
    }
}

/* Places the next n calls, in pieces. Each piece ends with a call that decides about waiting calls, so that
 * calls that the piece itself leaves waiting do not mix with earlier ones. */
static void place_next(struct placement *placement, uint32_t n)
{
    bool fits;
    uint32_t decided = find_decided(placement, n, &fits);
    if (decided > 0) {
        callers_find(placement, 0, decided, !fits);
        close_awaiting(placement, decided, !fits);
    }
    callers_find(placement, decided, n, false);
    count_first(placement, n);
    placement->count -= n;
    memmove(placement->pending, placement->pending + n, placement->count * sizeof *placement->pending);
    for (uint32_t i = 0; i < placement->verdict_count; i++)
        placement->verdicts[i].upto -= n;
    note_complete(placement);
}

static void apply_verdict(struct placement *placement, struct placement_verdict verdict)
{
    if (verdict.is_break) {
        periods_break(&placement->functions->periods);
        timeline_break(placement->timeline);
    } else if (awaiting_judge(&placement->awaiting, verdict.complete)) {
        timeline_judge(placement->timeline, verdict.complete);
    }
}

/* Places the first n calls, and applies the verdicts between them. The result is the same as without
 * buffering. */
static void place_first(struct placement *placement, uint32_t n)
{
    while (placement->verdict_count > 0 && placement->verdicts[0].upto <= n) {
        struct placement_verdict verdict = placement->verdicts[0];
        place_next(placement, verdict.upto);
        n -= verdict.upto;
        apply_verdict(placement, verdict);
        placement->verdict_count--;
        memmove(placement->verdicts, placement->verdicts + 1,
                placement->verdict_count * sizeof *placement->verdicts);
    }
    place_next(placement, n);
}

void placement_flush(struct placement *placement)
{
    place_first(placement, placement->count);
}

bool placement_settle(struct placement *placement, bool impatient)
{
    uint32_t n = 0;
    int32_t settled = placement->awaiting.deepest_open + 1; /* deeper callers may return soon */
    if (impatient && settled < placement->shallowest)
        settled = placement->shallowest;
    for (uint32_t i = 0; i < placement->count; i++) {
        if (pending_depth(&placement->pending[i]) > settled)
            continue;
        /* it was the caller of all that waited at its depth */
        settled = pending_depth(&placement->pending[i]);
        n = i + 1;
    }
    if (n > 0)
        place_first(placement, n);
    return n > 0;
}

/* Applies the verdict once all calls so far are placed. */
static void note_verdict(struct placement *placement, struct placement_verdict verdict)
{
    if (placement->verdict_count == PLACEMENT_VERDICTS)
        placement_flush(placement);
    verdict.upto = placement->count;
    if (placement->count > 0)
        placement->verdicts[placement->verdict_count++] = verdict;
    else
        apply_verdict(placement, verdict);
}

void placement_judge(struct placement *placement, bool complete)
{
    note_verdict(placement, (struct placement_verdict){.complete = complete});
}

void placement_break(struct placement *placement)
{
    if (placement->bounds) /* they judge calls on arrival */
        bounds_break(placement->bounds);
    note_verdict(placement, (struct placement_verdict){.is_break = true});
}

void placement_abandon(struct placement *placement)
{
    placement_judge(placement, false);
    placement_flush(placement);
    placement_break(placement);
    awaiting_abandon(&placement->awaiting);
    timeline_abandon(placement->timeline);
    placement->newest_end = 0;
}

static void count_too_deep(struct placement *placement, const struct event *event)
{
    const struct timeline_call call = {
        .start_ticks = event->ticks,
        .duration_ticks = event->call.duration,
        .function = functions_at(placement->functions, event->call.address),
        .place = timeline_place(PLACEMENT_DEPTH_MAX - 1, 0),
    };
    uint32_t id = calltree_other(placement->tree, placement->functions);
    struct snapshot_node *nodes = placement->tree->nodes, *other = &nodes[id];
    struct functions_counters counters = functions_counters(placement->functions, 0);
    functions_count(&counters, &call, nodes, other);
    if (placement->bounds && placement->bounds->watches)
        bounds_call(placement->bounds, placement->functions, call.function, call.start_ticks,
                    call.duration_ticks);
    other->calls++;
    other->changed = placement->functions->sequence;
    placement->over_limit++;
}

/* True when the call began while the call before ran, and is not its caller: they are from two stacks. */
static inline bool call_overlaps(const struct event *call, uint16_t newest_depth, uint64_t newest_end)
{
    return newest_end > call->ticks + ROUNDED && call->depth >= newest_depth;
}

/* Takes CALL events while they are in order and there is room; returns how many. The first one is in
 * order. */
static size_t take_calls(struct placement *placement, const struct event *events, size_t n)
{
    struct pending *call = placement->pending + placement->count;
    uint32_t complete = placement->complete;
    uint16_t shallowest = placement->shallowest;
    uint64_t newest_end = 0; /* among those taken here */
    /* A copy: valid until an address is added. */
    struct map by_address = placement->functions->by_address;
    if (n > placement->capacity - placement->count)
        n = placement->capacity - placement->count;
    const struct event *event = events, *end = events + n;
    for (; event < end && event->kind == EVENT_CALL && event->depth < PLACEMENT_DEPTH_MAX; event++, call++) {
        uint64_t call_end = event->ticks + event->call.duration;
        if (call_end < newest_end)
            break;
        if (newest_end > event->ticks + ROUNDED && event->depth >= event[-1].depth) /* see call_overlaps() */
            placement->overlaps++;
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
    if (event > events) {
        placement->overlaps += call_overlaps(events, placement->newest_depth, placement->newest_end);
        placement->newest_depth = event[-1].depth;
        placement->newest_end = newest_end;
    }
    placement->shallowest = shallowest;
    placement->complete = complete;
    placement->count = (uint32_t)(call - placement->pending);
    return (size_t)(event - events);
}

/* Compares the last n pending calls, which just arrived, with the limits. */
static void judge_by_bounds(struct placement *placement, size_t n)
{
    struct bounds *bounds = placement->bounds;
    const struct pending *end = placement->pending + placement->count;
    for (const struct pending *call = end - n; call < end; call++)
        bounds_call(bounds, placement->functions, call->told.function, call->told.start_ticks,
                    call->told.duration_ticks);
}

size_t placement_add(struct placement *placement, const struct event *events, size_t n, uint64_t *latest_end)
{
    size_t i = 0;
    *latest_end = 0;
    while (i < n && events[i].kind == EVENT_CALL) {
        uint64_t call_end = events[i].ticks + events[i].call.duration;
        if (events[i].depth >= PLACEMENT_DEPTH_MAX) {
            *latest_end = call_end > *latest_end ? call_end : *latest_end;
            count_too_deep(placement, &events[i]);
            i++;
            continue;
        }
        if (call_end < placement->newest_end) {
            placement->out_of_order++;
            placement_abandon(placement);
        }
        if (placement->count == placement->capacity)
            placement_flush(placement);
        size_t taken = take_calls(placement, events + i, n - i);
        if (placement->bounds && placement->bounds->watches)
            judge_by_bounds(placement, taken);
        i += taken;
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
