/* placement.c - puts finished calls under their callers.
 *
 * A record says: this function ran from here to there, so deep, and is sent when it returns; so callees come
 * before their callers, and a caller that never returns never comes. What is certain is this: a call at depth
 * d runs inside exactly one call of depth d - 1, the one whose interval holds its own. Nothing else is ever
 * taken for a caller, so lost records leave the tree incomplete but never wrong.
 *
 * Calls are buffered and then walked backwards: there, callers come first, and each call costs one lookup of
 * (caller's node, function). Nothing else is done on that walk, since each step waits for the one before; a
 * second walk, in the order of arrival, counts each call wherever it counts, and there the processor works on
 * several calls at once. What finds no caller in the buffer may still get one that returns later: awaiting.h.
 *
 * Ticks are coarse, and a call of no length at the very tick at which a caller of later siblings starts could
 * belong to that caller or to one that returned at that tick. Within a batch the order decides. At the end of
 * a batch, when the next record may be missing, nothing does: such a call (flagged `unsure`) is given only to
 * a caller that is known to call that function. */
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
    placement->count = placement->batch_start = placement->complete = 0;
    placement->outermost = UINT16_MAX;
    placement->shallowest = UINT16_MAX;
    placement->newest_end = 0;
    placement->unsorted = false;
    placement->over_limit = 0;
}

bool placement_init(struct placement *placement, struct calltree *tree, struct functions *functions,
                    struct timeline *timeline, uint32_t pending_calls)
{
    *placement = (struct placement){
        .tree = tree, .functions = functions, .timeline = timeline, .capacity = pending_calls};
    placement->pending = malloc(pending_calls * sizeof *placement->pending);
    placement->scratch = malloc(pending_calls * sizeof *placement->scratch);
    placement->callers = calloc(PLACEMENT_DEPTH_MAX + 1, sizeof *placement->callers);
    if (!placement->pending || !placement->scratch || !placement->callers ||
        !awaiting_init(&placement->awaiting, tree, functions, PLACEMENT_DEPTH_MAX))
        return false;
    start_anew(placement);
    return true;
}

void placement_fini(struct placement *placement)
{
    free(placement->pending);
    free(placement->scratch);
    free(placement->callers);
    awaiting_fini(&placement->awaiting);
}

void placement_clear(struct placement *placement)
{
    awaiting_clear(&placement->awaiting);
    start_anew(placement);
}

/* Merge sort by end; calls that end together keep the order in which they arrived. */
static void sort_by_end(struct placement *placement)
{
    struct pending *from = placement->pending, *to = placement->scratch;
    for (uint32_t width = 1; width < placement->count; width *= 2) {
        for (uint32_t low = 0; low < placement->count; low += 2 * width) {
            uint32_t middle = low + width < placement->count ? low + width : placement->count;
            uint32_t high = middle + width < placement->count ? middle + width : placement->count;
            uint32_t left = low, right = middle;
            for (uint32_t at = low; at < high; at++)
                to[at] =
                    left < middle && (right == high || pending_end(&from[left]) <= pending_end(&from[right]))
                        ? from[left++]
                        : from[right++];
        }
        struct pending *swap = from;
        from = to;
        to = swap;
    }
    placement->pending = from;
    placement->scratch = to;
    placement->unsorted = false;
}

RARE static bool has_called(const struct placement *placement, const struct pending *caller,
                            const struct pending *call)
{
    return calltree_find(placement->tree, caller->node, call->told.function, 0) != CALLTREE_NONE;
}

/* Whether `caller` is certainly the one that called `call`, which has one depth more. */
static inline bool called_by(const struct placement *placement, const struct pending *caller,
                             const struct pending *call)
{
    if (call->told.start_ticks < caller->told.start_ticks || pending_end(call) > pending_end(caller))
        return false;
    if (pending_end(call) > caller->told.start_ticks || !call->unsure || call->batch == caller->batch)
        return true;
    return has_called(placement, caller, call);
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

/* The same where it is not: `is_last` when nothing that came later had less depth. */
RARE static uint32_t place_alone(struct placement *placement, struct pending *call, bool is_last)
{
    uint32_t parent = CALLTREE_ROOT;
    if (pending_depth(call) > 0)
        parent = is_last ? awaiting_leave_open(&placement->awaiting, call)
                         : awaiting_leave_unplaced(&placement->awaiting, call);
    return calltree_child(placement->tree, placement->functions, parent, call->told.function, 0);
}

/* Finds the nodes of calls [from, to), walking backwards, callers before callees. */
static void find_nodes(struct placement *placement, uint32_t from, uint32_t to)
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
        if (caller && called_by(placement, caller, call)) {
            call->node =
                place_below(placement, &index, caller, call); /* and its caller was as shallow already */
        } else {
            call->node = place_alone(placement, call, shallowest >= depth);
            index = calltree_index(placement->tree);
            if (depth < shallowest)
                shallowest = depth;
        }
        top = depth + 1;
        callers[top] = call;
    }
}

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

/* Places the first n calls, in pieces: each ends with a call that decides what awaits its caller, so that
 * what the piece itself leaves open never mixes with what was open before. */
static void place_first(struct placement *placement, uint32_t n)
{
    uint32_t from = 0, decided = 0;
    int32_t open = placement->awaiting.deepest_open;
    for (uint32_t i = 0; i < n && open >= placement->shallowest; i++) {
        if (pending_depth(&placement->pending[i]) > open)
            continue;
        open = (int32_t)pending_depth(&placement->pending[i]) - 1;
        decided = i + 1;
    }
    if (decided > 0) {
        int32_t before = placement->awaiting.deepest_open;
        find_nodes(placement, 0, decided);
        for (uint32_t i = 0; i < decided && before >= placement->shallowest; i++) {
            if (pending_depth(&placement->pending[i]) > before)
                continue;
            awaiting_close(&placement->awaiting, &placement->pending[i]);
            before = (int32_t)pending_depth(&placement->pending[i]) - 1;
        }
        from = decided;
    }
    find_nodes(placement, from, n);
    count_first(placement, n);
    placement->count -= n;
    memmove(placement->pending, placement->pending + n, placement->count * sizeof *placement->pending);
    placement->batch_start = placement->batch_start > n ? placement->batch_start - n : 0;
    note_complete(placement);
}

void placement_flush(struct placement *placement)
{
    if (placement->unsorted)
        sort_by_end(placement);
    place_first(placement, placement->count);
}

void placement_abandon(struct placement *placement)
{
    placement_flush(placement);
    awaiting_abandon(&placement->awaiting);
    timeline_abandon(placement->timeline);
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

/* Calls at the end of a batch that ended at the same tick as its last one: what came right after them is not
 * known. */
static void flag_unsure(struct placement *placement)
{
    for (uint32_t i = placement->count; i-- > placement->batch_start;) {
        if (pending_end(&placement->pending[i]) != pending_end(&placement->pending[placement->count - 1]))
            break;
        placement->pending[i].unsure = true;
    }
}

/* Takes calls while they are calls and there is room; how many. */
static size_t take(struct placement *placement, const struct event *events, size_t n, uint64_t *latest_end)
{
    struct pending *call = placement->pending + placement->count;
    uint32_t batch = placement->batch, complete = placement->complete;
    uint16_t shallowest = placement->shallowest;
    uint64_t newest_end = placement->newest_end, latest = *latest_end;
    bool unsorted = placement->unsorted;
    struct map by_address =
        placement->functions->by_address; /* it stays where it is until an address is new */
    if (n > placement->capacity - placement->count)
        n = placement->capacity - placement->count;
    const struct event *event = events, *end = events + n;
    for (; event < end && event->kind == EVENT_CALL && event->depth < PLACEMENT_DEPTH_MAX; event++, call++) {
        uint64_t call_end = event->ticks + event->call.duration;
        call->told.start_ticks = event->ticks;
        call->told.duration_ticks = event->call.duration;
        call->self_ticks = event->call.duration;
        call->told.function = map_find(&by_address, event->call.address);
        if (call->told.function == MAP_NONE) {
            call->told.function = functions_at_new(placement->functions, event->call.address);
            by_address = placement->functions->by_address;
        }
        call->batch = batch & INT32_MAX;
        call->unsure = false;
        call->told.context = 0;
        call->told.place = timeline_place(event->depth, TIMELINE_CALLED);
        unsorted |= call_end < newest_end;
        newest_end = call_end;
        latest = call_end > latest ? call_end : latest;
        if (event->depth <= shallowest) {
            shallowest = event->depth;
            complete = (uint32_t)(call - placement->pending) + 1;
        }
    }
    placement->unsorted = unsorted;
    placement->newest_end = newest_end;
    *latest_end = latest;
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
        if (events[i].depth >= PLACEMENT_DEPTH_MAX) {
            uint64_t call_end = events[i].ticks + events[i].call.duration;
            *latest_end = call_end > *latest_end ? call_end : *latest_end;
            count_too_deep(placement, events[i].call.address, events[i].call.duration);
            i++;
            continue;
        }
        if (placement->count == placement->capacity) {
            flag_unsure(placement); /* what comes next is not seen together with these */
            placement_flush(placement);
        }
        i += take(placement, events + i, n - i, latest_end);
    }
    return i;
}

void placement_end_batch(struct placement *placement)
{
    flag_unsure(placement);
    placement->batch++;
    placement->batch_start = placement->count;
    if (placement->shallowest < placement->outermost)
        placement->outermost = placement->shallowest;
    uint32_t enough = placement->shallowest == placement->outermost ? FLUSH_COMPLETE : FLUSH_LIKELY;
    if (placement->count >= FLUSH_ANYWAY)
        placement_flush(placement);
    else if (placement->complete >= enough && !placement->unsorted)
        place_first(placement, placement->complete);
}
