/* compact_reader.h - the host's end of the compact stream: the events of one packet (SPEC.md section 10).
 *
 *     if (mp_compact_open_packet(&reader, payload, n))
 *         while ((kind = mp_compact_next(&reader, &event)) > MP_COMPACT_END)
 *             ...
 *
 * Any bytes may be given to it. What it says of a packet depends on nothing but that packet. */
#ifndef PROTOCOL_COMPACT_READER_H
#define PROTOCOL_COMPACT_READER_H

#include "protocol/bytes.h"
#include "protocol/compact.h"
#include "protocol/packet.h"

enum mp_compact_kind {
    MP_COMPACT_MALFORMED = -1, /* and nothing more is read */
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

/* What is not of its kind is 0; time and context always are. */
struct mp_compact_event {
    uint32_t time;     /* ticks modulo 2^32 */
    uint32_t context;  /* that runs from here on; NAME: that is called so, whichever runs */
    uint32_t function; /* ENTER, EXIT, OPEN; WINDOW: of the call that was slow, 0 when none was */
    uint32_t depth;    /* CONTEXT: of its stack; OPEN: of that call */
    uint32_t age;      /* OPEN: ticks */
    uint32_t hz;       /* CLOCK: ticks per second */
    uint32_t lost;     /* GAP: events; the rest as mp_call_stack_gap takes it */
    int32_t net;
    int32_t lowest;
    uint32_t sum;
    bool is_blocked; /* CONTEXT: the task that ran until here waits for something, or has ended */
    bool is_idle;    /* NAME: it is the task that runs when nothing else does */
    uint8_t name_length;
    const uint8_t *name; /* NAME: in the payload, any bytes, without an end; UTF-8 is meant */
    uint8_t why;         /* WINDOW: MP_WINDOW_..., or a number that is not known here */
    uint32_t ticks;      /* WINDOW: that the call took */
    uint32_t since;      /* WINDOW: ticks from `time` to the trigger */
    uint32_t missed;     /* WINDOW: triggers that kept no window since the one before */
};

struct mp_compact_reader {
    uint8_t run;
    uint32_t number; /* of the next event: of the packet's first one until that is read */
    uint32_t depth;  /* of the stack at the packet's begin */
    uint8_t shift;
    bool is_window;
    bool is_closing; /* all events of the run have been sent when this packet has been read */
    struct mp_bytes bytes;
    struct mp_compact_state state;
};

/* True when a PROFILE_DATA payload is one of version 2 that is of a window. */
static inline bool mp_compact_is_window(const uint8_t *payload, size_t n)
{
    return n > 1 && payload[0] == MP_PROFILE_DATA_V2 && payload[1] & MP_COMPACT_IN_WINDOW;
}

/* False when the payload does not begin as one of version 2 does. */
bool mp_compact_open_packet(struct mp_compact_reader *reader, const uint8_t *payload, size_t n);

enum mp_compact_kind mp_compact_next(struct mp_compact_reader *reader, struct mp_compact_event *event);

#endif
