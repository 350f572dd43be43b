/* compact_writer.h - writes packets of the compact stream, on a target (SPEC.md section 10).
 *
 *     mp_compact_begin(&writer, payload, room, &head);
 *     while (there is an event && mp_compact_enter(&writer, ...))
 *         ...
 *     size = mp_compact_end(&writer);
 *
 * An event that does not fit leaves the packet's bytes unchanged and ends it; write the event to the next
 * packet. The packet may be sealed with its actual length. Without memory for a packet, announce its room as
 * the length, send it while it is written, and pad it. */
#ifndef PROTOCOL_COMPACT_WRITER_H
#define PROTOCOL_COMPACT_WRITER_H

#include "protocol/compact.h"

struct mp_compact_head {
    uint8_t run;     /* number of the start of profiling, modulo 16 */
    uint32_t number; /* of the first event in this packet, counted since that start, lost events included */
    uint32_t time;   /* ticks; base of the first event's time */
    uint32_t context;
    uint32_t depth; /* of its stack */
    bool is_window; /* the packet belongs to the window numbered `run` */
};

struct mp_compact_writer {
    uint8_t *out;
    uint16_t at;
    uint16_t room;
    uint8_t shift;    /* of addresses */
    uint8_t hint[64]; /* the last slot of a function, by some of its bits; may be wrong */
    struct mp_compact_state state;
};

/* `out` has room + MP_COMPACT_TOKEN_MAX bytes; room is at least MP_COMPACT_HEAD_MAX. `slots` is 8, 16, 32 or
 * 64; code is aligned to 1 << shift bytes, shift 0 to 3. */
void mp_compact_begin(struct mp_compact_writer *writer, uint8_t *out, uint16_t room, uint8_t slots,
                      uint8_t shift, const struct mp_compact_head *head);

/* The unusual cases of mp_compact_enter() and mp_compact_exit(). */
bool mp_compact_enter_other(struct mp_compact_writer *writer, uint32_t function, uint32_t time);
bool mp_compact_exit_other(struct mp_compact_writer *writer, uint32_t function, uint32_t time);

/* Writes a predicted event soon after the previous one: one byte. Inline, since most events of a target are
 * of this kind. */
static inline bool mp_compact_write_soon(struct mp_compact_writer *writer, uint32_t time)
{
    uint32_t passed = time - writer->state.time;

    if (passed >= MP_COMPACT_SHORT || writer->at >= writer->room)
        return false;
    writer->out[writer->at++] = (uint8_t)passed;
    writer->state.time = time;
    return true;
}

/* All of these return false when the event does not fit. Times never decrease. */
static inline bool mp_compact_enter(struct mp_compact_writer *writer, uint32_t function, uint32_t time)
{
    struct mp_compact_state *state = &writer->state;

    if (state->last != MP_COMPACT_NONE) {
        uint32_t slot = state->next[state->last];

        if (slot != MP_COMPACT_EXITS && state->function[slot] == function &&
            state->known < MP_COMPACT_CALLS && mp_compact_write_soon(writer, time)) {
            state->call[state->known++] = (uint8_t)slot;
            state->last = (uint8_t)(2 * slot);
            return true;
        }
    }
    return mp_compact_enter_other(writer, function, time);
}

static inline bool mp_compact_exit(struct mp_compact_writer *writer, uint32_t function, uint32_t time)
{
    struct mp_compact_state *state = &writer->state;

    if (state->known != state->base && state->last != MP_COMPACT_NONE &&
        state->next[state->last] == MP_COMPACT_EXITS) {
        uint32_t slot = state->call[state->known - 1];

        if (state->function[slot] == function && mp_compact_write_soon(writer, time)) {
            state->known--;
            state->last = (uint8_t)(2 * slot + 1);
            return true;
        }
    }
    return mp_compact_exit_other(writer, function, time);
}

bool mp_compact_context(struct mp_compact_writer *writer, uint32_t context, uint32_t depth, uint32_t time);

/* Does the same; in addition, the previous task waits for something from here on. */
bool mp_compact_context_blocked(struct mp_compact_writer *writer, uint32_t context, uint32_t depth,
                                uint32_t time);

/* Until `time`, `lost` events were not recorded; for the other arguments see mp_call_stack_gap(). */
bool mp_compact_gap(struct mp_compact_writer *writer, uint32_t lost, int32_t net, int32_t lowest,
                    uint32_t sum, uint32_t time);

bool mp_compact_clock(struct mp_compact_writer *writer, uint32_t hz);

/* The call at `depth` of the running context has run for `age` ticks. If this does not fit, shorter events
 * may still fit: the packet continues. */
bool mp_compact_open(struct mp_compact_writer *writer, uint32_t depth, uint32_t function, uint32_t age);

/* Names a context in `n` bytes of UTF-8, of which at most MP_COMPACT_NAME_MAX are sent; `is_idle` marks the
 * task that runs when nothing else does. If this does not fit, the packet continues as well. */
bool mp_compact_name(struct mp_compact_writer *writer, uint32_t context, bool is_idle, const char *name,
                     size_t n);

/* In a window: why it was kept (MP_WINDOW_...), the function of the slow call or 0, that call's ticks, the
 * ticks from the writer's time to the trigger, and the number of triggers without a window since the previous
 * one. */
bool mp_compact_window(struct mp_compact_writer *writer, uint8_t why, uint32_t function, uint32_t ticks,
                       uint32_t since, uint32_t missed);

bool mp_compact_window_end(struct mp_compact_writer *writer);

/* Marks the packet as the last of a run, whose events have all been sent (section 10.8). */
static inline void mp_compact_close(struct mp_compact_writer *writer)
{
    writer->out[1] |= MP_COMPACT_CLOSES;
}

/* Returns the payload's size; with `is_announced`, pads the payload to its room. */
uint16_t mp_compact_end(struct mp_compact_writer *writer, bool is_announced);

#endif
