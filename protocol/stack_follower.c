/* stack_follower.c - follows each stack by packets of the compact stream. */
#include "protocol/stack_follower.h"

#include "protocol/ticks.h"

void mp_follower_init(struct mp_follower *follower, struct mp_followed *contexts, uint32_t room)
{
    follower->contexts = contexts;
    follower->room = room;
    follower->n = 0;
    follower->running = NULL;
    follower->counters = (struct mp_follow_counters){0};
    follower->time = follower->heard = follower->around = 0;
    follower->is_begun = false;
}

void mp_follower_restart(struct mp_follower *follower)
{
    follower->is_begun = false;
    follower->is_anew = true;
}

/* ---- reporting ---- */

static void tell_step(struct mp_follower *follower, enum mp_step_kind kind, struct mp_step step)
{
    step.kind = kind;
    step.time = follower->time;
    follower->step(follower->user, &step);
}

/* Reports the stack without the innermost `less` known calls, which are not reported yet. */
static void tell_calls(struct mp_follower *follower, const struct mp_followed *context, uint32_t less,
                       bool is_exit)
{
    const struct mp_call_stack *stack = &context->stack;
    uint32_t low = stack->unknown ? stack->low : 0;

    tell_step(follower, MP_STEP_STACK,
              (struct mp_step){.context = context->id,
                               .low = low,
                               .unknown = stack->unknown,
                               .high = stack->n - low - less,
                               .is_exit = is_exit});
}

static void tell_stack(struct mp_follower *follower, const struct mp_followed *context)
{
    tell_calls(follower, context, 0, false);
}

static void tell_loss(struct mp_follower *follower, uint32_t lost, uint64_t from, uint32_t context,
                      bool is_gap)
{
    *(is_gap ? &follower->counters.lost_in_gaps : &follower->counters.lost_in_packets) += lost;
    tell_step(follower, MP_STEP_LOSS,
              (struct mp_step){.context = context, .from = from, .lost = lost, .is_gap = is_gap});
}

/* ---- contexts ---- */

static struct mp_followed *find_followed(struct mp_follower *follower, uint32_t id)
{
    for (uint32_t i = 0; i < follower->n; i++) {
        if (follower->contexts[i].id == id)
            return &follower->contexts[i];
    }
    if (follower->n == follower->room)
        return NULL;
    struct mp_followed *context = &follower->contexts[follower->n++];

    context->id = id;
    context->is_placed = false;
    return context;
}

static void set_depth(struct mp_follower *follower, struct mp_followed *context, uint32_t depth)
{
    if (!mp_call_stack_depth(&context->stack) && !depth)
        return;
    mp_call_stack_reset(&context->stack, depth);
    tell_stack(follower, context);
}

/* Ends all interrupts except `running`. */
static void end_interrupts(struct mp_follower *follower, const struct mp_followed *running)
{
    for (uint32_t i = 0; i < follower->n; i++) {
        if (MP_CONTEXT_IS_INTERRUPT(follower->contexts[i].id) && &follower->contexts[i] != running)
            set_depth(follower, &follower->contexts[i], 0);
    }
}

/* Forgets all stacks. */
static void forget_all(struct mp_follower *follower)
{
    for (uint32_t i = 0; i < follower->n; i++) {
        set_depth(follower, &follower->contexts[i], 0);
        follower->contexts[i].is_placed = false;
    }
}

/* `id` runs from here on. `depth`, as the target sent it, is used only if the stack is not known yet: a target
 * with a smaller array knows less after a longjmp. While a task runs, no interrupt does. `is_after_gap`:
 * events were lost until now, so it is unknown when the context began to run. The gap, which follows,
 * reports the switch. */
static void run_context(struct mp_follower *follower, uint32_t id, uint32_t depth, bool is_wait,
                        bool is_after_gap)
{
    if (!MP_CONTEXT_IS_INTERRUPT(id))
        end_interrupts(follower, NULL);
    struct mp_followed *context = find_followed(follower, id);

    if ((!context || context != follower->running) && !is_after_gap) {
        tell_step(follower, MP_STEP_SWITCH, (struct mp_step){.context = id, .is_wait = is_wait});
        follower->heard = follower->time;
    }
    follower->running = context;
    if (context && !context->is_placed) {
        set_depth(follower, context, depth);
        context->is_placed = true;
    } else if (context && mp_call_stack_depth(&context->stack) != depth) {
        follower->counters.other_depths++;
    }
}

/* ---- events ---- */

/* The lost events lie between the latest event and this one, even if a packet began in between. */
static void take_gap(struct mp_follower *follower, const struct mp_compact_event *event)
{
    struct mp_followed *running = follower->running;

    end_interrupts(follower, running);
    if (running) {
        mp_call_stack_gap(&running->stack, event->net, event->lowest, event->sum);
        tell_stack(follower, running);
    }
    tell_loss(follower, event->lost, follower->heard, event->context, true);
    tell_step(follower, MP_STEP_SWITCH, (struct mp_step){.context = event->context});
}

static void begin_call(struct mp_follower *follower, const struct mp_compact_event *event)
{
    struct mp_followed *running = follower->running;
    bool is_full = running->stack.n == running->stack.room;
    int32_t index = mp_call_stack_enter(&running->stack, event->function);

    if (is_full)
        tell_calls(follower, running, index >= 0, false);
    if (index >= 0)
        tell_step(follower, MP_STEP_ENTER,
                  (struct mp_step){.context = running->id,
                                   .function = event->function,
                                   .depth = mp_call_stack_depth_of(&running->stack, (uint32_t)index)});
}

static void end_call(struct mp_follower *follower, const struct mp_compact_event *event)
{
    struct mp_followed *running = follower->running;
    uint32_t before = mp_call_stack_depth(&running->stack);

    follower->counters.exits++;
    int32_t index = mp_call_stack_exit(&running->stack, event->function);

    if (index >= 0)
        tell_step(follower, MP_STEP_EXIT,
                  (struct mp_step){.context = running->id,
                                   .function = event->function,
                                   .depth = mp_call_stack_depth_of(&running->stack, (uint32_t)index)});
    else if (before)
        tell_calls(follower, running, 0, true);
}

static void name_call(struct mp_follower *follower, const struct mp_compact_event *event)
{
    struct mp_followed *running = follower->running;

    if (mp_call_stack_tell(&running->stack, event->depth, event->function) >= 0)
        tell_step(follower, MP_STEP_OPEN,
                  (struct mp_step){.context = running->id,
                                   .function = event->function,
                                   .depth = event->depth,
                                   .age = event->age});
}

static void tell_window(struct mp_follower *follower, const struct mp_compact_event *event)
{
    tell_step(follower, MP_STEP_WINDOW,
              (struct mp_step){.context = event->context,
                               .why = event->why,
                               .function = event->function,
                               .ticks = event->ticks,
                               .since = event->since,
                               .missed = event->missed});
}

/* Returns true when an event has its own time; others have that of the previous event, or of the packet. */
static bool is_timed(enum mp_compact_kind kind)
{
    return kind == MP_COMPACT_ENTER || kind == MP_COMPACT_EXIT || kind == MP_COMPACT_CONTEXT ||
           kind == MP_COMPACT_GAP;
}

/* Returns true when the next event with a time is a gap that ends at `time`. A gap that lost no
 * event but ends calls does not count: it only says that a new task has the number of this context. */
static bool gap_follows(const struct mp_compact_reader *reader, uint32_t time)
{
    struct mp_compact_reader ahead = *reader;
    struct mp_compact_event event;
    enum mp_compact_kind kind;

    do
        kind = mp_compact_next(&ahead, &event);
    while (kind > MP_COMPACT_END && !is_timed(kind));
    return kind == MP_COMPACT_GAP && event.time == time && (event.lost || !event.lowest);
}

/* `reader` is behind the event that shows the change, or at the beginning of the packet that does. Returns
 * true when the previous context is known to have run until now. */
static bool change_context(struct mp_follower *follower, const struct mp_compact_reader *reader,
                           uint32_t depth, bool is_wait)
{
    uint32_t id = reader->state.context;
    bool is_change = !follower->running || follower->running->id != id;
    bool is_after_gap = is_change && gap_follows(reader, (uint32_t)follower->time);

    run_context(follower, id, depth, is_wait, is_after_gap);
    return !is_after_gap;
}

static void take_event(struct mp_follower *follower, const struct mp_compact_reader *reader,
                       const struct mp_compact_event *event, enum mp_compact_kind kind)
{
    switch (kind) {
    case MP_COMPACT_CONTEXT:
        if (change_context(follower, reader, event->depth, event->is_blocked))
            follower->heard = follower->time;
        return;
    case MP_COMPACT_GAP: take_gap(follower, event); return;
    case MP_COMPACT_CLOCK:
        tell_step(follower, MP_STEP_CLOCK, (struct mp_step){.context = event->context, .hz = event->hz});
        return;
    case MP_COMPACT_NAME:
        tell_step(follower, MP_STEP_NAME,
                  (struct mp_step){.context = event->context,
                                   .is_idle = event->is_idle,
                                   .name_length = event->name_length,
                                   .name = event->name});
        return;
    case MP_COMPACT_WINDOW: tell_window(follower, event); return;
    case MP_COMPACT_WINDOW_END:
        tell_step(follower, MP_STEP_WINDOW_END, (struct mp_step){.context = event->context});
        return;
    default: break;
    }
    if (!follower->running)
        follower->counters.unplaced++;
    else if (kind == MP_COMPACT_ENTER)
        begin_call(follower, event);
    else if (kind == MP_COMPACT_EXIT)
        end_call(follower, event);
    else if (kind == MP_COMPACT_OPEN)
        name_call(follower, event);
}

/* ---- packets ---- */

/* Returns how many events lie between those read and the packet's first; the packet is late if this is more
 * than MP_COMPACT_EVENTS / 2. */
static uint32_t missing_before(const struct mp_follower *follower, const struct mp_compact_reader *reader)
{
    return (reader->number - follower->number) & MP_COMPACT_EVENTS;
}

static bool is_of_run(const struct mp_follower *follower, const struct mp_compact_reader *reader)
{
    return follower->is_begun && reader->run == follower->run && reader->is_window == follower->is_window;
}

/* Returns true when the packet follows what was read, and reports what is missing before it. After a new
 * start or a jump back, time becomes the next value whose low 32 bits are the target's. */
static bool follow_packet(struct mp_follower *follower, const struct mp_compact_reader *reader)
{
    bool is_new_run = !is_of_run(follower, reader);
    uint32_t missing = is_new_run ? reader->number : missing_before(follower, reader);
    uint64_t from = follower->time, around = follower->around > from ? follower->around : from;
    uint64_t time = mp_ticks_widen(around, reader->state.time, 32);
    bool is_jump = !is_new_run && (int64_t)(time - from) < 0; /* may lie before 0, so that `time` wraps */

    if (!is_new_run && missing > MP_COMPACT_EVENTS / 2) {
        follower->counters.late++;
        return false;
    }
    if (is_new_run || is_jump) {
        time = from + (uint32_t)(reader->state.time - (uint32_t)from);
        follower->around = 0;
    }
    follower->time = time;
    follower->counters.runs += is_new_run;
    if (is_new_run)
        tell_step(follower, MP_STEP_RUN, (struct mp_step){.context = reader->state.context});
    follower->counters.time_jumps += is_jump;
    if (is_new_run || missing || is_jump) {
        forget_all(follower);
        follower->running = NULL;
        follower->heard = follower->time;
    }
    /* First packet of all: earlier events were not requested. A new run, or missing events: a loss from the
     * latest event on, of 0 events if the run is seen from its start. First packet after a restart: its
     * earlier events are missing. */
    if ((missing || is_new_run) && follower->is_begun)
        tell_loss(follower, missing, from, reader->state.context, false);
    else if (missing && follower->is_anew)
        tell_loss(follower, missing, follower->time, reader->state.context, false);
    follower->is_anew = false;
    follower->run = reader->run;
    follower->is_window = reader->is_window;
    follower->is_begun = true;
    return true;
}

/* Reports the call at that index of a stack. */
static void retell_call(struct mp_follower *follower, const struct mp_followed *context, uint32_t index)
{
    tell_step(follower, MP_STEP_OPEN,
              (struct mp_step){.context = context->id,
                               .function = context->stack.function[index],
                               .depth = mp_call_stack_depth_of(&context->stack, index)});
}

void mp_follower_retell(struct mp_follower *follower)
{
    for (uint32_t i = 0; i < follower->n; i++) {
        const struct mp_followed *context = &follower->contexts[i];
        uint32_t depth = mp_call_stack_depth(&context->stack);

        if (!depth)
            continue;
        tell_step(follower, MP_STEP_STACK, (struct mp_step){.context = context->id, .unknown = depth});
        for (uint32_t index = 0; index < context->stack.n; index++)
            retell_call(follower, context, index);
    }
    if (follower->running)
        tell_step(follower, MP_STEP_SWITCH, (struct mp_step){.context = follower->running->id});
}

void mp_follower_packet(struct mp_follower *follower, const uint8_t *payload, size_t n)
{
    struct mp_compact_reader reader;
    struct mp_compact_event event;
    enum mp_compact_kind kind;

    follower->counters.packets++;
    if (!mp_compact_open_packet(&reader, payload, n)) {
        follower->counters.malformed++;
        return;
    }
    if (!follow_packet(follower, &reader))
        return;
    change_context(follower, &reader, reader.depth, false);
    while ((kind = mp_compact_next(&reader, &event)) > MP_COMPACT_END) {
        follower->time += event.time - (uint32_t)follower->time;
        take_event(follower, &reader, &event, kind);
        if (is_timed(kind) && kind != MP_COMPACT_CONTEXT)
            follower->heard = follower->time;
    }
    follower->number = reader.number;
    if (kind == MP_COMPACT_MALFORMED) {
        follower->counters.malformed++;
        forget_all(follower);
        follower->running = NULL;
    }
}

void mp_follower_pass(struct mp_follower *follower, uint64_t ticks)
{
    follower->around = follower->time + ticks;
}

/* Returns true when the packet begins with another depth than the events so far give. A target that has sent
 * another depth once has smaller stacks and may do so again, so its depths are not compared any more. */
static bool contradicts_depth(const struct mp_follower *follower, const struct mp_compact_reader *reader)
{
    for (uint32_t i = 0; i < follower->n && !follower->counters.other_depths; i++) {
        const struct mp_followed *context = &follower->contexts[i];

        if (context->id == reader->state.context)
            return context->is_placed && mp_call_stack_depth(&context->stack) != reader->depth;
    }
    /* A context that was not seen yet: while the run has no event, the packet may be a new run's. */
    return !follower->number && !follower->counters.other_depths;
}

bool mp_follower_continues(const struct mp_follower *follower, const uint8_t *payload, size_t n)
{
    struct mp_compact_reader reader;

    if (!mp_compact_open_packet(&reader, payload, n) || !is_of_run(follower, &reader))
        return false;
    uint32_t missing = missing_before(follower, &reader);

    return missing <= MP_COMPACT_EVENTS / 2 && (missing > 0 || !contradicts_depth(follower, &reader));
}
