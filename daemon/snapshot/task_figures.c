/* task_figures.c - activations, responses and longest waits of contexts.
 *
 * The target does not report when a thread became ready. But the thread was not ready while a context ran
 * that it would have preempted: an idle context, or one that was seen ready when the thread began to run
 * after a wait. Two contexts of which each was seen so are equals. A first walk over the turns finds both
 * relations. A run between the return from an interrupt and the start of the thread may be the switch itself,
 * and does not count. */
#include "snapshot/task_figures.h"

#include "base/scarcity.h"
#include "snapshot/histogram.h"
#include "snapshot/turns.h"

#include <stdlib.h>
#include <string.h>

enum {
    WAIT_DEPTHS = 64, /* deeper waits are counted at the last depth */
    WAITS_LEAST = 20, /* at least one in this many waits of a context is at its depth of waits for work */
    NOBODY = UINT16_MAX,
};

/* Contexts sorted by their last activity, newest first. */
struct recent {
    uint16_t first, next[SNAPSHOT_CONTEXTS_MAX], before[SNAPSHOT_CONTEXTS_MAX];
    uint64_t ticks[SNAPSHOT_CONTEXTS_MAX]; /* time of the last activity */
    bool is_in[SNAPSHOT_CONTEXTS_MAX];
};

/* One context during a walk. */
struct task {
    uint64_t last_to;
    enum turn_kind last;
    uint32_t last_depth;
    uint32_t waits[WAIT_DEPTHS], wait_count, wait_depth;
    bool is_idle, is_interrupt, is_active;
    bool is_return;      /* its last run began when an interrupt returned */
    uint64_t ran_before; /* end of the run before that */
    uint64_t active_since;
    struct task_stretch ready; /* before the end of the last wait: it may have been ready */
    struct histogram responses;
    struct histogram_budget budget;
};

struct tasks_walk {
    const struct snapshot *snapshot;
    struct task_figures *figures;
    uint64_t from_ticks, to_ticks;
    uint32_t n;
    struct task *tasks;
    uint8_t *above; /* [n * context + other]: `context` began to run while `other` was ready */
    struct recent recent;
};

static void recent_clear(struct recent *recent)
{
    memset(recent, 0, sizeof *recent);
    recent->first = NOBODY;
}

static void recent_put(struct recent *recent, uint16_t context, uint64_t ticks)
{
    uint16_t next = recent->next[context], before = recent->before[context];
    recent->ticks[context] = ticks;
    if (recent->first == context)
        return;
    if (recent->is_in[context]) {
        recent->next[before] = next;
        if (next != NOBODY)
            recent->before[next] = before;
    }
    recent->is_in[context] = true;
    recent->next[context] = recent->first;
    if (recent->first != NOBODY)
        recent->before[recent->first] = context;
    recent->first = context;
}

/* True when the turn begins where the context's previous turn ended. */
static bool turn_follows(const struct task *task, const struct turn *turn)
{
    return task->last != TURN_NONE && task->last_to == turn->from_ticks;
}

static bool turn_wakes(const struct task *task, const struct turn *turn)
{
    return turn_follows(task, turn) && task->last == TURN_BLOCKED && turn->kind == TURN_RUNNING;
}

static void task_remember(struct task *task, const struct turn *turn)
{
    task->last = (enum turn_kind)turn->kind;
    task->last_to = turn->to_ticks;
    task->last_depth = turn->depth < WAIT_DEPTHS ? turn->depth : WAIT_DEPTHS - 1;
}

/* ---- the first walk: at which depth contexts wait, and which preempts which ---- */

static void learn_turn(void *user, const struct turn *turn)
{
    struct tasks_walk *walk = user;
    if (turn->context >= walk->n || turn->kind == TURN_NONE)
        return;
    struct task *task = &walk->tasks[turn->context];
    walk->figures[turn->context].has_turns = true;
    if (turn_wakes(task, turn))
        recent_put(&walk->recent, (uint16_t)turn->context, turn->from_ticks);
    task_remember(task, turn);
    if (turn->kind == TURN_BLOCKED) {
        task->waits[task->last_depth]++;
        task->wait_count++;
    }
    if (turn->kind != TURN_PREEMPTED)
        return;
    for (uint16_t i = walk->recent.first; i != NOBODY && walk->recent.ticks[i] >= turn->from_ticks;
         i = walk->recent.next[i])
        if (i != turn->context && walk->recent.ticks[i] < turn->to_ticks)
            walk->above[(size_t)walk->n * i + turn->context] = 1;
}

static bool is_above(const struct tasks_walk *walk, uint32_t context, uint32_t other)
{
    return context != other &&
           (walk->tasks[other].is_idle || (walk->above[(size_t)walk->n * context + other] &&
                                           !walk->above[(size_t)walk->n * other + context]));
}

static bool kind_may_interrupt(const struct tasks_walk *walk, uint32_t context)
{
    return strcmp(walk->snapshot->contexts[context].kind, "thread") != 0;
}

static void finish_learning(struct tasks_walk *walk)
{
    for (uint32_t i = 0; i < walk->n; i++) {
        struct task *task = &walk->tasks[i];
        task->last = TURN_NONE;
        while (task->wait_count > 0 &&
               (uint64_t)task->waits[task->wait_depth] * WAITS_LEAST < task->wait_count)
            task->wait_depth++;
        task->is_interrupt = !task->is_idle && task->wait_count == 0 && kind_may_interrupt(walk, i);
        for (uint32_t other = 0; other < walk->n && task->wait_count > 0; other++)
            walk->figures[i].has_ready |= is_above(walk, i, other);
    }
    recent_clear(&walk->recent);
}

/* ---- the second walk: durations ---- */

/* Keeps the longest stretch; ignores those with damaged bytes. */
static void keep_longest(const struct tasks_walk *walk, struct task_stretch *longest, uint64_t from_ticks,
                         uint64_t to_ticks)
{
    if (to_ticks - from_ticks > longest->ticks &&
        !snapshot_damage_in(&walk->snapshot->link.damage, from_ticks, to_ticks))
        *longest = (struct task_stretch){from_ticks, to_ticks - from_ticks};
}

static void add_response(struct tasks_walk *walk, uint32_t context, uint64_t from_ticks, uint64_t to_ticks)
{
    struct task_figures *figures = &walk->figures[context];
    struct task *task = &walk->tasks[context];
    uint64_t ticks = to_ticks - from_ticks;
    if (snapshot_damage_in(&walk->snapshot->link.damage, from_ticks, to_ticks))
        return;
    if (figures->activations++ == 0 || ticks < figures->min_ticks)
        figures->min_ticks = ticks;
    if (figures->activations == 1 || ticks > figures->slowest.ticks)
        figures->slowest = (struct task_stretch){from_ticks, ticks};
    histogram_add(&task->responses, &task->budget, ticks);
}

/* Returns the earliest time at which a context that waited from `since_ticks` to `until_ticks` may have been
 * ready. */
static uint64_t ready_since(const struct tasks_walk *walk, uint32_t context, uint64_t since_ticks,
                            uint64_t until_ticks)
{
    const struct recent *recent = &walk->recent;
    for (uint16_t i = recent->first; i != NOBODY && recent->ticks[i] > since_ticks; i = recent->next[i]) {
        if (!is_above(walk, context, i))
            continue;
        bool may_be_switch = walk->tasks[i].is_return && recent->ticks[i] == until_ticks;
        uint64_t ran_ticks = may_be_switch ? walk->tasks[i].ran_before : recent->ticks[i];
        since_ticks = ran_ticks > since_ticks ? ran_ticks : since_ticks;
    }
    return since_ticks;
}

static void end_wait(struct tasks_walk *walk, const struct turn *turn)
{
    struct task_figures *figures = &walk->figures[turn->context];
    struct task *task = &walk->tasks[turn->context];
    bool is_for_work = turn->depth <= task->wait_depth;
    keep_longest(walk, is_for_work ? &figures->work_wait : &figures->call_wait, turn->from_ticks,
                 turn->to_ticks);
    if (is_for_work && task->is_active)
        add_response(walk, turn->context, task->active_since, turn->from_ticks);
    task->is_active &= !is_for_work;
    uint64_t ready_ticks = ready_since(walk, turn->context, turn->from_ticks, turn->to_ticks);
    task->ready = (struct task_stretch){ready_ticks, turn->to_ticks - ready_ticks};
}

static void wake_task(struct tasks_walk *walk, const struct turn *turn)
{
    struct task *task = &walk->tasks[turn->context];
    keep_longest(walk, &walk->figures[turn->context].ready, task->ready.start_ticks, turn->from_ticks);
    if (task->last_depth > task->wait_depth)
        return;
    task->is_active = true;
    task->active_since = turn->from_ticks;
}

static void end_run(struct tasks_walk *walk, const struct turn *turn)
{
    struct task *task = &walk->tasks[turn->context];
    struct recent *recent = &walk->recent;
    uint16_t before = recent->first;
    task->is_return =
        before != NOBODY && walk->tasks[before].is_interrupt && recent->ticks[before] == turn->from_ticks;
    task->ran_before = recent->ticks[turn->context];
    recent_put(recent, (uint16_t)turn->context, turn->to_ticks);
}

static void measure_turn(void *user, const struct turn *turn)
{
    struct tasks_walk *walk = user;
    if (turn->context >= walk->n || turn->kind == TURN_NONE)
        return;
    struct task *task = &walk->tasks[turn->context];
    task->is_active &= turn_follows(task, turn);
    if (turn_wakes(task, turn))
        wake_task(walk, turn);
    task_remember(task, turn);
    if (turn->kind == TURN_BLOCKED)
        end_wait(walk, turn);
    else if (turn->kind == TURN_PREEMPTED)
        keep_longest(walk, &walk->figures[turn->context].preempted, turn->from_ticks, turn->to_ticks);
    else
        end_run(walk, turn);
}

/* The outermost calls of a context that never waits are its activations. */
static void measure_call(void *user, const struct snapshot_span *span)
{
    struct tasks_walk *walk = user;
    uint64_t end_ticks = span->start_ticks + span->duration_ticks;
    if (span->depth > 0 || span->context >= walk->n || walk->tasks[span->context].wait_count > 0 ||
        span->start_ticks < walk->from_ticks || end_ticks > walk->to_ticks ||
        walk->snapshot->functions[span->function].kind != KIND_FUNCTION)
        return;
    add_response(walk, span->context, span->start_ticks, end_ticks);
}

static void write_percentiles(const struct tasks_walk *walk)
{
    static const double shares[] = {0.50, 0.99};
    for (uint32_t i = 0; i < walk->n; i++) {
        struct task_figures *figures = &walk->figures[i];
        uint64_t values[2] = {0};
        if (figures->activations > 0)
            histogram_percentiles(&walk->tasks[i].responses, figures->activations, figures->min_ticks,
                                  figures->slowest.ticks, shares, values, 2);
        figures->p50_ticks = values[0];
        figures->p99_ticks = values[1];
    }
}

static void tasks_begin(struct tasks_walk *walk)
{
    memset(walk->figures, 0, walk->n * sizeof *walk->figures);
    recent_clear(&walk->recent);
    for (uint32_t i = 0; i < walk->n; i++) {
        /* one for each octave, so counts are never coarse */
        walk->tasks[i].budget.blocks_left = HISTOGRAM_OCTAVES;
        walk->tasks[i].is_idle = snapshot_context_is_idle(walk->snapshot, i);
    }
}

static void tasks_walk_free(struct tasks_walk *walk)
{
    for (uint32_t i = 0; walk && walk->tasks && i < walk->n; i++)
        histogram_fini(&walk->tasks[i].responses, &walk->tasks[i].budget);
    if (!walk)
        return;
    free(walk->tasks);
    free(walk->above);
    free(walk);
}

static struct tasks_walk *tasks_walk_new(const struct snapshot *snapshot)
{
    struct tasks_walk *walk = scarcity_note(calloc(1, sizeof *walk));
    if (!walk)
        return NULL;
    walk->snapshot = snapshot;
    walk->n = snapshot->context_count;
    walk->tasks = scarcity_note(calloc(walk->n + 1, sizeof *walk->tasks));
    walk->above = scarcity_note(calloc((size_t)walk->n * walk->n + 1, 1));
    if (walk->tasks && walk->above)
        return walk;
    tasks_walk_free(walk);
    return NULL;
}

bool task_figures_find(const struct snapshot *snapshot, uint64_t from_ticks, uint64_t to_ticks,
                       struct task_figures *figures, uint64_t *held_ticks)
{
    const struct snapshot_timeline *timeline = snapshot->timeline, *turns = snapshot->turns;
    struct tasks_walk *walk = tasks_walk_new(snapshot);
    if (!walk)
        return false;
    walk->figures = figures;
    if (timeline && timeline->gone_ticks > from_ticks)
        from_ticks = timeline->gone_ticks;
    if (turns && turns->gone_ticks > from_ticks)
        from_ticks = turns->gone_ticks;
    walk->from_ticks = *held_ticks = from_ticks;
    walk->to_ticks = to_ticks;
    tasks_begin(walk);
    turns_each(turns, from_ticks, to_ticks, learn_turn, walk);
    finish_learning(walk);
    turns_each(turns, from_ticks, to_ticks, measure_turn, walk);
    snapshot_timeline_each(snapshot, measure_call, walk);
    write_percentiles(walk);
    tasks_walk_free(walk);
    return true;
}
