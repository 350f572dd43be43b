/* compact.h - shared by writer and reader of the compact stream: its tokens, and the state that both keep of
 * a packet (SPEC.md section 10).
 *
 * Both ends keep the same state, changed by the same tokens, and reset it with every packet, so each packet
 * can be read alone. */
#ifndef PROTOCOL_COMPACT_H
#define PROTOCOL_COMPACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MP_COMPACT_HEAD = 12, /* at most, if context and depth are below 128 */
    MP_COMPACT_HEAD_MAX = 20,
    MP_COMPACT_SLOTS = 64,     /* most functions that a packet can name in one byte */
    MP_COMPACT_CALLS = 32,     /* most running calls that are remembered, of those that began in the packet */
    MP_COMPACT_LEVELS = 4,     /* most waiting contexts that are remembered */
    MP_COMPACT_NAME_MAX = 24,  /* bytes of a context's name */
    MP_COMPACT_TOKEN_MAX = 28, /* of all tokens but NAME */
};

/* The first byte of a token. */
enum mp_compact_token {
    MP_TOKEN_PREDICTED = 0x00,      /* + the time, up to 0x77 */
    MP_TOKEN_PREDICTED_LONG = 0x78, /* + three bits of the time, one byte follows */
    MP_TOKEN_PREDICTED_LATE = 0x7F, /* the time follows */
    MP_TOKEN_ENTER = 0x80,          /* + slot, up to 0xBF */
    MP_TOKEN_ENTER_NEW = 0xC0,
    MP_TOKEN_EXIT = 0xC1,
    MP_TOKEN_EXIT_OTHER = 0xC2,
    MP_TOKEN_EXIT_NEW = 0xC3,
    MP_TOKEN_CONTEXT = 0xC4,
    MP_TOKEN_GAP = 0xC5,
    MP_TOKEN_CLOCK = 0xC6,
    MP_TOKEN_OPEN = 0xC7,
    MP_TOKEN_CONTEXT_BLOCKED = 0xC8,
    MP_TOKEN_NAME = 0xC9,
    MP_TOKEN_WINDOW = 0xCA,
    MP_TOKEN_WINDOW_END = 0xCB,
    MP_TOKEN_PADDING = 0xFF,
};

enum {
    MP_COMPACT_SHORT = 0x78,                           /* times below fit the predicted token */
    MP_COMPACT_LONG = MP_COMPACT_SHORT + 7 * 256,      /* and these take one byte more */
    MP_COMPACT_TIME_1 = 224,                           /* times below take one byte after other tokens */
    MP_COMPACT_TIME_2 = MP_COMPACT_TIME_1 + 31 * 256u, /* and these two bytes */
    MP_COMPACT_TIME_LATE = 0xFF,
};

/* `number` of a packet: the run in the upper bits, the number of its first event below. */
#define MP_COMPACT_EVENTS 0x0FFFFFFFu

/* Contexts on the wire: a task, or an interrupt. */
#define MP_CONTEXT_TASK(number)          (2u * (number))
#define MP_CONTEXT_INTERRUPT(number)     (2u * (number) + 1u)
#define MP_CONTEXT_IS_INTERRUPT(context) ((context)&1u)

/* A bit of the byte of MP_TOKEN_NAME: the idle task. */
#define MP_NAME_IDLE 1u

/* In byte 1 of a packet: it belongs to a window (section 13). */
#define MP_COMPACT_IN_WINDOW 4u

/* In byte 1 of a packet: it is the last of a run, whose events have all been sent (section 10.8). */
#define MP_COMPACT_CLOSES 8u

/* Why a window was kept, the byte of MP_TOKEN_WINDOW; a host may receive other values. */
enum { MP_WINDOW_ASKED = 0, MP_WINDOW_SLOW_CALL = 1 };

/* Special values of predictions and slots. */
enum {
    MP_COMPACT_NONE = 0xFF, /* `last`: nothing can be predicted */
    MP_COMPACT_EXITS = 0xFF /* a prediction: the innermost call ends */
};

struct mp_compact_level {
    uint32_t context;
    uint8_t base;
    uint8_t last;
};

/* The state of the packet so far. */
struct mp_compact_state {
    uint32_t time;
    uint32_t told; /* the function sent last by address */
    uint32_t context;
    uint8_t slots;  /* number of slots of this packet, a power of two */
    uint8_t used;   /* number of slots that hold a function */
    uint8_t oldest; /* the slot that is reused next */
    uint8_t last;   /* the newest event: 2 * slot, + 1 for an exit */
    uint8_t known;  /* number of running calls */
    uint8_t base;   /* how many of these, below, belong to other contexts */
    uint8_t levels;
    struct mp_compact_level level[MP_COMPACT_LEVELS];
    uint8_t call[MP_COMPACT_CALLS];          /* slots */
    uint8_t next[2 * MP_COMPACT_SLOTS];      /* prediction after each event: the slot entered next, or
                                                MP_COMPACT_EXITS */
    uint32_t function[MP_COMPACT_SLOTS + 1]; /* plus one that ends a search */
};

void mp_compact_state_begin(struct mp_compact_state *state, uint8_t slots, uint32_t time, uint32_t context);

/* Returns the slot of a function, or MP_COMPACT_SLOTS when it has none. */
uint32_t mp_compact_find(struct mp_compact_state *state, uint32_t function);

/* Gives the function a slot. If the slot is reused, calls remembered under it, and calls below them, are
 * forgotten. */
uint8_t mp_compact_add(struct mp_compact_state *state, uint32_t function);

/* A call of the function in that slot begins. */
void mp_compact_push(struct mp_compact_state *state, uint8_t slot);

/* A call ends that is not the innermost known one: forgets it and the known calls above it, or all of this
 * context's. */
void mp_compact_unwind(struct mp_compact_state *state, uint32_t function);

/* Another context runs. */
void mp_compact_switch(struct mp_compact_state *state, uint32_t context);

#endif
