/* livestacks_turns.c - which context the processor runs, and whether the others are preempted or blocked.
 *
 * While a context does not run, neither does its innermost call, so that time is not own time of any
 * function. The same is true while events are missing, since it is unknown what ran. On the timeline, both
 * are entries one level deeper that are not calls (TIMELINE_AWAY), so that ranges can be computed later. */
#include "profile/livestacks_private.h"

#include "base/scarcity.h"

#include <stdlib.h>

static struct livestack *stack_at(const struct livestacks *stacks, uint32_t index)
{
    return index == LIVESTACKS_NONE ? NULL : &stacks->stacks[index];
}

/* Returns the number of calls on a stack, limited to what the timeline can store. */
static uint32_t stack_depth(const struct livestack *stack)
{
    uint32_t depth = stack->depth + stack->too_deep;
    return depth < LIVESTACKS_DEPTH_MAX ? depth : LIVESTACKS_DEPTH_MAX;
}

static void end_turn(struct livestacks *stacks, struct livestack *stack, uint64_t ticks)
{
    if (ticks > stack->turn_ticks && !stacks->shows_only) {
        stack->turn_totals[stack->turn] += ticks - stack->turn_ticks;
        if (stack->turn != TURN_NONE)
            timeline_add(stacks->turns,
                         &(struct timeline_call){.start_ticks = stack->turn_ticks,
                                                 .duration_ticks = ticks - stack->turn_ticks,
                                                 .function = stack->turn,
                                                 .context = (uint16_t)(stack - stacks->stacks),
                                                 .place = timeline_place(stack_depth(stack), 0)});
    }
    stack->turn = TURN_NONE;
    stack->turn_ticks = ticks;
}

/* Records that the call at `level`, then the innermost one, did not run in this time. */
static void add_away(struct livestacks *stacks, struct livestack *stack, uint32_t level,
                     enum snapshot_away why, uint64_t from_ticks, uint64_t to_ticks)
{
    if (to_ticks <= from_ticks)
        return;
    stack->calls[level].away_ticks += to_ticks - from_ticks;
    timeline_add(stacks->timeline,
                 &(struct timeline_call){.start_ticks = from_ticks,
                                         .duration_ticks = to_ticks - from_ticks,
                                         .function = why,
                                         .context = (uint16_t)(stack - stacks->stacks),
                                         .place = timeline_place(level + 1, TIMELINE_AWAY | TIMELINE_LIVE)});
}

/* The context did not run from `since` to `ticks`. After a loss, some calls are only known from a later tick
 * on; until then, the calls below them are the innermost. */
static void stay_away(struct livestacks *stacks, struct livestack *stack, enum turn_kind turn,
                      uint64_t since_ticks, uint64_t ticks)
{
    static const enum snapshot_away whys[TURNS] = {
        [TURN_NONE] = AWAY_UNKNOWN, [TURN_PREEMPTED] = AWAY_PREEMPTED, [TURN_BLOCKED] = AWAY_BLOCKED};
    if (turn == TURN_RUNNING || !stacks->turns_told || stack->depth == 0)
        return;
    const struct open_call *calls = stack->calls;
    uint32_t level = stack->depth - 1;
    while (level > 0 && calls[level].start_ticks > since_ticks)
        level--;
    if (calls[level].start_ticks > since_ticks)
        since_ticks = calls[level].start_ticks;
    for (; level < stack->depth && since_ticks < ticks; level++) {
        bool is_innermost = level + 1 == stack->depth;
        uint64_t until_ticks =
            is_innermost || calls[level + 1].start_ticks > ticks ? ticks : calls[level + 1].start_ticks;
        add_away(stacks, stack, level, whys[turn], since_ticks, until_ticks);
        if (until_ticks > since_ticks)
            since_ticks = until_ticks;
    }
}

static void begin_turn(struct livestack *stack, enum turn_kind turn, uint64_t ticks)
{
    stack->turn = turn;
    stack->turn_ticks = ticks;
    stack->has_turns = true;
}

/* Makes the context run again. */
static void resume_turn(struct livestacks *stacks, struct livestack *stack, uint64_t ticks)
{
    enum turn_kind was = stack->turn;
    uint64_t since = stack->turn_ticks;
    end_turn(stacks, stack, ticks);
    begin_turn(stack, TURN_RUNNING, ticks);
    stack->newest_ticks = ticks;
    stacks->running = (uint32_t)(stack - stacks->stacks);
    if (!stack->is_interrupt)
        stacks->thread = stacks->running;
    stay_away(stacks, stack, was, since, ticks);
}

void livestacks_switch(struct livestacks *stacks, uint32_t context, bool is_interrupt, bool waits,
                       uint64_t ticks)
{
    struct livestack *next = livestacks_stack_of(stacks, context);
    struct livestack *last = stack_at(stacks, stacks->running), *thread = stack_at(stacks, stacks->thread);
    if (!stacks->shows_only)
        stacks->switched = stacks->timed = true;
    if (ticks > stacks->newest_ticks)
        stacks->newest_ticks = ticks;
    if (next == last && next)
        return;
    if (next)
        next->is_interrupt = is_interrupt;
    if (last) {
        end_turn(stacks, last, ticks);
        if (is_interrupt || !last->is_interrupt)
            begin_turn(last, TURN_PREEMPTED, ticks);
    }
    if (waits && thread && thread != next && !is_interrupt)
        thread->turn = TURN_BLOCKED;
    if (next && is_interrupt)
        next->interrupted = stacks->running;
    stacks->running = LIVESTACKS_NONE;
    if (next)
        resume_turn(stacks, next, ticks);
    stacks->turns_told = true;
}

void livestack_begins(struct livestacks *stacks, struct livestack *stack, uint64_t ticks)
{
    if (stack->is_interrupt && stack->turn == TURN_NONE && stacks->running != LIVESTACKS_NONE)
        livestacks_switch(stacks, stack->context, true, false, ticks);
}

void livestack_emptied(struct livestacks *stacks, struct livestack *stack, uint64_t ticks)
{
    bool is_running = stack_at(stacks, stacks->running) == stack;
    struct livestack *interrupted = stack_at(stacks, stack->interrupted);
    if (!stack->is_interrupt || (is_running && !interrupted))
        return;
    stack->interrupted = LIVESTACKS_NONE;
    end_turn(stacks, stack, ticks);
    if (is_running)
        resume_turn(stacks, interrupted, ticks);
}

void livestacks_lose_turn(struct livestacks *stacks, uint64_t ticks)
{
    for (uint32_t i = 0; i < stacks->count; i++) {
        struct livestack *stack = &stacks->stacks[i];
        enum turn_kind was = stack->turn;
        uint64_t since = stack->turn_ticks;
        if (was == TURN_RUNNING && ticks > stack->newest_ticks)
            stack->newest_ticks = ticks; /* until then it ran */
        if (was != TURN_NONE || ticks > since)
            end_turn(stacks, stack, ticks);
        stay_away(stacks, stack, was, since, ticks);
        stack->interrupted = LIVESTACKS_NONE;
    }
    stacks->running = stacks->thread = LIVESTACKS_NONE;
}

void livestack_hand_over(struct livestacks *stacks, struct livestack *from, struct livestack *to)
{
    uint32_t before = (uint32_t)(from - stacks->stacks), after = (uint32_t)(to - stacks->stacks);
    to->is_interrupt = from->is_interrupt;
    to->interrupted = from->interrupted;
    begin_turn(to, from->turn, stacks->newest_ticks);
    to->newest_ticks = stacks->newest_ticks;
    end_turn(stacks, from, stacks->newest_ticks);
    from->interrupted = LIVESTACKS_NONE;
    for (uint32_t i = 0; i < stacks->count; i++)
        if (stacks->stacks[i].interrupted == before)
            stacks->stacks[i].interrupted = after;
    if (stacks->running == before)
        stacks->running = after;
    if (stacks->thread == before)
        stacks->thread = after;
}

uint64_t livestack_newest(const struct livestacks *stacks, const struct livestack *stack)
{
    switch (stack->turn) {
    case TURN_RUNNING: return stacks->newest_ticks;
    case TURN_PREEMPTED:
    case TURN_BLOCKED: return stack->turn_ticks;
    default: return stacks->turns_told && stack->depth > 0 ? stack->turn_ticks : stack->newest_ticks;
    }
}

uint32_t livestacks_index(struct livestacks *stacks, uint32_t context)
{
    const struct livestack *stack = livestacks_stack_of(stacks, context);
    return stack ? (uint32_t)(stack - stacks->stacks) : LIVESTACKS_NONE;
}

void livestacks_ran(struct livestacks *stacks, uint32_t index, uint64_t own_ticks, uint64_t outside_ticks)
{
    struct livestack *stack = &stacks->stacks[index];
    stack->own_ticks += own_ticks;
    stack->has_turns = true;
    stack->turn_totals[TURN_RUNNING] += own_ticks + outside_ticks;
    stacks->timed = true;
}

struct livestacks_times livestacks_times(const struct livestacks *stacks, uint32_t index)
{
    const struct livestack *stack = &stacks->stacks[index];
    uint64_t totals[TURNS];
    for (unsigned turn = 0; turn < TURNS; turn++)
        totals[turn] = stack->turn_totals[turn];
    if (stacks->newest_ticks > stack->turn_ticks && !stacks->shows_only)
        totals[stack->turn] += stacks->newest_ticks - stack->turn_ticks;
    return (struct livestacks_times){.is_known = stacks->timed && stack->has_turns,
                                     .running_ticks = totals[TURN_RUNNING],
                                     .preempted_ticks = totals[TURN_PREEMPTED],
                                     .blocked_ticks = totals[TURN_BLOCKED]};
}

struct timeline_open *livestacks_turns(const struct livestacks *stacks, uint32_t *n)
{
    struct timeline_open *open = stacks->count ? scarcity_watch(malloc(stacks->count * sizeof *open)) : NULL;
    *n = open ? stacks->count : 0;
    for (uint32_t i = 0; i < *n; i++)
        open[i] = (struct timeline_open){.start_ticks = stacks->stacks[i].turn_ticks,
                                         .newest_ticks = stacks->newest_ticks,
                                         .function = stacks->stacks[i].turn,
                                         .context = (uint16_t)i,
                                         .depth = (uint16_t)stack_depth(&stacks->stacks[i])};
    if (open && stacks->running != LIVESTACKS_NONE) { /* the order in which a switch would end them */
        struct timeline_open first = open[0];
        open[0] = open[stacks->running];
        open[stacks->running] = first;
    }
    return open;
}
