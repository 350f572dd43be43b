/* mpt_calls.c - turns events into calls. */
#include "mpt_calls.h"

#include "mpt_stream.h"

#if MPT_TASKS > 1
#include "mpt_levels.h"
#endif

struct mpt_calls mpt_calls;

#if MPT_TASKS > 1
/* Version 1 does not distinguish interrupts from tasks, but a call in which a kernel switches must not stay on the
 * stack of the task that was left. */
static struct mpt_levels levels;
#endif

static void forget_interrupts(void)
{
#if MPT_TASKS > 1
    levels.n = 0;
#endif
}

void mpt_calls_init(void)
{
    for (uint32_t i = 0; i < MPT_TASKS; i++) {
        mpt_calls.tasks[i].calls.function = mpt_calls.tasks[i].function;
        mpt_calls.tasks[i].calls.room = MPT_STACK_DEPTH;
    }
    mpt_calls.wanted_depth = mpt_calls.max_depth = MPT_ANY_DEPTH;
    mpt_calls.version = 1;
}

/* A run of drops counts once: it reports that there is a gap, not its size. */
static void drop_call(void)
{
    if (!mpt_calls.is_dropping)
        mpt_calls.overflows++;
    mpt_calls.is_dropping = true;
}

/* Calls that run now lack a part of their callees: they are not reported. */
static void forget_running_calls(void)
{
    for (uint32_t i = 0; i < MPT_TASKS; i++)
        mpt_calls.tasks[i].floor = mpt_calls.tasks[i].calls.n;
}

void mpt_calls_take_mark(uint32_t mark)
{
    struct mpt_calls *c = &mpt_calls;
    uint8_t changes = (uint8_t)mark ^ c->mark;

    forget_interrupts();
    c->mark = (uint8_t)mark;
    c->is_on = mark & MPT_MARK_ON;
    c->version = c->is_on && (mark & MPT_MARK_VERSION_2) ? 2 : 1;
    if (MPT_VERSION_2 && c->version == 2) {
        if (changes)
            mpt_stream_start();
    } else if ((c->is_on && changes) || c->max_depth != c->wanted_depth) {
        forget_running_calls();
    }
    c->max_depth = c->wanted_depth;
}

void mpt_calls_mark(void)
{
    bool is_here = (mpt_ring.head & MPT_RING_EXCEPTION) == mpt_exception();

    if (!mpt_ring_fill() && !mpt_ring.is_frozen && is_here && mpt_calls.version == 1)
        mpt_calls_take_mark(mpt_calls.wanted_mark);
    else
        mpt_ring_put(MPT_WORD_MARK + mpt_calls.wanted_mark);
}

void mpt_calls_reset(void)
{
    struct mpt_call unheard[MPT_CALLS_AT_ONCE];

    /* Calls that version 2 dropped here would count as lost; it needs no reset. */
    while (mpt_calls_take(unheard, MPT_CALLS_AT_ONCE))
        ;
    if (mpt_calls.version == 1)
        forget_running_calls();
    mpt_calls.captured = mpt_calls.overflows = 0;
    mpt_calls.is_dropping = false;
}

void mpt_calls_abandon(void)
{
    struct mpt_call unheard[MPT_CALLS_AT_ONCE];

    if (MPT_VERSION_2 && mpt_calls.version == 2)
        mpt_stream_abandon();
    do {
        mpt_calls.is_on = false;
        mpt_calls.version = 1;
    } while (mpt_calls_take(unheard, MPT_CALLS_AT_ONCE) || mpt_calls.is_on);
    mpt_calls.wanted_mark &= (uint8_t)~MPT_MARK_ON;
    mpt_calls.mark = mpt_calls.wanted_mark;
}

static inline struct mpt_task *running_task(void)
{
    return &mpt_calls.tasks[MPT_TASKS > 1 ? mpt_calls.task : 0];
}

/* Returns true when it ended a call that is to be reported. */
static inline bool leave_call(struct mpt_task *task, uint32_t function, uint32_t ticks, struct mpt_call *call)
{
    struct mpt_calls *const c = &mpt_calls;
    int32_t index = mp_call_stack_exit(&task->calls, function);

    if (index < (int32_t)task->floor) {
        task->floor = task->calls.n < task->floor ? task->calls.n : task->floor;
        /* If no lower limit was set, the stack is too small for this program. */
        if (index < 0 && c->is_on && task->calls.n == MPT_STACK_DEPTH && c->max_depth == MPT_ANY_DEPTH)
            drop_call();
        return false;
    }
    uint32_t depth = mp_call_stack_depth_of(&task->calls, (uint32_t)index);
    uint32_t start = task->start[index];

    if (!c->is_on || index < 0 || depth >= c->max_depth || ticks - start < c->min_ticks)
        return false;
    call->function = function;
    call->start = start;
    call->end = ticks;
    call->depth = (uint16_t)depth;
    c->is_dropping = false;
    return true;
}

static void take_gaps(void)
{
    struct mpt_frozen frozen;

    if (!mpt_ring_thaw(&frozen))
        return;
#if MPT_TASKS > 1
    mpt_levels_leave(&levels, running_task(), 0);
#endif
    for (uint32_t i = 0; i < MPT_TASKS && frozen.lost; i++) {
        struct mpt_task *task = &mpt_calls.tasks[i];

        mp_call_stack_gap(&task->calls, frozen.gap[i].net, frozen.gap[i].lowest, frozen.gap[i].sum);
        if (task->floor > task->calls.n)
            task->floor = task->calls.n;
    }
    if (frozen.lost && mpt_calls.is_on)
        drop_call();
    forget_interrupts();
    mpt_calls.task = frozen.task;
    if (frozen.mark)
        mpt_calls_take_mark(frozen.mark);
}

uint32_t mpt_calls_end(struct mpt_task *task)
{
    struct mp_call_stack *calls = &task->calls;
    uint32_t depth = mp_call_stack_depth(calls), sum = calls->unknown ? calls->check : 0;

    for (uint32_t i = 0; i < calls->n; i++)
        sum += calls->function[i] * mp_call_power(MP_CALL_WEIGHT, mp_call_stack_depth_of(calls, i));
    sum *= mp_call_power(MP_CALL_LESS_WEIGHT, depth);
    mp_call_stack_reset(calls, 0);
    task->floor = 0;
    return 0u - sum;
}

#if MPT_TASKS > 1

static void run_task(uint32_t word)
{
    struct mpt_task *before = running_task(), *task = &mpt_calls.tasks[(uint8_t)word];
    bool is_in_call = task != before && mpt_levels_have_calls(&levels, before);

    if (!is_in_call)
        mpt_levels_leave(&levels, before, 0);
    if (word & MPT_TASK_NEW)
        (void)mpt_calls_end(task);
    if (is_in_call)
        mpt_levels_move(&levels, before, task);
    mpt_calls.task = (uint8_t)word;
}

#endif

/* Handles an event other than a call. */
static void take_other(uint32_t word)
{
    if (word >= MPT_WORD_MARK)
        mpt_calls_take_mark(word);
#if MPT_TASKS > 1
    else if (word < MPT_WORD_TASK)
        mpt_levels_take(&levels, running_task(), (uint16_t)(word - MPT_WORD_EXCEPTION));
    else if (word < MPT_WORD_TIME)
        run_task(word);
#endif
}

/* Does the same as mpt_ring_peek() and mpt_ring_advance(), but writes its position to the ring only where
 * other code may read it. */
uint32_t mpt_calls_take(struct mpt_call *calls, uint32_t most)
{
    struct mpt_ring *const r = &mpt_ring;
    struct mpt_task *task = running_task();
    struct mpt_call *call = calls;
    uint32_t read = r->read, before = r->ticks, end = read;

    if (mpt_calls.version != 1)
        return 0;
    while (call < calls + most) {
        if (read == end && read == (end = r->head & ~MPT_RING_LOW))
            break;
        struct mpt_event *event = &r->at[MPT_RING_PLACE(read + MPT_RING_STEP)];
        uint32_t word = event->word, ticks = mpt_widen(before, event->ticks);

        if (!word)
            break;
        event->word = 0;
        before = ticks;
        read += MPT_RING_STEP;
        if (MPT_RING_IS_PORTION(read) || word >= MPT_WORD_EXCEPTION) {
            r->read = read;
            r->ticks = ticks;
            if (MPT_RING_IS_PORTION(read))
                (void)mpt_ring_fill();
            before = r->ticks;
        }
        if (word >= MPT_WORD_EXCEPTION) {
            take_other(word);
            task = running_task();
            if (mpt_calls.version != 1)
                break;
        } else if (!mpt_word_is_enter(word)) {
            call += leave_call(task, mpt_word_function(word), ticks, call);
        } else {
            int32_t index = mp_call_stack_enter(&task->calls, mpt_word_function(word));

            if (index >= 0)
                task->start[index] = ticks;
        }
    }
    r->read = read;
    r->ticks = before;
    mpt_calls.captured += (uint32_t)(call - calls);
    if (call < calls + most && r->is_frozen && mpt_calls.version == 1)
        take_gaps();
    return (uint32_t)(call - calls);
}

void mpt_calls_foresee(uint32_t *captured, uint32_t *overflows)
{
    const struct mpt_task *task = &mpt_calls.tasks[mpt_calls.task];
    uint32_t depth = mp_call_stack_depth(&task->calls), floor = task->floor;
    bool is_on = mpt_calls.is_on, is_dropping = mpt_calls.is_dropping;

    /* Which calls are too short is unknown until they are paired. */
    for (uint32_t at = mpt_ring.read; at != (mpt_ring.head & ~MPT_RING_LOW) && !mpt_calls.min_ticks;) {
        at += MPT_RING_STEP;
        uint32_t word = mpt_ring.at[MPT_RING_PLACE(at)].word;

        if (word >= MPT_WORD_MARK) {
            is_on = word & MPT_MARK_ON;
            floor = depth;
        }
        if (word >= MPT_WORD_EXCEPTION)
            continue;
        if (mpt_word_is_enter(word))
            depth++;
        else if (depth && --depth < floor)
            floor = depth;
        else if (is_on && depth < mpt_calls.max_depth && depth < MPT_STACK_DEPTH) {
            ++*captured;
            is_dropping = false;
        } else if (is_on && mpt_calls.max_depth == MPT_ANY_DEPTH && !is_dropping) {
            ++*overflows;
            is_dropping = true;
        }
    }
    *overflows += mpt_ring.lost && is_on && !is_dropping;
}

void mpt_calls_follow(void)
{
    struct mpt_call call;

    if (!mpt_calls.is_on && mpt_calls.mark == mpt_calls.wanted_mark && mpt_calls_take(&call, 1)) {
        mpt_calls.captured--;
        mpt_calls.overflows++;
    }
}

/* The oldest calls lie lowest on the stack. */
void mpt_calls_age(uint32_t now)
{
    for (uint32_t i = 0; i < MPT_TASKS; i++) {
        struct mpt_task *task = &mpt_calls.tasks[i];

        while (task->floor < task->calls.n && now - task->start[task->floor] >= 1u << 31)
            task->floor++;
    }
}
