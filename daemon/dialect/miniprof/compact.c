/* compact.c - turns version 2 of PROFILE_DATA, the compact stream, into events.
 *
 * protocol/stack_follower.h decides what is known about the stacks, and what is in doubt after a loss. This
 * file turns its steps into events (event.h). */
#include "dialect/miniprof/compact.h"

#include "dialect/batch.h"
#include "dialect/miniprof/context.h"

static void add_event(struct compact *compact, struct event event, const struct mp_step *step)
{
    if (compact->is_over)
        return;
    if (compact->tree && event.kind != EVENT_WINDOW)
        event.flags |= EVENT_KEPT;
    event.context = step->context;
    event.ticks = compact->moved + step->time;
    if (event.ticks > compact->newest)
        compact->newest = event.ticks;
    batch_add(compact->batch, &event);
}

/* Reports new contexts. Their numbers are their names until the target sends others. The only thread of a
 * program without tasks needs no name. */
static void tell_contexts(struct compact *compact, const struct mp_step *step)
{
    while (compact->contexts_told < compact->follower.n) {
        uint32_t id = compact->followed[compact->contexts_told++].id;
        char name[CONTEXT_NAME];
        if (compact->tree && tree_has_told(compact->tree, id))
            continue;
        add_event(compact, context_numbered(id, false, name),
                  &(struct mp_step){.context = id, .time = step->time});
        batch_flush(compact->batch); /* while `name` lives */
    }
}

static void tell_run(struct compact *compact, const struct mp_step *step)
{
    if (!compact->tree) /* windows are not runs of profiling */
        add_event(compact, (struct event){.kind = EVENT_RUN}, step);
}

static void tell_switch(struct compact *compact, const struct mp_step *step)
{
    tell_contexts(compact, step);
    add_event(
        compact,
        (struct event){.kind = EVENT_SWITCH,
                       .flags = (uint8_t)((MP_CONTEXT_IS_INTERRUPT(step->context) ? EVENT_INTERRUPT : 0) |
                                          (step->is_wait ? EVENT_WAITS : 0))},
        step);
}

/* An empty name means none, so the numbered one stays. */
static void tell_name(struct compact *compact, const struct mp_step *step)
{
    char number[CONTEXT_NAME];
    struct event event = context_numbered(step->context, step->is_idle, number);
    event.flags = 0;
    event.context_is.name = step->name_length > 0 ? (const char *)step->name : NULL;
    event.context_is.n = step->name_length;
    add_event(compact, event, step);
}

/* A lost call has one or two lost events. */
static void tell_loss(struct compact *compact, const struct mp_step *step)
{
    struct event event = {.kind = EVENT_LOST,
                          .lost = {.records = (step->lost + UINT64_C(1)) / 2,
                                   .to_ticks = compact->moved + step->time,
                                   .stacks_told = true}};
    struct mp_step from = *step;
    from.time = step->from;
    add_event(compact, event, &from);
}

/* With another clock the profile begins again, while calls are running. */
static void tell_clock(struct compact *compact, const struct mp_step *step)
{
    if (step->hz == compact->hz || compact->tree) /* the tree has reported it */
        return;
    bool is_other = compact->told_hz && compact->told_hz != step->hz;
    compact->hz = compact->told_hz = step->hz;
    batch_flush(compact->batch);
    add_event(
        compact,
        (struct event){.kind = EVENT_CLOCK, .clock = {.ticks_per_second = step->hz, .other_unit = is_other}},
        step);
    if (is_other)
        mp_follower_retell(&compact->follower);
}

/* Reports why a window was kept, which comes before its events. Ignored in a stream. */
static void tell_window(struct compact *compact, const struct mp_step *step)
{
    struct event event = {.kind = EVENT_WINDOW,
                          .window = {.stage = WINDOW_TELLS,
                                     .reason = step->why == MP_WINDOW_ASKED       ? WINDOW_ASKED
                                               : step->why == MP_WINDOW_SLOW_CALL ? WINDOW_SLOW
                                                                                  : WINDOW_UNTOLD,
                                     .address = step->function,
                                     .duration = step->ticks,
                                     .missed = step->missed}};
    struct mp_step trigger = *step;
    trigger.time += step->since;
    uint64_t newest = compact->newest;
    if (compact->tree)
        add_event(compact, event, &trigger);
    compact->newest = newest; /* the trigger may be later than the events so far */
}

static void tell_window_end(struct compact *compact, const struct mp_step *step)
{
    if (!compact->tree)
        return;
    add_event(compact,
              (struct event){.kind = EVENT_WINDOW,
                             .window = {.stage = WINDOW_ENDS, .is_whole = compact->has_begin}},
              step);
    compact->is_over = true;
}

/* Starts a new time line where the last one ended. */
static void begin_time(struct compact *compact, uint64_t time)
{
    if (compact->newest > 0)
        compact->moved = compact->newest - time;
    compact->is_based = true;
}

static void take_step(void *user, const struct mp_step *step)
{
    struct compact *compact = user;
    if (!compact->is_based)
        begin_time(compact, step->time);
    switch (step->kind) {
    case MP_STEP_RUN: tell_run(compact, step); break;
    case MP_STEP_SWITCH: tell_switch(compact, step); break;
    case MP_STEP_ENTER:
        add_event(compact, (struct event){.kind = EVENT_ENTER, .call.address = step->function}, step);
        break;
    case MP_STEP_EXIT:
        add_event(
            compact,
            (struct event){.kind = EVENT_EXIT, .flags = EVENT_ENDS_INNER, .call.address = step->function},
            step);
        break;
    case MP_STEP_OPEN:
        add_event(compact,
                  (struct event){
                      .kind = EVENT_OPEN, .depth = (uint16_t)step->depth, .call.address = step->function},
                  step);
        break;
    case MP_STEP_STACK:
        add_event(compact,
                  (struct event){.kind = EVENT_STACK,
                                 .flags = step->is_exit ? EVENT_ENDS_NOW : 0,
                                 .stack = {step->low, step->unknown, step->high}},
                  step);
        break;
    case MP_STEP_LOSS: tell_loss(compact, step); break;
    case MP_STEP_CLOCK: tell_clock(compact, step); break;
    case MP_STEP_NAME: tell_name(compact, step); break;
    case MP_STEP_WINDOW: tell_window(compact, step); break;
    case MP_STEP_WINDOW_END: tell_window_end(compact, step); break;
    }
}

/* Sets up the state, which is initially all zero. */
static void open_compact(struct compact *compact, struct batch *batch, const struct event_out *out)
{
    batch_open(batch, out);
    compact->batch = batch;
    compact->follower.user = compact;
    if (compact->follower.step)
        return;
    compact->follower.step = take_step;
    for (size_t i = 0; i < COMPACT_CONTEXTS; i++)
        compact->followed[i].stack =
            (struct mp_call_stack){.function = compact->functions[i], .room = COMPACT_DEPTH};
    mp_follower_init(&compact->follower, compact->followed, COMPACT_CONTEXTS);
}

void compact_decode(struct compact *compact, const uint8_t *payload, size_t n, uint64_t after,
                    struct dialect_health *health, const struct event_out *out)
{
    struct batch batch;
    open_compact(compact, &batch, out);
    if (!compact->is_based && after > compact->newest)
        compact->newest = after;
    struct mp_follow_counters before = compact->follower.counters;
    mp_follower_packet(&compact->follower, payload, n);
    batch_flush(&batch);
    const struct mp_follow_counters *now = &compact->follower.counters;
    health->records += now->exits - before.exits;
    health->malformed += now->malformed - before.malformed + (now->unplaced > before.unplaced);
    health->duplicates += now->late - before.late;
}

bool compact_is_closing(const uint8_t *payload, size_t n)
{
    struct mp_compact_reader reader;
    return mp_compact_open_packet(&reader, payload, n) && reader.is_closing;
}

enum dialect_run compact_run_of(const struct compact *compact, const uint8_t *payload, size_t n)
{
    if (!compact->is_based)
        return DIALECT_RUN_UNKNOWN;
    return mp_follower_continues(&compact->follower, payload, n) ? DIALECT_RUN_SAME : DIALECT_RUN_OTHER;
}

void compact_pass(struct compact *compact, uint64_t ticks)
{
    mp_follower_pass(&compact->follower, ticks);
}

void compact_reset(struct compact *compact)
{
    mp_follower_restart(&compact->follower);
    compact->is_based = false;
    compact->hz = 0;
}

void compact_retell(struct compact *compact, const struct event_out *out)
{
    struct batch batch;
    if (!compact->is_based)
        return;
    open_compact(compact, &batch, out);
    mp_follower_retell(&compact->follower);
    batch_flush(&batch);
}
