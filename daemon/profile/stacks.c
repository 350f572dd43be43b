/* stacks.c - puts finished calls under their callers.
 *
 * A record says: this function ran from here to there, so deep, and is sent when it returns; so callees come
 * before their callers, and a caller that never returns never comes. What is certain is this: a call at depth
 * d runs inside exactly one call of depth d - 1, the one whose interval holds its own. Nothing else is ever
 * taken for a caller, so lost records leave the tree incomplete but never wrong.
 *
 * Calls are buffered and then walked backwards: there, callers come first, and each call costs one lookup of
 * (caller's node, function). Nothing else is done on that walk, since each step waits for the one before; a
 * second walk, in the order of arrival, counts each call wherever it counts, and there the processor works on
 * several calls at once. What finds no caller in the buffer may still get one that returns later: segments.h.
 *
 * Ticks are coarse, and a call of no length at the very tick at which a caller of later siblings starts could
 * belong to that caller or to one that returned at that tick. Within a batch the order decides. At the end of
 * a batch, when the next record may be missing, nothing does: such a call (flagged `unsure`) is given only to
 * a caller that is known to call that function. */
#include "profile/stacks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* When to place: the first number if the calls up to some point are complete, since the last of them is as
 * shallow as calls ever are; the second if they are as far as one can tell; the third anyway. To place calls
 * before their caller is known costs twice: below a placeholder, and once more when they move. */
enum { FLUSH_COMPLETE = 512, FLUSH_LIKELY = 4096, FLUSH_ANYWAY = 8192 };

/* The timeline grows into memory that is in no cache: it is sent for so many calls ahead. */
enum { AHEAD = 24 };

static_assert(STACKS_DEPTH_MAX <= 1 << TIMELINE_DEPTH_BITS, "the timeline has room for every depth");

/* Keeps the registers for what happens at every call. */
#define RARE __attribute__((noinline))

static void start_anew(struct stacks *stacks)
{
    stacks->count = stacks->batch_start = stacks->complete = 0;
    stacks->outermost = UINT16_MAX;
    stacks->shallowest = UINT16_MAX;
    stacks->newest_end = 0;
    stacks->unsorted = false;
    stacks->over_limit = 0;
}

bool stacks_init(struct stacks *stacks, struct calltree *tree, struct functions *functions,
                 struct timeline *timeline, uint32_t pending_calls)
{
    *stacks = (struct stacks){
        .tree = tree, .functions = functions, .timeline = timeline, .capacity = pending_calls};
    stacks->pending = malloc(pending_calls * sizeof *stacks->pending);
    stacks->scratch = malloc(pending_calls * sizeof *stacks->scratch);
    stacks->callers = calloc(STACKS_DEPTH_MAX + 1, sizeof *stacks->callers);
    if (!stacks->pending || !stacks->scratch || !stacks->callers ||
        !segments_init(&stacks->segments, tree, functions, STACKS_DEPTH_MAX))
        return false;
    start_anew(stacks);
    return true;
}

void stacks_fini(struct stacks *stacks)
{
    free(stacks->pending);
    free(stacks->scratch);
    free(stacks->callers);
    segments_fini(&stacks->segments);
}

void stacks_clear(struct stacks *stacks)
{
    segments_clear(&stacks->segments);
    start_anew(stacks);
}

/* Merge sort by end; calls that end together keep the order in which they arrived. */
static void sort_by_end(struct stacks *stacks)
{
    struct pending *from = stacks->pending, *to = stacks->scratch;
    for (uint32_t width = 1; width < stacks->count; width *= 2) {
        for (uint32_t low = 0; low < stacks->count; low += 2 * width) {
            uint32_t middle = low + width < stacks->count ? low + width : stacks->count;
            uint32_t high = middle + width < stacks->count ? middle + width : stacks->count;
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
    stacks->pending = from;
    stacks->scratch = to;
    stacks->unsorted = false;
}

RARE static bool has_called(const struct stacks *stacks, const struct pending *caller,
                            const struct pending *call)
{
    return calltree_find(stacks->tree, caller->node, call->told.function, 0) != CALLTREE_NONE;
}

/* Whether `caller` is certainly the one that called `call`, which has one depth more. */
static inline bool called_by(const struct stacks *stacks, const struct pending *caller,
                             const struct pending *call)
{
    if (call->told.start_ticks < caller->told.start_ticks || pending_end(call) > pending_end(caller))
        return false;
    if (pending_end(call) > caller->told.start_ticks || !call->unsure || call->batch == caller->batch)
        return true;
    return has_called(stacks, caller, call);
}

/* The node of a call that is the first of its function below its caller, or goes to "(other)". */
RARE static uint32_t place_first_below(struct stacks *stacks, struct calltree_index *index,
                                       const struct pending *caller, const struct pending *call)
{
    uint32_t node = calltree_child_new(stacks->tree, stacks->functions, caller->node, call->told.function, 0);
    if (node == caller->node) /* both are "(other)", where its time is already */
        stacks->tree->nodes[node].total_ticks -= call->told.duration_ticks;
    *index = calltree_index(stacks->tree);
    return node;
}

/* Finds the node of a call whose caller is known. */
static inline uint32_t place_below(struct stacks *stacks, struct calltree_index *index,
                                   struct pending *caller, const struct pending *call)
{
    uint64_t less =
        call->told.duration_ticks < caller->self_ticks ? call->told.duration_ticks : caller->self_ticks;
    caller->self_ticks -= less;
    uint32_t node;
    return calltree_find_below(index, caller->node, call->told.function, &node)
               ? node
               : place_first_below(stacks, index, caller, call);
}

/* The same where it is not: `is_last` when nothing that came later had less depth. */
RARE static uint32_t place_alone(struct stacks *stacks, struct pending *call, bool is_last)
{
    uint32_t parent = CALLTREE_ROOT;
    if (pending_depth(call) > 0)
        parent = is_last ? segments_leave_open(&stacks->segments, call)
                         : segments_leave_unplaced(&stacks->segments, call);
    return calltree_child(stacks->tree, stacks->functions, parent, call->told.function, 0);
}

/* Finds the nodes of calls [from, to), walking backwards, callers before callees. */
static void find_nodes(struct stacks *stacks, uint32_t from, uint32_t to)
{
    struct pending **callers = stacks->callers; /* [d]: what calls at depth d run inside of; [0] is NULL */
    int32_t top = 0;                            /* callers of what is deeper are over */
    int32_t shallowest = STACKS_DEPTH_MAX;      /* of the calls that came after */
    struct pending *first = stacks->pending + from;
    struct calltree_index index = calltree_index(stacks->tree);
    for (struct pending *call = stacks->pending + to; call-- > first;) {
        int32_t depth = pending_depth(call);
        while (top < depth)
            callers[++top] = NULL; /* not known at this depth */
        struct pending *caller = callers[depth];
        if (caller && called_by(stacks, caller, call)) {
            call->node =
                place_below(stacks, &index, caller, call); /* and its caller was as shallow already */
        } else {
            call->node = place_alone(stacks, call, shallowest >= depth);
            index = calltree_index(stacks->tree);
            if (depth < shallowest)
                shallowest = depth;
        }
        top = depth + 1;
        callers[top] = call;
    }
}

/* Up to the last of the shallowest calls, all callers that have returned are there. */
static void note_complete(struct stacks *stacks)
{
    stacks->complete = 0;
    stacks->shallowest = UINT16_MAX;
    for (uint32_t i = 0; i < stacks->count; i++) {
        if (pending_depth(&stacks->pending[i]) <= stacks->shallowest) {
            stacks->shallowest = pending_depth(&stacks->pending[i]);
            stacks->complete = i + 1;
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
static void count_and_keep(struct stacks *stacks, const struct pending *call, size_t n,
                           struct timeline_call *kept)
{
    const struct functions_counters counters = functions_counters(stacks->functions);
    struct snapshot_node *nodes = stacks->tree->nodes;
    uint64_t from_ticks = UINT64_MAX, to_ticks = pending_end(&call[n - 1]); /* they are sorted */
    for (const struct pending *end = call + n; call < end; call++, kept++) {
        __builtin_prefetch(kept + AHEAD, 1);
        *kept = call->told;
        from_ticks = call->told.start_ticks < from_ticks ? call->told.start_ticks : from_ticks;
        count(&counters, nodes, call);
    }
    timeline_fill(stacks->timeline, n, from_ticks, to_ticks);
}

/* Counts the first n calls, which are placed: what each has for itself is known now. */
static void count_first(struct stacks *stacks, uint32_t n)
{
    for (uint32_t i = 0; i < n;) {
        size_t room;
        struct timeline_call *kept = timeline_room(stacks->timeline, &room);
        if (!kept) { /* memory is used up: they are at least counted */
            const struct functions_counters counters = functions_counters(stacks->functions);
            for (; i < n; i++)
                count(&counters, stacks->tree->nodes, &stacks->pending[i]);
            return;
        }
        if (room > n - i)
            room = n - i;
        count_and_keep(stacks, &stacks->pending[i], room, kept);
        i += (uint32_t)room;
    }
}

/* Places the first n calls, in pieces: each ends with a call that decides open segments, so that what the
 * piece itself leaves open never mixes with what was open before. */
static void place_first(struct stacks *stacks, uint32_t n)
{
    uint32_t from = 0, decided = 0;
    int32_t open = stacks->segments.deepest_open;
    for (uint32_t i = 0; i < n && open >= stacks->shallowest; i++) {
        if (pending_depth(&stacks->pending[i]) > open)
            continue;
        open = (int32_t)pending_depth(&stacks->pending[i]) - 1;
        decided = i + 1;
    }
    if (decided > 0) {
        int32_t before = stacks->segments.deepest_open;
        find_nodes(stacks, 0, decided);
        for (uint32_t i = 0; i < decided && before >= stacks->shallowest; i++) {
            if (pending_depth(&stacks->pending[i]) > before)
                continue;
            segments_close(&stacks->segments, &stacks->pending[i]);
            before = (int32_t)pending_depth(&stacks->pending[i]) - 1;
        }
        from = decided;
    }
    find_nodes(stacks, from, n);
    count_first(stacks, n);
    stacks->count -= n;
    memmove(stacks->pending, stacks->pending + n, stacks->count * sizeof *stacks->pending);
    stacks->batch_start = stacks->batch_start > n ? stacks->batch_start - n : 0;
    note_complete(stacks);
}

void stacks_flush(struct stacks *stacks)
{
    if (stacks->unsorted)
        sort_by_end(stacks);
    place_first(stacks, stacks->count);
}

void stacks_abandon(struct stacks *stacks)
{
    stacks_flush(stacks);
    segments_abandon(&stacks->segments);
    timeline_abandon(stacks->timeline);
}

static void count_too_deep(struct stacks *stacks, uint64_t address, uint64_t duration)
{
    uint32_t function = functions_at(stacks->functions, address);
    struct functions_counters counters = functions_counters(stacks->functions);
    functions_count(&counters, function, duration);
    uint32_t id = calltree_other(stacks->tree, stacks->functions);
    struct snapshot_node *other = &stacks->tree->nodes[id];
    other->calls++;
    other->changed = stacks->functions->sequence;
    stacks->over_limit++;
}

/* Calls at the end of a batch that ended at the same tick as its last one: what came right after them is not
 * known. */
static void flag_unsure(struct stacks *stacks)
{
    for (uint32_t i = stacks->count; i-- > stacks->batch_start;) {
        if (pending_end(&stacks->pending[i]) != pending_end(&stacks->pending[stacks->count - 1]))
            break;
        stacks->pending[i].unsure = true;
    }
}

/* Takes calls while they are calls and there is room; how many. */
static size_t take(struct stacks *stacks, const struct event *events, size_t n, uint64_t *latest_end)
{
    struct pending *call = stacks->pending + stacks->count;
    uint32_t batch = stacks->batch, complete = stacks->complete;
    uint16_t shallowest = stacks->shallowest;
    uint64_t newest_end = stacks->newest_end, latest = *latest_end;
    bool unsorted = stacks->unsorted;
    struct map by_address = stacks->functions->by_address; /* it stays where it is until an address is new */
    if (n > stacks->capacity - stacks->count)
        n = stacks->capacity - stacks->count;
    const struct event *event = events, *end = events + n;
    for (; event < end && event->kind == EVENT_CALL && event->depth < STACKS_DEPTH_MAX; event++, call++) {
        uint64_t call_end = event->ticks + event->call.duration;
        call->told.start_ticks = event->ticks;
        call->told.duration_ticks = event->call.duration;
        call->self_ticks = event->call.duration;
        call->told.function = map_find(&by_address, event->call.address);
        if (call->told.function == MAP_NONE) {
            call->told.function = functions_at_new(stacks->functions, event->call.address);
            by_address = stacks->functions->by_address;
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
            complete = (uint32_t)(call - stacks->pending) + 1;
        }
    }
    stacks->unsorted = unsorted;
    stacks->newest_end = newest_end;
    *latest_end = latest;
    stacks->shallowest = shallowest;
    stacks->complete = complete;
    stacks->count = (uint32_t)(call - stacks->pending);
    return (size_t)(event - events);
}

size_t stacks_add(struct stacks *stacks, const struct event *events, size_t n, uint64_t *latest_end)
{
    size_t i = 0;
    *latest_end = 0;
    while (i < n && events[i].kind == EVENT_CALL) {
        if (events[i].depth >= STACKS_DEPTH_MAX) {
            uint64_t call_end = events[i].ticks + events[i].call.duration;
            *latest_end = call_end > *latest_end ? call_end : *latest_end;
            count_too_deep(stacks, events[i].call.address, events[i].call.duration);
            i++;
            continue;
        }
        if (stacks->count == stacks->capacity) {
            flag_unsure(stacks); /* what comes next is not seen together with these */
            stacks_flush(stacks);
        }
        i += take(stacks, events + i, n - i, latest_end);
    }
    return i;
}

void stacks_end_batch(struct stacks *stacks)
{
    flag_unsure(stacks);
    stacks->batch++;
    stacks->batch_start = stacks->count;
    if (stacks->shallowest < stacks->outermost)
        stacks->outermost = stacks->shallowest;
    uint32_t enough = stacks->shallowest == stacks->outermost ? FLUSH_COMPLETE : FLUSH_LIKELY;
    if (stacks->count >= FLUSH_ANYWAY)
        stacks_flush(stacks);
    else if (stacks->complete >= enough && !stacks->unsorted)
        place_first(stacks, stacks->complete);
}
