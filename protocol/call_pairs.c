/* call_pairs.c - from packets of the compact stream to finished calls. */
#include "protocol/call_pairs.h"

void mp_pairs_init(struct mp_pairs *pairs, struct mp_pairs_context *contexts, uint32_t room)
{
    pairs->contexts = contexts;
    pairs->room = room;
    pairs->n = 0;
    pairs->running = NULL;
    pairs->counters = (struct mp_pairs_counters){0};
    pairs->time = 0;
    pairs->hz = 0;
    pairs->is_begun = false;
}

void mp_pairs_restart(struct mp_pairs *pairs)
{
    pairs->is_begun = false;
}

static struct mp_pairs_context *find(struct mp_pairs *pairs, uint32_t id)
{
    for (uint32_t i = 0; i < pairs->n; i++) {
        if (pairs->contexts[i].id == id)
            return &pairs->contexts[i];
    }
    if (pairs->n == pairs->room)
        return NULL;
    struct mp_pairs_context *context = &pairs->contexts[pairs->n++];

    context->id = id;
    context->is_placed = false;
    return context;
}

/* Nothing is known of any stack. */
static void forget_all(struct mp_pairs *pairs)
{
    for (uint32_t i = 0; i < pairs->n; i++) {
        mp_call_stack_forget(&pairs->contexts[i].stack);
        pairs->contexts[i].since = pairs->time;
        pairs->contexts[i].is_placed = false;
    }
}

/* From here on `id` runs. How deep its stack is the target says, and is believed where nothing is known: a
 * target whose stack is smaller than ours knows less after a longjmp. While a task runs, no interrupt does.
 */
static void run(struct mp_pairs *pairs, uint32_t id, uint32_t depth)
{
    for (uint32_t i = 0; i < pairs->n && !MP_CONTEXT_IS_INTERRUPT(id); i++) {
        if (MP_CONTEXT_IS_INTERRUPT(pairs->contexts[i].id))
            mp_call_stack_reset(&pairs->contexts[i].stack, 0);
    }
    struct mp_pairs_context *context = find(pairs, id);

    pairs->running = context;
    if (context && !context->is_placed) {
        mp_call_stack_reset(&context->stack, depth);
        context->since = pairs->time;
        context->is_placed = true;
    } else if (context && mp_call_stack_depth(&context->stack) != depth) {
        pairs->counters.other_depths++;
    }
}

static void tell_loss(struct mp_pairs *pairs, uint32_t lost, uint64_t from, uint32_t context, bool is_gap)
{
    struct mp_loss loss = {from, pairs->time, lost, context, is_gap};

    *(is_gap ? &pairs->counters.lost_in_gaps : &pairs->counters.lost_in_packets) += lost;
    if (pairs->loss)
        pairs->loss(pairs->user, &loss);
}

static void take_gap(struct mp_pairs *pairs, const struct mp_compact_event *event, uint64_t from)
{
    struct mp_pairs_context *running = pairs->running;

    for (uint32_t i = 0; i < pairs->n; i++) {
        if (MP_CONTEXT_IS_INTERRUPT(pairs->contexts[i].id) && &pairs->contexts[i] != running)
            mp_call_stack_reset(&pairs->contexts[i].stack, 0);
    }
    if (running) {
        mp_call_stack_gap(&running->stack, event->net, event->lowest, event->sum);
        running->since = pairs->time;
    }
    tell_loss(pairs, event->lost, from, event->context, true);
}

static void end_call(struct mp_pairs *pairs, uint32_t function)
{
    struct mp_pairs_context *running = pairs->running;
    int32_t index = mp_call_stack_exit(&running->stack, function);

    if (index < 0)
        return;
    struct mp_pair pair = {
        .context = running->id,
        .function = function,
        .start = running->start[index],
        .end = pairs->time,
        .depth = mp_call_stack_depth_of(&running->stack, (uint32_t)index),
        .is_whole = running->start[index] >= running->since,
    };
    pairs->call(pairs->user, &pair);
}

static void take(struct mp_pairs *pairs, const struct mp_compact_event *event, enum mp_compact_kind kind,
                 uint64_t before)
{
    struct mp_pairs_context *running = pairs->running;
    int32_t index = MP_NO_CALL;

    if (kind == MP_COMPACT_CONTEXT)
        run(pairs, event->context, event->depth);
    else if (kind == MP_COMPACT_GAP)
        take_gap(pairs, event, before);
    else if (kind == MP_COMPACT_CLOCK)
        pairs->hz = event->hz;
    else if (!running)
        pairs->counters.unplaced++;
    else if (kind == MP_COMPACT_EXIT)
        end_call(pairs, event->function);
    else if (kind == MP_COMPACT_ENTER)
        index = mp_call_stack_enter(&running->stack, event->function);
    else if (kind == MP_COMPACT_OPEN)
        index = mp_call_stack_tell(&running->stack, event->depth, event->function);
    if (index >= 0)
        running->start[index] = pairs->time > event->age ? pairs->time - event->age : 0;
}

/* Whether the packet follows what was read; what is missing before it is told. After a new start time may be
 * anything: it goes on where it stood, with the target's low bits. */
static bool follow(struct mp_pairs *pairs, const struct mp_compact_reader *reader)
{
    bool is_new_run = !pairs->is_begun || reader->run != pairs->run;
    uint32_t expected = is_new_run ? 0 : pairs->number;
    uint32_t missing = (reader->number - expected) & MP_COMPACT_EVENTS;
    uint32_t passed = reader->state.time - (uint32_t)pairs->time;
    bool is_jump = !is_new_run && passed >= 1u << 31;
    uint64_t from = pairs->time;

    if (!is_new_run && missing > MP_COMPACT_EVENTS / 2) {
        pairs->counters.late++;
        return false;
    }
    pairs->time += passed;
    pairs->counters.runs += is_new_run;
    pairs->counters.time_jumps += is_jump;
    if (is_new_run || missing || is_jump)
        forget_all(pairs);
    /* Of a run that was joined in the middle, nobody had asked for what came before. */
    if (missing && pairs->is_begun)
        tell_loss(pairs, missing, from, reader->state.context, false);
    pairs->run = reader->run;
    pairs->is_begun = true;
    return true;
}

void mp_pairs_packet(struct mp_pairs *pairs, const uint8_t *payload, size_t n)
{
    struct mp_compact_reader reader;
    struct mp_compact_event event;
    enum mp_compact_kind kind;

    pairs->counters.packets++;
    if (!mp_compact_open_packet(&reader, payload, n)) {
        pairs->counters.malformed++;
        return;
    }
    if (!follow(pairs, &reader))
        return;
    run(pairs, reader.state.context, reader.depth);
    while ((kind = mp_compact_next(&reader, &event)) > MP_COMPACT_END) {
        uint64_t before = pairs->time;

        pairs->time += event.time - (uint32_t)pairs->time;
        take(pairs, &event, kind, before);
    }
    pairs->number = reader.number;
    if (kind == MP_COMPACT_MALFORMED) {
        pairs->counters.malformed++;
        forget_all(pairs);
    }
}
