/* compact_writer.c - writes packets of the compact stream. */
#include "protocol/compact_writer.h"

#include "protocol/bytes.h"
#include "protocol/packet.h"

static inline void put_token_byte(struct mp_compact_writer *writer, uint32_t byte)
{
    writer->out[writer->at++] = (uint8_t)byte;
}

static void put_varint(struct mp_compact_writer *writer, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        put_token_byte(writer, value | 0x80);
    put_token_byte(writer, value);
}

static void put_signed(struct mp_compact_writer *writer, uint32_t value)
{
    put_varint(writer, value << 1 ^ (value & 0x80000000u ? UINT32_MAX : 0));
}

static void put_function(struct mp_compact_writer *writer, uint32_t function)
{
    uint32_t at = function >> writer->shift;

    put_signed(writer, at - writer->state.told);
    writer->state.told = at;
}

/* Returns the ticks since the last time in the packet: between two events there are fewer than 2^32 ticks. */
static inline uint32_t ticks_passed(struct mp_compact_writer *writer, uint32_t time)
{
    uint32_t passed = time - writer->state.time;

    writer->state.time = time;
    return passed;
}

static void put_time(struct mp_compact_writer *writer, uint32_t time)
{
    uint32_t passed = ticks_passed(writer, time);

    if (passed < MP_COMPACT_TIME_1) {
        put_token_byte(writer, passed);
    } else if (passed < MP_COMPACT_TIME_2) {
        passed -= MP_COMPACT_TIME_1;
        put_token_byte(writer, MP_COMPACT_TIME_1 + (passed >> 8));
        put_token_byte(writer, passed);
    } else {
        put_token_byte(writer, MP_COMPACT_TIME_LATE);
        put_varint(writer, passed);
    }
}

static inline void put_predicted(struct mp_compact_writer *writer, uint32_t time)
{
    uint32_t passed = ticks_passed(writer, time);

    if (passed < MP_COMPACT_SHORT) {
        put_token_byte(writer, passed);
    } else if (passed < MP_COMPACT_LONG) {
        passed -= MP_COMPACT_SHORT;
        put_token_byte(writer, MP_TOKEN_PREDICTED_LONG + (passed >> 8));
        put_token_byte(writer, passed);
    } else {
        put_token_byte(writer, MP_TOKEN_PREDICTED_LATE);
        put_varint(writer, passed);
    }
}

/* Returns true when the token that began at `before` fits; otherwise removes it. */
static inline bool token_fits(struct mp_compact_writer *writer, uint16_t before)
{
    if (writer->at <= writer->room)
        return true;
    writer->at = before;
    return false;
}

void mp_compact_begin(struct mp_compact_writer *writer, uint8_t *out, uint16_t room, uint8_t slots,
                      uint8_t shift, const struct mp_compact_head *head)
{
    uint8_t form = 0;

    while (slots >> form > 8)
        form++;
    writer->out = out;
    writer->room = room;
    writer->shift = shift;
    out[0] = MP_PROFILE_DATA_V2;
    out[1] = (uint8_t)(form | (head->is_window ? MP_COMPACT_IN_WINDOW : 0) | shift << 4);
    mp_store_u32(out + 2, (uint32_t)head->run << 28 | (head->number & MP_COMPACT_EVENTS));
    mp_store_u32(out + 6, head->time);
    writer->at = 10;
    put_varint(writer, head->context);
    put_varint(writer, head->depth);
    mp_compact_state_begin(&writer->state, slots, head->time, head->context);
}

/* Does the same as mp_compact_find(), usually without a search. */
static uint32_t slot_of(struct mp_compact_writer *writer, uint32_t function)
{
    struct mp_compact_state *state = &writer->state;
    uint8_t *hint = &writer->hint[(function * 0x9E3779B1u >> 26)];

    if (*hint >= state->used || state->function[*hint] != function)
        *hint = (uint8_t)mp_compact_find(state, function);
    return *hint;
}

static void enter_unpredicted(struct mp_compact_writer *writer, uint32_t function, uint32_t time)
{
    struct mp_compact_state *state = &writer->state;
    uint32_t slot = slot_of(writer, function);
    uint8_t last = state->last;

    if (slot < MP_COMPACT_SLOTS) {
        put_token_byte(writer, MP_TOKEN_ENTER + slot);
    } else {
        slot = mp_compact_add(state, function);
        put_token_byte(writer, MP_TOKEN_ENTER_NEW);
        put_function(writer, function);
    }
    if (last != MP_COMPACT_NONE)
        state->next[last] = (uint8_t)slot;
    put_time(writer, time);
    mp_compact_push(state, (uint8_t)slot);
    state->last = (uint8_t)(2 * slot);
}

bool mp_compact_enter_other(struct mp_compact_writer *writer, uint32_t function, uint32_t time)
{
    struct mp_compact_state *state = &writer->state;
    uint16_t before = writer->at;

    if (state->last != MP_COMPACT_NONE) {
        uint8_t slot = state->next[state->last];

        if (slot != MP_COMPACT_EXITS && state->function[slot] == function) {
            put_predicted(writer, time);
            mp_compact_push(state, slot);
            state->last = (uint8_t)(2 * slot);
            return token_fits(writer, before);
        }
    }
    enter_unpredicted(writer, function, time);
    return token_fits(writer, before);
}

static void exit_unknown(struct mp_compact_writer *writer, uint32_t function, uint32_t time)
{
    struct mp_compact_state *state = &writer->state;
    uint32_t slot = slot_of(writer, function);

    mp_compact_unwind(state, function);
    if (state->last != MP_COMPACT_NONE)
        state->next[state->last] = MP_COMPACT_EXITS;
    if (slot < MP_COMPACT_SLOTS) {
        put_token_byte(writer, MP_TOKEN_EXIT_OTHER);
        put_token_byte(writer, slot);
    } else {
        slot = mp_compact_add(state, function);
        put_token_byte(writer, MP_TOKEN_EXIT_NEW);
        put_function(writer, function);
    }
    put_time(writer, time);
    state->last = (uint8_t)(2 * slot + 1);
}

bool mp_compact_exit_other(struct mp_compact_writer *writer, uint32_t function, uint32_t time)
{
    struct mp_compact_state *state = &writer->state;
    uint16_t before = writer->at;
    uint8_t slot;

    if (state->known == state->base || state->function[slot = state->call[state->known - 1]] != function) {
        exit_unknown(writer, function, time);
        return token_fits(writer, before);
    }
    /* A call in this packet precedes it, so `last` is one of its events. */
    if (state->last != MP_COMPACT_NONE && state->next[state->last] == MP_COMPACT_EXITS) {
        put_predicted(writer, time);
    } else {
        if (state->last != MP_COMPACT_NONE)
            state->next[state->last] = MP_COMPACT_EXITS;
        put_token_byte(writer, MP_TOKEN_EXIT);
        put_time(writer, time);
    }
    state->known--;
    state->last = (uint8_t)(2 * slot + 1);
    return token_fits(writer, before);
}

/* Inline, so that a target without tasks links only one of the two. */
static inline __attribute__((always_inline)) bool put_context(struct mp_compact_writer *writer,
                                                              enum mp_compact_token token, uint32_t context,
                                                              uint32_t depth, uint32_t time)
{
    uint16_t before = writer->at;

    put_token_byte(writer, token);
    put_varint(writer, context);
    put_varint(writer, depth);
    put_time(writer, time);
    mp_compact_switch(&writer->state, context);
    return token_fits(writer, before);
}

bool mp_compact_context(struct mp_compact_writer *writer, uint32_t context, uint32_t depth, uint32_t time)
{
    return put_context(writer, MP_TOKEN_CONTEXT, context, depth, time);
}

bool mp_compact_context_blocked(struct mp_compact_writer *writer, uint32_t context, uint32_t depth,
                                uint32_t time)
{
    return put_context(writer, MP_TOKEN_CONTEXT_BLOCKED, context, depth, time);
}

bool mp_compact_gap(struct mp_compact_writer *writer, uint32_t lost, int32_t net, int32_t lowest,
                    uint32_t sum, uint32_t time)
{
    struct mp_compact_state *state = &writer->state;
    uint16_t before = writer->at;

    put_token_byte(writer, MP_TOKEN_GAP);
    put_varint(writer, lost);
    put_signed(writer, (uint32_t)net);
    put_varint(writer, (uint32_t)-lowest);
    mp_store_u32(writer->out + writer->at, sum);
    writer->at += 4;
    put_time(writer, time);
    state->known = state->base = state->levels = 0;
    state->last = MP_COMPACT_NONE;
    return token_fits(writer, before);
}

bool mp_compact_clock(struct mp_compact_writer *writer, uint32_t hz)
{
    uint16_t before = writer->at;

    put_token_byte(writer, MP_TOKEN_CLOCK);
    put_varint(writer, hz);
    return token_fits(writer, before);
}

bool mp_compact_open(struct mp_compact_writer *writer, uint32_t depth, uint32_t function, uint32_t age)
{
    uint16_t before = writer->at;
    uint32_t told = writer->state.told;

    put_token_byte(writer, MP_TOKEN_OPEN);
    put_varint(writer, depth);
    put_function(writer, function);
    put_varint(writer, age);
    if (token_fits(writer, before))
        return true;
    writer->state.told = told;
    return false;
}

bool mp_compact_name(struct mp_compact_writer *writer, uint32_t context, bool is_idle, const char *name,
                     size_t n)
{
    if (n > MP_COMPACT_NAME_MAX)
        n = mp_bytes_of_text(name, MP_COMPACT_NAME_MAX);
    /* Token, context, flags and length take at most 8 bytes. */
    if (writer->at + 8u + n > writer->room)
        return false;
    put_token_byte(writer, MP_TOKEN_NAME);
    put_varint(writer, context);
    put_token_byte(writer, is_idle ? MP_NAME_IDLE : 0);
    put_token_byte(writer, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        put_token_byte(writer, (uint8_t)name[i]);
    return true;
}

bool mp_compact_window(struct mp_compact_writer *writer, uint8_t why, uint32_t function, uint32_t ticks,
                       uint32_t since, uint32_t missed)
{
    uint16_t before = writer->at;
    uint32_t told = writer->state.told;

    put_token_byte(writer, MP_TOKEN_WINDOW);
    put_token_byte(writer, why);
    put_function(writer, function);
    put_varint(writer, ticks);
    put_varint(writer, since);
    put_varint(writer, missed);
    if (token_fits(writer, before))
        return true;
    writer->state.told = told;
    return false;
}

bool mp_compact_window_end(struct mp_compact_writer *writer)
{
    uint16_t before = writer->at;

    put_token_byte(writer, MP_TOKEN_WINDOW_END);
    return token_fits(writer, before);
}

uint16_t mp_compact_end(struct mp_compact_writer *writer, bool is_announced)
{
    while (is_announced && writer->at < writer->room)
        put_token_byte(writer, MP_TOKEN_PADDING);
    return writer->at;
}
