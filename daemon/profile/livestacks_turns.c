/* livestacks_turns.c - which context the processor runs, and what the others wait for.
 *
 * While a context does not run, the innermost of its calls does not, either: that time is nobody's own. On
 * the timeline it stands as a call one level deeper that is none (TIMELINE_AWAY), so that a range can be
 * counted again. */
#include "profile/livestack.h"

#include "base/scarcity.h"

#include <stdlib.h>

static struct livestack *stack_at(const struct livestacks *stacks, uint32_t index)
{
    return index == LIVESTACKS_NONE ? NULL : &stacks->stacks[index];
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
                                                 .context = (uint16_t)(stack - stacks->stacks)});
    }
    stack->turn = TURN_NONE;
}

static void begin_turn(struct livestack *stack, enum turn_kind turn, uint64_t ticks)
{
    stack->turn = turn;
    stack->turn_ticks = ticks;
}

/* It runs again, if it did before. */
static void resume(struct livestacks *stacks, struct livestack *stack, uint64_t ticks)
{
    enum turn_kind was = stack->turn;
    uint64_t since = stack->turn_ticks;
    end_turn(stacks, stack, ticks);
    begin_turn(stack, TURN_RUNNING, ticks);
    stack->newest_ticks = ticks;
    stacks->running = (uint32_t)(stack - stacks->stacks);
    if (!stack->is_interrupt)
        stacks->thread = stacks->running;
    if ((was != TURN_PREEMPTED && was != TURN_BLOCKED) || stack->depth == 0 || ticks <= since)
        return;
    stack->calls[stack->depth - 1].away_ticks += ticks - since;
    /* So deep that its calls can just be told, one less is told. */
    uint32_t depth = stack->depth < 1u << TIMELINE_DEPTH_BITS ? stack->depth : stack->depth - 1;
    timeline_add(stacks->timeline,
                 &(struct timeline_call){.start_ticks = since,
                                         .duration_ticks = ticks - since,
                                         .function = was == TURN_BLOCKED ? AWAY_BLOCKED : AWAY_PREEMPTED,
                                         .context = (uint16_t)(stack - stacks->stacks),
                                         .place = timeline_place(depth, TIMELINE_AWAY | TIMELINE_LIVE)});
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
        resume(stacks, next, ticks);
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
        resume(stacks, interrupted, ticks);
}

void livestacks_lose_turn(struct livestacks *stacks, uint64_t ticks)
{
    for (uint32_t i = 0; i < stacks->count; i++) {
        struct livestack *stack = &stacks->stacks[i];
        if (stack->turn == TURN_RUNNING && ticks > stack->newest_ticks)
            stack->newest_ticks = ticks; /* until then it ran */
        end_turn(stacks, stack, ticks);
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
    default: return stack->newest_ticks;
    }
}

uint32_t livestacks_index(struct livestacks *stacks, uint32_t context)
{
    const struct livestack *stack = livestacks_stack_of(stacks, context);
    return stack ? (uint32_t)(stack - stacks->stacks) : LIVESTACKS_NONE;
}

void livestacks_ran(struct livestacks *stacks, uint32_t index, uint64_t ticks)
{
    stacks->stacks[index].turn_totals[TURN_RUNNING] += ticks;
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
    return (struct livestacks_times){.running_ticks = totals[TURN_RUNNING],
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
                                         .context = (uint16_t)i};
    return open;
}
