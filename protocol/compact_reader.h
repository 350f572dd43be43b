/* compact_reader.h - reads the events of one packet of the compact stream, on a host (SPEC.md section 10).
 *
 *     if (mp_compact_open_packet(&reader, payload, n))
 *         while ((kind = mp_compact_next(&reader, &event)) > MP_COMPACT_END)
 *             ...
 *
 * Any bytes are valid input. The result depends only on that packet. */
#ifndef PROTOCOL_COMPACT_READER_H
#define PROTOCOL_COMPACT_READER_H

#include "protocol/bytes.h"
#include "protocol/compact.h"
#include "protocol/packet.h"

enum mp_compact_kind {
    MP_COMPACT_MALFORMED = -1, /* nothing more is read */
    MP_COMPACT_END = 0,
    MP_COMPACT_ENTER,
    MP_COMPACT_EXIT,
    MP_COMPACT_CONTEXT,
    MP_COMPACT_GAP,
    MP_COMPACT_CLOCK,
    MP_COMPACT_OPEN,
    MP_COMPACT_NAME,
    MP_COMPACT_WINDOW,
    MP_COMPACT_WINDOW_END,
};

/* Members of other kinds are 0; time and context are always set. */
struct mp_compact_event {
    uint32_t time;     /* ticks modulo 2^32 */
    uint32_t context;  /* the one that runs from here on; NAME: the named one */
    uint32_t function; /* ENTER, EXIT, OPEN; WINDOW: of the slow call, or 0 */
    uint32_t depth;    /* CONTEXT: of its stack; OPEN: of that call */
    uint32_t age;      /* OPEN: ticks */
    uint32_t hz;       /* CLOCK: ticks per second */
    uint32_t lost;     /* GAP: events; the following as for mp_call_stack_gap() */
    int32_t net;
    int32_t lowest;
    uint32_t sum;
    bool is_blocked; /* CONTEXT: the previous task waits for something, or has ended */
    bool is_idle;    /* NAME: it is the task that runs when nothing else does */
    uint8_t name_length;
    /* NAME: in the payload; name_length bytes without a NUL at their end; usually UTF-8 */
    const uint8_t *name;
    uint8_t why;     /* WINDOW: MP_WINDOW_..., or an unknown number */
    uint32_t ticks;  /* WINDOW: duration of the call */
    uint32_t since;  /* WINDOW: ticks from `time` to the trigger */
    uint32_t missed; /* WINDOW: triggers without a window since the previous one */
};

struct mp_compact_reader {
    uint8_t run;
    uint32_t number; /* of the next event; at first, of the packet's first event */
    uint32_t depth;  /* of the stack at the packet's beginning */
    uint8_t shift;
    bool is_window;
    bool is_closing; /* all events of the run have been sent with this packet */
    struct mp_bytes bytes;
    struct mp_compact_state state;
};

/* Returns true when a PROFILE_DATA payload is of version 2 and belongs to a window. */
static inline bool mp_compact_is_window(const uint8_t *payload, size_t n)
{
    return n > 1 && payload[0] == MP_PROFILE_DATA_V2 && payload[1] & MP_COMPACT_IN_WINDOW;
}

/* Returns false when the payload does not begin like one of version 2. */
bool mp_compact_open_packet(struct mp_compact_reader *reader, const uint8_t *payload, size_t n);

enum mp_compact_kind mp_compact_next(struct mp_compact_reader *reader, struct mp_compact_event *event);

#endif
