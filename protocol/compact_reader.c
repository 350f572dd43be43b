/* compact_reader.c - reads the events of packets of the compact stream. */
#include "protocol/compact_reader.h"

static uint32_t get_varint(struct mp_bytes *bytes)
{
    uint32_t value = 0;

    for (unsigned shift = 0; shift < 35; shift += 7) {
        uint8_t byte = mp_bytes_u8(bytes);
        value |= (uint32_t)(byte & 0x7Fu) << shift;
        if (byte < 0x80)
            return value;
    }
    bytes->ran_short = true;
    return 0;
}

static uint32_t get_signed(struct mp_bytes *bytes)
{
    uint32_t value = get_varint(bytes);

    return value >> 1 ^ (value & 1 ? UINT32_MAX : 0);
}

static uint32_t get_function(struct mp_compact_reader *reader)
{
    reader->state.told += get_signed(&reader->bytes);
    return reader->state.told << reader->shift;
}

static void get_time(struct mp_compact_reader *reader)
{
    uint32_t passed = mp_bytes_u8(&reader->bytes);

    if (passed == MP_COMPACT_TIME_LATE)
        passed = get_varint(&reader->bytes);
    else if (passed >= MP_COMPACT_TIME_1)
        passed = MP_COMPACT_TIME_1 + ((passed - MP_COMPACT_TIME_1) << 8) + mp_bytes_u8(&reader->bytes);
    reader->state.time += passed;
}

static void get_time_predicted(struct mp_compact_reader *reader, uint8_t token)
{
    uint32_t passed = token;

    if (token == MP_TOKEN_PREDICTED_LATE)
        passed = get_varint(&reader->bytes);
    else if (token >= MP_TOKEN_PREDICTED_LONG)
        passed = MP_COMPACT_SHORT + ((uint32_t)(token - MP_TOKEN_PREDICTED_LONG) << 8) +
                 mp_bytes_u8(&reader->bytes);
    reader->state.time += passed;
}

bool mp_compact_open_packet(struct mp_compact_reader *reader, const uint8_t *payload, size_t n)
{
    struct mp_bytes bytes = mp_bytes_over(payload, n);
    uint8_t version = mp_bytes_u8(&bytes), form = mp_bytes_u8(&bytes);
    uint32_t number = mp_bytes_u32(&bytes), time = mp_bytes_u32(&bytes), context = get_varint(&bytes);

    reader->depth = get_varint(&bytes);
    reader->run = (uint8_t)(number >> 28);
    reader->number = number & MP_COMPACT_EVENTS;
    reader->shift = form >> 4 & 3;
    reader->is_window = form & MP_COMPACT_IN_WINDOW;
    reader->is_closing = form & MP_COMPACT_CLOSES;
    reader->bytes = bytes;
    mp_compact_state_begin(&reader->state, (uint8_t)(8u << (form & 3)), time, context);
    return !bytes.ran_short && version == MP_PROFILE_DATA_V2 && !(form & 0xC0) &&
           !(reader->is_window && reader->is_closing);
}

static enum mp_compact_kind read_enter(struct mp_compact_reader *reader, struct mp_compact_event *event,
                                       uint8_t slot)
{
    struct mp_compact_state *state = &reader->state;

    mp_compact_push(state, slot);
    state->last = (uint8_t)(2 * slot);
    event->function = state->function[slot];
    return MP_COMPACT_ENTER;
}

/* The innermost known call ends. */
static enum mp_compact_kind read_exit(struct mp_compact_reader *reader, struct mp_compact_event *event)
{
    struct mp_compact_state *state = &reader->state;

    if (state->known == state->base)
        return MP_COMPACT_MALFORMED;
    uint8_t slot = state->call[--state->known];

    state->last = (uint8_t)(2 * slot + 1);
    event->function = state->function[slot];
    return MP_COMPACT_EXIT;
}

static enum mp_compact_kind read_predicted(struct mp_compact_reader *reader, struct mp_compact_event *event,
                                           uint8_t token)
{
    uint8_t last = reader->state.last;

    if (last == MP_COMPACT_NONE)
        return MP_COMPACT_MALFORMED;
    get_time_predicted(reader, token);
    uint8_t slot = reader->state.next[last];

    return slot == MP_COMPACT_EXITS ? read_exit(reader, event) : read_enter(reader, event, slot);
}

static enum mp_compact_kind enter_told(struct mp_compact_reader *reader, struct mp_compact_event *event,
                                       uint8_t token)
{
    struct mp_compact_state *state = &reader->state;
    uint8_t last = state->last, slot = token - MP_TOKEN_ENTER;

    if (token == MP_TOKEN_ENTER_NEW)
        slot = mp_compact_add(state, get_function(reader));
    if (slot >= state->used)
        return MP_COMPACT_MALFORMED;
    if (last != MP_COMPACT_NONE)
        state->next[last] = slot;
    get_time(reader);
    return read_enter(reader, event, slot);
}

static enum mp_compact_kind exit_told(struct mp_compact_reader *reader, struct mp_compact_event *event,
                                      uint8_t token)
{
    struct mp_compact_state *state = &reader->state;
    uint8_t slot = 0;

    if (state->last != MP_COMPACT_NONE)
        state->next[state->last] = MP_COMPACT_EXITS;
    if (token == MP_TOKEN_EXIT) {
        get_time(reader);
        return read_exit(reader, event);
    }
    if (token == MP_TOKEN_EXIT_OTHER) {
        slot = mp_bytes_u8(&reader->bytes);
        if (slot >= state->used)
            return MP_COMPACT_MALFORMED;
        event->function = state->function[slot];
        mp_compact_unwind(state, event->function);
    } else {
        event->function = get_function(reader);
        mp_compact_unwind(state, event->function);
        slot = mp_compact_add(state, event->function);
    }
    get_time(reader);
    state->last = (uint8_t)(2 * slot + 1);
    return MP_COMPACT_EXIT;
}

static enum mp_compact_kind read_gap(struct mp_compact_reader *reader, struct mp_compact_event *event)
{
    struct mp_compact_state *state = &reader->state;

    event->lost = get_varint(&reader->bytes);
    event->net = (int32_t)get_signed(&reader->bytes);
    event->lowest = (int32_t)(0u - get_varint(&reader->bytes));
    event->sum = mp_bytes_u32(&reader->bytes);
    get_time(reader);
    state->known = state->base = state->levels = 0;
    state->last = MP_COMPACT_NONE;
    return event->lowest > 0 || event->net < event->lowest ? MP_COMPACT_MALFORMED : MP_COMPACT_GAP;
}

static enum mp_compact_kind read_name(struct mp_compact_reader *reader, struct mp_compact_event *event)
{
    uint32_t context = get_varint(&reader->bytes);
    uint8_t flags = mp_bytes_u8(&reader->bytes), n = mp_bytes_u8(&reader->bytes);
    const uint8_t *bytes = mp_bytes_take(&reader->bytes, n);

    if (!bytes || n > MP_COMPACT_NAME_MAX)
        return MP_COMPACT_MALFORMED;
    event->context = context;
    event->is_idle = flags & MP_NAME_IDLE;
    event->name = bytes;
    event->name_length = n;
    return MP_COMPACT_NAME;
}

static enum mp_compact_kind read_window(struct mp_compact_reader *reader, struct mp_compact_event *event)
{
    if (!reader->is_window)
        return MP_COMPACT_MALFORMED;
    event->why = mp_bytes_u8(&reader->bytes);
    event->function = get_function(reader);
    event->ticks = get_varint(&reader->bytes);
    event->since = get_varint(&reader->bytes);
    event->missed = get_varint(&reader->bytes);
    return MP_COMPACT_WINDOW;
}

static enum mp_compact_kind read_other(struct mp_compact_reader *reader, struct mp_compact_event *event,
                                       uint8_t token)
{
    uint32_t context;

    switch (token) {
    case MP_TOKEN_CONTEXT:
    case MP_TOKEN_CONTEXT_BLOCKED:
        context = get_varint(&reader->bytes);
        event->depth = get_varint(&reader->bytes);
        get_time(reader);
        mp_compact_switch(&reader->state, context);
        event->is_blocked = token == MP_TOKEN_CONTEXT_BLOCKED;
        return MP_COMPACT_CONTEXT;
    case MP_TOKEN_GAP: return read_gap(reader, event);
    case MP_TOKEN_CLOCK: event->hz = get_varint(&reader->bytes); return MP_COMPACT_CLOCK;
    case MP_TOKEN_OPEN:
        event->depth = get_varint(&reader->bytes);
        event->function = get_function(reader);
        event->age = get_varint(&reader->bytes);
        return MP_COMPACT_OPEN;
    case MP_TOKEN_NAME: return read_name(reader, event);
    case MP_TOKEN_WINDOW: return read_window(reader, event);
    case MP_TOKEN_WINDOW_END: return reader->is_window ? MP_COMPACT_WINDOW_END : MP_COMPACT_MALFORMED;
    default: return MP_COMPACT_MALFORMED;
    }
}

enum mp_compact_kind mp_compact_next(struct mp_compact_reader *reader, struct mp_compact_event *event)
{
    enum mp_compact_kind kind;

    *event = (struct mp_compact_event){.time = reader->state.time, .context = reader->state.context};
    if (!reader->bytes.left || *reader->bytes.at == MP_TOKEN_PADDING)
        return MP_COMPACT_END;
    uint8_t token = mp_bytes_u8(&reader->bytes);

    if (token < MP_TOKEN_ENTER)
        kind = read_predicted(reader, event, token);
    else if (token <= MP_TOKEN_ENTER_NEW)
        kind = enter_told(reader, event, token);
    else if (token <= MP_TOKEN_EXIT_NEW)
        kind = exit_told(reader, event, token);
    else
        kind = read_other(reader, event, token);
    if (reader->bytes.ran_short)
        kind = MP_COMPACT_MALFORMED;
    if (kind == MP_COMPACT_MALFORMED)
        reader->bytes.left = 0;
    event->time = reader->state.time;
    if (kind != MP_COMPACT_NAME)
        event->context = reader->state.context;
    if (kind == MP_COMPACT_ENTER || kind == MP_COMPACT_EXIT)
        reader->number++;
    else if (kind == MP_COMPACT_GAP)
        reader->number += event->lost ? event->lost : event->net || event->lowest || event->sum;
    reader->number &= MP_COMPACT_EVENTS;
    return kind;
}
