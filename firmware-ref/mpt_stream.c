/* mpt_stream.c - writes packets of version 2 from events. */
#include "mpt_stream.h"

#include "mpt_levels.h"
#include "mpt_names.h"

#if MPT_VERSION_2

static struct {
    struct mp_compact_writer writer;
    bool is_open;
    bool has_events; /* other than calls */
    bool is_new;     /* no packet of this run has been begun */
    struct mpt_levels levels;
    uint8_t run;
    uint8_t gaps;        /* number of tasks whose gap is still to be sent, + 1; 0: none */
    uint32_t number;     /* of the next event */
    uint32_t first;      /* number of the packet's first event */
    uint32_t told_ticks; /* when running calls were last sent */
    struct mpt_frozen frozen;
    uint8_t told_run[MPT_TASKS]; /* the run in which a task's calls were last sent */
#if MPT_TASKS > 1
    uint8_t told_task; /* the task sent last */
    bool is_switching; /* the running task is still to be sent: an interrupt is not over */
    bool is_blocked;   /* the previous task waits */
    uint32_t switched; /* when that interrupt was over */
    uint8_t over_task; /* task whose ended calls, `over` of them, are still to be reported: another task has
                          its number */
    uint16_t over;
    uint32_t over_sum; /* sum of their functions, as a gap reports it */
    uint16_t left;     /* the interrupt of calls that follow without an event for it */
#endif
} stream;

struct mp_compact_writer *const mpt_stream_writer = &stream.writer;

static struct mpt_task *running_mpt_task(void)
{
    return &mpt_calls.tasks[MPT_TASKS > 1 ? mpt_calls.task : 0];
}

static uint32_t running_context(void)
{
    return stream.levels.n ? MP_CONTEXT_INTERRUPT((uint32_t)mpt_levels_exception(&stream.levels))
                           : MP_CONTEXT_TASK((uint32_t)mpt_calls.task);
}

/* Returns the depth of the running context's stack. */
static uint32_t running_depth(void)
{
    uint32_t base = stream.levels.n ? stream.levels.level[stream.levels.n - 1].base : 0;
    uint32_t calls = mp_call_stack_depth(&running_mpt_task()->calls);

#if MPT_TASKS > 1
    if (!stream.levels.n && stream.over_task == mpt_calls.task)
        calls += stream.over;
#endif
    return calls > base ? calls - base : 0;
}

/* A context is sent: returns true when the previous task waits. */
static bool tell_task(uint8_t task)
{
    bool is_blocked = false;

#if MPT_TASKS > 1
    if (!stream.levels.n) {
        is_blocked = stream.is_blocked && stream.told_task != task;
        stream.told_task = task;
        stream.is_switching = stream.is_blocked = false;
    }
#endif
    return is_blocked;
}

#if MPT_TASKS > 1
#define IS_SWITCHING    stream.is_switching
#define FORGET_SWITCH() (stream.left = stream.is_switching = stream.is_blocked = 0)
#else
#define IS_SWITCHING false
#define FORGET_SWITCH()
#endif

void mpt_stream_start(void)
{
    stream.run++;
    stream.number = 0;
    stream.levels.n = 0;
    FORGET_SWITCH();
#if MPT_TASKS > 1
    stream.over = 0;
#endif
    stream.is_new = true;
#if MPT_NAMES
    mpt_names.is_changed = true;
#endif
}

uint8_t mpt_stream_run(void)
{
    uint8_t waits = mpt_calls.wanted_mark ^ mpt_calls.mark; /* START's mark is still in the ring */

    return (uint8_t)(stream.run + (mpt_calls.wanted_mark & MPT_MARK_ON && waits & MPT_MARK_RUN ? 1 : 0));
}

/* Only if all calls are known: otherwise the calls above a gap are uncertain. */
static void tell_open_calls(uint32_t now)
{
    const struct mpt_task *task = running_mpt_task();

    if (stream.levels.n || task->calls.unknown)
        return;
    stream.told_run[mpt_calls.task] = stream.run;
    for (uint32_t i = 0; i < task->calls.n; i++) {
        uint32_t age = i < task->floor ? UINT32_MAX : now - task->start[i];

        if (!mp_compact_open(&stream.writer, i, task->calls.function[i], age))
            return;
    }
}

static void begin_stream_packet(uint8_t *payload, uint32_t now)
{
#if MPT_TASKS > 1
    /* A switch that had no room in the previous packet is older than the next event. */
    if (stream.is_switching && !mpt_levels_have_calls(&stream.levels, running_mpt_task()))
        now = stream.switched;
#endif
    struct mp_compact_head head = {
        .run = stream.run,
        .number = stream.number,
        .time = now,
        .context = running_context(),
        .depth = running_depth(),
    };

    mp_compact_begin(&stream.writer, payload, MPT_PACKET_BYTES, MP_COMPACT_SLOTS, MPT_CODE_SHIFT, &head);
    stream.is_open = true;
    stream.has_events = stream.is_new;
    stream.first = stream.number;
    (void)tell_task(mpt_calls.task);
    if (stream.is_new || now - stream.told_ticks >= MPT_TICK_HZ) {
        stream.is_new = false;
        stream.told_ticks = now;
        (void)mp_compact_clock(&stream.writer, MPT_TICK_HZ);
        tell_open_calls(now);
#if MPT_NAMES
        mpt_names.is_changed |= mpt_names.is_told;
#endif
    }
#if MPT_NAMES
    stream.has_events |= mpt_names_tell(&stream.writer);
#endif
}

uint16_t mpt_stream_end(uint8_t *payload, bool even_if_empty)
{
    if (even_if_empty && !stream.is_open)
        begin_stream_packet(payload, mpt_ring.ticks);
    if (!stream.is_open)
        return 0;
    stream.is_open = false;
    bool is_told = stream.has_events || even_if_empty || stream.number != stream.first;
    return is_told ? mp_compact_end(&stream.writer, false) : 0;
}

uint16_t mpt_stream_close(uint8_t *payload)
{
    stream.levels.n = 0; /* while nothing is sent, interrupts are not followed */
    FORGET_SWITCH();
    uint16_t size = mpt_stream_end(payload, true);

    mp_compact_close(&stream.writer);
    return size;
}

/* Reports that the calls of the previous task of this number are over: a gap in which nothing was lost. */
static void tell_over(uint32_t ticks)
{
#if MPT_TASKS > 1
    if (!stream.over || stream.levels.n || stream.over_task != mpt_calls.task)
        return;
    (void)mp_compact_gap(&stream.writer, 0, -(int32_t)stream.over, -(int32_t)stream.over, stream.over_sum,
                         ticks);
    stream.number++;
    stream.over = 0;
#endif
}

/* Sends the running context, when it differs from the one sent last. Needs room for two tokens. */
static void tell_context(uint32_t ticks)
{
    struct mp_compact_writer *const writer = &stream.writer;
    bool is_blocked = tell_task(mpt_calls.task);

    if (writer->state.context == running_context()) {
        tell_over(ticks);
        return;
    }
    if (is_blocked)
        (void)mp_compact_context_blocked(writer, running_context(), running_depth(), ticks);
    else
        (void)mp_compact_context(writer, running_context(), running_depth(), ticks);
    tell_over(ticks);
    if (!stream.levels.n && stream.told_run[mpt_calls.task] != stream.run)
        tell_open_calls(ticks);
}

#if MPT_TASKS > 1

/* Ends all interrupts, as far as calls show it. Calls that follow without an event still belong to the
 * innermost one. */
static void leave_interrupts(void)
{
    if (stream.levels.n)
        stream.left = mpt_levels_exception(&stream.levels);
    mpt_levels_leave(&stream.levels, running_mpt_task(), 0);
}

/* A kernel switches in an interrupt. If a call of the interrupt runs, the task runs once the call has
 * ended. */
static void take_task(uint32_t word)
{
    uint8_t number = (uint8_t)word;
    struct mpt_task *task = &mpt_calls.tasks[number];

    if (!stream.is_switching)
        stream.is_blocked = word & MPT_TASK_BLOCKED;
    stream.is_switching =
        number != mpt_calls.task && mpt_levels_have_calls(&stream.levels, running_mpt_task());
    if (!stream.is_switching)
        leave_interrupts();
    if (word & MPT_TASK_NEW) {
        stream.over = (uint16_t)mp_call_stack_depth(&task->calls);
        stream.over_sum = mpt_calls_end(task);
        stream.over_task = number;
    }
    if (stream.is_switching)
        mpt_levels_move(&stream.levels, running_mpt_task(), task);
    mpt_calls.task = number;
    stream.has_events = true;
}

static bool has_room(void)
{
    return stream.writer.room - stream.writer.at >= 2 * MP_COMPACT_TOKEN_MAX;
}

/* Reports the task that was switched to, once the call of the interrupt has ended. Returns false when it does
 * not fit. */
static bool settle_switch(void)
{
    if (!stream.is_switching || mpt_levels_have_calls(&stream.levels, running_mpt_task()))
        return true;
    stream.switched = stream.writer.state.time;
    if (!has_room())
        return false;
    leave_interrupts();
    stream.has_events = true;
    tell_context(stream.writer.state.time);
    return true;
}

/* Called before a call, which may belong to an interrupt that seemed to be over. Returns false when it does
 * not fit. */
static bool settle_interrupt(uint32_t ticks)
{
    if (!stream.left)
        return true;
    if (!has_room())
        return false;
    mpt_levels_take(&stream.levels, running_mpt_task(), stream.left);
    stream.left = 0;
    tell_context(ticks);
    return true;
}

#endif

/* Handles an event other than a call. Returns false when it does not fit; then it is not taken. */
static bool follow_other(uint32_t word, uint32_t ticks)
{
    if (word >= MPT_WORD_TIME || (MPT_TASKS == 1 && word >= MPT_WORD_TASK))
        return true;
    /* Checks the room first, since the event cannot be put back. */
    if (stream.writer.room - stream.writer.at < (MPT_TASKS > 1 ? 2 : 1) * MP_COMPACT_TOKEN_MAX)
        return false;
#if MPT_NAMES
    /* A task with a new name runs in a packet that has the name. */
    if (word >= MPT_WORD_TASK && mpt_names.is_changed && stream.number != stream.first)
        return false;
#endif
#if MPT_TASKS > 1
    if (word >= MPT_WORD_TASK) {
        take_task(word);
        tell_context(ticks);
        return true;
    }
    stream.left = 0;
#endif
    mpt_levels_take(&stream.levels, running_mpt_task(), (uint16_t)(word - MPT_WORD_EXCEPTION));
    tell_context(ticks);
    return true;
}

static void thaw_ring(void)
{
    if (!mpt_ring_thaw(&stream.frozen))
        return;
    if (stream.frozen.lost) {
        if (!mpt_calls.is_dropping)
            mpt_calls.overflows++;
        mpt_levels_split_gap(&stream.levels, running_mpt_task(),
                             &stream.frozen.gap[MPT_TASKS > 1 ? mpt_calls.task : 0]);
    }
    mpt_levels_leave(&stream.levels, running_mpt_task(), 0);
    FORGET_SWITCH();
    stream.gaps = MPT_TASKS + 1;
}

/* Sends the gaps of all tasks, the running one's last. Each has at least one lost event, so that each counts,
 * and a missing packet of gaps is noticed. Returns false when they do not fit. */
static bool tell_gaps(void)
{
    for (; stream.gaps > 1; stream.gaps--) {
        uint8_t task = (uint8_t)((stream.frozen.task + stream.gaps - 2u) % MPT_TASKS);
        const struct mpt_gap *gap = &stream.frozen.gap[task];
        uint32_t lost = stream.gaps == 2 ? stream.frozen.lost : 1;

        if (stream.gaps > 2 && !gap->net && !gap->lowest && !gap->sum)
            continue;
        if (stream.writer.room - stream.writer.at < 2 * MP_COMPACT_TOKEN_MAX)
            return false;
        mpt_calls.task = task;
        if (stream.writer.state.context != running_context())
            (void)mp_compact_context(&stream.writer, running_context(), running_depth(), mpt_ring.ticks);
        (void)mp_compact_gap(&stream.writer, lost, gap->net, gap->lowest, gap->sum, mpt_ring.ticks);
        stream.frozen.lost -= lost;
        stream.number += lost;
        mp_call_stack_gap(&running_mpt_task()->calls, gap->net, gap->lowest, gap->sum);
        if (running_mpt_task()->floor > running_mpt_task()->calls.n)
            running_mpt_task()->floor = running_mpt_task()->calls.n;
        stream.has_events = true;
        (void)tell_task(task);
    }
    stream.gaps = 0;
    return true;
}

void mpt_stream_abandon(void)
{
    stream.is_open = false;
    for (; stream.gaps > 1; stream.gaps--) {
        uint8_t task = (uint8_t)((stream.frozen.task + stream.gaps - 2u) % MPT_TASKS);
        const struct mpt_gap *gap = &stream.frozen.gap[task];

        mp_call_stack_gap(&mpt_calls.tasks[task].calls, gap->net, gap->lowest, gap->sum);
    }
    if (stream.gaps)
        mpt_calls.task = stream.frozen.task;
    stream.gaps = 0;
    stream.frozen.mark = 0;
}

/* Sends what a frozen ring has left to report. Returns false when it does not fit, or a mark ends the
 * packet. */
static bool settle_stream(uint8_t *payload)
{
    uint32_t mark = stream.frozen.mark;

    if (stream.gaps) {
        if (!stream.is_open)
            begin_stream_packet(payload, mpt_ring.ticks);
        if (!tell_gaps())
            return false;
    }
    stream.frozen.mark = 0;
    if (mark)
        mpt_calls_take_mark(mark);
    return !mark;
}

/* Sends calls as long as they follow each other and fit, at most as many as can be given back to the hooks at
 * once. Returns false when one does not fit. */
static bool take_calls(void)
{
    struct mpt_ring *const r = &mpt_ring;
    struct mp_compact_writer *const writer = &stream.writer;
    struct mpt_task *const task = running_mpt_task();
    uint32_t read = r->read, now = r->ticks, exits = 0;
    uint32_t end = r->head & ~MPT_RING_LOW;
    bool fits = true;

    /* Takes calls one by one until the interrupt's calls have ended. */
    if (IS_SWITCHING && end != read)
        end = read + MPT_RING_STEP;
    if (end - read > MPT_RING_EVENTS / 4u * MPT_RING_STEP)
        end = read + MPT_RING_EVENTS / 4u * MPT_RING_STEP;
    while (read != end) {
        struct mpt_event *event = &r->at[MPT_RING_PLACE(read + MPT_RING_STEP)];
        uint32_t word = event->word, function = mpt_word_function(word);
        uint32_t ticks = mpt_widen(now, event->ticks);

        if (!word || word >= MPT_WORD_EXCEPTION)
            break;
        if (mpt_word_is_enter(word)) {
            fits = mp_compact_enter(writer, function, ticks);
            if (!fits)
                break;
            int32_t index = mp_call_stack_enter(&task->calls, function);

            if (index >= 0)
                task->start[index] = ticks;
        } else {
            fits = mp_compact_exit(writer, function, ticks);
            if (!fits)
                break;
            (void)mp_call_stack_exit(&task->calls, function);
            exits++;
        }
        event->word = 0;
        read += MPT_RING_STEP;
        now = ticks;
    }
    stream.number += (read - r->read) / MPT_RING_STEP;
    r->read = read;
    r->ticks = now;
    if (task->floor > task->calls.n)
        task->floor = task->calls.n;
    mpt_calls.captured += exits;
    (void)mpt_ring_fill();
    return fits;
}

bool mpt_stream_fill(uint8_t *payload)
{
    uint32_t word, ticks;

    if (!settle_stream(payload))
        return true;
    while (mpt_ring_peek(&word, &ticks)) {
        if (!stream.is_open)
            begin_stream_packet(payload, ticks);
#if MPT_TASKS > 1
        if (!settle_switch() || (word < MPT_WORD_EXCEPTION && !settle_interrupt(ticks)))
            break;
#endif
        if (word < MPT_WORD_EXCEPTION) {
            if (!take_calls())
                break;
#if MPT_TASKS > 1
            (void)settle_switch();
#endif
        } else if (word < MPT_WORD_MARK) {
            if (!follow_other(word, ticks))
                break;
            mpt_ring_advance(ticks);
        } else {
            /* Ends this run, and may begin another. */
            mpt_ring_advance(ticks);
            mpt_calls_take_mark(word);
            return true;
        }
    }
    if (mpt_ring_peek(&word, &ticks))
        return true;
    if (mpt_ring.is_frozen)
        thaw_ring();
    return !settle_stream(payload);
}

#endif
